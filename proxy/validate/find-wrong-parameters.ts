import type { OwnRule } from './own-rules.ts';
import type { Operation } from './read-operations.ts';

/** An integer in plain digits, as the minus sign and the digits of JSON. */
const PLAIN_INTEGER = /^(?:0|-?[1-9]\d*)$/;

/** A parameter of an operation, as Prism's reader of OpenAPI has it. */
interface Parameter {
  readonly name: string;
  readonly schema?: { readonly type?: unknown; readonly enum?: readonly unknown[] };
}

/** A parameter whose text breaks the contract, although Prism reads a valid value from it. */
export interface WrongParameter {
  readonly location: readonly string[];
  readonly rule: Extract<OwnRule, 'empty-parameter' | 'integer-format'>;
  readonly message: string;
  readonly expected: string | undefined;
}

/** Finds parameters whose text breaks the contract. Prism accepts an empty one, and whatever `Number` reads as an integer. */
export function findWrongParameters(
  { path: template, request: { query = [], path: inPath = [] } = {} }: Operation,
  given: URLSearchParams,
  path: string,
): WrongParameter[] {
  const ofQuery = query.map((parameter) =>
    findWrong(parameter as Parameter, 'query', given.getAll(parameter.name)),
  );
  const ofPath = inPath.map((parameter) => {
    const index = template.split('/').indexOf(`{${parameter.name}}`);
    return findWrong(parameter as Parameter, 'path', decodeSegment(path.split('/')[index] ?? ''));
  });
  return [...ofQuery, ...ofPath].filter((one) => one !== undefined);
}

function findWrong(
  { name, schema = {} }: Parameter,
  part: 'query' | 'path',
  values: readonly string[],
): WrongParameter | undefined {
  // Prism writes the names of parameters in lower case.
  const location = ['request', part, name.toLowerCase()];
  const expected = describeExpected(schema);
  if (values.includes('')) {
    const message = `${name} is empty. Leave the parameter out, or send ${expected}`;
    return { location, rule: 'empty-parameter', message, expected };
  }
  if (schema.type !== 'integer' || values.every((value) => PLAIN_INTEGER.test(value))) return undefined;
  const message =
    `${name} must be an integer in plain digits. ` +
    'The specification has no other form of an integer, so a service may refuse it or read another number';
  return { location, rule: 'integer-format', message, expected: 'integer' };
}

function describeExpected({ type, enum: values }: NonNullable<Parameter['schema']>): string {
  if (values !== undefined) return `one of ${values.join(', ')}`;
  if (type === undefined) return 'a value';
  return /^[aeiou]/.test(`${type}`) ? `an ${type}` : `a ${type}`;
}

/** Returns the value of a segment; none if it cannot be decoded, which Prism reports. */
function decodeSegment(segment: string): readonly string[] {
  try {
    return [decodeURIComponent(segment)];
  } catch {
    return [];
  }
}
