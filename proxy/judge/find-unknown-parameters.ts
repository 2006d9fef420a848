import type { Violation } from '../exchange.ts';

/** The most parameters that are told of in one request. */
export const MOST_TOLD = 20;

/** The most names that get a place of their own: a client that makes names up is not to hide what else is found. */
export const MOST_NAMES = 100;

/** The longest name that is repeated, in characters. */
const LONGEST_NAME = 40;

/** How many letters a name may differ by from the one that was meant. */
const NEAR = 2;

/** Creates what warns of query parameters that an operation does not document: a service may ignore them without a word. */
export function createFindUnknownParameters() {
  const names = new Set<string>();
  return (operationId: string, given: URLSearchParams, documented: readonly string[]): Violation[] => {
    const unknown = new Set(given.keys().filter((name) => !documented.includes(name)));
    return [...unknown].slice(0, MOST_TOLD).map((name) => {
      const isShort = name.length <= LONGEST_NAME;
      if (isShort && names.size < MOST_NAMES) names.add(name);
      const nearest = isShort ? findNearest(name, documented) : undefined;
      const told = isShort ? name : `A name of ${name.length} characters`;
      const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
      return {
        location: ['request', 'query', ...(names.has(name) ? [name] : [])],
        severity: 'warning',
        code: 'unknown-parameter',
        message: `${told} is not a parameter of ${operationId}${hint}`,
      };
    });
  };
}

function findNearest(name: string, documented: readonly string[]): string | undefined {
  const measured = documented.map((known) => ({ known, distance: measureDistance(name, known) }));
  const [nearest] = measured.toSorted((one, other) => one.distance - other.distance);
  return nearest !== undefined && nearest.distance <= NEAR ? nearest.known : undefined;
}

/** The least number of letters to put in, take out or change that makes one word of the other (Levenshtein's distance). */
function measureDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const above = row;
    row = [index + 1];
    for (const [column, wanted] of [...other].entries()) {
      const [left = 0, up = 0, corner = 0] = [row[column], above[column + 1], above[column]];
      row.push(Math.min(left + 1, up + 1, letter === wanted ? corner : corner + 1));
    }
  }
  return row.at(-1) ?? 0;
}
