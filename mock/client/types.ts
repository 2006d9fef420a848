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
  if (context?.source === undefined) throw new Error(`This engine does not show the digits of ${value}.`);
  return BigInt(context.source);
}

/** Prints JSON in which a bigint is a number with every digit. */
export function printInt64(body: unknown): string {
  return JSON.stringify(body, (_key, value) => (typeof value === 'bigint' ? rawJson(`${value}`) : value));
}

/** A number in JSON, as these digits; TypeScript does not declare it yet. */
export const { rawJSON: rawJson } = JSON as unknown as { rawJSON: (digits: string) => unknown };
