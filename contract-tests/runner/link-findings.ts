import { type AnimalFacts, readAnimalFacts } from '../../common/json/animal-facts.ts';
import { parseExactJson } from '../../common/json/exact-json.ts';
import { type Exchange, toOperation } from '../client/exchange.ts';
import type { Target } from '../client/target.ts';
import type { Fault } from '../failures/failure.ts';
import { findMember } from '../failures/identify-failure.ts';
import { suspectChange } from '../failures/suspect-change.ts';
import { readListQuery } from '../history/list-query.ts';
import { clauses } from '../rules/clauses.ts';
import type { Sighting } from '../rules/rule.ts';
import { isKnown, type Result } from './report.ts';

/** What the wrong responses of a clause are about. */
export interface Subjects {
  readonly animals: ReadonlySet<bigint>;
  readonly requests: ReadonlySet<string>;
  /** What these responses are instead of what they should be, such as `POST /pets 500`: one cause makes many of them. */
  readonly responses: ReadonlySet<string>;
  /** Whether another key was accepted, which is a finding of its own whatever the other responses are. */
  readonly hasAccepted: boolean;
  /** What went wrong with members and keys, such as `name became "X"`: it counts where a clause names the other as its reason. */
  readonly changes: ReadonlySet<string>;
  /** What would explain these responses, if another clause shows it. */
  readonly follows: ReadonlySet<string>;
}

/** Reads what wrong responses are about. */
export function readSubjects(
  sightings: readonly Sighting[],
  { otherKey, contract }: Pick<Target, 'otherKey' | 'contract'>,
): Subjects {
  const facts = readAnimalFacts(contract);
  return {
    animals: new Set(sightings.flatMap(({ about = [] }) => about)),
    requests: new Set(sightings.map(({ exchange }) => exchange.question)),
    responses: new Set(sightings.flatMap(({ exchange, fault }) => describeResponse(exchange, fault))),
    hasAccepted: sightings.some(
      ({ exchange }) => exchange.request.isAuthorized !== true && exchange.isSuccess,
    ),
    changes: new Set(
      sightings.flatMap((one) => [
        ...listChanges(one.fault, facts),
        ...listAccepted(one.exchange, one.fault, otherKey, facts),
      ]),
    ),
    follows: new Set(sightings.flatMap(({ exchange, fault }) => listReasons(exchange, fault, facts))),
  };
}

const KEYS_MIXED_UP = 'the valid key is refused';

/** Lists what a response accepts that it should refuse, or refuses although it has the valid key. */
function listAccepted(exchange: Exchange, fault: Fault, otherKey: string, facts: AnimalFacts): string[] {
  const { request, status, isAddition, requestedId, object } = exchange;
  if (fault.kind === 'count' && fault.compared === 'at most') return [describeLimit(exchange, facts)];
  if (fault.kind === 'missing' || fault.kind === 'count') return [describeLack(exchange, facts)];
  if (request.isAuthorized === true) {
    if (status === 401) return [KEYS_MIXED_UP];
    if (requestedId !== undefined && typeof object?.id === 'bigint' && object.id !== requestedId)
      return ['another animal by id'];
    const isOfMissing = fault.kind === 'status' && fault.expected === 400 && isAddition;
    return isOfMissing && hasMissing(exchange, facts) ? ['a body without a member'] : [];
  }
  const { Authorization: authorization = 'none', ...others } = request.headers;
  const tried = `tried ${authorization} ${others['X-API-Key'] ?? ''} ${request.form ?? ''}`;
  const isAny = ['none', 'Bearer', 'Bearer ', `Bearer ${otherKey}`].includes(authorization) && status < 500;
  return [tried, ...(isAny ? [`anyone ${toOperation(request)}`] : [])];
}

function hasMissing({ sent }: Exchange, { newPet }: AnimalFacts): boolean {
  return newPet.some(({ name, isRequired }) => isRequired && sent[name] === undefined);
}

/** A filter that loses animals loses them with any of its values, though a run may show it with one of them only. */
function describeLack(exchange: Exchange, facts: AnimalFacts): string {
  const names = readListQuery(exchange, facts).filters.map(({ filter }) => filter.name);
  return `lists by ${names.join('&') || 'nothing'} lack animals`;
}

function describeLimit(exchange: Exchange, facts: AnimalFacts): string {
  return `limit of lists of ${readListQuery(exchange, facts).kind}`;
}

/** Lists what explains that a request without the valid key was accepted, or that a list is too short: its limit may be ignored. */
function listReasons(exchange: Exchange, fault: Fault, facts: AnimalFacts): string[] {
  const { request } = exchange;
  if (fault.kind === 'missing' || fault.kind === 'count')
    return [describeLimit(exchange, facts), describeLack(exchange, facts)];
  return request.isAuthorized === true ? [] : [KEYS_MIXED_UP, `anyone ${toOperation(request)}`];
}

/** Returns what a response is, if it is neither an animal nor a list: one handler refuses every request, but each check accepts its own. */
function describeResponse(
  { request, response, status, shape, words, isPage, failure, beginning }: Exchange,
  fault: Fault,
): string[] {
  if (failure !== undefined && response !== undefined) return ['a broken message'];
  if (beginning !== undefined) return ['bytes after JSON'];
  if (fault.kind === 'body' && fault.problem.is === 'not UTF-8') return ['not UTF-8'];
  if (fault.kind !== 'status' && fault.kind !== 'body' && fault.kind !== 'server fault') return [];
  // What redirects looks at no key and at no body.
  if (status >= 300 && status < 400) return [`redirect ${status}`];
  // The valid key that is refused here and there is one finding.
  if (status === 401 && request.isAuthorized === true) return [KEYS_MIXED_UP];
  // Each wrong key that is accepted is a finding of its own, unless a clause names another as its reason.
  if (request.isAuthorized !== true && status < 400) return [];
  const is = shape?.is;
  const isArray = is === 'array' && !request.path.startsWith('/pets/');
  const isOtherSuccess = fault.kind === 'status' && (fault.expected === 200 || fault.expected === 201);
  const isPlain = (status === 200 || status === 201) && !isOtherSuccess;
  if (isPlain && (is === 'animal' || is === undefined || isArray)) return [];
  // An invalid member of an animal is no other response.
  if (fault.kind === 'body' && fault.problem.is === 'invalid' && fault.problem.member !== 'id') return [];
  // What is before the service, such as a firewall, looks at no operation, and neither does one cause in the service.
  if (isPage && status >= 400 && status < 500) return [`page ${status}`];
  if (words !== '') return [`${status} ${words}`];
  return [`${toOperation(request)} ${status} ${status < 300 ? is : ''}`];
}

function listChanges(fault: Fault, { newPet }: AnimalFacts): string[] {
  if (fault.kind === 'body' && fault.problem.is === 'invalid') {
    const { member = '', value = 'nothing' } = fault.problem;
    return [`${member} became ${value}`];
  }
  if (fault.kind === 'hidden member') return [`${fault.member} became nothing`];
  if (fault.kind === 'header') return [`${fault.header} became ${fault.received ?? 'nothing'}`];
  if (fault.kind !== 'member') return [];
  const { member, expected, received } = fault;
  const [one, other] = [expected ?? 'nothing', received ?? 'nothing'];
  const [from, to] = [expected, received].map((text) => text && parseExactJson(text));
  const cause = suspectChange(fault);
  return [
    `became ${other}`,
    `was ${one} became ${other}`,
    `was ${other} became ${one}`,
    // Only the service makes what cannot be sent, so that all differences in it have one cause.
    ...(newPet.every(({ name }) => name !== member) ? ['is another one'] : []),
    ...(cause === undefined ? [] : [JSON.stringify(cause)]),
    ...(typeof from === 'string' && typeof to === 'string' ? [describeEdit(from, to)] : []),
  ].map((change) => `${member} ${change}`);
}

function describeEdit(from: string, to: string): string {
  let start = 0;
  while (start < from.length && from[start] === to[start]) start += 1;
  return `edit ${from.slice(start)} ${to.slice(start)}`;
}

/**
 * Links failures to the finding that they belong to. Each known one has a reason of its own, and stands for itself. A clause says which
 * others explain it, if both are about the same animal or request; and one cause makes the same response wherever it is. Otherwise one
 * request shows defects that have nothing to do with each other.
 */
export function linkFindings(results: readonly Result[], subjects: ReadonlyMap<string, Subjects>): Result[] {
  const failed = results.filter((result) => result.verdict === 'failed' && !isKnown(result));
  const roots = new Map(findRoots(failed, subjects));
  return results.map((result) => {
    const root = roots.get(result.clause.id);
    return root === undefined ? result : { ...result, follows: root };
  });
}

type Root = readonly [id: string, root: string];

function findRoots(failed: readonly Result[], subjects: ReadonlyMap<string, Subjects>): readonly Root[] {
  const findReason = (result: Result): Result | undefined => {
    const declared = explainersOf(result).flatMap((start) =>
      failed.filter(({ clause }) => clause.id.startsWith(start)),
    );
    const earlier = failed
      .slice(0, failed.indexOf(result))
      .filter((other) => !explainersOf(other).some((start) => result.clause.id.startsWith(start)));
    const mayExplain = (other: Result) =>
      // A recommendation explains no required clause.
      other !== result && (other.clause.level === 'required' || result.clause.level === 'recommended');
    return (
      declared.find((other) => mayExplain(other) && isExplained(result, other, subjects)) ??
      earlier.find((other) => mayExplain(other) && haveSameResponses(result, other, subjects))
    );
  };
  const findRoot = (result: Result, seen: readonly Result[]): Result => {
    const reason = findReason(result);
    if (reason === undefined) return result;
    // In a circle the first failure is the finding.
    const circle = seen.includes(reason) ? [...seen.slice(seen.indexOf(reason)), result] : [];
    if (circle.length > 0) return failed.find((one) => circle.includes(one)) ?? result;
    return findRoot(reason, [...seen, result]);
  };
  return failed.flatMap((result): Root[] => {
    const root = findRoot(result, []);
    return root === result ? [] : [[result.clause.id, root.clause.id]];
  });
}

function explainersOf({ clause }: Result): readonly string[] {
  return clauses.find(({ id }) => id === clause.id)?.explainedBy ?? [];
}

/** Returns whether a clause that another one explains is about the same animal, request or change. */
function isExplained(one: Result, other: Result, subjects: ReadonlyMap<string, Subjects>): boolean {
  const [own, its] = [subjects.get(one.clause.id), subjects.get(other.clause.id)];
  if (own === undefined || its === undefined) return false;
  if (haveCommon(own.changes, its.changes) || haveCommon(own.responses, its.responses)) return true;
  if (haveCommon(own.follows, its.changes)) return true;
  const isOfSame = haveCommon(own.animals, its.animals) || haveCommon(own.requests, its.requests);
  return isOfSame && !areOfOtherMembers(one, other);
}

/** Returns whether two clauses fail for responses that one handler has made. */
function haveSameResponses(one: Result, other: Result, subjects: ReadonlyMap<string, Subjects>): boolean {
  const [own, its] = [subjects.get(one.clause.id), subjects.get(other.clause.id)];
  if (own === undefined || its === undefined || (own.hasAccepted && !its.hasAccepted)) return false;
  return haveCommon(own.responses, its.responses);
}

function haveCommon<T>(some: ReadonlySet<T>, others: ReadonlySet<T>): boolean {
  return !some.isDisjointFrom(others);
}

/** Returns whether two clauses fail for different members: one response may have faults in both. */
function areOfOtherMembers(one: Result, other: Result): boolean {
  const [own, its] = [membersOf(one), membersOf(other)];
  return own.size > 0 && its.size > 0 && own.isDisjointFrom(its);
}

function membersOf({ failures = [] }: Result): ReadonlySet<string> {
  return new Set(failures.flatMap((failure) => findMember(failure) ?? []));
}
