import { toOneLine } from '../../common/harmless-text.ts';
import type { RecordedPlace, Recording } from '../exchange.ts';
import { type FailOn, readGate } from './fail-on.ts';
import type { Finding, Findings } from './findings.ts';

/** Prints findings for a terminal: a sentence or two, and a table of violations with an example of each. */
export function printFindings(findings: Findings, failOn: FailOn): string {
  return [...printSummary(findings, failOn), ...printTable(findings.violations)]
    .map((line) => `${line}\n`)
    .join('');
}

function printSummary(findings: Findings, failOn: FailOn): string[] {
  const { exchanges, unanswered, abandoned, unjudgedBodies, violations } = findings;
  const sum = violations.reduce((all, { count }) => all + count, 0);
  const gate = readGate(findings, failOn);
  const verdict =
    gate === 'no verdict' ? 'has no verdict: no request of the contract got a response' : `is ${gate}`;
  return [
    `${count(sum, 'violation')} in ${count(exchanges, 'exchange')}`,
    ...(exchanges === 0 ? ['no exchange was checked: the proxy received no request'] : []),
    ...(unanswered > 0 ? [`${count(unanswered, 'exchange')} got no response from the upstream`] : []),
    ...(abandoned > 0 ? [`${count(abandoned, 'exchange')} given up by the client`] : []),
    ...(unjudgedBodies > 0 ? [`${count(unjudgedBodies, 'body', 'bodies')} could not be checked`] : []),
    ...(failOn === 'never' ? [] : [`the gate (--fail-on ${failOn}) ${verdict}`]),
  ];
}

function printTable(violations: readonly Finding[]): string[] {
  if (violations.length === 0) return [];
  const header = ['count', 'severity', 'operation', 'place', 'rule'];
  const rows = violations.map(({ count, severity, operationId = '-', place, rule }) =>
    [String(count), severity, operationId, place, rule].map(toOneLine),
  );
  const widths = header.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padStart(widths[0] ?? 0) : cell.padEnd(widths[column] ?? 0);
  const print = (row: readonly string[]) => row.map(pad).join('  ').trimEnd();
  const examples = violations.map(({ example, recorded }) => {
    const place = recorded === undefined ? [] : [printPlace(recorded)];
    return [...place, example].map((line) => `${pad('', 0)}  ${line}`);
  });
  return ['', print(header), ...rows.flatMap((row, index) => [print(row), ...(examples[index] ?? [])])];
}

/** Says where a request was recorded. */
export function printPlace({ index, startedDateTime }: RecordedPlace): string {
  return [`log.entries[${index}]`, ...(startedDateTime ? [startedDateTime] : [])].join(', ');
}

/** Prints what a HAR file has in addition to the checked exchanges, in a sentence or two for a terminal. */
export function printRecording(recording: Recording): string {
  const { file, baseUrls, entries, otherAddresses, fromCache, tooLarge } = recording;
  const leftOut = [
    ...(otherAddresses > 0 ? [`${otherAddresses} of other addresses`] : []),
    ...(fromCache > 0 ? [`${fromCache} from the browser's cache or a service worker`] : []),
    ...(tooLarge > 0 ? [`${tooLarge} too large to be read`] : []),
  ];
  const { bodiesNotRecorded, keysNotRecorded } = recording;
  const lines = [
    `${file === '-' ? 'stdin' : file}: ${count(entries, 'entry', 'entries')}` +
      (leftOut.length > 0 ? `; left out: ${leftOut.join(', ')}` : ''),
    `checked: ${baseUrls.join(', ')}${baseUrls.length > 1 ? ' (--base-url selects one)' : ''}`,
    ...(bodiesNotRecorded > 0 ? [`${count(bodiesNotRecorded, 'body', 'bodies')} not in the file`] : []),
    ...(keysNotRecorded > 0
      ? [`${count(keysNotRecorded, 'request')} without a key in the file, checked as if one was sent`]
      : []),
  ];
  return lines.map((line) => `${toOneLine(line)}\n`).join('');
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
