import { type FailOn, isGateBroken } from './fail-on.ts';
import type { Findings } from './findings.ts';
import { printJunit } from './print-junit.ts';

/** What a report is of. */
export interface ReportSubject {
  /** The base URL. */
  readonly upstream: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly failOn: FailOn;
}

/** Prints a report as the name of its file wants it: JUnit for `.xml`, otherwise JSON. */
export function printReport(file: string, findings: Findings, subject: ReportSubject): string {
  return /\.xml$/i.test(file) ? printJunit(findings, subject) : printJson(findings, subject);
}

function printJson(findings: Findings, { upstream, startedAt, endedAt, failOn }: ReportSubject): string {
  const { exchanges, unanswered, abandoned, unjudgedBodies, violations } = findings;
  const byOperation = [...findings.byOperation].map(([operationId = null, count]) => ({
    operationId,
    exchanges: count,
  }));
  const report = {
    upstream,
    startedAt,
    endedAt,
    failOn,
    passed: !isGateBroken(findings, failOn),
    exchanges,
    unanswered,
    abandoned,
    unjudgedBodies,
    operations: byOperation,
    violations: violations.map(({ operationId = null, ...finding }) => ({ operationId, ...finding })),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
