import { type JsonObject, printExactJson } from '../../common/exact-json.ts';

/** Prints an animal as JSON with spaces, line breaks and escapes for what is not ASCII. */
export function toOtherJson(pet: JsonObject): string {
  const members = Object.entries(pet).map(
    ([key, value]) => `  ${printExactJson(key)} : ${printExactJson(value)}`,
  );
  return `\n{\n${members.join(' ,\n')}\n}\n`.replaceAll(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
