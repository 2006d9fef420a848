import { breakCommands, showControls } from './harmless-text.ts';

export interface JunitCase {
  readonly name: string;
  readonly result: 'passed' | 'failure' | 'error' | 'skipped';
  readonly message?: string;
  /** More text, also for a case that passed. */
  readonly text?: string;
  readonly seconds?: number;
}

interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
  readonly text?: string;
  /** @default none */
  readonly properties?: readonly (readonly [name: string, value: string])[];
}

interface JunitReport {
  readonly name: string;
  readonly startedAt: Date;
  readonly seconds: number;
  readonly suites: readonly JunitSuite[];
}

export function printJunit({ name, startedAt, seconds, suites }: JunitReport): string {
  const timestamp = startedAt.toISOString().slice(0, 19);
  const printed = suites.map(({ name, cases, text = '', properties = [] }) => {
    const values = properties.map(([name, value]) => printElement('      ', 'property', { name, value }, ''));
    const before = values.length === 0 ? [] : [printElement('    ', 'properties', {}, values)];
    const out = text === '' ? [] : [printElement('    ', 'system-out', {}, text)];
    const attributes = { name, ...countResults(cases), skipped: countCases(cases, 'skipped'), timestamp };
    return printElement('  ', 'testsuite', attributes, [
      ...before,
      ...cases.map((one) => printCase(one, name)),
      ...out,
    ]);
  });
  const counts = countResults(suites.flatMap(({ cases }) => cases));
  const whole = printElement('', 'testsuites', { name, ...counts, time: seconds.toFixed(3) }, printed);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${whole}\n`;
}

function printCase({ name, result, message = '', text = '', seconds }: JunitCase, classname: string): string {
  const isPassed = result === 'passed';
  const inner = printElement('      ', isPassed ? 'system-out' : result, isPassed ? {} : { message }, text);
  const time = seconds?.toFixed(3);
  return printElement('    ', 'testcase', { classname, name, time }, isPassed && text === '' ? '' : [inner]);
}

/** Returns the counts that Jenkins' schema allows on both `testsuites` and `testsuite`. */
function countResults(cases: readonly JunitCase[]) {
  return { tests: cases.length, failures: countCases(cases, 'failure'), errors: countCases(cases, 'error') };
}

function countCases(cases: readonly JunitCase[], result: JunitCase['result']): number {
  return cases.filter((one) => one.result === result).length;
}

function printElement(
  indent: string,
  tag: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  content: string | readonly string[],
): string {
  const written = Object.entries(attributes).map(([name, value]) =>
    value === undefined ? '' : ` ${name}="${escapeXml(`${value}`)}"`,
  );
  const start = `${indent}<${tag}${written.join('')}`;
  if (content.length === 0) return `${start}/>`;
  const inner = typeof content === 'string' ? escapeXml(content) : `\n${content.join('\n')}\n${indent}`;
  return `${start}>${inner}</${tag}>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a string for XML and breaks CI commands. Source: XML 1.0, section 2.2 */
export function escapeXml(text: string): string {
  const escaped = showControls(text.toWellFormed())
    .replaceAll(/[&<>"]/g, (char) => entities[char] ?? char)
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd');
  return breakCommands(escaped, (char) => `&#${char.charCodeAt(0)};`);
}
