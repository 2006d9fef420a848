import { isKeyName } from '../../common/text/find-keys.ts';
import { REDACTED } from '../../common/text/redact.ts';
import { type ExchangeRequest, type ExchangeResponse, keyRules, type Received } from '../exchange.ts';
import { type CheckedBody, MAX_TEXT } from './read-body.ts';
import { toReceived } from './to-received.ts';

/** Finds what was received at a place; undefined if nothing was. */
export type FindReceived = (location: readonly string[], rule: string) => Received | undefined;

/** Creates a function that finds the parts of a request. @param template path of the operation in openapi.yaml */
export function createFindInRequest(
  request: ExchangeRequest,
  body: CheckedBody,
  template: string,
): FindReceived {
  const { headers, path, query } = request;
  return ([, part, name = '', ...keys], rule) => {
    if (part === 'query') return findParameter(query, name);
    if (part === 'path') return findSegment(path, template, name);
    if (part === 'body') return findInBody(request, body, name === '' ? [] : [name, ...keys]);
    if (rule === keyRules.missing) return describeAuthorization(headers.authorization);
    if (rule === 'unreadable' && !isDecodable(path)) return toReceived(path);
    return rule === 'required' || rule === keyRules.empty ? undefined : findHeader(headers['content-type']);
  };
}

/** Creates a function that finds the parts of a response. */
export function createFindInResponse(response: ExchangeResponse, body: CheckedBody): FindReceived {
  const { headers, status } = response;
  return ([, part, ...keys], rule) => {
    if (part === 'body') return findInBody(response, body, keys);
    if (rule === 'media-type' || rule === 'unreadable') return findHeader(headers['content-type']);
    return { text: String(status) };
  };
}

/** The whole query stays, because a key in it may have characters that separate its parameters. */
function findParameter(query: string, name: string): Received | undefined {
  if (isKeyName(name)) return { text: REDACTED };
  const isGiven = new URLSearchParams(query).keys().some((key) => key === name || key.toLowerCase() === name);
  return isGiven ? { query, name } : undefined;
}

function findSegment(path: string, template: string, name: string): Received | undefined {
  const index = template.split('/').findIndex((segment) => segment.toLowerCase() === `{${name}}`);
  const segment = path.split('/')[index];
  return segment === undefined ? undefined : toReceived(segment);
}

/** Finds the value at these keys, or the whole body. */
function findInBody(
  { body: bytes }: Pick<ExchangeRequest, 'body'>,
  { json }: CheckedBody,
  keys: readonly string[],
): Received | undefined {
  if (bytes === undefined) return undefined;
  if (bytes.length === 0) return { text: 'an empty body' };
  if (keys.some(isKeyName)) return { text: REDACTED };
  if (json !== undefined) return toReceived(findValue(json.exact, keys));
  // A key may be cut at the end of a part.
  if (bytes.length > MAX_TEXT) return { text: `a body of ${bytes.length} bytes` };
  return toReceived(new TextDecoder().decode(bytes));
}

function findValue(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce((parent, key) => Object(parent)[key], value);
}

/** Shows only the scheme: anything else may be a part of the key. */
function describeAuthorization(authorization: string | undefined): Received | undefined {
  if (authorization === undefined) return undefined;
  const [, scheme] = /^([a-z]{1,10}) /i.exec(authorization) ?? [];
  return {
    text: scheme === undefined ? 'an Authorization of another form' : `the scheme ${JSON.stringify(scheme)}`,
  };
}

function findHeader(value: string | undefined): Received | undefined {
  return value === undefined ? undefined : toReceived(value);
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
