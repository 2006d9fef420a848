import { randomInt } from 'node:crypto';
import { redact } from '../../common/text/redact.ts';
import { Client, type ClientOptions } from '../client/client.ts';
import { NotTested } from '../client/run-errors.ts';
import { keysOf } from '../client/secrets.ts';
import type { Target } from '../client/target.ts';
import { History } from '../history/history.ts';
import { isToldToWait } from '../history/tolerances.ts';
import { Sender } from '../requests/sender.ts';
import { listTables, type TableName, tables } from '../requests/tables.ts';
import { listClauses, listJudging, requiredIds } from '../rules/clauses.ts';
import { listInterrupted } from '../rules/robustness.ts';
import { type Clause, type Evidence, ONCE_WRONG } from '../rules/rule.ts';
import { askAgain, countFailures } from './ask-again.ts';
import { countExcused, createEvidence, findShown, type Judgement, judge, listCounted } from './judge.ts';
import { createEntries, type KnownFailure, listFixed, listUnmatched, markKnown } from './known-failures.ts';
import { linkFindings, readTraits, type Traits } from './link-findings.ts';
import { conclude, type Progress, type Report, type Result, type Traffic } from './report.ts';
import { describeRun } from './report-untried.ts';
import { hasAdded, toResult } from './to-result.ts';

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
  const tested = listClauses(only);
  const clauses = listJudging(tested);
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
  const needed = tested.flatMap(({ needs }) => needs);
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
  const { perhapsAdded } = client;
  const reported = judgements.filter((one) => tested.includes(one.clause) || isOnceWrong(one));
  const unlinked = reported.map((judgement): Result => {
    const result = toResult(judgement, evidence, { sent, ending: end, perhapsAdded });
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
    ...describeInterruption(history),
    excused: countExcused(judgements, history.unanswered.filter(isToldToWait)),
    leftOut,
    outcomes,
    ...describeEntries({ outcomes, leftOut }, known),
  };
}

/** Counts the requests that did not reach the service, and how long it took until one did again. */
function describeInterruption(history: History): Pick<Report, 'interrupted'> {
  const all = listInterrupted(history);
  if (all.length === 0) return {};
  const begin = Math.min(...all.map(({ at }) => at));
  const last = Math.max(...all.map((one) => one.end));
  const end = history.exchanges.find(({ at }) => at >= last)?.end ?? last;
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

/** Returns whether clauses have seen a single wrong response: that is reported whichever of them are tested. */
function isOnceWrong(judgement: Judgement): boolean {
  return judgement.clause.id === ONCE_WRONG && findShown(judgement) !== undefined;
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
