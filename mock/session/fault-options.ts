import * as v from 'valibot';
import { type ApiError, invalidRequest } from '../../common/http/api-error.ts';
import { type OperationName, operations } from '../../common/journal/operation-name.ts';
import { type ExactJson, isJsonObject } from '../../common/json/exact-json.ts';
import { parseInt64 } from '../../common/json/int64.ts';
import { readMembers } from '../../common/read-members.ts';
import { integer, mustBe, oneOf, probability, text } from '../../common/schemas.ts';
import { A_DELAY, type Delay, isDelay } from './delay.ts';

/** Requests that a fault is for: the ones that match every member. */
export interface FaultMatch {
  /** @default any */
  readonly operation?: OperationName;
  /** Id in the path; a number, or decimal digits. @default any */
  readonly petId?: number | bigint | string;
  /** Exact values of query parameters, such as `{ status: 'sold' }`. */
  readonly query?: Readonly<Record<string, string | number>>;
  /** Exact values of headers; their names match in any case. */
  readonly headers?: Readonly<Record<string, string | number>>;
}

/** Response of a fault. */
export interface FaultResponse {
  /** From 400 to 599; with a `body` from 200 on. @default with a `body` the usual status of the operation */
  readonly status?: number;
  /** For example `{ 'Retry-After': 30 }`. Headers for the framing, such as Content-Length, are refused. */
  readonly headers?: Readonly<Record<string, string | number>>;
  /** Instead of an Error: any JSON value, or a string, which is sent as it is. Its default Content-Type is JSON. */
  readonly body?: unknown;
  /** Message of the Error. */
  readonly message?: string;
}

/** A fault to add: it needs a status, a body, a delay or a drop. */
export interface FaultOptions {
  /** @default every request */
  readonly match?: FaultMatch;
  /** Short for `match.operation`. */
  readonly operation?: OperationName;
  /** Number of matching requests that pass before the fault applies. @default 0 */
  readonly skip?: number;
  /** Number of requests that the fault applies to. @default all */
  readonly times?: number;
  /** Share of the matching requests that the fault applies to, from 0 to 1; the same ones for the same seed. @default 1 */
  readonly probability?: number;
  /** Time that a request waits before anything else happens to it: milliseconds, or a range such as `'50-200'`. */
  readonly delay?: Delay;
  /** Resets the connection instead of a response. */
  readonly drop?: true;
  readonly response?: FaultResponse;
  /** Short for `response.status`. */
  readonly status?: number;
  /** Short for `response.message`. */
  readonly message?: string;
}

export type FaultEnd = { readonly drop: true } | (FaultResponse & { readonly drop?: never });

export interface FaultConfig {
  readonly options: FaultOptions;
  readonly match: FaultMatch;
  readonly end: FaultEnd | undefined;
}

const isObject = (value: unknown): value is object => isJsonObject(value as ExactJson);

const anObject = v.custom<object>(isObject, mustBe('an object'));

const framing = /^(?:content-length|transfer-encoding|connection|keep-alive|upgrade|trailer|te)$/i;

const isScalar = (value: unknown) => /^(?:string|number|bigint)$/.test(typeof value);

function values(expected: string, isOne: (name: string, value: string) => boolean) {
  return v.custom<Readonly<Record<string, string | number>>>(
    (value) =>
      isObject(value) &&
      Object.entries(value).every(([name, one]) => isScalar(one) && isOne(name, String(one))),
    mustBe(expected),
  );
}

function isHeader(name: string, value: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

const isId = (value: unknown) => isScalar(value) && parseInt64(String(value)) !== undefined;

const matchSchemas = {
  operation: v.optional(oneOf(operations)),
  petId: v.optional(v.custom<number | bigint | string>(isId, mustBe('an id, such as 7 or "7"'))),
  query: v.optional(values('an object of exact values, such as { "status": "sold" }', () => true)),
  headers: v.optional(values('an object of names and exact values, such as { "x-role": "admin" }', isHeader)),
};

const HEADERS =
  'an object of names and values, such as { "Retry-After": 30 }, without headers for the framing';
const isOfResponse = (name: string, value: string) => isHeader(name, value) && !framing.test(name);

const responseSchemas = {
  status: v.optional(integer(200, 599)),
  headers: v.optional(values(HEADERS, isOfResponse)),
  body: v.optional(v.unknown()),
  message: v.optional(text('a string')),
};

const schemas = {
  match: v.optional(anObject),
  operation: matchSchemas.operation,
  skip: v.optional(integer(0, 1_000_000)),
  times: v.optional(integer(1, 1_000_000)),
  probability: v.optional(probability),
  delay: v.optional(v.custom<Delay>(isDelay, mustBe(A_DELAY))),
  drop: v.optional(v.literal(true, mustBe('true'))),
  response: v.optional(anObject),
  status: responseSchemas.status,
  message: responseSchemas.message,
};

/** Checks a fault and resolves its short forms. @throws ApiError `invalid_request`, naming each member that is wrong. */
export function readFault(given: unknown): FaultConfig {
  const options = readMembers('The fault', given, schemas);
  const { operation, delay, drop } = options;
  const match = readMembers("The fault's match", { operation, ...options.match }, matchSchemas);
  const short = { status: options.status, message: options.message };
  const response = readMembers("The fault's response", { ...short, ...options.response }, responseSchemas);
  const { status, body } = response;
  const hasResponse = Object.keys(response).length > 0;
  if (drop && hasResponse) throw refuse('has a drop and a response: only one of them can end a request');
  if (hasResponse && status === undefined && body === undefined)
    throw refuse('has a response without a status or a body');
  if (status !== undefined && status < 400 && body === undefined)
    throw refuse(`has the status ${status}: without a body it must be from 400 to 599`);
  if (!drop && !hasResponse && delay === undefined) throw refuse('needs a status, a body, a delay or a drop');
  return { options, match, end: drop ? { drop } : hasResponse ? response : undefined };
}

function refuse(why: string): ApiError {
  return invalidRequest(`The fault ${why}.`);
}
