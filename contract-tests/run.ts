import { clauses, inPhases, inRunningOrder } from './clauses/clauses.ts';
import { createNewPet, isAddition, isFull, isRefusedAsFull, postAnimal } from './core/add-animal.ts';
import type { Clause, Need } from './core/clause.ts';
import type { Client } from './core/client.ts';
import { type Context, createContext } from './core/context.ts';
import { type Exchange, isGatewayPage, isPage, isUnanswered, shorten } from './core/exchange.ts';
import { type Facts, findFacts } from './core/find-facts.ts';
import { isRemoved } from './core/get-pet-removal.ts';
import { hideKeys } from './core/hide-keys.ts';
import { inParallel } from './core/in-parallel.ts';
import { listAnimals } from './core/list-animals.ts';
import {
  createFullStore,
  Failed,
  Interrupted,
  NO_SERVER_FAULT,
  Skipped,
  TooFewAnimals,
  Unproven,
  Untried,
} from './core/result.ts';
import type { SendRequest } from './core/send-request.ts';
import { suiteVersion, type Target, type TargetOptions } from './core/target.ts';
import { describeOutcome } from './describe-outcome.ts';
import { linkFailures } from './link-failures.ts';
import { conclude, type Report, type Result, type Traffic } from './report.ts';

/** What is tried, and what is called meanwhile. */
export interface RunOptions {
  /** The ids of the clauses that are wanted. @default all, the quickstart's where its origin is known */
  readonly only?: readonly string[];
  /** Called after each clause, with the traffic so far. */
  readonly onResult?: (result: Result, traffic: Traffic) => void;
  /** What carries the requests. @default HTTP */
  readonly sendRequest?: SendRequest | undefined;
  /** Number of requests before the run, if the key was accepted for them. @default 0 */
  readonly accepted?: number;
  /** Ends the run with what was tried. @default the deadline of the target, from now on */
  readonly signal?: AbortSignal;
}

/** Tries clauses against a deployment, those that only read side by side. The report has them in the order of the specification. */
export async function runSuite(target: Target, options: RunOptions = {}): Promise<Report> {
  const startedAt = new Date();
  const run = createRun(target, options);
  const results = new Map<string, Result>();
  const tryOne = async (clause: Clause) => {
    const result = await run.tryClause(clause);
    results.set(clause.id, result);
    options.onResult?.(result, run.countTraffic());
  };
  for (const phase of inPhases(run.clauses)) {
    let left = phase;
    while (left.length > 0) {
      await inParallel(left, tryOne, target.concurrency);
      // A restart that began after a clause had ended may explain what the clause saw.
      left = run.clauses.filter(run.takeInterrupted);
    }
  }
  const outcomes = linkFailures(
    clauses.flatMap(({ id }) => results.get(id) ?? []),
    clauses,
    run.facts,
  );
  const reason = outcomes.find(({ cause }) => cause === 'no verdict')?.reason;
  const leftOut = requiredIds(target).filter((id) => !results.has(id));
  return {
    ...conclude({ outcomes, leftOut, reason }),
    ...describeRun(target, options.only, startedAt),
    ...run.countTraffic(),
    ...(reason !== undefined && { reason }),
    ...{ leftOut, outcomes },
  };
}

/** The ids of the required clauses of a run with every clause. */
function requiredIds(target: Target): string[] {
  return listClauses(target).flatMap(({ id, level }) => (level === 'required' ? [id] : []));
}

/** Reports a run that could not begin, with the reason. */
export function reportUntried(
  target: Target,
  {
    startedAt,
    requests,
    reason,
    only,
  }: Pick<RunOptions, 'only'> & {
    readonly startedAt: Date;
    readonly requests: number;
    readonly reason: string;
  },
): Report {
  const untested = { reason: hideKeys(reason, target), outcomes: [], leftOut: requiredIds(target) };
  return {
    ...conclude(untested),
    ...describeRun(target, only, startedAt),
    ...{ requests, animalsAdded: 0, ...untested, leftOut: [] },
  };
}

/** What a report says of a run, whatever has come of it. */
function describeRun(target: Target, only: readonly string[] = [], startedAt: Date) {
  const { allowsWrites, timeout, deadline, retries, settle, concurrency, seed, runs } = target;
  const told = { allowsWrites, timeout, deadline, retries, settle, concurrency, seed, runs };
  return {
    version: 2 as const,
    suite: suiteVersion,
    node: process.versions.node,
    options: { ...told, only },
    baseUrl: hideKeys(target.baseUrl, target),
    startedAt: startedAt.toISOString(),
    ms: Date.now() - startedAt.getTime(),
  };
}

/**
 * Creates a run, of which nothing is tried yet.
 *
 * @returns the clauses in their running order, a function that tests a clause and never rejects, the facts that each failed
 * clause has shown so far, and a function that counts the traffic so far.
 */
export function createRun(target: Target, { only = [], sendRequest, signal, accepted }: RunOptions = {}) {
  const context = createContext(target, sendRequest, signal, accepted);
  const ordered = listClauses(target, only);
  const facts = new Map<string, Facts>();
  return {
    clauses: ordered,
    facts,
    tryClause: (clause: Clause) => tryClause(clause, context, ordered.indexOf(clause), facts),
    takeInterrupted: (clause: Clause) => context.client.takeInterrupted(ordered.indexOf(clause)),
    countTraffic: (): Traffic => {
      const { journal, countRequests } = context.client;
      return { requests: countRequests(), animalsAdded: journal.filter(isAddition).length };
    },
  };
}

/** Lists the clauses that a run tries, in the order in which they are to be tried. */
export function listClauses(
  { quickstart }: Pick<TargetOptions, 'quickstart'>,
  only: readonly string[] = [],
): readonly Clause[] {
  const isWanted = ({ id }: Clause) =>
    only.length === 0 ? quickstart !== undefined || !id.startsWith('quickstart/') : only.includes(id);
  return inRunningOrder(clauses.filter(isWanted));
}

async function tryClause(
  clause: Clause,
  run: Context,
  rank: number,
  facts: Map<string, Facts>,
): Promise<Result> {
  let last: Exchange | undefined;
  let requests = 0;
  let sent = 0;
  let others: number | undefined;
  const own: Exchange[] = [];
  const send: Client['send'] = async (request) => {
    requests += 1;
    last = await run.client.send(request, rank);
    if (last.response !== undefined) sent += 1;
    if (isRefusedAsFull(last, run.target)) own.push(last);
    return last;
  };
  const decide = (exchanges: number) => {
    others = exchanges;
  };
  const context: Context = {
    ...run,
    client: { ...run.client, send },
    decide,
    // What is made for several clauses has its place among the requests of the first.
    once: (make) => run.once(make, context),
  };
  const { id, heading, sentence, level, needs = [] } = clause;
  const start = performance.now();
  const perform = async () => {
    for (const need of needs) await expectMet[need](context);
    const thrown = await clause.run(context).then(
      () => ((others ?? sent) === 0 ? new Skipped('no exchange could decide it') : undefined),
      (error: Error) => error,
    );
    await expectRoom(thrown, clause, context, own);
    if (thrown !== undefined) throw thrown;
    // It may have looked at less than it should.
    context.client.signal.throwIfAborted();
  };
  const attempt = async () => {
    [sent, others, own.length] = [0, undefined, 0];
    const thrown = await perform().then(
      () => undefined,
      (error: Error) => error,
    );
    if (!run.client.takeInterrupted(rank) && !(thrown instanceof Interrupted)) return thrown;
    run.forget(context);
    return attempt();
  };
  const thrown = await attempt();
  const shown = thrown instanceof Failed ? (thrown.exchange ?? last) : undefined;
  if (shown !== undefined) await askAgain(shown, run.client, rank);
  const error = thrown && toTold(thrown, clause, context);
  facts.delete(id);
  if (error instanceof Failed) facts.set(id, findFacts(error, shown, context));
  const outcome =
    error === undefined ? { verdict: 'passed' as const } : describeOutcome(error, context, last);
  const told = { clause: { id, heading, sentence, level }, exchanges: others ?? sent, requests };
  return { ...told, ...outcome, ms: performance.now() - start };
}

/** Sends a request again that was answered with a page: another answer shows that the page is intermittent. */
async function askAgain(exchange: Exchange, client: Client, rank: number, left = 2): Promise<void> {
  if (left === 0 || !isPage(exchange) || isGatewayPage(exchange)) return;
  const { headers, body, ...others } = exchange.request;
  const { Authorization: authorization, 'Content-Type': mediaType, ...more } = headers;
  const request = { ...others, headers: more, authorization, mediaType, ...(body !== undefined && { body }) };
  const again = await client.send(request, rank).catch(() => undefined);
  if (again !== undefined) await askAgain(again, client, rank, left - 1);
}

/**
 * Tries to add an animal if a full store may be the reason for the result of a clause.
 *
 * @param refused the additions of the clause that were refused.
 * @throws Unproven when the store takes no more animals.
 */
async function expectRoom(
  thrown: Error | undefined,
  { needs = [] }: Clause,
  context: Context,
  refused: readonly Exchange[],
): Promise<void> {
  const needsAnimals =
    thrown instanceof TooFewAnimals || (thrown instanceof Skipped && needs.includes('writes'));
  const isRefused =
    thrown instanceof Failed
      ? thrown.exchange !== undefined && refused.includes(thrown.exchange)
      : refused.length > 0;
  if (thrown instanceof Untried || !(isRefused || (needsAnimals && isFull(context)))) return;
  const added = await postAnimal(context, await createNewPet(context, 'one more'));
  if (isRefusedAsFull(added, context.target)) throw createFullStore(added);
}

/** The clause would add animals, and the suite may not. */
function readOnly(reason: string): Unproven {
  return new Unproven(`${reason}, and the run is read-only (--allow-writes)`, 'read-only');
}

const lookForOne = (context: Context) => listAnimals(context, '?limit=1');

/** How each need is met. @throws Skipped when it is not. */
const expectMet: Readonly<Record<Need, (context: Context) => Promise<void>>> = {
  writes: async ({ target }) => {
    if (!target.allowsWrites) throw readOnly('it adds animals');
  },
  animals: async (context) => {
    // Where nothing was added, one look is enough.
    const animals = await (context.target.allowsWrites ? lookForOne(context) : context.once(lookForOne));
    const Verdict = context.client.journal.some(isAddition) ? Unproven : TooFewAnimals;
    if (animals.length === 0) throw new Verdict('there is no animal in the list');
  },
  getPet: async (context) => {
    if (await isRemoved(context)) throw new Skipped('GET /pets/{petId} has been removed, as announced');
  },
};

/** Completes the error of a clause. A request without an answer in time fails one clause, and the others are not tested. */
function toTold(error: Error, { id }: Clause, { client, target }: Context): Error {
  if (error instanceof Skipped && client.signal.aborted)
    return error instanceof Untried ? error : client.signal.reason;
  if (error instanceof TooFewAnimals && !target.allowsWrites) return readOnly(error.message);
  if (error instanceof Skipped) return error;
  const exchange = error instanceof Failed ? error.exchange : undefined;
  if (id === NO_SERVER_FAULT || exchange === undefined || !isUnanswered(exchange)) return error;
  return new Untried(
    `${exchange.request.method} ${shorten(exchange.request.path)} was left unanswered: see ${NO_SERVER_FAULT}`,
  );
}
