import { toHarmless } from '../../common/harmless-text.ts';
import { type JunitCase, printJunit } from '../../common/print-junit.ts';
import { type FailOn, isFailure, shouldFail } from './fail-on.ts';
import type { Finding, Findings } from './findings.ts';

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
  return /\.xml$/i.test(file) ? printXml(findings, subject) : printJson(findings, subject);
}

function printJson(findings: Findings, subject: ReportSubject): string {
  const { byOperation, violations, ...counts } = findings;
  const report = {
    ...subject,
    passed: !shouldFail(findings, subject.failOn),
    ...counts,
    operations: [...byOperation].map(([operationId = null, exchanges]) => ({ operationId, exchanges })),
    violations: violations.map(({ operationId = null, ...finding }) => ({ operationId, ...finding })),
  };
  return `${toHarmless(JSON.stringify(report, null, 2))}\n`;
}

/**
 * A suite for each operation, in it a case for each rule that was broken, or one that passes when none was. A rule whose
 * violations fail no run passes, with what was found.
 */
function printXml(findings: Findings, { upstream, startedAt, endedAt, failOn }: ReportSubject): string {
  const operations = [...findings.byOperation].map(([operationId, exchanges]) => ({
    name: operationId ?? 'no operation of the contract',
    cases: toCases(
      findings.violations.filter((finding) => finding.operationId === operationId),
      exchanges,
      failOn,
    ),
  }));
  const unjudged = toUnjudgedCases(findings);
  return printJunit({
    name: `checked proxy before ${upstream}`,
    startedAt,
    seconds: (endedAt.getTime() - startedAt.getTime()) / 1000,
    suites: unjudged.length === 0 ? operations : [...operations, { name: 'not judged', cases: unjudged }],
  });
}

function toCases(found: readonly Finding[], exchanges: number, failOn: FailOn): JunitCase[] {
  if (found.length === 0) return [{ name: `${exchanges} exchanges conform`, result: 'passed' }];
  return found.map(({ severity, place, rule, message, count, example }) => {
    const name = `${place} ${rule}`;
    const text = `${severity}, found ${count} times in ${exchanges} exchanges\n${example}`;
    if (isFailure(severity, failOn)) return { name, result: 'failure', message, text };
    return { name, result: 'passed', text: `${message}\n${text}` };
  });
}

/** What passes unseen is not to look as if it conformed. */
function toUnjudgedCases({ unanswered, abandoned, unjudgedBodies }: Findings): JunitCase[] {
  const counts = {
    'exchanges without an answer of the upstream': unanswered,
    'exchanges given up by the client': abandoned,
    'bodies that could not be judged': unjudgedBodies,
  };
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => ({ name, result: 'skipped', message: `${count} ${name}` }));
}
