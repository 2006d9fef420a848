import { type JunitCase, printJunit as print } from '../../common/text/print-junit.ts';
import { isKnown, listShortfalls, type Report, type Result } from '../runner/report.ts';
import { listDisturbances, printReason } from './print-summary.ts';

/**
 * Prints a report as JUnit: a suite for each heading of the specification, a case for each required clause.
 * The output of a suite names the other clauses, so that the counts of JUnit are the counts of every reporter.
 */
export function printJunit(report: Report): string {
  const { baseUrl, startedAt, ms, outcomes, reason } = report;
  const headings = Map.groupBy(outcomes, ({ clause }) => clause.heading);
  // A job that fails for another reason than a clause fails here too.
  const why = reason === undefined ? listShortfalls(report).map((one) => one.reason) : [reason];
  const cases = why.map((message) => ({ name: report.verdict, result: 'error', message }) as const);
  const properties = listDisturbances(report).map(([name, text]) => [name.toLowerCase(), text] as const);
  return print({
    name: baseUrl === '' ? 'conformance' : `conformance of ${baseUrl}`,
    startedAt: new Date(startedAt),
    seconds: ms / 1000,
    suites: [
      ...(cases.length + properties.length > 0 ? [{ name: 'the run', cases, properties }] : []),
      ...[...headings].map(([name, results]) => ({
        name,
        cases: results.filter(isCounted).map(toCase),
        text: results.flatMap((result) => (isCounted(result) ? [] : printUncounted(result))).join('\n'),
      })),
    ],
  });
}

function isCounted({ clause, verdict }: Result): boolean {
  return verdict === 'error' || clause.level === 'required';
}

function printUncounted(result: Result): string {
  const { clause, verdict } = result;
  const isMet = verdict === 'passed' ? 'recommendation met' : 'recommendation not met';
  const start = verdict === 'passed' || verdict === 'failed' ? isMet : verdict;
  return [start, `${clause.id}: ${clause.sentence}`, printReason(result)].filter(Boolean).join(': ');
}

function toCase(result: Result): JunitCase {
  const { clause, verdict, evidence, script, follows } = result;
  const message = `${follows === undefined ? '' : `perhaps the same reason as ${follows}: `}${printReason(result)}`;
  const start = { name: `${clause.id}: ${clause.sentence}` };
  if (verdict === 'not tested' || isKnown(result)) return { ...start, result: 'skipped', message };
  if (verdict !== 'failed') return { ...start, result: verdict === 'error' ? 'error' : 'passed', message };
  const parts = [message, script ?? evidence?.curl, evidence?.request, evidence?.response];
  const text = parts.filter((part) => part !== undefined).join('\n\n');
  return { ...start, result: 'failure', message, text };
}
