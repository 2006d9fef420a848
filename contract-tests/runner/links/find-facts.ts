import { type ExactJson, parseExactJson } from '../../../common/json/exact-json.ts';
import type { Failed } from '../../client/clause-errors.ts';
import { type Exchange, toOperation } from '../../client/exchange.ts';
import type { Target } from '../../client/target.ts';
import type { Cause, Failure, Fault, FaultKind, MemberFault } from '../../failures/failure.ts';
import { findMember } from '../../failures/identify-failure.ts';
import { mayLag } from '../../vocabulary/lists.ts';
import {
  type CountedFault,
  countServerFaults,
  type FailedRequest,
  findFailedRequest,
} from './find-failed-request.ts';
import { findStatusFacts, type ShownFacts, STATUS } from './find-status-facts.ts';

/** What a failure shows, to find other failures of the same fault. */
export interface Facts extends ShownFacts {
  /** The members of an animal or an Error that the failure is about. */
  readonly members: readonly string[];
  readonly requests: readonly string[];
  /** What the server failed at, if the failure is a 5xx or no response. */
  readonly failedRequest: FailedRequest | undefined;
  /** The 5xx of the run by their words, if the failure counts them. */
  readonly serverFaults: readonly CountedFault[];
}

/** Finds what a failure shows. @param cause of the failure */
export function findFacts(
  { fault, failures, exchange, details }: Failed,
  cause: Cause | undefined,
  { otherKey }: Pick<Target, 'otherKey'>,
): Facts {
  const { alike = [], before = [], about } = details;
  const members = failures.flatMap((failure) => findWrongMember(failure) ?? []);
  const isAboutStatus = fault.kind === 'status' || fault.kind === 'server fault';
  const isOfStatus = (one: Exchange) => isAboutStatus || !one.request.isAuthorized;
  const statuses = [exchange, ...alike].filter(isOfStatus).map((one) => findStatusFacts(one, otherKey));
  const isOfIdentity = fault.kind === 'id' || members.includes('id') || (isAboutStatus && exchange.isSuccess);
  const identities = isOfIdentity ? [exchange, ...alike].map(({ id }) => id) : [];
  const isChange = fault.kind === 'member';
  return {
    members,
    requests: [exchange, ...alike, ...before].map(toKey),
    shows: [
      ...(fault.kind === 'count' && fault.compared === 'at most' ? ['too many animals'] : []),
      ...listBodyFacts(fault, exchange),
      ...(isChange ? listChanges(fault, cause) : members.map((name) => `invalid ${name}`)),
      ...(fault.kind === 'missing' && fault.id !== undefined ? [`lacks ${fault.id}`] : []),
      ...(mayLag(fault) ? [`lacks animals ${exchange.isByStatus ? 'by status' : 'of all'}`] : []),
      ...(fault.kind === 'count' && fault.compared === 'at most'
        ? [describeMost(fault.expected, exchange)]
        : []),
      ...(returnsAnother(exchange) ? ['returns another animal'] : []),
      ...toIdentities(identities),
      ...listBrokenMessages(fault, exchange),
      ...statuses.flatMap(({ shows }) => shows),
    ],
    follows: [
      ...(isChange ? [`invalid ${fault.member}`] : []),
      ...toIdentities([about, exchange.requestedId]),
      ...listFactsBehind(fault, exchange),
      ...statuses.flatMap(({ follows }) => follows),
    ],
    failedRequest: findFailedRequest(exchange, fault),
    serverFaults: fault.kind === 'server fault' ? countServerFaults(failures, alike) : [],
  };
}

/** Lists what a body shows that is no list, no animal, or an animal without some of its members. */
function listBodyFacts(fault: Fault, { request, isSuccess }: Exchange): string[] {
  if (fault.kind !== 'body' || !isSuccess) return [];
  const isIncomplete = fault.problem.is === 'invalid' && fault.problem.value === undefined;
  if (isIncomplete) return [`incomplete ${toOperation(request)}`];
  return fault.problem.is === 'invalid' ? [] : [`unreadable ${toOperation(request)}`];
}

/** Lists what explains that a response shows no animal, or not all of its members. */
function listFactsBehind(fault: Fault, { request, isSuccess }: Exchange): string[] {
  if (!isSuccess) return [];
  const operation = toOperation(request);
  const isIncomplete = fault.kind === 'member' && fault.received === undefined;
  return [`unreadable ${operation}`, ...(isIncomplete ? [`incomplete ${operation}`] : [])];
}

/** Failures whose member is valid where it stands: it was sent, is missing, or belongs to another animal. */
const kindsOfValidMembers: ReadonlySet<FaultKind> = new Set([
  'status',
  'hidden member',
  'filter',
  'id',
  'mixed up',
]);

/** Returns the member that a response shows wrongly. */
function findWrongMember(failure: Failure): string | undefined {
  return kindsOfValidMembers.has(failure.kind) ? undefined : findMember(failure);
}

function describeMost(most: number, { isByStatus }: Exchange): string {
  return `more than ${most} ${isByStatus ? 'by status' : 'of all'}`;
}

function returnsAnother({ requestedId, animal }: Exchange): boolean {
  return requestedId !== undefined && typeof animal?.id === 'bigint' && animal.id !== requestedId;
}

/** Lists what is wrong with a response as a message, whatever it is about: each response may have it. */
function listBrokenMessages(fault: Fault, { failure, beginning }: Exchange): string[] {
  const isBroken = failure?.kind === 'message';
  const isUnreadable =
    fault.kind === 'body' && (fault.problem.is === 'incomplete' || fault.problem.is === 'not UTF-8');
  return [
    ...(isBroken ? [`${STATUS}broken message`] : []),
    ...(isUnreadable ? [`${STATUS}${fault.problem.is}`] : []),
    ...(beginning ? [`${STATUS}bytes after JSON`] : []),
  ];
}

function toIdentities(ids: readonly (ExactJson | undefined)[]): string[] {
  return ids.filter((id) => typeof id === 'bigint').map((id) => `identity ${id}`);
}

/** Returns what two requests have in common if they are the same. Each POST is another one. */
function toKey({ request, at }: Exchange): string {
  const { method, path, headers, body = '' } = request;
  const [place, query = ''] = path.split('?');
  const parameters = query.split('&').toSorted().join('&');
  return [method, place, parameters, headers.Authorization, body, method === 'GET' ? '' : at].join(' ');
}

/** Lists the facts of a changed member: its two values, the probable cause, and the edit of a string. */
function listChanges({ member, expected, received }: MemberFault, cause: Cause | undefined): string[] {
  const [one, other] = [expected ?? 'nothing', received ?? 'nothing'];
  const [from, to] = [expected, received].map((text) => text && parseExactJson(text));
  return [
    `became ${other}`,
    `was ${one} became ${other}`,
    `was ${other} became ${one}`,
    ...(from === undefined || to === undefined ? ['is missing'] : []),
    ...(cause === undefined ? [] : [JSON.stringify(cause)]),
    ...(typeof from === 'string' && typeof to === 'string' ? [describeEdit(from, to)] : []),
  ].map((fact) => `${member} ${fact}`);
}

function describeEdit(from: string, to: string): string {
  let start = 0;
  while (start < from.length && from[start] === to[start]) start += 1;
  return `edit ${from.slice(start)} ${to.slice(start)}`;
}
