import { toMarkdown } from '../../common/text/to-markdown.ts';
import type { Gate } from './fail-on.ts';
import type { Finding, Findings } from './findings-record.ts';
import { printCounts, printVerdict } from './print-findings.ts';

/** Maximum number of violations in the table. */
const MOST_ROWS = 10;

/** Prints what a gate found for the summary of a job on GitHub: a table of violations, the counts and the coverage. */
export function printMarkdown(findings: Findings, gate: Gate): string {
  const { violations } = findings;
  const rows = violations.slice(0, MOST_ROWS).map(printRow);
  const table = [
    '| Count | | Operation | Place and rule | Received |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ];
  const left = violations.length - rows.length;
  const lines = [
    `**${toMarkdown(['Checked traffic', ...printVerdict(findings, gate)].join(': '))}**`,
    '',
    ...(rows.length > 0 ? table : []),
    ...(left > 0 ? [`and ${left} more rules`, ''] : []),
    ...printCounts(findings).map((line) => `${toMarkdown(line.trim())}\n`),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function printRow({
  count,
  severity,
  operationId = '-',
  place,
  rule,
  message,
  received = '',
}: Finding): string {
  const what = [toMarkdown(message), `\`${toCode(place)}\` \`${toCode(rule)}\``].join('<br>');
  return `| ${[count, severity, toMarkdown(operationId), what, toMarkdown(received)].join(' | ')} |`;
}

/** Removes what would end the code or the cell. */
function toCode(text: string): string {
  return text.replaceAll(/[`|\r\n]/g, '');
}
