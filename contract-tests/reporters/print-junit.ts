import { isFailure, type Report, type Result } from '../report.ts';
import { escapeMarkup } from './escape-markup.ts';

/** Prints a report as JUnit: a suite for each heading of the specification, a case for each clause. */
export function printJunit({ baseUrl, startedAt, ms, outcomes }: Report): string {
  const headings = Map.groupBy(outcomes, ({ clause }) => clause.heading);
  const name = escapeMarkup(`contract of ${baseUrl}`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${name}" ${countsOf(outcomes)} time="${ms / 1000}">`,
    ...[...headings].flatMap(([heading, all]) => {
      const start = `  <testsuite name="${escapeMarkup(heading)}" ${countsOf(all)}`;
      return [`${start} timestamp="${startedAt.slice(0, 19)}">`, ...all.flatMap(printCase), '  </testsuite>'];
    }),
    '</testsuites>',
    '',
  ].join('\n');
}

function printCase(result: Result): string[] {
  const { clause, verdict, expected, actual, evidence, reason = '', ms } = result;
  const [classname, name] = [clause.heading, `${clause.id}: ${clause.sentence}`].map(escapeMarkup);
  const start = `    <testcase classname="${classname}" name="${name}" time="${(ms / 1000).toFixed(3)}"`;
  const told = `expected ${expected}, got ${actual}`;
  const text = escapeMarkup([told, evidence?.curl, evidence?.request, evidence?.response].join('\n\n'));
  const notPassed = {
    skipped: `<skipped message="${escapeMarkup(reason)}"/>`,
    error: `<error message="${escapeMarkup(reason)}"/>`,
    failed: isFailure(result)
      ? `<failure message="${escapeMarkup(told)}">${text}</failure>`
      : `<system-out>${text}</system-out>`,
  };
  return verdict === 'passed'
    ? [`${start}/>`]
    : [`${start}>`, `      ${notPassed[verdict]}`, '    </testcase>'];
}

function countsOf(outcomes: readonly Result[]): string {
  const count = (verdict: Result['verdict']) =>
    outcomes.filter((result) => result.verdict === verdict).length;
  const failures = outcomes.filter(isFailure).length;
  return `tests="${outcomes.length}" failures="${failures}" errors="${count('error')}" skipped="${count('skipped')}"`;
}
