import { toOneLine } from '../../common/harmless-text.ts';
import { printReason, printSummary, type Report, type Result } from '../report.ts';

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

function printResult(result: Result): string[] {
  const { clause, verdict, evidence } = result;
  const failed = clause.level === 'advised' ? 'advised' : 'FAILED';
  const word = verdict === 'failed' ? failed : verdict;
  const reason = printReason(result);
  const lines = verdict === 'failed' ? [reason, evidence?.curl ?? ''] : reason.split('\n');
  const detail = lines.filter((text) => text !== '');
  const line = `  ${word.padEnd(8)} ${clause.id.padEnd(36)} ${clause.sentence}`;
  return [line, ...detail.map((text) => `           ${toOneLine(text)}`)];
}
