import type { FailOn } from '../../common/cli/fail-on-levels.ts';
import { printMessage } from '../../common/journal/violation.ts';
import { toHarmless } from '../../common/text/harmless-text.ts';
import { type JunitCase, printJunit } from '../../common/text/print-junit.ts';
import type { Recording } from '../exchange.ts';
import { listCoverage, printCoverageCount, printPoints } from './coverage.ts';
import { type Gate, isFailure, listMissing, readGate } from './fail-on.ts';
import type { Finding, Findings } from './findings-record.ts';
import { printPlace, printVerdict } from './print-findings.ts';

export interface ReportSubject extends Gate {
  readonly upstream: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** Absent if the exchanges passed through the proxy. */
  readonly recording?: Recording;
}

/** Prints a report: JUnit if the name of the file ends in `.xml`, otherwise JSON. */
export function printReport(file: string, findings: Findings, subject: ReportSubject): string {
  return /\.xml$/i.test(file) ? printXml(findings, subject) : printJson(findings, subject);
}

function printJson(findings: Findings, subject: ReportSubject): string {
  const { byOperation, violations, ...counts } = findings;
  const report = {
    ...subject,
    passed: readGate(findings, subject) === 'passed',
    ...counts,
    operations: [...byOperation].map(([operationId = null, exchanges]) => ({ operationId, exchanges })),
    violations: violations.map(({ operationId = null, ...finding }) => ({ operationId, ...finding })),
  };
  return `${toHarmless(JSON.stringify(report, null, 2))}\n`;
}

/**
 * Prints a suite for each operation, with a case for each broken rule, or one that passes. A rule that does not fail the
 * run passes, with its violations as text. Without a gate the errors fail, and a run without a verdict is an error, because a CI
 * server shows what passes or is skipped as green.
 */
function printXml(findings: Findings, subject: ReportSubject): string {
  const { upstream, startedAt, endedAt, failOn, recording } = subject;
  const level = failOn === 'never' ? 'error' : failOn;
  const operations = [...findings.byOperation].map(([id, exchanges]) => {
    const found = findings.violations.filter(({ operationId }) => operationId === id);
    return { name: id ?? 'no operation of the contract', cases: toCases(found, exchanges, level) };
  });
  const unchecked = toUncheckedCases(findings, recording);
  const failure = { result: 'failure', message: 'not reached (--require)' } as const;
  const missing = listMissing(findings, subject).map((name) => ({ name, ...failure }));
  const ofRun = toRunCases(findings, subject);
  const draft = findings.contract === undefined ? '' : `, by the draft ${findings.contract}`;
  const name = recording ? `recorded in ${recording.file}, of ${upstream}` : `checked proxy for ${upstream}`;
  return printJunit({
    name: `${name}${draft}`,
    startedAt,
    seconds: (endedAt.getTime() - startedAt.getTime()) / 1000,
    suites: [
      ...(ofRun.length > 0 ? [{ name: 'the run', cases: ofRun }] : []),
      ...operations,
      ...(unchecked.length > 0 ? [{ name: 'not checked', cases: unchecked }] : []),
      { name: 'coverage', text: printCoverageCount(findings.coverage), cases: toCoverageCases(findings) },
      ...(missing.length > 0 ? [{ name: 'required', cases: missing }] : []),
    ],
  });
}

/** A run without a verdict is an error. */
function toRunCases(findings: Findings, subject: ReportSubject): JunitCase[] {
  const verdict = readGate(findings, subject);
  if (verdict !== 'no verdict') return [];
  return [{ name: verdict, result: 'error', message: printVerdict(findings, subject).join(' ') }];
}

function toCases(found: readonly Finding[], exchanges: number, level: FailOn): JunitCase[] {
  if (found.length === 0) return [{ name: `${exchanges} exchanges conform`, result: 'passed' }];
  return found.map((finding) => {
    const { severity, place, rule, count, example, recorded } = finding;
    const message = printMessage(finding);
    const name = `${place} ${rule}`;
    const first = recorded === undefined ? '' : `first in ${printPlace(recorded)}\n`;
    const text = `${severity}, count ${count}, exchanges ${exchanges}\n${first}${example}`;
    if (isFailure(finding, level)) return { name, result: 'failure', message, text };
    return { name, result: 'passed', text: `${message}\n${text}` };
  });
}

/** An operation that was not reached is skipped, and so does not look as if it was tested. */
function toCoverageCases({ coverage }: Findings): JunitCase[] {
  return listCoverage(coverage).map((one) => {
    const { operationId: name, exchanges } = one;
    if (exchanges === 0) return { name, result: 'skipped', message: 'not reached' };
    return { name, result: 'passed', text: `exchanges ${exchanges} ${printPoints(one)}` };
  });
}

/** Unchecked exchanges must not look as if they conform. */
function toUncheckedCases({ faults, failures, unanswered, abandoned }: Findings, recording?: Recording) {
  const reasons = failures.map(({ message, count }) => `${message} (${count})`).join('\n');
  const rows: readonly (readonly [name: string, count: number, text?: string])[] = [
    ['responses by faults of the mock', faults],
    ['exchanges without a response from the upstream', unanswered, reasons],
    ['exchanges given up by the client', abandoned],
    ['entries answered by the cache or a service worker', recording?.fromCache ?? 0],
  ];
  return rows
    .filter(([, count]) => count > 0)
    .map(
      ([name, count, text = '']): JunitCase => ({
        name,
        result: 'skipped',
        message: `${count} ${name}`,
        text,
      }),
    );
}
