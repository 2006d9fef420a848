import { printMessage } from '../../common/journal/violation.ts';
import { countOf } from '../../common/text/count-of.ts';
import { toHarmless, toOneLine } from '../../common/text/harmless-text.ts';
import { type JunitCase, printJunit } from '../../common/text/print-junit.ts';
import { printCoverage } from './coverage.ts';
import type { Finding, Findings } from './findings-record.ts';
import { describeNothing, type Gate, isFailure, readVerdict } from './verdict.ts';

/** What was read of a HAR file. */
export interface Recording {
  /** Path, or `-` for stdin. */
  readonly file: string;
  /** The first few base URLs of checked exchanges. */
  readonly baseUrls: readonly string[];
  readonly entries: number;
  /** Entries of other addresses than the service. */
  readonly otherAddresses: number;
  /** Entries that the browser's cache or a service worker answered. */
  readonly fromCache: number;
  /** Requests whose key is not in the file. They are checked as if a key was sent. */
  readonly keysNotRecorded: number;
}

/** A run that has ended. */
export interface Run extends Gate {
  readonly upstream: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** Absent if the exchanges passed through the proxy. */
  readonly recording?: Recording;
}

/** Maximum number of reasons for missing responses that are listed. */
const MOST_REASONS = 5;

/** Prints what a run has found for a terminal: a table of violations, the counts, the coverage and the verdict. */
export function printFindings(findings: Findings, run: Gate & Pick<Run, 'recording'>): string {
  const lines = [
    ...printRecording(run.recording),
    ...printTable(findings.violations),
    ...printCounts(findings, run),
    ...readVerdict(findings, run).sentences,
  ];
  return lines.map((line) => `${toOneLine(line)}\n`).join('');
}

/** Prints the same for a coding agent: the verdict, each violation as a line of JSON, and the counts. */
export function printForAgent(findings: Findings, run: Gate & Pick<Run, 'recording'>): string {
  const lines = [
    ...readVerdict(findings, run).sentences,
    ...findings.violations.map((one) => JSON.stringify(one)),
    ...printRecording(run.recording),
    ...printCounts(findings, run),
  ];
  return lines.map((line) => `${toOneLine(line)}\n`).join('');
}

function printRecording(recording: Recording | undefined): string[] {
  if (recording === undefined) return [];
  const { file, baseUrls, entries, otherAddresses, fromCache, keysNotRecorded } = recording;
  const others = otherAddresses > 0 ? `, of other addresses: ${otherAddresses}` : '';
  const cached = fromCache > 0 ? `, answered by the cache or a service worker: ${fromCache}` : '';
  const several = baseUrls.length > 1 ? ' (--base-url selects one)' : '';
  return [
    `entries in ${file === '-' ? 'stdin' : file}: ${entries}${others}${cached}`,
    `checked: ${baseUrls.join(', ')}${several}`,
    ...(keysNotRecorded > 0
      ? [`requests without a key in the file, checked as if one was sent: ${keysNotRecorded}`]
      : []),
  ];
}

function printTable(violations: readonly Finding[]): string[] {
  if (violations.length === 0) return [];
  const header = ['count', 'severity', 'operation', 'place', 'rule', 'received'];
  const rows = violations.map(({ count, severity, operationId, place, rule, received = '-' }) =>
    [String(count), severity, operationId ?? '-', place, rule, received].map(toOneLine),
  );
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padStart(widths[0] ?? 0) : cell.padEnd(widths[column] ?? 0);
  const print = (row: readonly string[]) => row.map(pad).join('  ').trimEnd();
  const printFirst = (index: number) => {
    const { example = '', entry } = violations[index] ?? {};
    const lines = entry === undefined ? [example] : [`log.entries[${entry}]`, example];
    return lines.map((line) => `${pad('', 0)}  ${line}`);
  };
  return [print(header), ...rows.flatMap((row, index) => [print(row), ...printFirst(index)]), ''];
}

/** Prints the counts of a run and its coverage, a line for each operation. */
function printCounts(findings: Findings, gate: Gate): string[] {
  const { contract, exchanges, violations, coverage } = findings;
  const sum = violations.reduce((all, { count }) => all + count, 0);
  const draft = contract === undefined ? '' : ` by the draft ${contract}`;
  const nothing = describeNothing(findings);
  // The verdict says it otherwise.
  const isNoted = nothing !== undefined && readVerdict(findings, gate).verdict !== 'no verdict';
  return [
    `${countOf(sum, 'violation')} in ${countOf(exchanges, 'exchange')}${draft}`,
    ...(isNoted ? [nothing] : []),
    ...listUnchecked(findings).flatMap(({ what, count, reasons }) => [
      `${what}: ${count}`,
      ...reasons.map((reason) => `  ${reason}`),
    ]),
    ...(exchanges > 0 ? printCoverage(coverage, listOperations(findings)) : []),
  ];
}

function listOperations({ operations }: Findings): string[] {
  return operations.flatMap(({ operationId }) => (operationId === null ? [] : [operationId]));
}

/** Lists the exchanges that say nothing about the contract. */
function listUnchecked({ faults, failures }: Findings) {
  const reasons = failures.slice(0, MOST_REASONS).map(({ message, count }) => `${message} (${count})`);
  const unanswered = failures.reduce((sum, { count }) => sum + count, 0);
  const ofMock = 'responses by faults of the mock, which are neither violations nor coverage';
  const all = [
    { what: ofMock, count: faults, reasons: [] },
    { what: 'exchanges without a response', count: unanswered, reasons },
  ];
  return all.filter(({ count }) => count > 0);
}

/** Prints the same for the summary of a job on GitHub, as a block of code that no backticks in it can end. */
export function printMarkdown(findings: Findings, run: Run): string {
  const text = printFindings(findings, run);
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `### Checked traffic\n\n${fence}text\n${text}${fence}\n`;
}

/** Prints a report: JUnit if the name of the file ends in `.xml`, otherwise JSON. */
export function printReport(file: string, findings: Findings, run: Run): string {
  if (/\.xml$/i.test(file)) return printXml(findings, run);
  const passed = readVerdict(findings, run).verdict === 'passed';
  return `${toHarmless(JSON.stringify({ ...run, passed, ...findings }, null, 2))}\n`;
}

/**
 * Prints a suite for each operation, with a case for each broken rule, or one that passes. A rule that does not fail the
 * run passes, with its violations as text. A run without a verdict is an error, because a CI server shows what passes or is skipped
 * as green. What was not checked or not reached is skipped, and so does not look as if it conforms.
 */
function printXml(findings: Findings, run: Run): string {
  const { upstream, startedAt, endedAt, recording } = run;
  const { verdict, sentences, missing } = readVerdict(findings, run);
  const draft = findings.contract === undefined ? '' : `, by the draft ${findings.contract}`;
  const name = recording ? `recorded in ${recording.file}, of ${upstream}` : `checked proxy for ${upstream}`;
  const ofRun: JunitCase = { name: verdict, result: 'error', message: sentences.join(' ') };
  const suites = [
    { name: 'the run', cases: verdict === 'no verdict' ? [ofRun] : [] },
    ...findings.operations.map(({ operationId }) => ({
      name: operationId ?? 'no operation of the contract',
      cases: toCases(findings, operationId, run),
    })),
    {
      name: 'not checked',
      cases: listUnchecked(findings).map(({ what, count, reasons }): JunitCase => {
        return { name: what, result: 'skipped', message: `${what}: ${count}`, text: reasons.join('\n') };
      }),
    },
    {
      name: 'required',
      cases: missing.map((part): JunitCase => {
        return { name: part, result: 'failure', message: 'not reached (--require)' };
      }),
    },
  ];
  return printJunit({
    name: `${name}${draft}`,
    startedAt,
    seconds: (endedAt.getTime() - startedAt.getTime()) / 1000,
    suites: suites.filter(({ cases }) => cases.length > 0),
  });
}

function toCases({ violations, coverage }: Findings, id: string | null, { failOn }: Gate): JunitCase[] {
  const found = violations.filter(({ operationId }) => operationId === id);
  if (found.length === 0 && id === null) return [];
  const reached = coverage[id ?? ''] ?? 0;
  if (found.length === 0)
    return reached === 0
      ? [{ name: 'coverage', result: 'skipped', message: 'not reached' }]
      : [{ name: `${reached} exchanges conform`, result: 'passed' }];
  return found.map((finding) => {
    const { severity, place, rule, count, example, entry } = finding;
    const message = printMessage(finding);
    const name = `${place} ${rule}`;
    const first = entry === undefined ? '' : `first in log.entries[${entry}]\n`;
    const text = `${severity}, count ${count}\n${first}${example}`;
    // Without a gate, errors fail: a CI server would show them as green.
    if (isFailure(finding, failOn === 'never' ? 'error' : failOn))
      return { name, result: 'failure', message, text };
    return { name, result: 'passed', text: `${message}\n${text}` };
  });
}
