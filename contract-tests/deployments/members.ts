import { type ExactJson, type JsonObject, parseExactJson } from '../../common/json/exact-json.ts';

/** The JSON of a body, or undefined when it is none. */
export function readJson(body: string | Uint8Array): ExactJson | undefined {
  try {
    return parseExactJson(body);
  } catch {
    return undefined;
  }
}

/** Whether an object has what a NewPet needs. */
export function isNewPet({ name, categoryId }: JsonObject): boolean {
  return typeof name === 'string' && typeof categoryId === 'bigint';
}

/** Sets members of an object. */
export function set(members: JsonObject) {
  return (value: JsonObject): JsonObject => ({ ...value, ...members });
}

/** Takes a member away from an object. */
export function drop(name: string) {
  return (value: JsonObject): JsonObject => without(value, name);
}

/** Changes a member of an object, where it has one. */
export function alter(name: string, change: (value: ExactJson) => ExactJson) {
  return (value: JsonObject): JsonObject => {
    const member = value[name];
    return member === undefined ? value : { ...value, [name]: change(member) };
  };
}

/** An object without one of its members. */
export function without<T>(value: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}

/** An integer as it comes back from a double. */
export function asDouble(value: ExactJson | undefined): ExactJson {
  return typeof value === 'bigint' ? BigInt(Math.min(Number(value), 2 ** 63 - 1024)) : (value ?? null);
}
