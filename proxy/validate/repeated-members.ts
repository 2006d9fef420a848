import { isObject } from './exchange-rules.ts';

type Path = readonly string[];

/** A string of a JSON text, and the colon that follows the name of a member. */
const STRING = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?/gs;

/** Finds the places of members whose name an object of a JSON text has more than once. @param value the parsed text */
export function findRepeatedMembers(text: string, value: unknown): Path[] {
  // A text with as many colons as the value has members repeats none, and counting them is fast.
  if (countColons(text) === countMembers(value)) return [];
  return listRepeated(JSON.parse(numberNames(text)));
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

/** Puts a number in front of the name of each member, so that a parser keeps two members with the same name. */
function numberNames(json: string): string {
  let count = 0;
  return json.replaceAll(STRING, (string, name, colon) => {
    if (colon === undefined) return string;
    count += 1;
    return `"${count} ${name}":`;
  });
}

function listRepeated(numbered: unknown, place: Path = []): Path[] {
  if (Array.isArray(numbered))
    return numbered.flatMap((one, index) => listRepeated(one, [...place, `${index}`]));
  if (!isObject(numbered)) return [];
  const members = Object.entries(numbered).map(
    ([name, value]) => [[...place, name.replace(/^\d+ /, '')], value] as const,
  );
  const byName = Map.groupBy(members, ([path]) => path.at(-1));
  const repeated = [...byName.values()].flatMap(([[path] = [[]], ...others]) =>
    others.length > 0 ? [path] : [],
  );
  return [...repeated, ...members.flatMap(([path, value]) => listRepeated(value, path))];
}

/** Returns a JSON value in which the members at these places are there, and undefined. */
export function blankMembers(value: unknown, paths: readonly Path[]): unknown {
  if (paths.length === 0) return value;
  const byKey = Map.groupBy(paths, ([first]) => first);
  const below = (key: string) => (byKey.get(key) ?? []).map(([, ...rest]) => rest);
  const isBlank = (key: string) => below(key).some((rest) => rest.length === 0);
  if (Array.isArray(value)) return value.map((one, index) => blankMembers(one, below(`${index}`)));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, one]) => [
    name,
    isBlank(name) ? undefined : blankMembers(one, below(name)),
  ]);
  return Object.fromEntries(members);
}
