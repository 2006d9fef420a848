import { type AnimalFacts, type Member, readAnimalFacts } from '../../common/json/animal-facts.ts';
import { parseExactJson } from '../../common/json/exact-json.ts';
import { type Exchange, toOperation } from '../client/exchange.ts';
import { NO_SERVER_FAULT } from '../client/run-errors.ts';
import type { Target } from '../client/target.ts';
import type { Fault } from '../failures/failure.ts';
import { suspectChange } from '../failures/suspect-change.ts';
import { readListQuery } from '../history/list-query.ts';
import { isValueOf } from '../history/member-values.ts';
import { clauses } from '../rules/clauses.ts';
import type { Sighting } from '../rules/rule.ts';
import { isKnown, type Result } from './report.ts';

/** What wrong responses have in common with those of other clauses. */
export interface Traits {
  /** What they are about, and what went wrong, such as `name must be string`. */
  readonly shows: ReadonlySet<string>;
  /** What would explain them, if a clause shows it that their clause names as its reason. */
  readonly reasons: ReadonlySet<string>;
  /** What they are instead of what they should be, such as `POST /pets 500`: one cause makes many of them. */
  readonly responses: ReadonlySet<string>;
}

/** Reads the traits of the wrong responses of a clause: of those about one subject that have the same status. */
export function readTraits(
  sightings: readonly Sighting[],
  { otherKey, contract }: Pick<Target, 'otherKey' | 'contract'>,
): readonly Traits[] {
  const facts = readAnimalFacts(contract);
  // Responses to requests at once come in any order.
  const inOrder = sightings.toSorted((one, other) => one.exchange.number - other.exchange.number);
  const bySubject = Map.groupBy(inOrder, ({ subject, exchange }) => `${subject} ${exchange.status}`);
  return [...bySubject.values()].map((same) => {
    const responses = same.flatMap(describeResponse);
    const what = same.flatMap((one) => [...listChanges(one), ...listAccepted(one, otherKey, facts)]);
    const reasons = same.flatMap((one) => [...listPlaces(one, facts, true), ...listReasons(one, facts)]);
    return {
      shows: new Set([...same.flatMap((one) => listPlaces(one, facts)), ...what, ...responses]),
      reasons: new Set([...reasons, ...what, ...responses]),
      responses: new Set(responses),
    };
  });
}

/** The part of an animal that is wrong if no other member is: whether it is there, and by which id. */
const WHOLE = 'id';

/** Lists which parts of which animals, requests and lists are wrong. @param isReason whether to add what explains it */
function listPlaces(sighting: Sighting, facts: AnimalFacts, isReason = false): string[] {
  const { exchange, fault, about = [] } = sighting;
  const filters = readListQuery(exchange, facts).filters.map(({ filter }) => filter.name);
  const isFiltered = isLack(fault) && filters.length > 0;
  // A filter loses no animal that lists without it lack too, and they lack none because of a filter.
  const own = isFiltered ? [...filters, ...(isReason ? [WHOLE] : [])] : listParts(sighting, facts);
  const places = [
    ...about.map((id) => `animal ${id}`),
    `request ${exchange.question}`,
    // A filter that loses animals loses them with any of its values, and so do animals in their place.
    ...(isLack(fault) || fault.kind === 'two lists' ? [`lists by ${filters.join('&')}`] : []),
  ];
  return places.flatMap((place) => own.map((part) => `${place} ${part}`));
}

/** Lists the wrong parts of an animal: one response may have faults in several, which have nothing to do with each other. */
function listParts({ exchange, fault }: Sighting, { pet, newPet }: AnimalFacts): readonly string[] {
  if ('member' in fault) return [fault.member];
  const { sent } = exchange;
  const isWrong = (member: Member) =>
    sent[member.name] !== undefined && !isValueOf(member, sent[member.name]);
  const accepted = exchange.isAddition ? newPet.filter(isWrong).map(({ name }) => name) : [];
  if (fault.kind === 'status' && accepted.length > 0) return accepted;
  // Each member of another animal may be another.
  if (['added', 'duplicate', 'id'].includes(fault.kind)) return pet.map(({ name }) => name);
  if (fault.kind !== 'body' || fault.problem.is !== 'invalid') return [WHOLE];
  const { object } = exchange;
  if (fault.expected !== 'Pet' || object === undefined) return [fault.problem.member ?? WHOLE];
  // The problem has only the first of them.
  return pet.filter((member) => !isValueOf(member, object[member.name])).map(({ name }) => name);
}

/** Returns whether a list lacks animals that it should have. */
function isLack(fault: Fault): boolean {
  return fault.kind === 'missing' || (fault.kind === 'count' && fault.compared !== 'at most');
}

const KEYS_MIXED_UP = 'the valid key is refused';

/** Lists what a response accepts that it should refuse, or what it has too much of. */
function listAccepted({ exchange, fault }: Sighting, otherKey: string, facts: AnimalFacts): string[] {
  const { request, isAddition, requestedId, id = requestedId, sent } = exchange;
  if (fault.kind === 'count' && fault.compared === 'at most') return [describeLimit(exchange, facts)];
  if (request.isAuthorized === true) {
    if (requestedId !== undefined && id !== requestedId) return ['another animal by id'];
    const isMissing = facts.newPet.some(({ name, isRequired }) => isRequired && sent[name] === undefined);
    return isAddition && isMissing ? ['a body without a member'] : [];
  }
  const { form = '', headers } = request;
  const { Authorization: authorization = 'none' } = headers;
  const isAny = ['none', '', 'Bearer', 'Bearer ', `Bearer ${otherKey}`].includes(authorization);
  return [`tried ${authorization} ${form}`, ...(isAny ? [`anyone ${toOperation(request)}`] : [])];
}

/** Lists what explains that a request without the valid key was accepted, or that a list is too short: its limit may be ignored. */
function listReasons({ exchange, fault }: Sighting, facts: AnimalFacts): string[] {
  const { request } = exchange;
  if (isLack(fault)) return [describeLimit(exchange, facts)];
  return request.isAuthorized === true ? [] : [KEYS_MIXED_UP, `anyone ${toOperation(request)}`];
}

function describeLimit(exchange: Exchange, facts: AnimalFacts): string {
  return `limit of lists of ${readListQuery(exchange, facts).kind}`;
}

/** Returns what a response is, if it is neither an animal nor a list: one handler refuses every request, but each check accepts its own. */
function describeResponse({ exchange, fault }: Sighting): string[] {
  const { request, response, status, shape, words, isPage, failure, noJson } = exchange;
  if (failure !== undefined && response !== undefined) return ['a broken message'];
  // What a service writes after its JSON, or cuts from it, it mostly does to each response.
  if (noJson !== undefined && !isPage && response?.body.length !== 0) return ['no JSON'];
  if (fault.kind !== 'status' && fault.kind !== 'body' && fault.kind !== 'server fault') return [];
  // What redirects looks at no key and at no body.
  if (status >= 300 && status < 400) return [`redirect ${status}`];
  // The valid key that is refused here and there is one finding.
  if (status === 401 && request.isAuthorized === true) return [KEYS_MIXED_UP];
  // Each wrong key that is accepted is a finding of its own, unless a clause names another as its reason.
  if (request.isAuthorized !== true && status < 400) return [];
  const is = shape?.is;
  const usual = request.method === 'POST' || request.path.startsWith('/pets/') ? 'animal' : 'array';
  const isOtherSuccess = fault.kind === 'status' && (fault.expected === 200 || fault.expected === 201);
  const isPlain = (status === 200 || status === 201) && !isOtherSuccess;
  if (isPlain && is === usual) return [];
  // An invalid member of an animal is no other response.
  if (fault.kind === 'body' && fault.problem.is === 'invalid' && fault.problem.member !== 'id') return [];
  // What is before the service, such as a firewall, looks at no operation, and neither does one cause in the service.
  if (isPage && status >= 400 && status < 500) return [`page ${status}`];
  if (words !== '') return [`${status} ${words}`];
  return [`${toOperation(request)} ${status} ${status < 300 ? is : ''}`];
}

/** Lists how members and headers were changed. */
function listChanges({ exchange, fault }: Sighting): string[] {
  if (fault.kind === 'byte order mark') return [fault.kind];
  if (fault.kind === 'hidden member') return [`${fault.member} became nothing`];
  if (fault.kind === 'header') return [`${fault.header} became ${fault.received}`];
  if (fault.kind === 'body' && fault.problem.is === 'no JSON')
    return [`Content-Type became ${exchange.response?.headers['content-type']}`];
  if (fault.kind === 'body' && fault.problem.is === 'invalid')
    return [`${fault.problem.member} ${fault.problem.rule}`];
  if (fault.kind !== 'member') return [];
  const { member, expected, received } = fault;
  const [one, other] = [expected ?? 'nothing', received ?? 'nothing'];
  const [from, to] = [expected, received].map((text) => text && parseExactJson(text));
  const cause = suspectChange(fault);
  return [
    `became ${other}`,
    // What one response has too much, another may lack.
    ...(expected === undefined ? ['became nothing'] : []),
    `was ${one} became ${other}`,
    `was ${other} became ${one}`,
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
 * Links failures to the finding that they belong to. A clause hangs under others if they explain all of its wrong responses: otherwise it
 * would still fail once theirs are right, so that it is a finding. The clauses that it names explain what is about the same part of an
 * animal or of a response, and any clause the same response in another place, which one cause makes. Each known failure has a reason of
 * its own, and stands for itself.
 */
export function linkFindings(
  results: readonly Result[],
  traits: ReadonlyMap<string, readonly Traits[]>,
): Result[] {
  const failed = results.filter((result) => result.verdict === 'failed' && !isKnown(result));
  const roots = headServerFaults(new Map(findRoots(failed, traits)), failed);
  return results.map((result) => {
    const root = roots.get(result.clause.id);
    return root === undefined ? result : { ...result, follows: root };
  });
}

/** What fails with a 5xx now and then is no finding about the request that happened to get it first, but about server faults. */
function headServerFaults(
  roots: ReadonlyMap<string, string>,
  failed: readonly Result[],
): ReadonlyMap<string, string> {
  const first = failed.find(({ clause }) => clause.id === roots.get(NO_SERVER_FAULT));
  const { failures = [], times } = first ?? {};
  // What fails next to others only is about these requests.
  const isAtOnce = failures.some((one) => one.kind === 'status' && one.request?.what === 'at once');
  const isOfServer = failures.every(({ status = 0 }) => status >= 500) && !isAtOnce;
  const isNowAndThen = times !== undefined && times.wrong < times.of;
  if (first === undefined || !isOfServer || !isNowAndThen) return roots;
  const followers = [...roots].filter(([, root]) => root === first.clause.id).map(([id]) => id);
  const moved = new Map(roots);
  for (const id of [first.clause.id, ...followers]) moved.set(id, NO_SERVER_FAULT);
  moved.delete(NO_SERVER_FAULT);
  return moved;
}

type Root = readonly [id: string, root: string];

function findRoots(
  failed: readonly Result[],
  traits: ReadonlyMap<string, readonly Traits[]>,
): readonly Root[] {
  const traitsOf = ({ clause }: Result) => traits.get(clause.id) ?? [];
  const findReason = (result: Result): Result | undefined => {
    const others = failed.filter(
      (other) =>
        // A recommendation explains no required clause.
        other !== result && (other.clause.level === 'required' || result.clause.level === 'recommended'),
    );
    const declared = explainersOf(result).flatMap((start) =>
      others.filter(({ clause }) => clause.id.startsWith(start)),
    );
    const earlier = others.filter(
      (other) =>
        failed.indexOf(other) < failed.indexOf(result) &&
        !explainersOf(other).some((start) => result.clause.id.startsWith(start)),
    );
    const reasons = traitsOf(result).map(
      (own) =>
        declared.find((other) => traitsOf(other).some((its) => haveCommon(own.reasons, its.shows))) ??
        earlier.find((other) => traitsOf(other).some((its) => haveCommon(own.responses, its.responses))),
    );
    return reasons.includes(undefined) ? undefined : reasons[0];
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

function haveCommon<T>(some: ReadonlySet<T>, others: ReadonlySet<T>): boolean {
  return !some.isDisjointFrom(others);
}
