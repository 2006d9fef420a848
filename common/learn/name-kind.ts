import type { ErrorKind } from '../http/error-kinds.ts';
import { isJson } from '../json/is-json.ts';
import { findWrongMember, isPlainJson } from './creation-observers.ts';
import { type Exchange, hasValidKey } from './exchange.ts';
import type { FinishedRun } from './finished-run.ts';
import { isStatus } from './lists.ts';

/** A path that no service has. */
export const UNKNOWN_PATH = '/contract-test-unknown-path';

/** Ids of the suite that are no int64, and show how a deployment answers them. */
export const malformedIds: readonly string[] = ['abc', '1.5', 'null'];

/** Names what a deployment has refused. @returns undefined if it can have been more than one thing */
export function nameKind(exchange: Exchange, run: FinishedRun): ErrorKind | undefined {
  const { status, request } = exchange;
  if (request.method !== 'GET' && request.method !== 'POST') return undefined;
  if (status === 401) return nameKindOfKey(exchange);
  if (!hasValidKey(exchange, run.target)) return undefined;
  if (status === 404) return nameKindOfPath(exchange);
  if (status !== 400) return undefined;
  return request.method === 'POST' ? nameKindOfBody(exchange) : nameKindOfRead(exchange);
}

function nameKindOfKey({ request }: Exchange): ErrorKind | undefined {
  const { Authorization = '' } = request.headers;
  if (request.isAuthorized) return undefined;
  if (Authorization === '') return 'missing';
  if (/^Bearer [!-~]+$/.test(Authorization)) return 'invalid';
  return /bearer/i.test(Authorization) ? undefined : 'scheme';
}

function nameKindOfPath(exchange: Exchange): ErrorKind | undefined {
  const { path, request } = exchange;
  if (request.method !== 'GET') return undefined;
  if (path === UNKNOWN_PATH) return 'path';
  if (isMalformedId(path)) return 'petId';
  // Negative ids, and those beyond an int64, may not match the route of a service.
  return /^\/pets\/[1-9]\d{0,17}$/.test(path) ? 'animal' : undefined;
}

const isMalformedId = (path: string) => malformedIds.some((id) => path === `/pets/${id}`);

function nameKindOfRead({ path }: Exchange): ErrorKind | undefined {
  if (isMalformedId(path)) return 'petId';
  if (!path.startsWith('/pets?')) return undefined;
  const [[name, value] = ['', ''], ...others] = new URLSearchParams(path.slice('/pets?'.length));
  if (others.length > 0) return undefined;
  if (name === 'limit') return 'limit';
  if (name === 'status') return isStatus(value) ? undefined : 'statusFilter';
  return 'unknownParameter';
}

function nameKindOfBody({ request, sent, path }: Exchange): ErrorKind | undefined {
  const { body = '' } = request;
  if (path !== '/pets' || !/^application\/json/i.test(request.headers['Content-Type'] ?? ''))
    return undefined;
  if (/^(?:\[.*\]|"[^"]*"|\d+|true)$/.test(body) && isJson(body)) return 'noObject';
  if (!isPlainJson(request)) return undefined;
  // A parser may accept other malformed bodies, and refuse them for their members.
  if (!isJson(body)) return isCut(body) ? 'malformed' : undefined;
  const member = findWrongMember(sent);
  if (member === undefined || member === 'status') return member;
  if (member === 'categoryId' && !isUsualName(sent.name)) return undefined;
  if (sent[member] === undefined) return member === 'name' ? 'missingName' : 'missingCategoryId';
  // For some services null is a missing member, for others a wrong one.
  return sent[member] === null ? undefined : member;
}

/** Returns whether hardly any service refuses the name. */
function isUsualName(name: unknown): boolean {
  return typeof name === 'string' && /^\w[\w -]{1,28}\w$/.test(name);
}

/** Returns whether the text ends within an object. */
function isCut(text: string): boolean {
  return text.split('{').length > text.split('}').length;
}
