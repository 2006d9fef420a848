import { toOneLine } from '../../common/harmless-text.ts';
import { type FailOn, shouldFail } from './fail-on.ts';
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
  const gate = shouldFail(findings, failOn) ? 'broken' : 'kept';
  return [
    `${count(sum, 'violation')} in ${count(exchanges, 'exchange')}`,
    ...(exchanges === 0 ? ['nothing was judged: no request has come to the proxy'] : []),
    ...(unanswered > 0 ? [`${count(unanswered, 'exchange')} had no answer of the upstream`] : []),
    ...(abandoned > 0 ? [`${count(abandoned, 'exchange')} given up by the client`] : []),
    ...(unjudgedBodies > 0 ? [`${count(unjudgedBodies, 'body', 'bodies')} could not be judged`] : []),
    ...(failOn === 'never' ? [] : [`the gate (--fail-on ${failOn}) is ${gate}`]),
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
  const examples = violations.map(({ example }) => `${pad('', 0)}  ${example}`);
  return ['', print(header), ...rows.flatMap((row, index) => [print(row), examples[index] ?? ''])];
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
