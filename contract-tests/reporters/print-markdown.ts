import type { Report, Result } from '../runner/report.ts';
import { groupUntested, isFailure, isKnown, listFindings, listFollowers } from '../runner/report.ts';
import { listIds, listOptions, looks, printDuration, printTrace, printUtc } from './parts.ts';
import { printCounts, printEntry, printHeadline, printNotes, printOrigin } from './print-summary.ts';
import { toMarkdown } from './to-markdown.ts';

/** Prints the verdict, the findings, the run, and what was tested and not: for an auditor, a chat, or the summary of a job. */
export function printMarkdown(report: Report): string {
  const rows = listFindings(report).map((result) => printRow(result, report));
  const table = ['| | Finding | Expected | Received |', '| --- | --- | --- | --- |', ...rows, ''];
  const notes = [...printCounts(report), ...printNotes(report)].map((line) => `${toMarkdown(line)}\n`);
  const lines = [
    `**${looks[report.verdict].mark} ${toMarkdown(printHeadline(report))}**`,
    '',
    ...(rows.length > 0 ? table : []),
    ...notes,
    // A run that could not begin has tested nothing.
    ...(report.outcomes.length > 0 ? printRun(report) : []),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function printRun(report: Report): string[] {
  const { run, startedAt, ms, suite, contract, node, options, outcomes, leftOut } = report;
  const of = (wanted: Result['verdict']) => outcomes.filter(({ verdict }) => verdict === wanted);
  const untested = groupUntested(report).flatMap(({ reasons }) =>
    [...reasons].map(([reason, results]) => `- ${listIds(results)}: ${toMarkdown(reason)}`),
  );
  const all = [...untested, ...(leftOut.length > 0 ? [`- left out by --only: ${leftOut.join(', ')}`] : [])];
  return [
    `- Started: ${printUtc(startedAt)}, took ${printDuration(ms)}${run === undefined ? '' : `, run ${run} in the User-Agent`}`,
    `- Versions: suite ${suite}, contract ${contract}, Node.js ${node}`,
    `- Options: ${listOptions(options).map(toMarkdown).join(' · ')}`,
    `- Passed: ${listIds(of('passed')) || 'none'}`,
    `- Failed: ${listIds(of('failed')) || 'none'}`,
    ...(all.length > 0 ? ['', 'Not tested:', '', ...all] : []),
  ];
}

function printRow(result: Result, report: Report): string {
  const { clause, expected = '', received = '' } = result;
  const kind = isFailure(result) ? '✗' : isKnown(result) ? 'known' : '!';
  const also = listFollowers(report, result).map(({ clause: { id } }) => `\`${id}\``);
  const notes = [
    `\`${clause.id}\``,
    ...printEntry(result).map(toMarkdown),
    ...printOrigin(result),
    ...(also.length > 0 ? [`and, perhaps for the same reason, ${also.join(', ')}`] : []),
    ...printTrace(result).map(toMarkdown),
  ];
  const finding = [toMarkdown(clause.sentence), ...notes].join('<br>');
  return `| ${[kind, finding, toMarkdown(expected), toMarkdown(received)].join(' | ')} |`;
}
