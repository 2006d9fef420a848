import { StartError } from '../../common/cli/usage-error.ts';
import type { NotTestedCause } from '../client/run-errors.ts';
import type { Target } from '../client/target.ts';
import type { Cause, Failure } from '../failures/failure.ts';
import type { FailureIdentity } from '../failures/identify-failure.ts';
import type { Tolerance } from '../history/tolerances.ts';
import type { Clause } from '../rules/rule.ts';
import type { PrintedExchange } from './printed-exchange.ts';

/** How much a clause has compared. */
interface Compared {
  /** Number of responses, lists included. */
  readonly responses: number;
  /** Number of lists among the responses. */
  readonly lists: number;
  /** Number of animals, each once, whatever the number of responses that have it. */
  readonly animals: number;
}

/** A clause and its result, as text without any key. */
export interface Result {
  readonly clause: Pick<Clause, 'id' | 'heading' | 'sentence' | 'level' | 'quote'>;
  /** What the clause has compared. */
  readonly compared: Compared;
  /** How many responses the tolerances have excused. Left out if there are none. */
  readonly excused?: number;
  /** `not tested`: nothing was wrong, but too little was seen, see `reason` and `cause`. `error`: a fault of the suite itself. */
  readonly verdict: 'passed' | 'failed' | 'not tested' | 'error';
  /** What is wrong, first what the evidence shows. */
  readonly failures?: readonly Failure[];
  /** How many responses were wrong in the same way, and of how many to the same requests. */
  readonly times?: { readonly wrong: number; readonly of: number };
  /** True if an earlier run of the suite has added the animal that the failure is about. */
  readonly ofEarlierRun?: true;
  /** The probable cause of a failure. */
  readonly suspected?: Cause;
  /** What was expected, in words. The reporters add it, and so with `received` and `probably`. */
  readonly expected?: string;
  /** What was received, in words. */
  readonly received?: string;
  /** The probable cause of a failure, in words. */
  readonly probably?: string;
  /** The entry of --known that accepts the failure. */
  readonly known?: {
    readonly reason: string;
    readonly until?: string;
    readonly issue?: string;
    /** True if nobody has replaced the reason of the entry that a run has printed. */
    readonly isUnexplained?: true;
    /** True after its last day: the failure counts again. */
    readonly isExpired: boolean;
  };
  /** Id of the failed clause whose finding this failure belongs to, because both probably have the same reason. */
  readonly follows?: string;
  readonly evidence?: PrintedExchange;
  /** The exchanges that led to the failure, in the order of the requests, such as how an animal was added. */
  readonly before?: readonly PrintedExchange[];
  readonly more?: readonly PrintedExchange[];
  /** Sends the requests that led to the failure again: a script for bash. */
  readonly script?: string;
  /** The reason in one or two words why a clause was not tested. */
  readonly cause?: NotTestedCause;
  /** Why a clause was not tested, or what went wrong in the suite. */
  readonly reason?: string;
}

/** An entry of --known, by its clause, or by its failure if it has no clause. */
export interface NamedEntry {
  readonly clause?: string;
  readonly failure?: FailureIdentity | undefined;
}

/** An entry of --known for a failure of this run, to be explained by whoever accepts it. */
export interface NewEntry extends NamedEntry {
  readonly reason: string;
  /** Clauses that have shown the failure. */
  readonly seenIn?: readonly string[];
}

export interface Traffic {
  readonly requests: number;
  readonly animalsAdded: number;
}

/** How far a run is. */
export interface Progress extends Traffic {
  /** How long no request is sent, in ms, because a response asked to wait, or because of the rate. */
  readonly waitsFor: number;
}

/** Version of the format. It changes when a reader of the last version would be misled. */
export const REPORT_VERSION = 3 as const;

export interface Report extends Traffic {
  readonly verdict: Verdict;
  /** Number of required clauses that passed or failed. */
  readonly tested: number;
  /** Number of required clauses, those that `--only` left out too. */
  readonly required: number;
  /** True if the run tried to add animals and the deployment accepted none. */
  readonly noneAdded?: boolean;
  /** Ids of the animals that the run added, which nobody can delete. Without an int64 as id: the body that was sent. */
  readonly added: readonly string[];
  /** Version of the format. */
  readonly version: typeof REPORT_VERSION;
  readonly suite: string;
  /** Version of the contract, as openapi.yaml has it. */
  readonly contract: string;
  readonly node: string;
  readonly options: Pick<Target, 'allowsWrites' | 'timeout' | 'deadline' | 'settle' | 'concurrency'> & {
    readonly only: readonly string[];
    /** Most requests per second. Left out without a limit. */
    readonly maxRate?: number;
    /** Names of the headers that the user adds. */
    readonly headers?: readonly string[];
    /** True if any certificate is trusted. */
    readonly insecure?: true;
    /** Number of entries of --known. */
    readonly known?: number;
    readonly strict?: true;
    readonly atLeast?: number;
    /** The digits of --category-id. */
    readonly categoryId?: string;
  };
  /** Empty if the run could not start. */
  readonly baseUrl: string;
  /** What names the run in the User-Agent of its requests. Left out if the run could not start. */
  readonly run?: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** In milliseconds. */
  readonly ms: number;
  /** Number of further animals that the deployment may have added, without a response that says so. Left out if there are none. */
  readonly perhapsAdded?: number;
  /** How many responses asked the suite to wait, such as 429, and how long it sent nothing, in ms. Left out if there were none. */
  readonly slowed?: { readonly refused: number; readonly ms: number };
  /** How many responses did not come from the service, their statuses, and how long the run waited for it, in ms. Left out if there were none. */
  readonly interrupted?: {
    readonly count: number;
    readonly statuses: readonly number[];
    readonly ms: number;
  };
  /** How many responses each tolerance has excused. */
  readonly excused?: Partial<Record<Tolerance, number>>;
  /** Why the run has no verdict, or why it ended early, such as "the deployment cannot be reached". */
  readonly reason?: string;
  /** Entries of --known that match nothing any more. */
  readonly fixed?: readonly NamedEntry[];
  /** Entries of --known whose failures no clause shows, although clauses fail that might. Left out if there are none. */
  readonly unmatched?: readonly NamedEntry[];
  /** Entries that the file of --known lacks for the failures of this run. Left out if there are none. */
  readonly newEntries?: readonly NewEntry[];
  /** Ids of the required clauses that `--only` left out. */
  readonly leftOut: readonly string[];
  /** The other clauses, in the order of the specification's headings. */
  readonly outcomes: readonly Result[];
}

type Ended = Pick<Report, 'outcomes' | 'leftOut' | 'noneAdded'>;

/** The run has no verdict on the deployment. The message is one sentence. */
export class CouldNotTell extends StartError {
  override readonly name = 'CouldNotTell';
}

/** The exit code for each verdict, without `--strict` and `--at-least`. */
export const exitCodes = { conforms: 0, 'conforms in part': 0, 'does not conform': 1, 'no verdict': 2 };

export type Verdict = keyof typeof exitCodes;

/**
 * Concludes what the outcomes say. A deployment does not conform if a required clause failed, whatever else happened.
 * There is no verdict if something ended the run, whatever it has seen, after a fault of the suite, or if no list was tested. The
 * deployment conforms in part if a required clause was not tested, if no animal could be added, or if all its failures are known.
 */
export function conclude(ended: Ended & { readonly reason?: string | undefined }) {
  const { outcomes, leftOut, reason, noneAdded = false } = ended;
  const all = outcomes.filter(({ clause }) => clause.level === 'required');
  const count = (wanted: Result['verdict']) => all.filter(({ verdict }) => verdict === wanted).length;
  const tested = count('passed') + count('failed');
  const required = all.length + leftOut.length;
  // Without a list little else was tested.
  const isWithout = outcomes.some(
    ({ clause, verdict, cause }) =>
      verdict === 'error' || (clause.id === 'list-pets/success' && cause === 'too little to compare'),
  );
  const findVerdict = (): Verdict => {
    if (outcomes.some(isFailure)) return 'does not conform';
    if (reason !== undefined || isWithout || tested === 0) return 'no verdict';
    const isInPart = tested < required || noneAdded || count('failed') > 0;
    return isInPart ? 'conforms in part' : 'conforms';
  };
  return { verdict: findVerdict(), tested, required };
}

export function countResults({ outcomes, leftOut }: Pick<Report, 'outcomes' | 'leftOut'>) {
  const of = (level: Clause['level'], wanted: Result['verdict']) =>
    outcomes.filter(({ clause, verdict }) => clause.level === level && verdict === wanted).length;
  return {
    passed: of('required', 'passed'),
    failed: outcomes.filter(isFailure).length,
    known: outcomes.filter(isKnown).length,
    notTested: of('required', 'not tested') + leftOut.length,
    errors: outcomes.filter(({ verdict }) => verdict === 'error').length,
    met: of('recommended', 'passed'),
    notMet: of('recommended', 'failed'),
  };
}

export function isKnown({ known }: Result): boolean {
  return known !== undefined && !known.isExpired;
}

/** Returns whether a result fails the run. */
export function isFailure(result: Result): boolean {
  return result.verdict === 'failed' && result.clause.level === 'required' && !isKnown(result);
}

/**
 * Lists the findings: those that fail the run, then known failures, then recommendations. The other failures probably have the
 * same reasons. A finding has its place in this list as its number.
 */
export function listFindings({ outcomes }: Pick<Report, 'outcomes'>): readonly Result[] {
  const ids = new Set(outcomes.map(({ clause }) => clause.id));
  const findings = outcomes.filter((one) => one.verdict === 'failed' && !ids.has(one.follows ?? ''));
  return findings.toSorted((one, other) => rankOf(one) - rankOf(other));
}

function rankOf(finding: Result): number {
  return [isFailure, isKnown, () => true].findIndex((isOfKind) => isOfKind(finding));
}

/** Lists the failures that probably have the same reason as a finding. */
export function listFollowers({ outcomes }: Pick<Report, 'outcomes'>, { clause }: Result): readonly Result[] {
  return outcomes.filter(({ follows }) => follows === clause.id);
}

/** Lists the required clauses that a run with these options could test and did not, because of the deployment or its data. */
export function listMissed({ outcomes }: Pick<Report, 'outcomes'>): readonly Result[] {
  return outcomes.filter(
    ({ clause, verdict, cause }) =>
      clause.level === 'required' && verdict === 'not tested' && cause !== 'read-only',
  );
}

/** Groups the clauses that were not tested by their level and then by reason. */
export function groupUntested({ outcomes }: Pick<Report, 'outcomes'>) {
  const untested = outcomes.filter(({ verdict }) => verdict === 'not tested');
  return (['required', 'recommended'] as const).flatMap((level) => {
    const results = untested.filter(({ clause }) => clause.level === level);
    return results.length === 0
      ? []
      : [{ level, reasons: Map.groupBy(results, ({ reason = '' }) => reason) }];
  });
}

/** Lists in what a run is not as `--at-least` and `--strict` ask, each with the exit code of a run that would pass otherwise. */
export function listShortfalls(report: Pick<Report, 'options' | 'tested' | 'outcomes' | 'fixed'>) {
  const { options, tested, fixed = [] } = report;
  const { strict = false, atLeast = 0 } = options;
  const { length } = listMissed(report);
  const count = (clauses: number) => `${clauses} required ${clauses === 1 ? 'clause was' : 'clauses were'}`;
  const entries = fixed.length === 1 ? 'entry of --known is' : 'entries of --known are';
  return [
    { code: 2, isSo: tested < atLeast, reason: `--at-least ${atLeast}: ${count(tested)} tested` },
    { code: 1, isSo: strict && length > 0, reason: `--strict: ${count(length)} not tested` },
    { code: 1, isSo: strict && fixed.length > 0, reason: `--strict: ${fixed.length} ${entries} fixed` },
  ].filter(({ isSo }) => isSo);
}
