import { matchPath } from '@stoplight/prism-http/dist/router/matchPath.js';
import * as prism from '@stoplight/prism-http/dist/validator/index.js';
import type { Headers } from '../../common/http/headers.ts';
import type { ExchangeRequest, ExchangeResponse, FoundViolation, Received } from '../exchange.ts';
import type { FindReceived } from './apply-rules.ts';
import { type PrismRule, prismRules } from './prism-rules.ts';
import { checkedInt64, int64, isJson, type ReadBody, toCheckedText } from './read-body.ts';
import type { Operation } from './read-operations.ts';

/** An `Either` of fp-ts with Prism's diagnostics on the left. */
type Validated = ReturnType<(typeof prism)['validateSecurity' | 'validateInput' | 'validateOutput']>;
type Diagnostic = Extract<Validated, { _tag: 'Left' }>['left'][number];

/** Severity of an error; all others are warnings. Source: DiagnosticSeverity of @stoplight/types */
const ERROR = 0;

/** Makes an operation ready for Prism's validators. */
export function prepareOperation(operation: Operation): void {
  widenInt64(operation);
  dropEmptyLists(operation.request);
}

/** Returns whether the router of Prism finds the path of an operation in a request. */
export function isRouted({ path: template }: Operation, path: string): boolean {
  // Prism's router takes an empty segment for a parameter.
  if (!path.startsWith('/') || path.endsWith('/')) return false;
  const match = matchPath(path, template);
  return match._tag === 'Right' && match.right !== 'no-match';
}

/** Validates a request. @param path without rounded numbers @param given the query */
export function validateRequest(
  resource: Operation,
  request: ExchangeRequest,
  path: string,
  given: URLSearchParams,
  body: ReadBody,
  find: FindReceived,
): FoundViolation[] {
  const names = resource.request?.query?.map(({ name }) => name) ?? [];
  const url = { path, query: toPrismQuery(given, names) };
  const element = {
    url,
    method: resource.method as 'get',
    headers: toRequestHeaders(request),
    body: body.value,
  };
  const validate = () => [
    prism.validateSecurity({ resource, element }),
    prism.validateInput({ resource, element }),
  ];
  const receivedOf = (rule: PrismRule, location: readonly string[]) =>
    rule.received?.(request) ?? find(location);
  return diagnose(validate, 'request', body, receivedOf);
}

/** Validates a response. */
export function validateResponse(
  resource: Operation,
  { status, headers }: ExchangeResponse,
  body: ReadBody,
  find: FindReceived,
): FoundViolation[] {
  const element = { statusCode: status, headers: toPlainType(headers), body: body.value };
  return diagnose(
    () => [prism.validateOutput({ resource, element })],
    'response',
    body,
    (_, location) => find(location),
  );
}

type ReceivedOf = (rule: PrismRule, location: readonly string[]) => Received | undefined;

function diagnose(
  validate: () => readonly Validated[],
  side: 'request' | 'response',
  { isRead }: ReadBody,
  receivedOf: ReceivedOf,
): FoundViolation[] {
  const found = listDiagnostics(validate).map((one) => toViolation(one, side, receivedOf));
  // What Prism finds in a body that was not read says nothing.
  return isRead ? found : found.filter(({ location, rule }) => location[1] !== 'body' && rule !== 'required');
}

function toViolation(
  { path = [], severity, code = 'unnamed', message }: Diagnostic,
  side: 'request' | 'response',
  receivedOf: ReceivedOf,
): FoundViolation {
  const known = prismRules[code] ?? {};
  const location = [side, ...path.map(String)];
  const sentence = correctBound(message);
  const ofWhole = path.length === 0 ? known.messageOfWhole : undefined;
  const [, expected] = known.expected?.exec(sentence) ?? [];
  const [, missing] = known.missing?.exec(sentence) ?? [];
  return {
    location,
    severity: severity === ERROR ? 'error' : 'warning',
    rule: known.rule ?? String(code),
    message: ofWhole ?? known.message ?? sentence,
    expected,
    missing,
    received: missing === undefined ? receivedOf(known, location) : undefined,
  };
}

/** Prism throws at some paths that cannot be decoded. */
function listDiagnostics(validate: () => readonly Validated[]): readonly Diagnostic[] {
  try {
    return validate().flatMap((validated) => (validated._tag === 'Left' ? validated.left : []));
  } catch (error) {
    const message = `It cannot be checked: ${(error as Error).message}`;
    return [{ severity: ERROR, code: 'unreadable', message }];
  }
}

/** The bounds of int64, as Prism prints them for checked numbers, and as they are. */
const bounds = [
  [` ${checkedInt64.maximum}`, ` ${int64.maximum}`],
  [` ${checkedInt64.minimum}`, ` ${int64.minimum}`],
] as const;

/** Replaces a rounded bound at the end of a message, such as `must be <= 9223372036854775000`. */
function correctBound(message: string): string {
  const [rounded, exact] = bounds.find(([end]) => message.endsWith(end)) ?? ['', ''];
  return message.slice(0, message.length - rounded.length) + exact;
}

/** Prism would take a parameter in another case for the one of the contract. */
function toPrismQuery(given: URLSearchParams, names: readonly string[]) {
  const query: Record<string, string | string[]> = {};
  for (const name of given.size === 0 ? [] : names) {
    const [first, ...others] = given.getAll(name).map(toCheckedText);
    if (first !== undefined) query[name] = others.length === 0 ? first : [first, ...others];
  }
  return query;
}

function toRequestHeaders({ headers, body }: ExchangeRequest): Headers {
  const { authorization, 'transfer-encoding': coding } = headers;
  return {
    ...toPlainType(headers),
    // Prism requires `Bearer` in this case; in HTTP any case is valid. Source: RFC 9110 section 11.1
    ...(authorization !== undefined && { authorization: authorization.replace(/^bearer +/i, 'Bearer ') }),
    // Prism looks for an unexpected body only if there is a length, and chunks have none.
    ...(coding !== undefined && body !== undefined && { 'content-length': String(body.length) }),
  };
}

/** Prism throws at some parameters of a media type, which say nothing about JSON. */
function toPlainType(headers: Headers): Headers {
  const type = headers['content-type'] ?? '';
  return type.includes(';') && isJson(type)
    ? { ...headers, 'content-type': type.replace(/;.*/s, '').trim() }
    : headers;
}

/** Prism finds nothing in an empty list of parameters, and needs about 8 of the 54 µs of a POST's check for that. */
function dropEmptyLists(request: Operation['request']): void {
  if (request === undefined) return;
  for (const [name, list] of Object.entries(request)) {
    if (Array.isArray(list) && list.length === 0) Object.assign(request, { [name]: undefined });
  }
}

/** Prism limits int64 to exact doubles; this sets the limits of int64 for checked numbers. */
function widenInt64(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  if ('format' in node && node.format === 'int64') Object.assign(node, checkedInt64);
  for (const child of Object.values(node)) widenInt64(child);
}
