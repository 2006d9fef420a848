import type { Report, Result } from '../runner/report.ts';
import { isFailure, isKnown, listFindings, listFollowers } from '../runner/report.ts';
import { looks, printTrace } from './parts.ts';
import { printEntry, printOrigin, printSummary } from './print-summary.ts';
import { toMarkdown } from './to-markdown.ts';

/** Maximum number of rows, so that a message for a chat or a mail stays short. */
const MOST_ROWS = 10;

/** Prints the verdict, a table of findings and the counts, for the summary of a job, a chat or a mail. */
export function printMarkdown(report: Report): string {
  const [verdict = '', ...counts] = printSummary(report).split('\n').map(toMarkdown);
  const findings = listFindings(report);
  const rows = findings.slice(0, MOST_ROWS).map((result) => printRow(result, report));
  const table = ['| | Finding | Expected | Received |', '| --- | --- | --- | --- |', ...rows, ''];
  const left = findings.length - rows.length;
  const lines = [
    `**${looks[report.verdict].mark} ${verdict}**`,
    '',
    ...(rows.length > 0 ? table : []),
    ...(left > 0 ? [`and ${left} more`, ''] : []),
    ...counts.map((line) => `${line}\n`),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function printRow(result: Result, report: Report): string {
  const { clause, expected = '', received = '' } = result;
  const kind = isFailure(result) ? '✗' : isKnown(result) ? 'known' : '!';
  const also = listFollowers(report, result).length;
  const notes = [
    `\`${clause.id}\``,
    ...printEntry(result).map(toMarkdown),
    ...printOrigin(result),
    ...(also > 0 ? [`and ${also} for the same reason`] : []),
    ...printTrace(result).map(toMarkdown),
  ];
  const finding = [toMarkdown(clause.sentence), ...notes].join('<br>');
  return `| ${[kind, finding, toMarkdown(expected), toMarkdown(received)].join(' | ')} |`;
}
