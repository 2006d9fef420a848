import type { Violation } from '../exchange.ts';

/** The most unknown names that are reported of one message. */
export const MOST_TOLD = 20;

/** The most names that get a place of their own: a client that makes names up is not to hide what else is found. */
export const MOST_NAMES = 100;

/** The longest name that is repeated, in characters. */
const LONGEST_NAME = 40;

/** How many letters a name may differ by from the one that was meant. */
const NEAR = 2;

/** JSON Schema of a body, as far as it names members. */
export interface BodySchema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly items?: unknown;
}

/** Unknown name and the documented names that it may stand for. */
interface Unknown {
  readonly path: readonly string[];
  readonly name: string;
  readonly documented: readonly string[];
}

/** Creates finders of names that an operation does not document: a service may ignore them without a word. */
export function createFindUnknownNames() {
  const names = new Set<string>();
  const warn = (code: string, what: string, { path, name, documented }: Unknown): Violation => {
    const isShort = name.length <= LONGEST_NAME;
    if (isShort && names.size < MOST_NAMES) names.add(name);
    const nearest = findNearest(name, documented);
    const told = isShort ? name : `A name of ${name.length} characters`;
    const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
    return {
      location: [...path, ...(names.has(name) ? [name] : [])],
      severity: 'warning',
      code,
      message: `${told} is not a ${what}${hint}`,
    };
  };
  return {
    /** Finds query parameters. */
    inQuery(operationId: string, given: URLSearchParams, documented: readonly string[]): Violation[] {
      const unknown = new Set(given.keys().filter((name) => !documented.includes(name)));
      return [...unknown].slice(0, MOST_TOLD).map((name) =>
        warn('unknown-parameter', `parameter of ${operationId}`, {
          path: ['request', 'query'],
          name,
          documented,
        }),
      );
    },
    /** Finds members of a body. A service may add members, so a response is searched for misspelt names only. */
    inBody(
      side: 'request' | 'response',
      operationId: string,
      body: unknown,
      schema: BodySchema = {},
    ): Violation[] {
      const found: Unknown[] = [];
      collectUnknown(found, side, body, schema, [side, 'body']);
      return found.map((unknown) =>
        warn('unknown-member', `member of the ${side} body of ${operationId}`, unknown),
      );
    },
  };
}

function collectUnknown(
  found: Unknown[],
  side: 'request' | 'response',
  value: unknown,
  { properties, items }: BodySchema,
  path: readonly string[],
): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    // Most elements have known names only, and a proxy checks many.
    for (const [index, element] of items ? value.entries() : [])
      if (!hasKnownNames(element, items as BodySchema))
        collectUnknown(found, side, element, items as BodySchema, [...path, `${index}`]);
    return;
  }
  if (properties === undefined || hasKnownNames(value, { properties })) return;
  const absent = Object.keys(properties).filter((known) => !Object.hasOwn(value, known));
  for (const name of Object.keys(value)) {
    if (found.length >= MOST_TOLD) return;
    if (Object.hasOwn(properties, name)) continue;
    if (side === 'request' || findNearest(name, absent) !== undefined)
      found.push({ path, name, documented: absent });
  }
}

function hasKnownNames(value: unknown, { properties }: BodySchema): boolean {
  if (properties === undefined || typeof value !== 'object' || value === null) return false;
  for (const name in value) if (!Object.hasOwn(properties, name)) return false;
  return true;
}

function findNearest(name: string, documented: readonly string[]): string | undefined {
  const measured = documented
    // No other name can be near, and a long one would take its time.
    .filter((known) => Math.abs(known.length - name.length) <= NEAR)
    .map((known) => ({ known, distance: measureDistance(name, known) }));
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
