import type { FailOn } from '../../common/cli/fail-on-levels.ts';
import type { LogFormat } from '../../common/cli/log-format.ts';
import { printMessage } from '../../common/journal/violation.ts';
import { toHarmless, toOneLine } from '../../common/text/harmless-text.ts';
import type { Paint } from '../../common/text/paint.ts';
import type { ExchangeSummary, RecordedPlace, Recording } from '../exchange.ts';
import { printCoverage } from './coverage.ts';
import { type Gate, isFailure, listMissing, readGate } from './fail-on.ts';
import type { Finding, Findings, UpstreamFailure } from './findings-record.ts';

/** Maximum number of reasons of the upstream in the summary. */
const MOST_FAILURES = 5;

/** Maximum number of characters of a path and its query in a line of the log. */
const LONGEST_TARGET = 200;

/** Prints why the upstream gave no response as one line of the log, without its line break. @param next follows the count */
export function printFailure(
  log: Exclude<LogFormat, 'silent'>,
  time: Date,
  { message, count }: UpstreamFailure,
  { method, target }: ExchangeSummary,
  next = '',
): string {
  const iso = time.toISOString();
  const url = target.slice(0, LONGEST_TARGET);
  if (log === 'json')
    return toHarmless(JSON.stringify({ time: iso, from: 'proxy', failure: message, count, method, url }));
  return `${iso.slice(11, 19)} ${toOneLine(`proxy no response: ${message} (${count} so far${next}, ${method} ${url})`)}`;
}

/** Prints a violation as one line of the log, without its line break. @param next follows the count */
export function printViolation(
  log: Exclude<LogFormat, 'silent'>,
  time: Date,
  finding: Finding,
  { method, target, recorded }: ExchangeSummary,
  paint: Paint,
  next = '',
): string {
  const { severity, operationId, place, rule, message, received, count } = finding;
  const iso = time.toISOString();
  const url = target.slice(0, LONGEST_TARGET);
  if (log === 'json') {
    const from = recorded === undefined ? 'proxy' : undefined;
    const subject = { time: iso, from, violation: severity, operation: operationId ?? null };
    const line = { ...subject, place, rule, message, received, count, method, url, recorded };
    return toHarmless(JSON.stringify(line));
  }
  const [from, entry] = recorded === undefined ? ['proxy ', ''] : ['', `log.entries[${recorded.index}] `];
  const violation = toOneLine(`${operationId ?? '-'} ${place} ${rule}: ${printMessage(finding)}`);
  const request = toOneLine(`(${count} so far${next}, ${entry}${method} ${url})`);
  // Colours are control characters, so they are added to harmless text.
  const painted = paint(severity === 'error' ? 'red' : 'yellow', severity);
  return `${iso.slice(11, 19)} ${from}violation ${painted} ${violation} ${request}`;
}

export function printFindings(findings: Findings, gate: Gate): string {
  const { violations } = findings;
  const lines = [...printTable(violations), ...printCounts(findings), ...printVerdict(findings, gate)];
  return `${lines.join('\n')}\n`;
}

/** Prints the counts of a run and its coverage. */
export function printCounts(findings: Findings): string[] {
  const { contract, exchanges, succeeded, faults, failures, unanswered, abandoned, violations } = findings;
  const sum = violations.reduce((all, { count }) => all + count, 0);
  const draft = contract === undefined ? '' : ` by the draft ${contract}`;
  return [
    toOneLine(`${count(sum, 'violation')} in ${count(exchanges, 'exchange')}${draft}`),
    ...(exchanges === 0 ? ['no exchange was checked: the proxy received no request'] : []),
    ...(exchanges > 0 && succeeded === 0
      ? [`no request of the contract succeeded${describe404(findings)}`]
      : []),
    ...(faults > 0
      ? [`${count(faults, 'response')} by faults of the mock, which are neither violations nor coverage`]
      : []),
    ...(unanswered > 0 ? [`${count(unanswered, 'exchange')} got no response from the upstream`] : []),
    ...failures.slice(0, MOST_FAILURES).map((one) => toOneLine(`  ${one.message} (${one.count})`)),
    ...(abandoned > 0 ? [`${count(abandoned, 'exchange')} given up by the client`] : []),
    ...(exchanges > 0 ? printCoverage(findings.coverage) : []),
  ];
}

/** Says what may be wrong if each response is a 404: a base URL without the path of the service. Empty for other responses. */
function describe404({ answered, refused, coverage }: Findings): string {
  const countStatus = (status: number) => {
    const points = Object.entries(coverage).filter(([point]) => point.endsWith(`:${status}`));
    return points.reduce((sum, [, times]) => sum + times, 0);
  };
  // A refusal is a 401, or a 404 that is no point of the contract.
  const notFound = refused - countStatus(401) + countStatus(404);
  if (answered === 0 || notFound < answered) return '';
  return ': each response is a 404. If the paths of the service begin with /v1, the base URL ends with it';
}

/** Prints whether the run has passed, and why not; nothing without a gate. */
export function printVerdict(findings: Findings, gate: Gate): string[] {
  if (gate.commandFailure !== undefined) return [toOneLine(`No verdict: ${gate.commandFailure}.`)];
  const missing = listMissing(findings, gate);
  const hasFailure = findings.violations.some((one) => isFailure(one, gate.failOn));
  const hasVerdict = gate.failOn !== 'never' && (missing.length === 0 || hasFailure);
  return [
    ...(missing.length > 0 ? [`Failed: not reached: ${missing.join(', ')} (--require).`] : []),
    ...(hasVerdict ? [verdicts[readGate(findings, gate)](gate.failOn, findings)] : []),
  ];
}

const NOTHING_FOUND =
  'every response of the service was a 401 or a 404. Check the API key and the base URL, which ends with /v1.';

const verdicts = {
  passed: () => 'Passed.',
  failed: (failOn: FailOn, { answered, refused }: Findings) => {
    const found = `violations found (--fail-on ${failOn})`;
    const isRefused = answered > 0 && answered === refused;
    return isRefused ? `Failed: ${found}, and ${NOTHING_FOUND}` : `Failed: ${found}.`;
  },
  'no verdict': (_failOn: FailOn, { answered, faults }: Findings) => {
    if (answered > 0) return `No verdict: ${NOTHING_FOUND}`;
    const except = faults > 0 ? ', except by faults of the mock' : '';
    return `No verdict: no request of the contract got a response${except}.`;
  },
} as const;

function printTable(violations: readonly Finding[]): string[] {
  if (violations.length === 0) return [];
  const header = ['count', 'severity', 'operation', 'place', 'rule', 'received'];
  const rows = violations.map(({ count, severity, operationId = '-', place, rule, received = '-' }) =>
    [String(count), severity, operationId, place, rule, received].map(toOneLine),
  );
  const lengthsOf = (column: number) => [header, ...rows].map((row) => row[column]?.length ?? 0);
  const widths = header.map((_, column) => Math.max(...lengthsOf(column)));
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padStart(widths[0] ?? 0) : cell.padEnd(widths[column] ?? 0);
  const print = (row: readonly string[]) => row.map(pad).join('  ').trimEnd();
  const examples = violations.map(({ example, recorded }) => {
    const place = recorded === undefined ? [] : [printPlace(recorded)];
    return [...place, example].map((line) => `${pad('', 0)}  ${line}`);
  });
  return [print(header), ...rows.flatMap((row, index) => [print(row), ...(examples[index] ?? [])]), ''];
}

export function printPlace({ index, startedDateTime }: RecordedPlace): string {
  return [`log.entries[${index}]`, ...(startedDateTime ? [startedDateTime] : [])].join(', ');
}

export function printRecording(recording: Recording): string {
  const { file, baseUrls, entries, otherAddresses, fromCache } = recording;
  const leftOut = [
    otherAddresses > 0 && `${otherAddresses} of other addresses`,
    fromCache > 0 && `${fromCache} from the browser's cache or a service worker`,
  ].filter(Boolean);
  const { bodiesNotRecorded, keysNotRecorded } = recording;
  const lines = [
    `${file === '-' ? 'stdin' : file}: ${count(entries, 'entry', 'entries')}` +
      (leftOut.length > 0 ? `; left out: ${leftOut.join(', ')}` : ''),
    `checked: ${baseUrls.join(', ')}${baseUrls.length > 1 ? ' (--base-url selects one)' : ''}`,
    bodiesNotRecorded > 0 && `${count(bodiesNotRecorded, 'body', 'bodies')} not in the file`,
    keysNotRecorded > 0 &&
      `${count(keysNotRecorded, 'request')} without a key in the file, checked as if one was sent`,
  ];
  return lines.map((line) => (line === false ? '' : `${toOneLine(line)}\n`)).join('');
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
