import * as v from 'valibot';
import { describeValue, invalidRequest } from '../../common/http/api-error.ts';
import { type ExactJson, isJsonObject, parseExactJson } from '../../common/json/exact-json.ts';
import { expectJson, readMembers } from '../../common/read-members.ts';
import type { Schema } from '../../common/schema.ts';
import { expectFilter, pickFilter, type Until } from '../journal/request-filter.ts';

export type ControlMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** An operation of the control API. Its document and the reference page follow from it. */
export interface Operation {
  readonly method: ControlMethod;
  /** Path under `/__admin`, with at most one parameter, such as `/animals/{id}`. */
  readonly path: string;
  /** What it does, for the reference page. */
  readonly about: string;
  /** Further sentences for the document. */
  readonly details?: string;
  /** True if it is about something that only an existing session has, so that it never starts a session. */
  readonly isForExisting?: true;
  /** The parameter in the path, read from text. */
  readonly param?: Schema;
  readonly body?: Schema;
  readonly query?: Schema;
  /** What the response has as JSON. Without it, the response is a 204. */
  readonly result?: Schema;
  /** @default 'application/json' */
  readonly mediaType?: string;
}

interface ReceivedRequest {
  /** The parameter in the path, or an empty string. */
  readonly param: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface SentRequest {
  readonly param?: unknown;
  readonly query?: object | undefined;
  readonly body?: unknown;
}

/** Reads the arguments of an operation. The method checks the parameter and the body. @throws ApiError `invalid_request` for the query */
export function readArguments({ param, body, query }: Operation, request: ReceivedRequest): never[] {
  const args = [
    ...(param ? [v.parse(param as v.GenericSchema, request.param)] : []),
    ...(body ? [request.body] : []),
    ...(query ? [readQuery(query, request.query)] : []),
  ];
  return args as never[];
}

/** Reads a query, whose members that are objects are JSON. */
function readQuery(schema: Schema, query: ReceivedRequest['query']) {
  const { entries } = schema as v.ObjectSchema<v.ObjectEntries, undefined>;
  const members = Object.entries(query).map(([name, text]) => {
    const { type, examples = [] } = findMetadata(Object.hasOwn(entries, name) ? entries[name] : undefined);
    return [name, type === 'object' ? parseObject(name, text, examples[0]) : text];
  });
  return readMembers('The query', Object.fromEntries(members), entries);
}

/** Returns what the document says of a member of a query. */
function findMetadata(entry: object = v.any()): {
  readonly type?: string;
  readonly examples?: readonly unknown[];
} {
  return v.getMetadata('wrapped' in entry ? (entry.wrapped as v.GenericSchema) : (entry as v.GenericSchema));
}

function parseObject(name: string, text: string, example: unknown): unknown {
  try {
    return parseExactJson(text);
  } catch {
    throw invalidRequest(
      `The query: ${name} must be JSON, such as ${JSON.stringify(example)}, not ${describeValue(text)}.`,
    );
  }
}

/**
 * Returns the request of an operation with these arguments.
 * @throws ApiError `invalid_request` for an argument that a path or JSON would change in silence
 */
export function createRequest(operation: Operation, args: readonly unknown[]): SentRequest {
  const { param, body, query } = operation;
  const rest = [...args];
  if (param) expectParameter(operation, rest[0]);
  const request = {
    ...(param && { param: rest.shift() }),
    ...(body && { body: rest.shift() }),
    ...(query && { query: rest.shift() as object | undefined }),
  };
  expectJson(request.body, 'The body');
  return request;
}

/** A path has only text: the number 5 would become the name "5". */
function expectParameter({ path, param }: Operation, given: unknown): void {
  const [, name] = /\{(\w+)\}/.exec(path) ?? [];
  const isId = findMetadata(param).type === 'integer';
  const expected = isId ? 'an id, such as 1' : 'a string';
  if (typeof given !== 'string' && !(isId && /number|bigint/.test(typeof given)))
    throw invalidRequest(`${name} must be ${expected}, not ${describeValue(given)}.`);
}

/** Reads the result of an operation from the body of a response. @throws Error if the mock has another version */
export function readResult({ method, path, result }: Operation, text: string): unknown {
  if (result === undefined) return undefined;
  const { output, issues } = v.safeParse(result as v.GenericSchema, toNumbers(parseExactJson(text)));
  if (issues === undefined) return output;
  const what = `This client does not understand the response to ${method} /__admin${path}`;
  const where = v.getDotPath(issues[0]) ?? 'the body';
  throw new Error(
    `${what}: ${where}: ${issues[0].message}. Use the same version of animal-store-mock for both.`,
  );
}

/** Returns a value of JSON in which integers are numbers, unless a number would lose digits. */
function toNumbers(value: ExactJson): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(toNumbers);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toNumbers(one)]));
}

function expectExact(given: unknown, member = 'id'): void {
  if (Number.isInteger(given) && !Number.isSafeInteger(given))
    throw invalidRequest(`${member} is beyond 2^53, where a number is not exact. Use a bigint.`);
  if (Array.isArray(given)) for (const one of given) expectExact(one);
  else if (Object(given) === given)
    for (const [key, one] of Object.entries(given as object)) expectExact(one, key);
}

/** Returns animals and ids as they are. @throws ApiError `invalid_request` for a number that may have lost digits */
export function toExact(...args: readonly unknown[]): readonly unknown[] {
  for (const one of args) expectExact(one);
  return args;
}

/** Returns a filter as it is. @throws ApiError `invalid_request` for what JSON cannot hold */
export function toSentFilter(filter: object = {}): readonly unknown[] {
  expectFilter(filter);
  return [filter];
}

export function toSentUntil(given?: Until): readonly unknown[] {
  return [pickFilter(given)];
}
