import { clauses, groupParallel, inRunningOrder } from '../clauses/clauses.ts';
import { Client, type ClientOptions } from '../client/client.ts';
import { type Exchange, mayAddAnimal } from '../client/exchange.ts';
import { hideKeys } from '../client/hide-keys.ts';
import { inParallel } from '../client/in-parallel.ts';
import { resolveTarget, suiteVersion, type Target, type TargetOptions } from '../client/target.ts';
import { isValidCreation } from '../vocabulary/additions.ts';
import { type Clause, readsOthers } from '../vocabulary/clause.ts';
import { Run } from '../vocabulary/context.ts';
import { Attempt } from './attempt.ts';
import { createEvidence } from './evidence.ts';
import { createEntries, type KnownFailure, listFixed, listUnmatched, markKnown } from './known-failures.ts';
import { isOfForeignPages } from './links/create-find-run-fault.ts';
import type { Facts } from './links/find-facts.ts';
import { linkFailures } from './links/link-failures.ts';
import { listForeignPages } from './name-foreign-pages.ts';
import { conclude, REPORT_VERSION, type Report, type Result, type Traffic } from './report.ts';
import { sendUnspecified } from './unspecified-requests.ts';

export interface RunOptions extends Omit<ClientOptions, 'patience'> {
  /** Ids of the clauses to test. @default all */
  readonly only?: readonly string[];
  /** Ids of further clauses to test, because those of `only` read their responses. @default none */
  readonly alsoTested?: readonly string[];
  /** Accepted failures. @default none */
  readonly known?: readonly KnownFailure[] | undefined;
  /** Called before a clause is tested, with a function that counts the traffic at any time. */
  readonly onStart?: ((clause: Clause, countTraffic: () => Traffic) => void) | undefined;
  readonly onResult?: ((result: Result, traffic: Traffic) => void) | undefined;
  /** Sends more requests after the last clause, which show how the deployment decides what is unspecified. @default false */
  readonly sendsUnspecified?: boolean | undefined;
}

/** Tests clauses against a deployment. The report has them in the order of the specification. */
export async function runSuite(target: Target, options: RunOptions = {}): Promise<Report> {
  const startedAt = new Date();
  const run = new SuiteRun(target, options);
  const results = new Map<string, Result>();
  const countTraffic = () => run.countTraffic();
  const testOne = async (clause: Clause) => {
    options.onStart?.(clause, countTraffic);
    const result = await run.test(clause);
    results.set(clause.id, result);
    options.onResult?.(result, countTraffic());
  };
  for (const group of groupParallel(run.clauses)) await inParallel(group, testOne, target.concurrency);
  const inOrder = clauses.flatMap(({ id }) => results.get(id) ?? []);
  const outcomes = linkFailures(inOrder, run.facts, clauses).map((result) => showForeignPages(result, run));
  const reason = outcomes.find(({ cause }) => cause === 'no verdict')?.reason;
  const leftOut = requiredIds.filter((id) => !results.has(id));
  const { journal: tested } = run.client;
  const noneAdded = !tested.some(hasAdded) && tested.some((one) => isValidCreation(one, target));
  // The verdict is about what the clauses have sent.
  if (options.sendsUnspecified) await sendUnspecified(run);
  const { journal, slowed, perhapsAdded } = run.client;
  const additions = journal.filter(hasAdded);
  return {
    ...conclude({ outcomes, leftOut, reason, noneAdded }),
    ...describeRun(target, options.only, startedAt),
    ...run.countTraffic(),
    added: additions.map((one) => `${one.id ?? one.shorten(`${one.request.body}`)}`),
    ...(noneAdded && { noneAdded }),
    ...(slowed.refused > 0 && { slowed: { ...slowed, ms: Math.round(slowed.ms) } }),
    ...(perhapsAdded > 0 && { perhapsAdded }),
    ...(reason !== undefined && { reason }),
    leftOut,
    ...describeAlsoTested(options, clauses),
    outcomes,
    ...describeEntries({ outcomes, leftOut }, options.known),
  };
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

/** Most requests that a finding shows. */
const MOST_SHOWN = 10;

/** Adds what else got a page of a firewall to the finding that is about such pages: other clauses sent these requests. */
function showForeignPages(result: Result, { client, target }: SuiteRun): Result {
  if (result.follows !== undefined || !isOfForeignPages(result)) return result;
  const all = listForeignPages(client.journal).map((one) => createEvidence(one, target));
  const others = all.filter(({ line }) => line !== result.evidence?.line);
  return others.length === 0 ? result : { ...result, more: others.slice(0, MOST_SHOWN) };
}

export class SuiteRun extends Run {
  readonly clauses: readonly Clause[];
  /** The evidence of the failed clauses, by id. */
  readonly facts = new Map<string, Facts>();

  readonly #known: readonly KnownFailure[];

  constructor(target: Target, { only = [], alsoTested = [], known = [], ...options }: RunOptions = {}) {
    super(target, options);
    this.#known = known;
    this.clauses = listClauses([...only, ...alsoTested]);
  }

  /** Tests a clause. It never rejects. */
  async test(clause: Clause): Promise<Result> {
    const attempt = new Attempt(this, clause, this.clauses.indexOf(clause));
    const result = await attempt.test();
    if (attempt.facts !== undefined) this.facts.set(clause.id, attempt.facts);
    const sender = this.clauses[this.client.findRank(attempt.shown)];
    const isOther = sender !== undefined && sender !== clause;
    return markKnown({ ...result, ...(isOther && { sentBy: sender.id }) }, this.#known, this.target.now);
  }

  countTraffic(): Traffic {
    const { requests, journal } = this.client;
    return { requests, animalsAdded: journal.filter(hasAdded).length };
  }
}

/** Lists clauses in their running order. @param only their ids, of which none is all */
export function listClauses(only: readonly string[] = []): readonly Clause[] {
  return inRunningOrder(only.length === 0 ? clauses : clauses.filter(({ id }) => only.includes(id)));
}

/**
 * Lists the other clauses that run before these clauses and whose responses they read: without them they may pass. A clause that
 * a read-only run does not test sends nothing to read.
 */
export function listEarlier(
  only: readonly string[],
  target: Pick<TargetOptions, 'allowsWrites'>,
): readonly string[] {
  const sends = ({ needs = [] }: Clause) => target.allowsWrites || !needs.includes('writes');
  const order = listClauses().filter(sends);
  const end = order.findLastIndex((clause) => isReader(clause) && only.includes(clause.id));
  const earlier = order.slice(0, end + 1).map(({ id }) => id);
  return earlier.filter((id) => !only.includes(id));
}

function isReader({ phase }: Clause): boolean {
  return readsOthers(phase);
}

function describeAlsoTested(
  { only = [], alsoTested = [] }: RunOptions,
  clauses: readonly Clause[],
): Pick<Report, 'alsoTested'> {
  if (alsoTested.length === 0) return {};
  const readers = clauses.filter((clause) => isReader(clause) && only.includes(clause.id));
  return { alsoTested: { clauses: alsoTested, readBy: readers.map(({ id }) => id) } };
}

/** Returns whether a response may mean that an animal was added. */
const hasAdded = ({ request, isSuccess }: Exchange) => isSuccess && mayAddAnimal(request);

const requiredIds = listClauses().flatMap(({ id, level }) => (level === 'required' ? [id] : []));

/** Returns the report of a run that could not start, so that it has neither a deployment nor options. @param reason without keys */
export function reportUnstarted(reason: string): Report {
  const target = resolveTarget({ baseUrl: 'http://localhost', apiKey: '', allowsWrites: false });
  return { ...reportUntried(new Client(target), [], new Date(), reason), baseUrl: '' };
}

/** Returns the report of a run whose deployment cannot be tested. */
export function reportUntried(
  client: Client,
  only: readonly string[],
  startedAt: Date,
  reason: string,
): Report {
  const { target, requests } = client;
  const untested = { reason: hideKeys(reason, target), outcomes: [], leftOut: requiredIds };
  const nothing = { requests, animalsAdded: 0, added: [], leftOut: [] };
  return { ...conclude(untested), ...describeRun(target, only, startedAt), ...untested, ...nothing };
}

function describeRun(target: Target, only: readonly string[] = [], startedAt: Date) {
  const { allowsWrites, timeout, deadline, settle, concurrency, categoryId } = target;
  const category = categoryId === undefined ? {} : { categoryId: String(categoryId) };
  return {
    version: REPORT_VERSION,
    suite: suiteVersion,
    node: process.versions.node,
    options: { allowsWrites, timeout, deadline, settle, concurrency, only, ...category },
    baseUrl: hideKeys(target.baseUrl, target),
    startedAt: startedAt.toISOString(),
    ms: Date.now() - startedAt.getTime(),
  };
}
