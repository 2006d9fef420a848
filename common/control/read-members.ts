import { ApiError, describeValue } from '../api-error.ts';
import { type ExactJson, isJsonObject, printExactJson } from '../exact-json.ts';
import { inWords, type ValueKind } from '../value-kinds.ts';

/**
 * Reads an object whose members are all known, from a program or from JSON; bigints become numbers.
 * @param what the object, in a message.
 * @throws ApiError `invalid_request`, naming each member that is wrong.
 */
export function readMembers<T>(
  what: string,
  value: unknown,
  kinds: Readonly<Record<string, ValueKind<unknown>>>,
): T {
  const object = value as ExactJson;
  if (!isJsonObject(object)) {
    throw new ApiError('invalid_request', `${what} must be an object, not ${describeValue(object ?? null)}.`);
  }
  const given = Object.entries(JSON.parse(printExactJson(object)) as Record<string, unknown>);
  const problems = given.flatMap(([name, member]) => {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined)
      return [`${describeValue(name)} is not known; ${describeKnown(Object.keys(kinds))}`];
    if (kind.isValid(member)) return [];
    const forbidden = kind.findForbidden?.(member);
    if (forbidden !== undefined) return [`${name} must not contain ${forbidden}`];
    return [`${name} must be ${kind.expected}${kind.secret ? '' : `, not ${describeMember(member)}`}`];
  });
  if (problems.length > 0) throw new ApiError('invalid_request', `${what}: ${problems.join('; ')}.`);
  return Object.fromEntries(given) as T;
}

function describeKnown(names: readonly string[]): string {
  return `${inWords(names)} ${names.length === 1 ? 'is' : 'are'}`;
}

function describeMember(member: unknown): string {
  return describeValue((Number.isSafeInteger(member) ? BigInt(member as number) : member) as ExactJson);
}
