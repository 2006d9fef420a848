import type { Pet } from '../../common/json/pet.ts';

export { type NewPet, type Pet, type PetStatus, petStatuses } from '../../common/json/pet.ts';

/** A list of animals. Source: openapi.yaml#/components/schemas/Pets */
export type Pets<Int extends number | bigint = bigint> = readonly Pet<Int>[];

/** Body of every error. Source: openapi.yaml#/components/schemas/Error */
export interface Error {
  readonly code: string;
  readonly message: string;
  readonly status: number;
}

/** Gives the ids of an animal as bigints, with every digit: a reviver for `JSON.parse`. */
export function readInt64(key: string, value: unknown, context?: { source?: string }): unknown {
  const isId = key === 'id' || key === 'categoryId';
  if (!isId || typeof value !== 'number') return value;
  if (Number.isSafeInteger(value)) return BigInt(value);
  // A rounded id would name another animal.
  if (context?.source === undefined) throw tooOld('show a reviver of JSON.parse the digits of a number');
  return BigInt(context.source);
}

/** Prints JSON in which a bigint is a number with every digit. */
export function printInt64(body: unknown): string {
  return JSON.stringify(body, (_key, value) => (typeof value === 'bigint' ? rawJson(`${value}`) : value));
}

/** Returns what `JSON.stringify` prints as a number with these digits. @throws SyntaxError for a text that is no JSON, such as `abc` */
export function rawJson(digits: string): unknown {
  if (!('rawJSON' in JSON)) throw tooOld('have JSON.rawJSON');
  return JSON.rawJSON(digits);
}

/** @param what To be read after "This engine does not". Source: MDN, JSON.rawJSON */
function tooOld(what: string) {
  return new Error(
    `This engine does not ${what}. Use Chrome 114, Firefox 135, Safari 18.4, Node 21 or later.`,
  );
}
