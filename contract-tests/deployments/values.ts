import { type ExactJson, type JsonObject, parseExactJson } from '../../common/json/exact-json.ts';

/** Returns the JSON of a body, or undefined if it is not JSON. */
export function readJson(body: string | Uint8Array): ExactJson | undefined {
  try {
    return parseExactJson(body);
  } catch {
    return undefined;
  }
}

export function isNewPet({ name, categoryId }: JsonObject): boolean {
  return typeof name === 'string' && typeof categoryId === 'bigint';
}

export function set(members: JsonObject) {
  return (value: JsonObject): JsonObject => ({ ...value, ...members });
}

export function drop(name: string) {
  return <T>({ [name]: _, ...others }: Readonly<Record<string, T>>): Readonly<Record<string, T>> => others;
}

/** Changes a member of an object that has it. */
export function alter(name: string, change: (value: ExactJson) => ExactJson) {
  return (value: JsonObject): JsonObject => {
    const member = value[name];
    return member === undefined ? value : { ...value, [name]: change(member) };
  };
}

/** Rounds an integer to the nearest double in int64. */
export function asDouble(value: ExactJson | undefined): ExactJson {
  return typeof value === 'bigint' ? BigInt(Math.min(Number(value), 2 ** 63 - 1024)) : (value ?? null);
}

const nextStatus = { available: 'pending', pending: 'sold', sold: 'available' } as const;

/** Gives an animal with a status another one. */
export const turnStatus = alter('status', (status) => nextStatus[status as keyof typeof nextStatus] ?? null);
