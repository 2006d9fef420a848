import type { JsonObject } from '../../common/json/exact-json.ts';
import { redact } from '../../common/text/redact.ts';
import { createFailure } from '../client/create-failure.ts';
import { type Exchange, mayAddAnimal } from '../client/exchange.ts';
import { type NotTested, SilentOperation } from '../client/run-errors.ts';
import { MOST_ADDED } from '../client/run-limits.ts';
import { keysOf } from '../client/secrets.ts';
import { toJsonText } from '../client/show-value.ts';
import { listDistinct } from '../failures/identify-failure.ts';
import { redactFailure } from '../failures/redact-failure.ts';
import { listTables, type TableName } from '../requests/tables.ts';
import { findFullStore } from '../rules/additions.ts';
import { type Evidence, type Gap, type Look, ONCE_WRONG, type Sighting } from '../rules/rule.ts';
import { findCachedRefusal, findCause } from './find-cause.ts';
import { findShown, type Judgement, listCounted, listExcused } from './judge.ts';
import { printExchange, printScript } from './printed-exchange.ts';
import type { Result } from './report.ts';

interface RunState {
  readonly sent: ReadonlySet<TableName>;
  /** Why the run ended before it had sent everything. */
  readonly ending: NotTested | undefined;
  /** Number of POSTs without the response of the service, each of which may have added an animal. */
  readonly perhapsAdded: number;
}

/** Says what became of a clause: its verdict, with the failure or with the reason why it was not tested. */
export function toResult(judgement: Judgement, evidence: Evidence, state: RunState): Result {
  const { clause, looks, faults } = judgement;
  const { id, heading, sentence, level, quote } = clause;
  const excused = new Set(listExcused(judgement).map(({ exchange }) => exchange)).size;
  const common = {
    clause: { id, heading, sentence, level, quote },
    compared: count(looks),
    ...(excused > 0 && { excused }),
  };
  if (faults.some(({ verdict }) => verdict === 'wrong'))
    return { ...common, ...describeFailure(judgement, evidence) };
  const gap = findGap(judgement, evidence, state);
  return gap === undefined ? { ...common, verdict: 'passed' } : { ...common, verdict: 'not tested', ...gap };
}

function count(looks: readonly Look[]): Result['compared'] {
  const responses = new Set(looks.map(({ exchange }) => exchange));
  const animals = new Set<unknown>();
  for (const look of looks) for (const { id, name } of look.animals ?? []) animals.add(id ?? name);
  return {
    responses: responses.size,
    lists: [...responses].filter(({ isList }) => isList).length,
    animals: animals.size,
  };
}

/** Finds why a clause has not passed although nothing was wrong. */
function findGap(
  { clause, looks }: Judgement,
  evidence: Evidence,
  { sent, ending, perhapsAdded }: RunState,
): Pick<Result, 'reason' | 'cause'> | undefined {
  const { target } = evidence;
  const needed = listTables(clause.needs, target.allowsWrites);
  const missing = needed.filter((name) => !sent.has(name));
  const { isOfWrites = false } = clause;
  if (isOfWrites && !target.allowsWrites)
    return {
      reason: 'Needs POST, which adds animals that nobody can delete. Test it on staging.',
      cause: 'read-only',
    };
  if (ending !== undefined && missing.length > 0)
    return { reason: redact(ending.message, keysOf(target)), cause: ending.cause };
  const gap = clause.findGap?.(evidence, looks);
  // An operation that is silent is the reason for whatever could not be looked at.
  const silence =
    ending instanceof SilentOperation ? { reason: ending.message, cause: ending.cause } : undefined;
  const isNothing = looks.length === 0 ? { reason: 'no response was of this kind' } : undefined;
  const missed = (gap ?? isNothing) && (silence ?? gap ?? isNothing);
  if (missed === undefined) return undefined;
  const full = isOfWrites ? (findFullStore(evidence) ?? findFullRun(evidence, perhapsAdded)) : undefined;
  const { reason, cause = 'too little to compare' }: Gap = full ?? missed;
  return { reason: redact(reason, keysOf(target)), cause };
}

/** Returns why a clause that adds animals has too little to compare, if the run has added all that it may. */
function findFullRun({ history: { exchanges } }: Evidence, perhaps: number): Gap | undefined {
  const added = exchanges.filter(hasAdded).length;
  if (added === 0 || added + perhaps < MOST_ADDED) return undefined;
  const more = perhaps === 0 ? '' : ` and perhaps ${perhaps} more`;
  return { reason: `the run has added ${added} animals${more}, its limit`, cause: 'limit of animals' };
}

function describeFailure(judgement: Judgement, evidence: Evidence) {
  const { target } = evidence;
  const keys = keysOf(target);
  const all = listCounted(judgement);
  const first = findShown(judgement);
  if (first === undefined) throw new Error('A fault without a sighting was judged as wrong.');
  const { exchange } = first;
  const cached = findCachedRefusal(exchange, evidence);
  const before = [
    ...new Set([...findAddition(first, evidence), ...(first.before ?? []), ...(cached ? [cached] : [])]),
  ]
    .filter((one) => one !== exchange && one.at <= exchange.at)
    .toSorted((one, other) => one.at - other.at);
  const { more = [] } = first;
  // Where nothing was seen before the response, what it is compared with came after it.
  const compared = before.length > 0 ? [...before, exchange] : [exchange, ...more];
  const suspected = findCause(first, evidence);
  const toPrinted = (one: Exchange) => printExchange(one, target, first.about);
  const failures = listDistinct([first, ...all].map((one) => createFailure(one.fault, one.exchange)));
  return {
    verdict: 'failed',
    failures: failures.map((one) => redactFailure(one, keys)),
    times: countTimes(first, all, judgement, evidence),
    ...(isOfEarlierRun(first, evidence) && ({ ofEarlierRun: true } as const)),
    ...(suspected !== undefined && { suspected }),
    evidence: toPrinted(exchange),
    ...(before.length > 0 && { before: before.map(toPrinted) }),
    ...(more.length > 0 && { more: more.map(toPrinted) }),
    ...(compared.length > 1 && { script: printScript(compared, target) }),
  } as const;
}

/**
 * Counts the responses that are wrong as the first one, and those after it in which the clause found nothing wrong: what was right before
 * may have changed. Only the same request says how often its response is wrong.
 */
function countTimes(
  first: Sighting,
  all: readonly Sighting[],
  { clause, looks, faults }: Judgement,
  { history }: Evidence,
): NonNullable<Result['times']> {
  const ofSubject = ({ subject }: Sighting) => subject === first.subject;
  const wrong = new Set(all.filter(ofSubject).map(({ exchange }) => exchange));
  const seen = new Set(faults.flatMap(({ sightings }) => sightings.map(({ exchange }) => exchange)));
  // A list that has not the animal says nothing about it, unless the animal should not be there.
  const { about = [], fault } = first;
  const isMissing = fault.kind === 'missing';
  const member = fault.kind === 'member' || fault.kind === 'hidden member' ? fault.member : undefined;
  const isMeant = ({ id }: JsonObject) => typeof id === 'bigint' && about.includes(id);
  const hasAnimal = ({ animals }: Exchange) =>
    animals.some((animal) => isMeant(animal) && (member === undefined || member in animal));
  // There may be nothing that shows that the same value is wrong there, too.
  const hasReceived = ({ object, animals }: Exchange) =>
    fault.kind === 'member' &&
    [...(object === undefined ? [] : [object]), ...animals.filter(isMeant)].some(
      (animal) => toJsonText(animal[fault.member]) === fault.received,
    );
  const isAboutIt = (one: Exchange) => {
    if (fault.kind === 'two lists') return !hasAnimal(one);
    return (!isMissing && member === undefined) || !one.isList || hasAnimal(one);
  };
  // The faults of a single wrong response are those of other clauses too.
  const isOfOthers = isMissing || clause.id === ONCE_WRONG;
  const compared = new Set(isOfOthers ? history.exchanges : looks.map(({ exchange }) => exchange));
  const right = [...compared].filter((one) => !seen.has(one) && isAboutIt(one) && !hasReceived(one));
  const byQuestion = Map.groupBy([...wrong], ({ question }) => question);
  const groups = [...byQuestion].map(([question, same]) => {
    const since = Math.min(...same.map(({ number }) => number));
    return [...same, ...right.filter((one) => one.question === question && one.number > since)];
  });
  // Another request may differ in what is wrong.
  const own = groups.find(([one]) => one?.question === first.exchange.question) ?? [];
  const counted = own.length > 1 ? own : groups.flatMap((group) => (group.length > 1 ? group : []));
  if (counted.length === 0) return { wrong: wrong.size, of: wrong.size };
  return { wrong: counted.filter((one) => wrong.has(one)).length, of: counted.length };
}

/** Returns whether a wrong response is about an animal that the suite has added in an earlier run. */
function isOfEarlierRun({ about = [] }: Sighting, { history }: Evidence): boolean {
  const observations = about.flatMap((id) => history.animals.get(id)?.observations ?? []);
  return observations.some(
    ({ shown }) => `${shown?.name}`.startsWith('contract-test') && !history.isMarked(shown ?? {}),
  );
}

function findAddition({ about = [], exchange }: Sighting, { history }: Evidence): readonly Exchange[] {
  return about.slice(0, 1).flatMap((id) => {
    const added = history.animals.get(id)?.addition?.exchange;
    return added === undefined || added === exchange ? [] : [added];
  });
}

/** Returns whether a response may mean that an animal was added. */
export const hasAdded = ({ request, isSuccess }: Exchange) => isSuccess && mayAddAnimal(request);
