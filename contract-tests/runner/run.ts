import { randomInt } from 'node:crypto';
import { redact } from '../../common/text/redact.ts';
import { Client, type ClientOptions } from '../client/client.ts';
import { type Exchange, mayAddAnimal } from '../client/exchange.ts';
import { NotTested, SilentOperation } from '../client/run-errors.ts';
import { MOST_ADDED } from '../client/run-limits.ts';
import { keysOf } from '../client/secrets.ts';
import type { Target } from '../client/target.ts';
import { createFailure } from '../failures/failure.ts';
import { listDistinct } from '../failures/identify-failure.ts';
import { redactCause, redactFailure } from '../failures/redact-failure.ts';
import { History } from '../history/history.ts';
import { isToldToWait } from '../history/tolerances.ts';
import { Sender } from '../requests/sender.ts';
import { listTables, type TableName, tables } from '../requests/tables.ts';
import { findFullStore } from '../rules/additions.ts';
import { listClauses, requiredIds } from '../rules/clauses.ts';
import { isInterrupted } from '../rules/robustness.ts';
import { type Clause, type Evidence, type Gap, type Look, ONCE_WRONG, type Sighting } from '../rules/rule.ts';
import { askAgain, countFailures } from './ask-again.ts';
import { findCachedRefusal, findCause } from './find-cause.ts';
import {
  countExcused,
  createEvidence,
  findShown,
  type Judgement,
  judge,
  listCounted,
  listExcused,
} from './judge.ts';
import { createEntries, type KnownFailure, listFixed, listUnmatched, markKnown } from './known-failures.ts';
import { linkFindings, readTraits, type Traits } from './link-findings.ts';
import { printExchange, printScript } from './printed-exchange.ts';
import { conclude, type Progress, type Report, type Result, type Traffic } from './report.ts';
import { describeRun } from './report-untried.ts';

interface RunOptions extends Omit<ClientOptions, 'patience' | 'onExchange'> {
  /** Ids of the clauses to test. @default all */
  readonly only?: readonly string[];
  /** Accepted failures. @default none */
  readonly known?: readonly KnownFailure[] | undefined;
  /** Called before a table of requests is sent, with a function that says at any time how far the run is. */
  readonly onTable?: ((name: TableName, readProgress: () => Progress) => void) | undefined;
  readonly onResult?: ((result: Result, traffic: Traffic) => void) | undefined;
  /** Sends more requests, which show how the deployment decides what is unspecified. @default false */
  readonly sendsUnspecified?: boolean | undefined;
}

/** Asks, keeps everything, and judges once. The report has the clauses in the order of the specification. */
export async function runSuite(target: Target, options: RunOptions = {}): Promise<Report> {
  const startedAt = new Date();
  const { only = [], known, onTable, onResult, sendsUnspecified = false, ...clientOptions } = options;
  const clauses = listClauses(only);
  // Digits, always as many: a known failure is the same in the next run, wherever a message cuts the name.
  const history = new History(target, `contract-test ${String(randomInt(10 ** 10)).padStart(10, '0')}`);
  const onExchange: ClientOptions['onExchange'] = (exchange, isSentAgain) =>
    history.record(exchange, isSentAgain);
  const client = new Client(target, { ...clientOptions, onExchange });
  const sender = new Sender(client, history);
  const countTraffic = (): Traffic => ({
    requests: client.requests,
    animalsAdded: history.exchanges.filter(hasAdded).length,
  });
  const sent = new Set<TableName>();
  const needed = clauses.flatMap(({ needs }) => needs);
  const names = listTables(
    [...needed, ...(sendsUnspecified ? (['unspecified points'] as const) : [])],
    sender.mayWrite,
  );
  const ending = await sendTables(sender, names, sent, (name) =>
    onTable?.(name, () => ({ ...countTraffic(), waitsFor: client.turns.waitsFor })),
  );
  const first = judgeAll(history, clauses);
  let decided = first;
  const again = async () => {
    await askAgain(sender, first.judgements);
    decided = judgeNew(first, history, clauses);
    await countFailures(sender, decided.judgements);
  };
  const end = ending ?? (await untilEnd(sender, again)) ?? sender.silent;
  const { keyRefusedAfter } = client;
  const counted = keyRefusedAfter === undefined ? history : history.untilKeyRefused(keyRefusedAfter);
  const { evidence, judgements: last } = judgeNew(decided, counted, clauses);
  // What has failed was only counted from then on, whatever the later responses are.
  const judgements = counted === history ? last.map((one, index) => keepFailed(decided, one, index)) : last;
  const traits = new Map<string, readonly Traits[]>();
  const unlinked = judgements.map((judgement): Result => {
    const result = toResult(judgement, evidence, { sent, ending: end });
    if (result.verdict === 'failed')
      traits.set(judgement.clause.id, readTraits(listCounted(judgement), target));
    return markKnown(result, known ?? [], target.now);
  });
  const outcomes = linkFindings(unlinked, traits);
  for (const result of outcomes) onResult?.(result, countTraffic());
  const leftOut = requiredIds.filter((id) => !outcomes.some(({ clause }) => clause.id === id));
  const valid = history.additions.filter(({ sent: body }) => body !== undefined);
  const noneAdded = valid.length > 0 && !history.exchanges.some(hasAdded);
  const reason = end?.message;
  const { perhapsAdded } = client;
  const { slowed } = client.turns;
  return {
    ...conclude({ outcomes, leftOut, reason, noneAdded }),
    ...describeRun(target, only, startedAt),
    ...countTraffic(),
    added: history.exchanges.filter(hasAdded).map((one) => `${one.id ?? one.shorten(`${one.request.body}`)}`),
    ...(noneAdded && { noneAdded }),
    ...(slowed.refused > 0 && { slowed: { ...slowed, ms: Math.round(slowed.ms) } }),
    ...(perhapsAdded > 0 && { perhapsAdded }),
    ...(reason !== undefined && { reason: redact(reason, keysOf(target)) }),
    ...describeInterruption(history.unanswered.filter(isInterrupted), history.exchanges),
    excused: countExcused(judgements, history.unanswered.filter(isToldToWait)),
    leftOut,
    outcomes,
    ...describeEntries({ outcomes, leftOut }, known),
  };
}

/** Counts the requests that did not reach the service, and how long it took until one did again. */
function describeInterruption(
  all: readonly Exchange[],
  answered: readonly Exchange[],
): Pick<Report, 'interrupted'> {
  if (all.length === 0) return {};
  const begin = Math.min(...all.map(({ at }) => at));
  const last = Math.max(...all.map((one) => one.end));
  const end = answered.find(({ at }) => at >= last)?.end ?? last;
  const statuses = new Set(all.flatMap(({ response }) => (response === undefined ? [] : [response.status])));
  return {
    interrupted: { count: all.length, statuses: [...statuses].toSorted(), ms: Math.round(end - begin) },
  };
}

/** Why a run ended before it had sent everything. */
type Ending = NotTested | undefined;

/** Sends tables. @returns why not all of them were sent */
async function sendTables(
  sender: Sender,
  names: readonly TableName[],
  sent: Set<TableName>,
  onTable: (name: TableName) => void,
): Promise<Ending> {
  return untilEnd(sender, async () => {
    for (const name of names) {
      onTable(name);
      await tables[name].send(sender);
      sent.add(name);
    }
  });
}

interface Judged {
  readonly evidence: Evidence;
  readonly judgements: readonly Judgement[];
  /** Number of exchanges that were judged. */
  readonly count: number;
}

function judgeAll(history: History, clauses: readonly Clause[]): Judged {
  const evidence = createEvidence(history, clauses);
  return { evidence, judgements: judge(evidence, clauses), count: history.exchanges.length };
}

/** The same history always gives the same judgements. */
function judgeNew(before: Judged, history: History, clauses: readonly Clause[]): Judged {
  const isSame = before.evidence.history === history && before.count === history.exchanges.length;
  return isSame ? before : judgeAll(history, clauses);
}

function keepFailed({ judgements }: Judged, last: Judgement, index: number): Judgement {
  const before = judgements[index];
  return before !== undefined && findShown(before) && !findShown(last) ? before : last;
}

/** Runs until the run has ended: at its deadline, or because the deployment is no longer there. */
async function untilEnd({ client }: Sender, run: () => Promise<void>): Promise<Ending> {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (client.signal.aborted && client.signal.reason instanceof NotTested) return client.signal.reason;
    if (error instanceof NotTested) return error;
    throw error;
  }
}

interface RunState {
  readonly sent: ReadonlySet<TableName>;
  readonly ending: Ending;
}

function toResult(judgement: Judgement, evidence: Evidence, state: RunState): Result {
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
  { sent, ending }: RunState,
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
  const full = isOfWrites ? (findFullStore(evidence) ?? findFullRun(evidence)) : undefined;
  const { reason, cause = 'too little to compare' }: Gap = full ?? missed;
  return { reason: redact(reason, keysOf(target)), cause };
}

/** Returns why a clause that adds animals has too little to compare, if the run has added all that it may. */
function findFullRun({ history: { exchanges } }: Evidence): Gap | undefined {
  const added = exchanges.filter(hasAdded).length;
  const perhaps = exchanges.filter(hasPerhapsAdded).length;
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
  const suspected = findCause(first, evidence);
  const toPrinted = (one: Exchange) => printExchange(one, target, first.about);
  const failures = listDistinct([first, ...all].map((one) => createFailure(one.fault, one.exchange)));
  return {
    verdict: 'failed',
    failures: failures.map((one) => redactFailure(one, keys)),
    times: countTimes(first, all, judgement, evidence),
    ...(isOfEarlierRun(first, evidence) && ({ ofEarlierRun: true } as const)),
    ...(suspected !== undefined && { suspected: redactCause(suspected, keys) }),
    evidence: toPrinted(exchange),
    ...(before.length > 0 && { before: before.map(toPrinted) }),
    ...(more.length > 0 && { more: more.map(toPrinted) }),
    ...(before.length > 0 && { script: printScript([...before, exchange], target) }),
  } as const;
}

/**
 * Counts the responses that are wrong as the first one, and those after it in which the clause found nothing wrong: what was right before
 * may have changed. Only the same request says how often its response is wrong; where that differs, it is the service that differs, so
 * that all animals that were sent count.
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
  const hasAnimal = ({ animals }: Exchange) =>
    animals.some(
      ({ id, ...others }) =>
        typeof id === 'bigint' && about.includes(id) && (member === undefined || member in others),
    );
  const isAboutIt = (one: Exchange) => {
    if (fault.kind === 'two lists') return !hasAnimal(one);
    return (!isMissing && member === undefined) || !one.isList || hasAnimal(one);
  };
  // The faults of a single wrong response are those of other clauses too.
  const isOfOthers = isMissing || clause.id === ONCE_WRONG;
  const compared = new Set(isOfOthers ? history.exchanges : looks.map(({ exchange }) => exchange));
  const right = [...compared].filter((one) => !seen.has(one) && isAboutIt(one));
  const byQuestion = Map.groupBy([...wrong], ({ question }) => question);
  const groups = [...byQuestion].map(([question, same]) => {
    const since = Math.min(...same.map(({ number }) => number));
    return [...same, ...right.filter((one) => one.question === question && one.number > since)];
  });
  const repeated = groups.flatMap((group) => (group.length > 1 ? group : []));
  const isPost = ({ request }: Exchange) => request.method === 'POST';
  const differs = repeated.some((one) => !wrong.has(one));
  const counted = isPost(first.exchange) && differs ? [...wrong, ...right.filter(isPost)] : repeated;
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

/** Returns which entries of --known match nothing, and those that it needs for the failures of this run. */
function describeEntries(tested: Pick<Report, 'outcomes' | 'leftOut'>, known: RunOptions['known']) {
  if (known === undefined) return {};
  const unmatched = listUnmatched(tested, known);
  const newEntries = createEntries(tested, known);
  return {
    fixed: listFixed(tested, known),
    ...(unmatched.length > 0 && { unmatched }),
    ...(newEntries.length > 0 && { newEntries }),
  };
}

/** Returns whether an animal may have been added although the response of the service did not arrive. */
const hasPerhapsAdded = ({ request, isUncertain }: Exchange) => isUncertain && mayAddAnimal(request);

/** Returns whether a response may mean that an animal was added. */
const hasAdded = ({ request, isSuccess }: Exchange) => isSuccess && mayAddAnimal(request);
