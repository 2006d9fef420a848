import { printSuggestion, suggest } from '../../common/text/suggest.ts';
import type { OwnRule } from './own-rules.ts';

/** JSON Schema of a body, as far as it names members. */
export interface BodySchema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly items?: BodySchema;
  readonly allOf?: readonly BodySchema[];
}

/** A name that the contract does not have. */
export interface UnknownName {
  readonly location: readonly string[];
  readonly rule: Extract<OwnRule, 'unknown-parameter' | 'unknown-member'>;
  readonly message: string;
}

/** Finds query parameters that an operation does not document: a service may ignore them without an error. */
export function findUnknownParameters(operation: string, given: URLSearchParams, known: readonly string[]) {
  const unknown = new Set(given.keys().filter((name) => !known.includes(name)));
  return [...unknown].map((name): UnknownName => {
    const message = `${name} is not a parameter of ${operation}${printSuggestion(name, known)}`;
    return { location: ['request', 'query', name], rule: 'unknown-parameter', message };
  });
}

/** Finds members of a body that are not documented; in a response, which may have more members, only misspelt ones. */
export function findUnknownMembers(
  operation: string,
  body: unknown,
  { properties, items }: BodySchema,
  location: readonly ['request' | 'response', ...string[]],
): UnknownName[] {
  if (Array.isArray(body)) {
    const find = (element: unknown, index: number) =>
      items ? findUnknownMembers(operation, element, items, [...location, `${index}`]) : [];
    return body.flatMap(find);
  }
  if (!properties || typeof body !== 'object' || body === null) return [];
  const unknown = Object.keys(body).filter((name) => !Object.hasOwn(properties, name));
  if (unknown.length === 0) return [];
  const [side] = location;
  const absent = Object.keys(properties).filter((known) => !Object.hasOwn(body, known));
  return unknown
    .filter((name) => side === 'request' || suggest(name, absent) !== undefined)
    .map((name) => {
      const hint = printSuggestion(name, absent);
      const message = `${name} is not a member of the ${side} body of ${operation}${hint}`;
      return { location: [...location, name], rule: 'unknown-member', message };
    });
}
