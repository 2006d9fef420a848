import { toHarmless } from './harmless-text.ts';

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
    `<testsuites ${printAttributes({ name })} ${counts} time="${seconds}">`,
    ...suites.flatMap((suite) => printSuite(suite, startedAt)),
    '</testsuites>',
    '',
  ].join('\n');
}

function printSuite({ name, cases, text = '' }: JunitSuite, startedAt: Date): string[] {
  const timestamp = startedAt.toISOString().slice(0, 19);
  return [
    `  <testsuite ${printAttributes({ name })} ${printCounts(cases)} timestamp="${timestamp}">`,
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

function printCounts(cases: readonly JunitCase[]): string {
  const count = (result: JunitCase['result']) => cases.filter((one) => one.result === result).length;
  return `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`;
}

function printAttributes(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name}="${escapeXml(value)}"`)
    .join(' ');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text for XML, which could not hold most controls. Source: XML 1.0, section 2.2 */
export function escapeXml(text: string): string {
  return toHarmless(text.toWellFormed())
    .replaceAll(/[&<>"]/g, (char) => entities[char] ?? char)
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd');
}
