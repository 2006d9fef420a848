import { RoundedFraction } from './rounded-fraction.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns whether a JSON value is an object. */
export function isObject(value: unknown): value is JsonObject {
  if (typeof value !== 'object' || value === null) return false;
  return !Array.isArray(value) && !(value instanceof RoundedFraction);
}

type Path = readonly string[];

/** A JSON value, as far as an object has each of its members once. */
interface Certain {
  /** The value, in which a repeated member is undefined, because services may read either one. */
  readonly certain: unknown;
  /** The places of repeated members. */
  readonly repeated: readonly Path[];
}

/** A string of a JSON text, and the colon that follows the name of a member. */
const STRING = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?/gs;

/** Finds members whose name an object of a JSON text has more than once. @param value what `parse` returns for the text */
export function findRepeatedMembers(text: string, value: unknown, parse: (text: string) => unknown): Certain {
  // A text with as many colons as the value has members repeats none, and counting them is fast.
  if (countColons(text) === countMembers(value)) return { certain: value, repeated: [] };
  let count = 0;
  // With a number in front of each name, a parser keeps two members with the same name.
  const numbered = text.replaceAll(STRING, (string, name, colon) => {
    if (colon === undefined) return string;
    count += 1;
    return `"${count} ${name}":`;
  });
  const repeated: Path[] = [];
  return { certain: blankRepeated(parse(numbered), [], repeated), repeated };
}

function countColons(text: string): number {
  let count = 0;
  for (let index = text.indexOf(':'); index !== -1; index = text.indexOf(':', index + 1)) count += 1;
  return count;
}

function countMembers(root: unknown): number {
  let count = 0;
  const open = [root];
  for (const value of open) {
    if (typeof value !== 'object' || value === null) continue;
    const children = Object.values(value);
    if (!Array.isArray(value)) count += children.length;
    for (const child of children) open.push(child);
  }
  return count;
}

/** @param repeated gets the places of repeated members */
function blankRepeated(numbered: unknown, place: Path, repeated: Path[]): unknown {
  if (Array.isArray(numbered))
    return numbered.map((one, index) => blankRepeated(one, [...place, `${index}`], repeated));
  if (!isObject(numbered)) return numbered;
  const byName = Map.groupBy(Object.entries(numbered), ([name]) => name.replace(/^\d+ /, ''));
  const members = [...byName].map(([name, all]) => {
    const path = [...place, name];
    if (all.length > 1) repeated.push(path);
    const [first] = all.map(([, value]) => blankRepeated(value, path, repeated));
    return [name, all.length > 1 ? undefined : first];
  });
  return Object.fromEntries(members);
}
