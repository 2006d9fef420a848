import { findGivenKeys } from '../common/cli/read-options.ts';
import type { Call } from '../common/cli/run-task.ts';
import { toOneLine } from '../common/text/harmless-text.ts';
import { redact } from '../common/text/redact.ts';
import { findReporters } from './options.ts';
import { createWriters } from './report-writers.ts';
import { reportUnstarted } from './runner/report-untried.ts';

/**
 * Writes why a run could not start into the reports that its command line chose: a CI server would take the report of an earlier
 * run for that of this one.
 */
export function reportFailedStart(call: Omit<Call, 'endSoon'>, message: string): void {
  const { argv, environment } = call;
  // A list of the clauses has no reports.
  if (argv.includes('--list')) return;
  const keys = findGivenKeys(argv, environment);
  const report = reportUnstarted(toOneLine(redact(message, keys)));
  // The terminal shows the error itself.
  for (const { name, file, write } of createWriters(findReporters(call), {}, keys))
    if (name !== 'terminal' || file !== undefined) write(report);
}
