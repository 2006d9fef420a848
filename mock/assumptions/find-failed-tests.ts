import { stripVTControlCharacters } from 'node:util';

/** How a test runner prints the name of a test that failed. */
const patterns: Readonly<Record<string, RegExp>> = {
  tap: /^\s*not ok \d+ - (?<name>.*?)(?: #.*)?$/,
  nodeSpec: /^\s*✖ (?<name>.*?) \(\d[\d.]*ms\)$/,
  vitest: /^ FAIL {2}(?<name>.* > .*)$/,
  jest: /^ {2}● (?<name>.*)$/,
  playwright: /^ {2}\d+\) (?<name>.*? › .*?)(?: ─+)?$/,
  pytest: /^FAILED (?<name>\S+::.*?)(?: - .*)?$/,
  go: /^\s*--- FAIL: (?<name>\S+)/,
};

/** What Node prints after the message of an error: frames of the stack, and its version. */
const noise = /^\s+at |^Node\.js v/;

const MOST_TESTS = 100;

/** Number of lines that are kept of an output that names no test. */
const MOST_LINES = 5;

export interface FailedTests {
  readonly failedTests: readonly string[];
  /** The last error in the output, or else its last lines, if no test is named. */
  readonly excerpt: readonly string[];
}

/** Reads the names of the tests that failed from an output in TAP, or of a known test runner. */
export function findFailedTests(output: string): FailedTests {
  const lines = stripVTControlCharacters(output).split(/\r?\n/);
  const names = lines.flatMap((line) => findName(line) ?? []);
  if (names.length > 0) return { failedTests: [...new Set(names)].slice(0, MOST_TESTS), excerpt: [] };
  const filled = lines.filter((line) => line.trim() !== '' && !noise.test(line));
  const error = filled.findLastIndex((line) => /^\s*\w*Error\b/.test(line));
  const start = error === -1 ? -MOST_LINES : error;
  return { failedTests: [], excerpt: filled.slice(start).slice(0, MOST_LINES) };
}

function findName(line: string): string | undefined {
  const matches = Object.values(patterns).map((pattern) => pattern.exec(line)?.groups?.name);
  return matches.find((name) => name !== undefined && name !== '');
}
