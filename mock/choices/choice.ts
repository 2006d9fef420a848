import type { ApiError } from '../../common/http/api-error.ts';
import { invalidRequest } from '../../common/http/api-error.ts';
import type { ErrorKind } from '../../common/http/error-kinds.ts';
import type { JsonObject } from '../../common/json/exact-json.ts';
import type { NewPet } from '../../common/json/pet.ts';
import type { Answer, Ask, Hook, Query, World } from '../service/types.ts';

/** Headings of the specification that leave something to each deployment. */
export const LIST = 'GET /pets (operation listPets)';
export const CREATE = 'POST /pets (operation createPet)';
export const GET = 'GET /pets/{petId} (operation getPet) — deprecated';
export const GAPS = 'Gaps in the records';
export const ERRORS = 'Errors';
export const ENDPOINTS = 'Endpoints';
export const AUTHENTICATION = 'Authentication';
export const NEW_PET = 'NewPet (request body for creation)';
export const PET = 'Pet (an animal, as returned)';

/** What a deployment with a value does. Without a hook, it does what the plain service does. */
export interface Effect extends Hook {
  /** To be read after the name of the deployment. */
  readonly does: string;
}

/** A point that deployments decide in their own ways, with the values that a mock can have for it. */
export interface Choice<Free = never> {
  readonly about: string;
  /** Heading of the specification that does not define it. */
  readonly silentAt: string;
  /** The first value is the default, which has no hook. */
  readonly values: readonly (Effect & { readonly value: string | number })[];
  /** Further values, for which a list is too coarse. */
  readonly free?: FreeValues<Free>;
}

/** Values of a choice that are set by name or learned, but not tried. */
export interface FreeValues<Value> {
  /** The values, to be read after "must be". */
  readonly expected: string;
  readonly examples: readonly [Value, ...Value[]];
  /** JSON Schema of the values. */
  readonly schema: object;
  has(value: unknown): value is Value;
  effectOf(value: Value): Effect;
  /** Says which part of a value that is none is wrong, to be read after the value. @default nothing */
  findHint?(value: unknown): string;
  /** By how much two numbers may differ that are learned from the same deployment. @default 0 */
  readonly precision?: number;
  /** Returns whether two of the values may be learned from the same deployment. @default only equal ones may */
  isSameLearned?(one: Value, other: Value): boolean;
}

export function integers(
  least: number,
  most: number,
  example: number,
  effectOf: (value: number) => Effect,
): FreeValues<number> {
  return {
    expected: `an integer from ${least} to ${most}`,
    examples: [example],
    schema: { type: 'integer', minimum: least, maximum: most },
    has: (value): value is number =>
      typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most,
    effectOf,
  };
}

/** Returns the effects of some values, such as `[1000, 255].map(listed(longest))`. */
export const listed =
  <Value extends string | number>(effectOf: (value: Value) => Effect) =>
  (value: Value) => ({ value, ...effectOf(value) });

/** Prints `1,500` for 1500. Intl takes 15 ms of the start. */
export function printCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Returns a query with other texts of a parameter. */
export function withParameter(query: Query, name: string, texts: readonly string[]): Query {
  const others = [...query].filter(([key]) => key !== name);
  const added = texts.map((text): [string, string] => [name, text]);
  const all = [...others, ...added];
  return {
    getAll: (asked) => all.flatMap(([key, text]) => (key === asked ? [text] : [])),
    [Symbol.iterator]: () => all[Symbol.iterator](),
  };
}

/** Creates a hook that replaces the text of a parameter that is given once. @param toTexts returns undefined for one that stays */
export function replacing(name: string, toTexts: (text: string) => readonly string[] | undefined): Hook {
  return {
    request: (ask) => {
      const [text, ...others] = ask.query.getAll(name);
      const texts = text === undefined || others.length > 0 ? undefined : toTexts(text);
      return texts === undefined ? ask : { ...ask, query: withParameter(ask.query, name, texts) };
    },
  };
}

/** Creates a hook that lists no animals if a parameter is given once with such a text. */
export function emptyFor(name: string, isMeant: (text: string) => boolean): Hook {
  const without = replacing(name, (text) => (isMeant(text) ? [] : undefined));
  return {
    request: (ask, world) => {
      const changed = without.request?.(ask, world) ?? ask;
      return changed === ask ? ask : mark(changed, 'empty', []);
    },
    list: (pets, { marks }) => (marks.empty === undefined ? pets : []),
  };
}

/** Notes something about a request for a later hook. */
export function mark(ask: Ask, name: string, texts: readonly string[]): Ask {
  return { ...ask, marks: { ...ask.marks, [name]: texts } };
}

/** What a hook that refuses animals knows of one. */
export interface Given {
  readonly pet: NewPet;
  readonly body: JsonObject;
  readonly world: World;
  readonly ask: Ask;
}

/** Creates a hook that refuses a valid animal. @param findFault returns the sentence that says why, without its end */
export function refusing(kind: ErrorKind, findFault: (given: Given) => string | false | ApiError): Hook {
  return {
    pet: (pet, body, world, ask) => {
      const fault = findFault({ pet, body, world, ask });
      if (fault === false) return pet;
      throw typeof fault === 'string' ? invalidRequest(`${fault}.`).ofKind(kind) : fault;
    },
  };
}

/** Creates a hook that changes the headers of answers. @param toHeaders returns undefined to change nothing */
export function changingHeaders(
  toHeaders: (answer: Answer, ask: Ask, world: World) => Answer['headers'] | undefined,
): Hook {
  return {
    reply: (answer, ask, world) => {
      const headers = toHeaders(answer, ask, world);
      return headers === undefined ? answer : { ...answer, headers };
    },
  };
}

export function withoutHeaders(...names: readonly string[]): Hook {
  return changingHeaders(({ headers }) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name))),
  );
}
