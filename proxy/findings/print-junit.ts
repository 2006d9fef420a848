import { breaksGate, type FailOn } from './fail-on.ts';
import type { Finding, Findings } from './findings.ts';

/** A test case of a JUnit report. */
interface TestCase {
  readonly name: string;
  readonly isFailed: boolean;
  /** Whether it tells of what was not judged. */
  readonly isSkipped?: boolean;
  /** Of a failure, or of what was found and fails nothing. */
  readonly message: string;
  readonly text: string;
}

/**
 * Prints a JUnit report: a suite for each operation, in it a case for each rule that was broken, which fails if it breaks
 * the gate, or one case that passes when none was. What no gate judges fails nothing.
 */
export function printJunit(
  findings: Findings,
  {
    upstream,
    startedAt,
    endedAt,
    failOn,
  }: { upstream: string; startedAt: Date; endedAt: Date; failOn: FailOn },
): string {
  const operations = [...findings.byOperation].map(([operationId, exchanges]) => {
    const found = findings.violations.filter((finding) => finding.operationId === operationId);
    return { name: operationId ?? 'no operation of the contract', cases: toCases(found, exchanges, failOn) };
  });
  const unjudged = toUnjudgedCases(findings);
  const suites =
    unjudged.length === 0 ? operations : [...operations, { name: 'not judged', cases: unjudged }];
  const seconds = (endedAt.getTime() - startedAt.getTime()) / 1000;
  const all = suites.flatMap(({ cases }) => cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeXml(`checked proxy before ${upstream}`)}" ${countsOf(all)} time="${seconds}">`,
    ...suites.flatMap(({ name, cases }) => [
      `  <testsuite name="${escapeXml(name)}" ${countsOf(cases)} timestamp="${startedAt.toISOString().slice(0, 19)}">`,
      ...cases.flatMap((testCase) => printCase(testCase, name)),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function toCases(found: readonly Finding[], exchanges: number, failOn: FailOn): TestCase[] {
  if (found.length === 0) {
    return [{ name: `${exchanges} exchanges conform`, isFailed: false, message: '', text: '' }];
  }
  return found.map(({ severity, place, rule, message, count, example }) => ({
    name: `${place} ${rule}`,
    isFailed: breaksGate(severity, failOn),
    message,
    text: `${severity}, found ${count} times in ${exchanges} exchanges\n${example}`,
  }));
}

/** What passes unseen is not to look as if it conformed. */
function toUnjudgedCases({ unanswered, abandoned, unjudgedBodies }: Findings): TestCase[] {
  const counts = {
    'exchanges without an answer of the upstream': unanswered,
    'exchanges given up by the client': abandoned,
    'bodies that could not be judged': unjudgedBodies,
  };
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => ({
      name,
      isFailed: false,
      isSkipped: true,
      message: `${count} ${name}`,
      text: '',
    }));
}

function printCase({ name, isFailed, isSkipped = false, message, text }: TestCase, suite: string): string[] {
  const start = `    <testcase classname="${escapeXml(suite)}" name="${escapeXml(name)}"`;
  if (message === '') return [`${start}/>`];
  if (isSkipped) return [`${start}>`, `      <skipped message="${escapeXml(message)}"/>`, '    </testcase>'];
  const told = isFailed
    ? `<failure message="${escapeXml(message)}">${escapeXml(text)}</failure>`
    : `<system-out>${escapeXml(`${message}\n${text}`)}</system-out>`;
  return [`${start}>`, `      ${told}`, '    </testcase>'];
}

function countsOf(cases: readonly TestCase[]): string {
  const failures = cases.filter(({ isFailed }) => isFailed).length;
  const skipped = cases.filter(({ isSkipped }) => isSkipped).length;
  return `tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}"`;
}

/** Escapes a text for XML, which has no way to hold most control characters. Source: XML 1.0, section 2.2 */
function escapeXml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  return text
    .toWellFormed()
    .replaceAll(/[&<>"]/g, (char) => entities[char] ?? char)
    .replaceAll(/[^\n\r\t\x20-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd');
}
