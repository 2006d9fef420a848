import type { Outcome } from '../outcome.ts';
import type { Report } from '../report.ts';
import { escapeMarkup } from './escape-markup.ts';

/** Prints a report as JUnit: a suite for each heading of the specification, a case for each clause. */
export function printJunit({ baseUrl, startedAt, ms, outcomes }: Report): string {
  const headings = [...new Set(outcomes.map(({ clause }) => clause.heading))];
  const name = escapeMarkup(`contract of ${baseUrl}`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${name}" ${countsOf(outcomes)} time="${ms / 1000}">`,
    ...headings.flatMap((heading) => {
      const all = outcomes.filter(({ clause }) => clause.heading === heading);
      const start = `  <testsuite name="${escapeMarkup(heading)}" ${countsOf(all)}`;
      return [`${start} timestamp="${startedAt.slice(0, 19)}">`, ...all.flatMap(printCase), '  </testsuite>'];
    }),
    '</testsuites>',
    '',
  ].join('\n');
}

function printCase(outcome: Outcome): string[] {
  const { clause, verdict, expected, actual, evidence, reason = '', ms } = outcome;
  const [classname, name] = [clause.heading, `${clause.id}: ${clause.sentence}`].map(escapeMarkup);
  const start = `    <testcase classname="${classname}" name="${name}" time="${(ms / 1000).toFixed(3)}"`;
  const told = `expected ${expected}, got ${actual}`;
  const text = escapeMarkup([told, evidence?.curl, evidence?.request, evidence?.response].join('\n\n'));
  switch (verdict) {
    case 'passed':
      return [`${start}/>`];
    case 'skipped':
      return [`${start}>`, `      <skipped message="${escapeMarkup(reason)}"/>`, '    </testcase>'];
    case 'error':
      return [`${start}>`, `      <error message="${escapeMarkup(reason)}"/>`, '    </testcase>'];
    default:
      return [
        `${start}>`,
        isFailure(outcome)
          ? `      <failure message="${escapeMarkup(told)}">${text}</failure>`
          : `      <system-out>${text}</system-out>`,
        '    </testcase>',
      ];
  }
}

/** What is advised fails nothing. */
function isFailure({ verdict, clause }: Outcome): boolean {
  return verdict === 'failed' && clause.level === 'required';
}

function countsOf(outcomes: readonly Outcome[]): string {
  const count = (verdict: Outcome['verdict']) =>
    outcomes.filter((outcome) => outcome.verdict === verdict).length;
  const failures = outcomes.filter(isFailure).length;
  return `tests="${outcomes.length}" failures="${failures}" errors="${count('error')}" skipped="${count('skipped')}"`;
}
