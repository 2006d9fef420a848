import type { Report, Result } from '../runner/report.ts';
import { describeCause } from './describe-cause.ts';
import { describeFailures } from './describe-failures.ts';

/** Adds the texts of the failures to a report. */
export function describeReport(report: Report): Report {
  return { ...report, outcomes: report.outcomes.map(describeResult) };
}

/** Adds the texts of the failures to a result. */
export function describeResult(result: Result): Result {
  const { failures, suspected, times } = result;
  if (failures === undefined) return result;
  return {
    ...result,
    ...describeFailures(failures, times),
    ...(suspected !== undefined && { probably: describeCause(suspected) }),
  };
}
