import type { Contract } from '../../common/json/contract.ts';
import { type ExactJson, isJsonObject, parseExactJson } from '../../common/json/exact-json.ts';
import { type Failed, NO_SERVER_FAULT } from '../client/clause-errors.ts';
import { type Exchange, type SuiteRequest, toOperation } from '../client/exchange.ts';
import { createFindCause } from '../client/find-words.ts';
import type { Cause, Failure, Fault, FaultKind, MemberFault } from '../failures/failure.ts';
import { findMember } from '../failures/identify-failure.ts';
import type { Clause } from '../vocabulary/clause.ts';
import { factsOf } from '../vocabulary/list-facts.ts';
import { listInvalidParameters, queryOf } from '../vocabulary/list-parameters.ts';
import { mayLag } from '../vocabulary/lists.ts';
import { isKnown, type Result } from './report.ts';

/**
 * Links failures to the finding that has the same evidence, the known ones apart. @param facts of failed clauses, by their ids
 * @param clauses all clauses, which say what explains them
 */
export function linkFailures(
  results: readonly Result[],
  facts: ReadonlyMap<string, Facts>,
  clauses: readonly Clause[],
): Result[] {
  const groups = [true, false].map((known) => results.filter((result) => isKnown(result) === known));
  const linked = groups.flatMap((some) => linkAll(some, facts, clauses));
  return results.map((result) => linked.find(({ clause }) => clause.id === result.clause.id) ?? result);
}

function linkAll(
  results: readonly Result[],
  facts: ReadonlyMap<string, Facts>,
  clauses: readonly Clause[],
): Result[] {
  const failed = results.filter(({ verdict }) => verdict === 'failed');
  const findRun = createFindRunFault(failed, facts);
  const stale = failed.filter(({ suspected }) => suspected?.cause === 'stale');
  const compare = (one: Result, other: Result, isAlike: (one: Facts, other: Facts) => boolean) => {
    const [own, others] = [facts.get(one.clause.id), facts.get(other.clause.id)];
    return own !== undefined && others !== undefined && isAlike(own, others);
  };
  const findReason = (result: Result): Result | undefined => {
    const fault = findRun(result);
    if (fault !== undefined) return fault === result ? undefined : fault;
    const { explainedBy = [] } = clauses.find(({ id }) => id === result.clause.id) ?? {};
    const explaining = explainedBy.flatMap((id) => failed.filter(({ clause }) => clause.id.startsWith(id)));
    const candidates = [...explaining, ...failed.filter((other) => isOfSameExchange(result, other))];
    const earlier = failed.slice(0, failed.indexOf(result));
    const alike = [
      ...candidates.filter((match) => compare(result, match, hasSameEvidence)),
      ...earlier.filter((match) => compare(result, match, hasSameStatus)),
    ].find(
      // A recommendation explains no required clause.
      (match) =>
        match !== result && (match.clause.level === 'required' || result.clause.level === 'recommended'),
    );
    if (alike !== undefined || !stale.includes(result)) return alike;
    // A cache keeps the lists of several clauses, each without another animal.
    const firstStale = chooseFinding(stale);
    return firstStale === result ? undefined : firstStale;
  };
  const findRoot = (result: Result, seen: readonly Result[] = []): Result => {
    const reason = findReason(result);
    if (reason === undefined) return result;
    // In a circle the first failure is the finding.
    const circle = seen.includes(reason) ? [...seen.slice(seen.indexOf(reason)), result] : [];
    if (circle.length > 0) return failed.find((one) => circle.includes(one)) ?? result;
    return findRoot(reason, [...seen, result]);
  };
  return results.map((result) => {
    const root = result.verdict === 'failed' ? findRoot(result) : result;
    return root === result ? result : { ...result, follows: root.clause.id };
  });
}

/** Chooses the failure that stands for all of them. A recommendation never stands for a required clause. */
function chooseFinding(some: readonly Result[]): Result | undefined {
  return some.find(({ clause }) => clause.level === 'required') ?? some[0];
}

/**
 * Creates a function that finds the failure that a fault of the whole run has caused: a server that fails now and then, a
 * valid key that is refused, pages of a gateway, or two sets of data. It returns the failure itself if that is the finding.
 */
function createFindRunFault(
  failed: readonly Result[],
  facts: ReadonlyMap<string, Facts>,
): (result: Result) => Result | undefined {
  const findServerFault = createFindServerFault(failed, facts);
  const refused = failed.filter(isKeyRefused);
  const pages = failed.filter(({ suspected }) => suspected?.cause === 'page');
  const ofTwoSets = failed.filter(({ failures: [failure] = [] }) => failure?.kind === 'two sets');
  const ofForeignPages = failed.filter(isOfForeignPages);
  const firstRefused = chooseFinding(refused);
  const lent = refused.some(isRefusedNowAndThen) ? failed.filter(isKeyAccepted) : [];
  const firstPage = chooseFinding(pages);
  const firstOfTwoSets = chooseFinding(ofTwoSets);
  const firstForeign = chooseFinding(ofForeignPages);
  return (result) => {
    const finding = findServerFault(result);
    if (finding !== undefined) return finding;
    if ((refused.includes(result) && result !== firstRefused) || lent.includes(result)) return firstRefused;
    if (ofTwoSets.includes(result)) return firstOfTwoSets;
    if (ofForeignPages.includes(result)) return firstForeign;
    return pages.includes(result) ? firstPage : undefined;
  };
}

/**
 * Creates a function that chooses the finding of a 5xx or a missing response. Each cause has its finding, and the words of the
 * responses tell the causes apart. A server that fails at valid or at invalid requests of one operation breaks the first clause
 * about them. One that fails at several operations, or only sometimes, breaks the clause about server faults, which is the
 * finding of one cause, and of what no other clause has met.
 * A recommendation is never the finding.
 */
function createFindServerFault(
  failed: readonly Result[],
  facts: ReadonlyMap<string, Facts>,
): (result: Result) => Result | undefined {
  const faultOf = ({ clause }: Result) => facts.get(clause.id)?.failedRequest;
  const fault = failed.find(({ clause }) => clause.id === NO_SERVER_FAULT);
  const counted = (fault && facts.get(fault.clause.id)?.serverFaults) ?? [];
  const faulty = failed.filter((result) => result !== fault && faultOf(result) !== undefined);
  const toCause = createFindCause(
    [...counted, ...faulty.flatMap((one) => faultOf(one) ?? [])].map(({ words }) => words),
  );
  const causeOf = (result: Result) => toCause(faultOf(result)?.words ?? '');
  const byCause = Map.groupBy(faulty, causeOf);
  const causes = new Set([...byCause.keys(), ...counted.map(({ words }) => toCause(words))]);
  // One message for everything says nothing about the cause.
  const isTold = causes.size > 1;
  const groups = new Map(
    [...byCause].map(([cause, some]) => {
      const isAtRandom = counted.some((one) => one.isAtRandom && toCause(one.words) === cause);
      return [cause, createGroup(some, faultOf, { isAtRandom, isTold })] as const;
    }),
  );
  // What no other required clause has met has no other finding.
  const unmet = [...causes].find((cause) => (groups.get(cause)?.required.length ?? 0) === 0);
  const own = unmet ?? [...causes].find((cause) => groups.get(cause)?.isOfMany);
  return (result) => {
    if (result === fault) {
      const first = groups.get(causeOf(fault));
      return own === undefined ? (first?.findFirst(result) ?? first?.required.find(isOwn) ?? fault) : fault;
    }
    if (!faulty.includes(result)) return undefined;
    const cause = causeOf(result);
    const group = groups.get(cause);
    return fault !== undefined && own === cause && group?.isOfMany ? fault : group?.findFirst(result);
  };
}

/** The clauses of Dredd meet what another clause is about. */
function isOwn({ clause }: Result): boolean {
  return !clause.id.startsWith('dredd/');
}

interface GroupFacts {
  /** Whether the same requests got other responses too. */
  readonly isAtRandom: boolean;
  /** Whether the words of the responses tell causes apart. */
  readonly isTold: boolean;
}

/** Groups the failures of one cause. */
function createGroup(
  faulty: readonly Result[],
  faultOf: (result: Result) => FailedRequest | undefined,
  { isAtRandom, isTold }: GroupFacts,
) {
  const required = faulty.filter(({ clause }) => clause.level === 'required');
  const requests = required.flatMap((result) => faultOf(result) ?? []).filter((one) => one.isAuthorized);
  const operations = new Set(requests.map(({ operation }) => operation));
  const isOnlyAtOnce = required.some(isOfRequestsAtOnce);
  const isOfMany = (isAtRandom && !isOnlyAtOnce) || operations.size > 1;
  const keyOf = (result: Result) => {
    const { operation, kind, isAuthorized = false } = faultOf(result) ?? {};
    const isAlike = requests.some((one) => one.operation === operation && one.kind === kind);
    // What looks at the key is the same for every operation, unless the server fails at such requests with the key too.
    return isAuthorized || isAlike ? `${operation} ${kind}` : ANY;
  };
  const findFirst = (result: Result): Result | undefined => {
    const alike = isOfMany || isTold ? required : required.filter((other) => keyOf(other) === keyOf(result));
    return alike.find(isOwn) ?? alike[0];
  };
  return { required, isOfMany, findFirst };
}

/** Returns whether a clause shows nothing but pages that are not the service's. */
export function isOfForeignPages({ failures = [] }: Pick<Result, 'failures'>): boolean {
  return failures.length > 0 && failures.every(({ kind }) => kind === 'foreign page');
}

/** Returns whether the server failed for requests at the same time, and for none of them alone. */
function isOfRequestsAtOnce({ failures: [failure] = [] }: Result): boolean {
  return failure?.kind === 'status' && failure.request?.what === 'at once';
}

function isKeyRefused({ clause, failures: [failure] = [] }: Result): boolean {
  const expectsRefusal = failure?.kind === 'status' && failure.expected === 401;
  const isAboutKeys = clause.heading === 'Authentication' || expectsRefusal;
  return !isAboutKeys && failure?.status === 401;
}

/** Returns whether the valid key was refused as if it were that of another request: they share a field, or a cache ignores it. */
function isRefusedNowAndThen({ suspected }: Result): boolean {
  return suspected?.cause === 'intermittent' || suspected?.cause === 'cached without the key';
}

function isKeyAccepted({ clause, failures: [failure] = [] }: Result): boolean {
  if (clause.heading !== 'Authentication' || failure?.kind !== 'status') return false;
  return failure.expected === 401 && (failure.status ?? 500) < 500;
}

/** Returns whether a clause about errors as such fails for the exchange of another. */
function isOfSameExchange({ clause, evidence }: Result, other: Result): boolean {
  const isAboutErrors = clause.heading === 'Errors' && other.clause.heading !== 'Errors';
  return isAboutErrors && evidence?.at === other.evidence?.at && evidence?.curl === other.evidence?.curl;
}

/** What a failure shows, to find other failures of the same fault. */
export interface Facts {
  /** The members of an animal or an Error that the failure is about. */
  readonly members: readonly string[];
  readonly requests: readonly string[];
  /** Shown facts, such as a changed member, or a wrong status for a kind of request. */
  readonly shows: readonly string[];
  /** Facts that explain the failure if another one shows them. */
  readonly follows: readonly string[];
  /** What the server failed at, if the failure is a 5xx or no response. */
  readonly failedRequest: FailedRequest | undefined;
  /** The 5xx of the run by their words, if the failure counts them. */
  readonly serverFaults: readonly CountedFault[];
}

interface CountedFault {
  readonly words: string;
  /** Whether the same requests got other responses too. */
  readonly isAtRandom: boolean;
}

/** What a server fails at: valid requests of an operation, or invalid ones. */
interface FailedRequest {
  /** Such as `POST /pets`. */
  readonly operation: string;
  /** `valid`, `invalid`, or the unusual form of the request. */
  readonly kind: string;
  readonly isAuthorized: boolean;
  /** The words of the response, which tell its cause. */
  readonly words: string;
}

/** Finds what a failure shows. @param cause of the failure */
export function findFacts(
  { fault, failures, exchange, details }: Failed,
  cause: Cause | undefined,
  contract: Contract,
): Facts {
  const { alike = [], before = [], about } = details;
  const members = failures.flatMap((failure) => findWrongMember(failure) ?? []);
  const isAboutStatus = fault.kind === 'status' || fault.kind === 'server fault';
  const isOfStatus = (one: Exchange) => isAboutStatus || !one.request.isAuthorized;
  const statuses = [exchange, ...alike].filter(isOfStatus).map((one) => findStatusFacts(one, contract));
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
    failedRequest: findFailedRequest(exchange, fault, contract),
    serverFaults: fault.kind === 'server fault' ? countServerFaults(failures, alike) : [],
  };
}

function countServerFaults(
  failures: readonly Failure[],
  faulty: readonly Exchange[],
): readonly CountedFault[] {
  const words = [...new Set(faulty.map((exchange) => exchange.words))];
  const toCause = createFindCause(words);
  const causes = failures.flatMap((failure) =>
    failure.kind === 'server fault' && failure.otherwise.length > 0 ? [failure.words ?? ''] : [],
  );
  return words.map((some) => ({ words: some, isAtRandom: causes.includes(toCause(some)) }));
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

/** Returns whether two failures show the same fact, or have the same request and no wrong members of their own. */
function hasSameEvidence(one: Facts, other: Facts): boolean {
  if (haveCommon([...one.shows, ...one.follows], other.shows)) return true;
  // One response may have faults in two members.
  const isOfOthers =
    one.members.length > 0 && other.members.length > 0 && !haveCommon(one.members, other.members);
  return !isOfOthers && haveCommon(one.requests, other.requests);
}

/** Returns whether two failures show the same status for the same kind of request. */
function hasSameStatus(one: Facts, other: Facts): boolean {
  return one.shows.some((fact) => fact.startsWith(STATUS) && other.shows.includes(fact));
}

function haveCommon(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.includes(one));
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

function findFailedRequest(
  { request, response, words }: Exchange,
  fault: Fault,
  contract: Contract,
): FailedRequest | undefined {
  if (response !== undefined && response.status < 500) return undefined;
  // What looks at the form of a body is the same for every operation.
  const isOfForm = request.isAuthorized && fault.kind === 'status' && fault.request?.what === 'form';
  if (isOfForm) return { operation: ANY, kind: fault.request.form, isAuthorized: true, words };
  const kind = findKind(request, contract) === VALID ? VALID : 'invalid';
  return { operation: toOperation(request), kind, isAuthorized: request.isAuthorized === true, words };
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

const STATUS = 'status ';

function findStatusFacts(exchange: Exchange, contract: Contract): Pick<Facts, 'shows' | 'follows'> {
  const { request, status, isPage, isSuccess, isAddition } = exchange;
  // What redirects looks at no key and at no body.
  if (status >= 300 && status < 400) return { shows: [`${STATUS}redirect ${status}`], follows: [] };
  const credentials = request.headers.Authorization;
  const operation = toOperation(request);
  const kind = findKind(request, contract);
  // What is before the service, such as a firewall, looks at no body.
  if (request.isAuthorized && isPage && status >= 400 && status < 500)
    return { shows: [`${STATUS}${operation} page ${status}`], follows: [] };
  if (request.isAuthorized) {
    // One handler refuses every invalid request, perhaps with 200, but each check accepts its own.
    const isAccepted = isSuccess && (request.method === 'GET' || isAddition);
    if (!isAccepted && kind !== VALID)
      return { shows: [`${STATUS}${operation} invalid ${status}`], follows: [] };
    // The value that was accepted for a member is in the animals from then on.
    return { shows: [`${STATUS}${operation} ${kind} ${status}`, `invalid ${kind}`], follows: [] };
  }
  const isAccepted = status < 400 || status === 404 || (status === 400 && kind !== VALID);
  // One handler refuses every request without a key.
  if (!isAccepted) return { shows: [`refusal ${status}`], follows: [] };
  const isAny = credentials === undefined || /^Bearer(?: | contract-test-invalid-key)?$/.test(credentials);
  const open = [`accepts anyone ${operation}`];
  return { shows: [`accepts ${credentials}`, ...(isAny ? open : [])], follows: open };
}

const VALID = 'valid';

/** The operation of what is the same for each of them. */
const ANY = 'any';

function findKind({ method, path, body = '' }: SuiteRequest, contract: Contract): string {
  if (method === 'POST') return findBodyKind(body, contract);
  const [place] = path.split('?');
  return (place === '/pets' && listInvalidParameters(contract, queryOf(path)).join()) || VALID;
}

function findBodyKind(body: string, contract: Contract): string {
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
      status: status != null && !factsOf(contract).allStatuses.some((one) => one === status),
    });
  } catch {
    return body === '' ? 'no body' : 'malformed';
  }
}

function listFaults(faults: Readonly<Record<string, boolean>>): string {
  const found = Object.entries(faults).flatMap(([fault, is]) => (is ? [fault] : []));
  return found.join() || VALID;
}
