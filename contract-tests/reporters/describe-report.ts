import type { Report, Result } from '../runner/report.ts';
import { describeCause } from './describe-cause.ts';
import { describeFailures } from './describe-failures.ts';

/** What a reader of a report has used: the command, or the library in a program or in tests. */
export type Caller = 'command' | 'library';

/** How a caller allows the suite to add animals. */
const allowWrites: Readonly<Record<Caller, string>> = {
  command: 'Run again with --allow-writes.',
  library: 'Run again with allowWrites: true.',
};

/** Adds the texts of the failures to a report, and what allows the clauses that need write access. */
export function describeReport(report: Report, caller: Caller = 'command'): Report {
  return { ...report, outcomes: report.outcomes.map((result) => describeResult(result, caller)) };
}

/** Adds the texts of the failures to a result, or what allows its clause if it needs write access. */
export function describeResult(result: Result, caller: Caller = 'command'): Result {
  const { failures, suspected, cause, reason } = result;
  if (cause === 'read-only') return { ...result, reason: `${reason}. ${allowWrites[caller]}` };
  if (failures === undefined) return result;
  return {
    ...result,
    ...describeFailures(failures),
    ...(suspected !== undefined && { probably: describeCause(suspected) }),
  };
}
