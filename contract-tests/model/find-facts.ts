import { type ExactJson, isJsonObject, parseExactJson } from '../../common/json/exact-json.ts';
import type { Failed } from '../client/clause-errors.ts';
import { type Exchange, type SuiteRequest, toOperation } from '../client/exchange.ts';
import type { Cause, Failure, MemberFault } from '../failures/failure.ts';
import { findMember } from '../failures/identify-failure.ts';
import { isStatus } from './context.ts';
import { mayLag } from './lists.ts';

export interface Facts {
  /** The members of an animal or an Error that the failure is about. */
  readonly members: readonly string[];
  readonly requests: readonly string[];
  /** Shown facts, such as a changed member, or a wrong status for a kind of request. */
  readonly shows: readonly string[];
  /** Facts that explain the failure if another one shows them. */
  readonly follows: readonly string[];
  /** What the server failed at, if the failure is a 5xx or no response. */
  readonly serverFault: ServerFault | undefined;
}

/** A kind of request that a server fails at. */
export interface ServerFault {
  /** Such as `POST /pets`. */
  readonly operation: string;
  /** What is wrong with the request, such as `malformed`, or `valid`. */
  readonly kind: string;
}

export function hasSameEvidence(one: Facts, other: Facts): boolean {
  const isShared = haveCommon([...one.shows, ...one.follows], other.shows);
  // One response may have faults in two members.
  const isOfOthers =
    one.members.length > 0 && other.members.length > 0 && !haveCommon(one.members, other.members);
  return isShared || (!isOfOthers && haveCommon(one.requests, other.requests));
}

export function hasSameStatus(one: Facts, other: Facts): boolean {
  return one.shows.some((fact) => fact.startsWith('status ') && other.shows.includes(fact));
}

function haveCommon(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.includes(one));
}

export function findFacts({ fault, failures, exchange, details }: Failed): Facts {
  const { alike = [], before = [], about, suspected } = details;
  const members = failures.flatMap((failure) => findWrongMember(failure) ?? []);
  const change = fault.kind === 'member' ? fault : undefined;
  const isStatus = fault.kind === 'status' || fault.kind === 'server fault';
  const isAboutStatus = isStatus || !exchange.request.isAuthorized;
  const status = isAboutStatus ? findStatusFacts(exchange) : { shows: [], follows: [] };
  const isOfIdentity = fault.kind === 'id' || members.includes('id') || (isStatus && exchange.isSuccess);
  const { requestedId, animal } = exchange;
  const isOfOther = requestedId !== undefined && typeof animal?.id === 'bigint' && animal.id !== requestedId;
  const identities = isOfIdentity ? [exchange, ...alike].map(({ id }) => id) : [];
  return {
    members,
    requests: [exchange, ...alike, ...before].map(
      ({ request, at }) => `${toKey(request)} ${request.method === 'GET' ? '' : at}`,
    ),
    shows: [
      ...(change === undefined ? members.map((name) => `invalid ${name}`) : listChanges(change, suspected)),
      ...(mayLag(fault) ? [`lacks animals ${exchange.isByStatus ? 'by status' : 'of all'}`] : []),
      ...(isOfOther ? ['returns another animal'] : []),
      ...toIdentities(identities),
      ...status.shows,
    ],
    follows: [
      ...(change === undefined ? [] : [`invalid ${change.member}`]),
      ...toIdentities([about, requestedId]),
      ...status.follows,
    ],
    serverFault: findServerFault(exchange),
  };
}

function findServerFault({ request, response }: Exchange): ServerFault | undefined {
  if (response !== undefined && response.status < 500) return undefined;
  return { operation: toOperation(request), kind: findKind(request) };
}

function toIdentities(ids: readonly (ExactJson | undefined)[]): string[] {
  return ids.filter((id) => typeof id === 'bigint').map((id) => `identity ${id}`);
}

/** Returns the member that a response shows wrongly; the member of a request is a fact of its status. */
function findWrongMember(fault: Failure): string | undefined {
  const isOfRequest = fault.kind === 'status' || fault.kind === 'hidden member';
  return isOfRequest ? undefined : findMember(fault);
}

function toKey({ method, path, headers, body = '' }: SuiteRequest): string {
  const [place, query = ''] = path.split('?');
  return [method, place, query.split('&').toSorted().join('&'), headers.Authorization, body].join(' ');
}

/** Lists the facts of a changed member: its two values, the probable cause, and the edit of a string. */
function listChanges({ member, expected, received }: MemberFault, suspected: Cause | undefined): string[] {
  const [one, other] = [expected ?? 'nothing', received ?? 'nothing'];
  const [from, to] = [expected, received].map((text) => text && parseExactJson(text));
  return [
    `became ${other}`,
    `was ${one} became ${other}`,
    `was ${other} became ${one}`,
    ...(from === undefined || to === undefined ? ['is missing'] : []),
    ...(suspected === undefined ? [] : [JSON.stringify(suspected)]),
    ...(typeof from === 'string' && typeof to === 'string' ? [describeEdit(from, to)] : []),
  ].map((fact) => `${member} ${fact}`);
}

function describeEdit(from: string, to: string): string {
  let start = 0;
  while (start < from.length && from[start] === to[start]) start += 1;
  return `edit ${from.slice(start)} ${to.slice(start)}`;
}

function findStatusFacts({ request, status }: Exchange): Pick<Facts, 'shows' | 'follows'> {
  const credentials = request.headers.Authorization;
  const operation = toOperation(request);
  const kind = findKind(request);
  if (request.isAuthorized) {
    // One handler refuses every invalid request, but each check accepts its own.
    if (status >= 400 && kind !== VALID)
      return { shows: [`status ${operation} invalid ${status}`], follows: [] };
    // The value that was accepted for a member is in the animals from then on.
    return { shows: [`status ${operation} ${kind} ${status}`, `invalid ${kind}`], follows: [] };
  }
  const isAccepted = status < 400 || status === 404 || (status === 400 && kind !== VALID);
  if (!isAccepted) return { shows: [`refusal ${operation} ${status}`], follows: [] };
  const isAny = credentials === undefined || /^Bearer(?: | contract-test-invalid-key)?$/.test(credentials);
  const open = [`accepts anyone ${operation}`];
  return { shows: [`accepts ${credentials}`, ...(isAny ? open : [])], follows: open };
}

const VALID = 'valid';

function findKind({ method, path, body = '' }: SuiteRequest): string {
  if (method === 'POST') return findBodyKind(body);
  const [place = '', query] = path.split('?');
  if (place !== '/pets') return VALID;
  const parameters = new URLSearchParams(query);
  return listFaults({
    limit: !/^(?:[1-9]\d?|100)$/.test(parameters.get('limit') ?? '1'),
    status: !isStatus(parameters.get('status') ?? 'sold'),
  });
}

function findBodyKind(body: string): string {
  try {
    const value = parseExactJson(body);
    if (!isJsonObject(value)) return 'no object';
    const { name, categoryId, status } = value;
    return listFaults({
      // A decoder that takes null for a missing value does so for every member.
      null: [name, categoryId, status].includes(null),
      missing: name === undefined || categoryId === undefined,
      name: name != null && typeof name !== 'string',
      categoryId: categoryId != null && typeof categoryId !== 'bigint',
      status: status != null && !isStatus(status),
    });
  } catch {
    return body === '' ? 'no body' : 'malformed';
  }
}

function listFaults(faults: Readonly<Record<string, boolean>>): string {
  const found = Object.entries(faults).flatMap(([fault, is]) => (is ? [fault] : []));
  return found.join() || VALID;
}
