import { isObject } from './exchange-rules.ts';
import type { JsonBody } from './read-body.ts';

/** A string of a JSON text, and the colon that follows the name of a member. */
const STRING = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?/gs;

/**
 * Returns an object, or a list of objects, without the members that its text gives twice, because services may read either of
 * them. Objects within these stay as they are.
 */
export function omitDuplicateMembers({ text, exact }: JsonBody): unknown {
  const numbered = JSON.parse(numberNames(text));
  if (!Array.isArray(exact)) return omitFromObject(exact, numbered);
  return exact.map((element, index) => omitFromObject(element, numbered[index]));
}

/** Puts a number in front of the name of each member, so that a parser keeps two members with the same name. */
function numberNames(json: string): string {
  let count = 0;
  return json.replaceAll(STRING, (string, name, colon) => {
    if (colon === undefined) return string;
    count += 1;
    return `"${count} ${name}":`;
  });
}

function omitFromObject(value: unknown, numbered: object): unknown {
  if (!isObject(value)) return value;
  const once = new Set<string>();
  const twice = new Set<string>();
  for (const numberedName of Object.keys(numbered)) {
    const name = numberedName.replace(/^\d+ /, '');
    if (once.has(name)) twice.add(name);
    once.add(name);
  }
  if (twice.size === 0) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !twice.has(name)));
}
