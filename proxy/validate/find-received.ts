import { HIDDEN, hideParameters, isKeyName } from '../../common/text/hide-keys.ts';
import { type ExchangeRequest, type ExchangeResponse, type Hide, keyRules } from '../exchange.ts';
import { describeReceived, shorten } from './describe-received.ts';
import { type CheckedBody, MAX_TEXT } from './read-body.ts';

/** Describes what was received at a place; undefined if nothing was. */
export type FindReceived = (location: readonly string[], rule: string) => string | undefined;

/** Maximum number of values of one query parameter that are shown. */
const MOST_VALUES = 3;

/** Creates a function that describes the parts of a request. @param template path of the operation in openapi.yaml */
export function createFindInRequest(
  request: ExchangeRequest,
  body: CheckedBody,
  template: string,
  hide: Hide,
): FindReceived {
  const { headers, path, query } = request;
  return ([, part, name = '', ...keys], rule) => {
    if (part === 'query') return describeParameter(query, name, hide);
    if (part === 'path') return describeSegment(hide(path), template, name, hide);
    if (part === 'body') return describeBody(request, body, name === '' ? [] : [name, ...keys], hide);
    if (rule === keyRules.missing) return describeAuthorization(headers.authorization, hide);
    if (rule === 'unreadable' && !isDecodable(path)) return describeReceived(path, hide);
    return rule === 'required' || rule === keyRules.empty
      ? undefined
      : describeHeader(headers['content-type'], hide);
  };
}

/** Creates a function that describes the parts of a response. */
export function createFindInResponse(
  response: ExchangeResponse,
  body: CheckedBody,
  hide: Hide,
): FindReceived {
  const { headers, status } = response;
  return ([, part, ...keys], rule) => {
    if (part === 'body') return describeBody(response, body, keys, hide);
    if (rule === 'media-type' || rule === 'unreadable') return describeHeader(headers['content-type'], hide);
    return String(status);
  };
}

/** Describes a request for no operation, such as `GET /v1/nothing`. */
export function describeLine({ method, target }: ExchangeRequest, hide: Hide): string {
  return shorten(hideParameters(hide(`${method} ${target}`)));
}

/** Prism writes the names of parameters in lower case. */
function describeParameter(query: string, name: string, hide: Hide): string | undefined {
  if (isKeyName(name)) return HIDDEN;
  // A key may have characters that mean something else in a query, so it is hidden before the query is read too.
  const values = new URLSearchParams(hide(query))
    .entries()
    .filter(([key]) => key === name || key.toLowerCase() === name)
    .map(([, value]) => describeReceived(value, hide))
    .toArray();
  if (values.length === 0) return undefined;
  const others = values.length - MOST_VALUES;
  return values.slice(0, MOST_VALUES).join(', ') + (others > 0 ? ` and ${others} more` : '');
}

function describeSegment(path: string, template: string, name: string, hide: Hide): string | undefined {
  const index = template.split('/').findIndex((segment) => segment.toLowerCase() === `{${name}}`);
  const segment = path.split('/')[index];
  return segment === undefined ? undefined : describeReceived(segment, hide);
}

/** Describes the value at these keys, or the whole body. */
function describeBody(
  { body: bytes }: Pick<ExchangeRequest, 'body'>,
  { json }: CheckedBody,
  keys: readonly string[],
  hide: Hide,
): string | undefined {
  if (bytes === undefined) return undefined;
  if (bytes.length === 0) return 'an empty body';
  if (keys.some(isKeyName)) return HIDDEN;
  if (json !== undefined) return describeReceived(findValue(json.exact, keys), hide);
  // A key may be cut at the end of a part.
  if (bytes.length > MAX_TEXT) return `a body of ${bytes.length} bytes`;
  return describeReceived(new TextDecoder().decode(bytes), hide);
}

function findValue(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce((parent, key) => Object(parent)[key], value);
}

/** Shows only the scheme: anything else may be a part of the key. */
function describeAuthorization(authorization: string | undefined, hide: Hide): string | undefined {
  if (authorization === undefined) return undefined;
  const [, scheme] = /^([a-z]{1,10}) /i.exec(authorization) ?? [];
  return scheme === undefined
    ? 'an Authorization of another form'
    : `the scheme ${JSON.stringify(hide(scheme))}`;
}

function describeHeader(value: string | undefined, hide: Hide): string | undefined {
  return value === undefined ? undefined : describeReceived(value, hide);
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
