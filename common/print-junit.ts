import { breakCommands, showControls } from './harmless-text.ts';

interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
  /** Output of the suite. */
  readonly text?: string;
}

interface JunitReport {
  readonly name: string;
  readonly startedAt: Date;
  readonly seconds: number;
  readonly suites: readonly JunitSuite[];
}

/** A case of a JUnit report. */
export interface JunitCase {
  readonly name: string;
  readonly result: 'passed' | 'failure' | 'error' | 'skipped';
  /** Why it did not pass. */
  readonly message?: string;
  /** What else is told of it; it may also be told of a case that passed. */
  readonly text?: string;
  readonly seconds?: number;
}

/** Prints a JUnit report. */
export function printJunit({ name, startedAt, seconds, suites }: JunitReport): string {
  const counts = printCounts(suites.flatMap(({ cases }) => cases));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${printAttributes({ name })} ${counts} time="${seconds.toFixed(3)}">`,
    ...suites.flatMap((suite) => printSuite(suite, startedAt)),
    '</testsuites>',
    '',
  ].join('\n');
}

function printSuite({ name, cases, text = '' }: JunitSuite, startedAt: Date): string[] {
  const timestamp = startedAt.toISOString().slice(0, 19);
  return [
    `  <testsuite ${printAttributes({ name })} ${printCounts(cases)} skipped="${countCases(cases, 'skipped')}" timestamp="${timestamp}">`,
    ...cases.flatMap((one) => printCase(one, name)),
    ...(text === '' ? [] : [`    <system-out>${escapeXml(text)}</system-out>`]),
    '  </testsuite>',
  ];
}

function printCase(one: JunitCase, classname: string): string[] {
  const { name, result, message = '', text = '', seconds } = one;
  const time = seconds === undefined ? '' : ` time="${seconds.toFixed(3)}"`;
  const start = `    <testcase ${printAttributes({ classname, name })}${time}`;
  if (result === 'passed' && text === '') return [`${start}/>`];
  const element = result === 'passed' ? 'system-out' : result;
  const tag = result === 'passed' ? element : `${element} ${printAttributes({ message })}`;
  const told = text === '' ? `<${tag}/>` : `<${tag}>${escapeXml(text)}</${element}>`;
  return [`${start}>`, `      ${told}`, '    </testcase>'];
}

/** The counts that the schema of Jenkins allows for a report as for a suite. */
function printCounts(cases: readonly JunitCase[]): string {
  return `tests="${cases.length}" failures="${countCases(cases, 'failure')}" errors="${countCases(cases, 'error')}"`;
}

function countCases(cases: readonly JunitCase[], result: JunitCase['result']): number {
  return cases.filter((one) => one.result === result).length;
}

function printAttributes(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name}="${escapeXml(value)}"`)
    .join(' ');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text for XML, which could not hold most controls; commands of CI runners are broken. Source: XML 1.0, section 2.2 */
export function escapeXml(text: string): string {
  const escaped = showControls(text.toWellFormed())
    .replaceAll(/[&<>"]/g, (char) => entities[char] ?? char)
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd');
  return breakCommands(escaped, (char) => `&#${char.charCodeAt(0)};`);
}
