import { type JunitCase, printJunit as print } from '../../common/print-junit.ts';
import { concludeReport, isFailure, printReason, type Report, type Result } from '../report.ts';

/** Prints a report as JUnit: a suite for each heading of the specification, a case for each clause. */
export function printJunit(report: Report): string {
  const { baseUrl, startedAt, ms, outcomes, reason } = report;
  const headings = Map.groupBy(outcomes, ({ clause }) => clause.heading);
  const untold = { name: concludeReport(report), result: 'error', message: reason ?? '' } as const;
  return print({
    name: `contract of ${baseUrl}`,
    startedAt: new Date(startedAt),
    seconds: ms / 1000,
    suites: [
      ...(reason === undefined ? [] : [{ name: 'whether it can be tried', cases: [untold] }]),
      ...[...headings].map(([name, results]) => ({ name, cases: results.map(toCase) })),
    ],
  });
}

function toCase(result: Result): JunitCase {
  const { clause, verdict, evidence, script, follows, ms } = result;
  const message = `${follows === undefined ? '' : `probably follows from ${follows}: `}${printReason(result)}`;
  const start = { name: `${clause.id}: ${clause.sentence}`, seconds: ms / 1000 };
  if (verdict !== 'failed') return { ...start, result: verdict, message };
  const text = [message, script ?? evidence?.curl, evidence?.request, evidence?.response].join('\n\n');
  return { ...start, result: isFailure(result) ? 'failure' : 'passed', message, text };
}
