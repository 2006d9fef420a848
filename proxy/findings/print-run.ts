import { printLines } from '../../common/cli/print-message.ts';
import { printMessage } from '../../common/journal/violation.ts';
import { toHarmless, toOneLine } from '../../common/text/harmless-text.ts';
import { type JunitCase, printJunit } from '../../common/text/print-junit.ts';
import { toMarkdown } from '../../common/text/to-markdown.ts';
import type { RecordedPlace, Recording } from '../exchange.ts';
import { printCoverageCount, printPoints } from './coverage.ts';
import type { Gate } from './fail-on.ts';
import type { Findings } from './findings-record.ts';
import { type RunSummary, summarizeRun } from './summarize-run.ts';

/** A run, as its reports name it. */
export interface ReportSubject extends Gate {
  readonly upstream: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** Absent if the exchanges passed through the proxy. */
  readonly recording?: Recording;
}

/** Maximum number of violations in the table of Markdown. */
const MOST_ROWS = 10;

/** Prints what a run has found for a terminal: a table of violations, the counts, the coverage and the verdict. */
export function printFindings(findings: Findings, gate: Gate, recording?: Recording): string {
  const summary = summarizeRun(findings, gate, recording);
  const lines = [
    ...printTable(summary),
    ...printCounts(findings, summary),
    ...summary.sentences.map(toOneLine),
  ];
  return `${lines.join('\n')}\n`;
}

function printTable({ violations }: RunSummary): string[] {
  if (violations.length === 0) return [];
  const header = ['count', 'severity', 'operation', 'place', 'rule', 'received'];
  const rows = violations.map(({ count, severity, operationId = '-', place, rule, received = '-' }) =>
    [String(count), severity, operationId, place, rule, received].map(toOneLine),
  );
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padStart(widths[0] ?? 0) : cell.padEnd(widths[column] ?? 0);
  const print = (row: readonly string[]) => row.map(pad).join('  ').trimEnd();
  const printExample = (index: number) => {
    const { example = '', recorded } = violations[index] ?? {};
    return [...(recorded ? [printPlace(recorded)] : []), example].map((line) => `${pad('', 0)}  ${line}`);
  };
  return [print(header), ...rows.flatMap((row, index) => [print(row), ...printExample(index)]), ''];
}

/** Prints the counts of a run and its coverage, a line for each operation. */
function printCounts({ contract, exchanges, coverage: points }: Findings, summary: RunSummary): string[] {
  const { violations, notes, notChecked, coverage } = summary;
  const sum = violations.reduce((all, { count }) => all + count, 0);
  const draft = contract === undefined ? '' : ` by the draft ${contract}`;
  const ofCoverage = coverage.map((one) => {
    const reached = one.exchanges === 0 ? 'not reached' : `${one.exchanges} ${printPoints(one)}`;
    return `  ${one.operationId}: ${reached}`;
  });
  const lines = [
    `${printCount(sum, 'violation')} in ${printCount(exchanges, 'exchange')}${draft}`,
    ...notes,
    ...notChecked.flatMap(({ count, one, many, reasons = [] }) => [
      printCount(count, one, many),
      ...reasons.map((reason) => `  ${reason}`),
    ]),
    ...(coverage.length > 0 ? [`coverage: ${printCoverageCount(points)}`, ...ofCoverage] : []),
  ];
  return lines.map(toOneLine);
}

/** Prints what is known of a recording before its findings. */
export function printRecording(recording: Recording): string {
  const { file, baseUrls, entries, otherAddresses, bodiesNotRecorded, keysNotRecorded } = recording;
  const lines = [
    `${file === '-' ? 'stdin' : file}: ${printCount(entries, 'entry', 'entries')}` +
      (otherAddresses > 0 ? `; left out: ${otherAddresses} of other addresses` : ''),
    `checked: ${baseUrls.join(', ')}${baseUrls.length > 1 ? ' (--base-url selects one)' : ''}`,
    bodiesNotRecorded > 0 && `${printCount(bodiesNotRecorded, 'body', 'bodies')} not in the file`,
    keysNotRecorded > 0 &&
      `${printCount(keysNotRecorded, 'request')} without a key in the file, checked as if one was sent`,
  ];
  return printLines(lines);
}

/** Prints what a run has found for the summary of a job on GitHub. */
export function printMarkdown(findings: Findings, subject: ReportSubject): string {
  const summary = summarizeRun(findings, subject, subject.recording);
  const { violations, sentences } = summary;
  const rows = violations
    .slice(0, MOST_ROWS)
    .map(({ count, severity, operationId = '-', place, rule, message, received = '' }) => {
      const what = [toMarkdown(message), `\`${toCode(place)}\` \`${toCode(rule)}\``].join('<br>');
      return `| ${[count, severity, toMarkdown(operationId), what, toMarkdown(received)].join(' | ')} |`;
    });
  const header = ['| Count | | Operation | Place and rule | Received |', '| --- | --- | --- | --- | --- |'];
  const others = violations.length - rows.length;
  const lines = [
    `**${toMarkdown(['Checked traffic', ...sentences].join(': '))}**`,
    '',
    ...(rows.length > 0 ? [...header, ...rows, ''] : []),
    ...(others > 0 ? [`and ${others} more rules`, ''] : []),
    ...printCounts(findings, summary).map((line) => `${toMarkdown(line.trim())}\n`),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** Removes what would end the code or the cell. */
function toCode(text: string): string {
  return text.replaceAll(/[`|\r\n]/g, '');
}

/** Prints a report: JUnit if the name of the file ends in `.xml`, otherwise JSON. */
export function printReport(file: string, findings: Findings, subject: ReportSubject): string {
  const summary = summarizeRun(findings, subject, subject.recording);
  return /\.xml$/i.test(file) ? printXml(findings, subject, summary) : printJson(findings, subject, summary);
}

function printJson(findings: Findings, subject: ReportSubject, { verdict }: RunSummary): string {
  const { byOperation, violations, ...counts } = findings;
  const report = {
    ...subject,
    passed: verdict === 'passed',
    ...counts,
    operations: [...byOperation].map(([operationId = null, exchanges]) => ({ operationId, exchanges })),
    violations: violations.map(({ operationId = null, ...finding }) => ({ operationId, ...finding })),
  };
  return `${toHarmless(JSON.stringify(report, null, 2))}\n`;
}

/**
 * Prints a suite for each operation, with a case for each broken rule, or one that passes. A rule that does not fail the
 * run passes, with its violations as text. A run without a verdict is an error, because a CI server shows what passes or is skipped
 * as green. What was not checked or not reached is skipped, and so does not look as if it conforms.
 */
function printXml(findings: Findings, subject: ReportSubject, summary: RunSummary): string {
  const { upstream, startedAt, endedAt, recording } = subject;
  const { verdict, sentences, notChecked, coverage, missing } = summary;
  const draft = findings.contract === undefined ? '' : `, by the draft ${findings.contract}`;
  const name = recording ? `recorded in ${recording.file}, of ${upstream}` : `checked proxy for ${upstream}`;
  const operations = [...findings.byOperation].map(([id, exchanges]) => ({
    name: id ?? 'no operation of the contract',
    cases: toCases(summary, id, exchanges),
  }));
  const ofRun: JunitCase = { name: verdict, result: 'error', message: sentences.join(' ') };
  const skipped = notChecked.map(({ count, many, reasons = [] }): JunitCase => {
    return { name: many, result: 'skipped', message: `${count} ${many}`, text: reasons.join('\n') };
  });
  const points = coverage.map((one): JunitCase => {
    const { operationId, exchanges } = one;
    if (exchanges === 0) return { name: operationId, result: 'skipped', message: 'not reached' };
    return { name: operationId, result: 'passed', text: `exchanges ${exchanges} ${printPoints(one)}` };
  });
  const required = missing.map(
    (point): JunitCase => ({ name: point, result: 'failure', message: 'not reached (--require)' }),
  );
  const suites = [
    { name: 'the run', cases: verdict === 'no verdict' ? [ofRun] : [] },
    ...operations,
    { name: 'not checked', cases: skipped },
    { name: 'coverage', text: printCoverageCount(findings.coverage), cases: points },
    { name: 'required', cases: required },
  ];
  return printJunit({
    name: `${name}${draft}`,
    startedAt,
    seconds: (endedAt.getTime() - startedAt.getTime()) / 1000,
    suites: suites.filter(({ cases }) => cases.length > 0),
  });
}

function toCases({ violations }: RunSummary, id: string | undefined, exchanges: number): JunitCase[] {
  const found = violations.filter(({ operationId }) => operationId === id);
  if (found.length === 0) return [{ name: `${exchanges} exchanges conform`, result: 'passed' }];
  return found.map((finding) => {
    const { severity, place, rule, count, example, recorded, isFailure } = finding;
    const message = printMessage(finding);
    const name = `${place} ${rule}`;
    const first = recorded === undefined ? '' : `first in ${printPlace(recorded)}\n`;
    const text = `${severity}, count ${count}, exchanges ${exchanges}\n${first}${example}`;
    if (isFailure) return { name, result: 'failure', message, text };
    return { name, result: 'passed', text: `${message}\n${text}` };
  });
}

function printPlace({ index, startedDateTime }: RecordedPlace): string {
  return [`log.entries[${index}]`, ...(startedDateTime ? [startedDateTime] : [])].join(', ');
}

function printCount(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
