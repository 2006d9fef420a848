import type { Clause } from './core/clause.ts';
import type { Evidence } from './core/evidence.ts';
import type { Target } from './core/target.ts';

/** A clause and what became of it: text alone, without any key. */
export interface Result {
  readonly clause: Pick<Clause, 'id' | 'heading' | 'sentence' | 'level'>;
  /** How many exchanges have decided it. */
  readonly exchanges: number;
  /** How many requests it has made. */
  readonly requests: number;
  /** An error is a fault of the suite itself. */
  readonly verdict: 'passed' | 'failed' | 'skipped' | 'error';
  /** Of a failure. */
  readonly expected?: string;
  readonly actual?: string;
  /** What has probably gone wrong, such as "rounded to what a double can hold". */
  readonly suspected?: string;
  /** The id of a failed clause that probably fails for the same reason, and is the headline. */
  readonly follows?: string;
  /** The exchange that shows it. */
  readonly evidence?: Evidence;
  /** What led to it, in the order of the requests, such as how an animal was added. */
  readonly before?: readonly Evidence[];
  /** Sends all of these again: a script for bash. */
  readonly script?: string;
  /** Whether it was skipped though it could have told something: see --deadline. */
  readonly isUntried?: true;
  /** Whether it was skipped though the deployment may have what it takes. */
  readonly isUnproven?: true;
  /** Why a clause was skipped, or what went wrong in the suite. */
  readonly reason?: string;
  /** In milliseconds. */
  readonly ms: number;
}

/** What a run has cost the deployment. */
export interface Traffic {
  readonly requests: number;
  readonly animalsAdded: number;
}

/** What a run was told to do; without what a report must not hold. */
export type ReportOptions = Pick<
  Target,
  'allowsWrites' | 'timeout' | 'deadline' | 'retries' | 'settle' | 'concurrency' | 'seed' | 'runs'
> & { readonly only: readonly string[] };

/** What a run has shown. */
export interface Report extends Traffic {
  /** Of this form: one more when a reader of the last would be misled. */
  readonly version: 1;
  /** The version of the suite, and that of Node.js. */
  readonly suite: string;
  readonly node: string;
  readonly options: ReportOptions;
  readonly baseUrl: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** In milliseconds. */
  readonly ms: number;
  /** Why nothing was tried, such as that the deployment does not answer. */
  readonly reason?: string;
  /** In the order of the specification's headings. */
  readonly outcomes: readonly Result[];
}

/** Why nothing could be told of a deployment; the message is one sentence. */
export class CouldNotTell extends Error {
  override readonly name = 'CouldNotTell';
}

/** The exit code for each conclusion on a deployment; `--strict` makes that of a part 1. */
export const exitCodes = {
  conforms: 0,
  'conforms in what could be tried': 0,
  'does not conform': 1,
  'could not tell': 2,
} as const;

/** What a run says of a deployment. */
export type Conclusion = keyof typeof exitCodes;

/**
 * A deployment does not conform when a required clause failed, whatever else happened. After a fault of the suite, or when
 * nothing could be tried, or not everything within the deadline, nothing can be told. It conforms in a part when a clause could
 * not be tried for which it may have what it takes.
 */
export function concludeReport({ outcomes }: Pick<Report, 'outcomes'>): Conclusion {
  if (outcomes.some(isFailure)) return 'does not conform';
  const required = outcomes.filter(({ clause }) => clause.level === 'required');
  const isFaulty = outcomes.some(({ verdict }) => verdict === 'error');
  // Where not even a list could be had, little else can have been tried.
  const isUntold = required.some(
    ({ clause, verdict, isUntried }) =>
      isUntried || (clause.id === 'list-pets/success' && verdict === 'skipped'),
  );
  if (isFaulty || isUntold || !required.some(({ verdict }) => verdict === 'passed')) return 'could not tell';
  return required.some(({ isUnproven }) => isUnproven) ? 'conforms in what could be tried' : 'conforms';
}

/**
 * Concludes beside an earlier report: only clauses that fail now and did not then count against the deployment.
 *
 * @returns the ids of those clauses too.
 */
export function concludeAgainst(report: Report, baseline: Report) {
  const worse = compareFailures(report, baseline).appeared.filter(isFailure);
  const others = report.outcomes.filter((outcome) => !isFailure(outcome) || worse.includes(outcome));
  return { conclusion: concludeReport({ outcomes: others }), worse: worse.map(({ clause }) => clause.id) };
}

/** What fails now and did not in an earlier report, what fails again, and what failed then and passes now. */
export function compareFailures({ outcomes }: Pick<Report, 'outcomes'>, baseline: Report) {
  const before = new Set(baseline.outcomes.filter(hasFailed).map(({ clause }) => clause.id));
  const [known, others] = [true, false].map((wasKnown) =>
    outcomes.filter(({ clause }) => before.has(clause.id) === wasKnown),
  ) as [Result[], Result[]];
  return {
    appeared: others.filter(hasFailed),
    known: known.filter(hasFailed),
    gone: known.filter(({ verdict }) => verdict === 'passed'),
  };
}

function hasFailed({ verdict }: Result): boolean {
  return verdict === 'failed';
}

/** Whether a clause failed that is required: what is advised fails nothing. */
export function isFailure({ verdict, clause }: Result): boolean {
  return verdict === 'failed' && clause.level === 'required';
}

/** The failed clauses that stand for themselves, the required ones first; the others probably fail for the same reasons. */
export function listHeadlines({ outcomes }: Pick<Report, 'outcomes'>): readonly Result[] {
  const ids = new Set(outcomes.map(({ clause }) => clause.id));
  const headlines = outcomes
    .filter(hasFailed)
    .filter(({ follows }) => follows === undefined || !ids.has(follows));
  return headlines.toSorted((one, other) => Number(isFailure(other)) - Number(isFailure(one)));
}

/** The failed clauses that probably fail for the same reason as a headline. */
export function listFollowers({ outcomes }: Pick<Report, 'outcomes'>, { clause }: Result): readonly Result[] {
  return outcomes.filter(({ follows }) => follows === clause.id);
}

/** What was skipped, by what that means for the conclusion, the gravest first, and then by reason. */
export function groupSkipped({ outcomes }: Pick<Report, 'outcomes'>) {
  const meanings = {
    'Left out, so that the deployment cannot be said to conform': ({ isUntried }: Result) =>
      isUntried === true,
    'Could not be tried, though the deployment may have what it takes': ({ isUnproven }: Result) =>
      isUnproven === true,
    'Not tried': ({ isUntried, isUnproven }: Result) => !isUntried && !isUnproven,
  };
  return Object.entries(meanings).flatMap(([meaning, isMeant]) => {
    const results = outcomes.filter((result) => result.verdict === 'skipped' && isMeant(result));
    const reasons = Map.groupBy(results, ({ reason = '' }) => reason);
    return results.length === 0 ? [] : [{ meaning, reasons }];
  });
}

/** Prints why a clause has not passed. */
export function printReason({ verdict, expected, actual, suspected, reason = '' }: Result): string {
  if (verdict !== 'failed') return reason;
  return `expected ${expected}, got ${actual}${suspected === undefined ? '' : `: ${suspected}`}`;
}

/** The conclusion, the counts and the cost, or why nothing was tried, in one sentence. */
export function printSummary(report: Report): string {
  const { outcomes, requests, animalsAdded, ms, reason } = report;
  if (reason !== undefined) return `${report.baseUrl} ${concludeReport(report)}: ${reason}`;
  const count = (verdict: Result['verdict'], level = 'required') =>
    outcomes.filter((outcome) => outcome.verdict === verdict && outcome.clause.level === level).length;
  const [faults, advised] = [count('error'), count('failed', 'advised')];
  const parts = [
    `${count('passed')} passed`,
    `${count('failed')} failed`,
    `${count('skipped')} skipped`,
    ...(faults > 0 ? [`${faults} fault${faults === 1 ? '' : 's'} of the suite`] : []),
    ...(advised > 0 ? [`${advised} advised not followed`] : []),
  ];
  const cost = `${requests} requests, ${animalsAdded} animals added, ${(ms / 1000).toFixed(1)} s`;
  return `${report.baseUrl} ${concludeReport(report)}: ${parts.join(', ')} (${cost})`;
}
