import type { Outcome } from './outcome.ts';

/** What a run has cost the deployment. */
export interface Traffic {
  readonly requests: number;
  readonly animalsAdded: number;
}

/** What a run has shown. */
export interface Report extends Traffic {
  readonly baseUrl: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** In milliseconds. */
  readonly ms: number;
  readonly outcomes: readonly Outcome[];
}

/** What a run says of a deployment. */
export type Conclusion = 'conforms' | 'does not conform' | 'could not tell';

/**
 * Concludes. A required clause that failed is a deployment that does not conform, whatever else happened; after a fault of
 * the suite, or when nothing could be tried, nothing can be told.
 */
export function concludeReport({ outcomes }: Pick<Report, 'outcomes'>): Conclusion {
  const required = outcomes.filter(({ clause }) => clause.level === 'required');
  if (required.some(({ verdict }) => verdict === 'failed')) return 'does not conform';
  const isFaulty = outcomes.some(({ verdict }) => verdict === 'error');
  // Where not even a list could be had, little else can have been tried.
  const isUntold = required.some(
    ({ clause, verdict }) => clause.id === 'list-pets/success' && verdict === 'skipped',
  );
  return isFaulty || isUntold || !required.some(({ verdict }) => verdict === 'passed')
    ? 'could not tell'
    : 'conforms';
}

/** The exit code of each conclusion. */
export const exitCodes: Readonly<Record<Conclusion, number>> = {
  conforms: 0,
  'does not conform': 1,
  'could not tell': 2,
};

/**
 * Concludes beside an earlier report: only what failed now and did not then is held against the deployment.
 *
 * @returns the ids of those clauses too.
 */
export function concludeAgainst(
  report: Report,
  baseline: Pick<Report, 'outcomes'>,
): { readonly conclusion: Conclusion; readonly worse: readonly string[] } {
  const known = new Set(baseline.outcomes.filter(isBroken).map(({ clause }) => clause.id));
  const worse = report.outcomes.filter(isBroken).filter(({ clause }) => !known.has(clause.id));
  const others = report.outcomes.filter((outcome) => !isBroken(outcome) || worse.includes(outcome));
  return { conclusion: concludeReport({ outcomes: others }), worse: worse.map(({ clause }) => clause.id) };
}

function isBroken({ verdict, clause }: Outcome): boolean {
  return verdict === 'failed' && clause.level === 'required';
}
