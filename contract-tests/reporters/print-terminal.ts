import { toOneLine } from '../../common/hide-keys.ts';
import type { Report, Result } from '../report.ts';
import { printSummary } from './print-summary.ts';

/** Prints a report for a terminal: the clauses by heading, and the evidence for each that failed. */
export function printTerminal(report: Report): string {
  const headings = Map.groupBy(report.outcomes, ({ clause }) => clause.heading);
  const sections = [...headings].flatMap(([heading, results]) => [
    '',
    heading,
    ...results.flatMap(printResult),
  ]);
  return `${[...sections, '', printSummary(report)].join('\n')}\n`;
}

function printResult({ clause, verdict, expected, actual, evidence, reason }: Result): string[] {
  const isAdvice = verdict === 'failed' && clause.level === 'advised';
  const word = isAdvice ? 'advised' : verdict === 'failed' ? 'FAILED' : verdict;
  const detail = [
    ...(verdict === 'failed' ? [`expected ${expected}, got ${actual}`] : []),
    ...(evidence === undefined ? [] : [evidence.curl]),
    ...(reason === undefined ? [] : reason.split('\n')),
  ];
  const line = `  ${word.padEnd(8)} ${clause.id.padEnd(36)} ${clause.sentence}`;
  return [line, ...detail.map((text) => `           ${toOneLine(text)}`)];
}
