import { WriteStream } from 'node:tty';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import type { Report, Result } from '../report.ts';
import type { PrintOptions } from './print-options.ts';
import { reporters } from './reporters.ts';

afterEach(vi.unstubAllEnvs);

function createResult(id: string, others: Partial<Result>): Result {
  const clause = { id, heading: 'GET /pets', sentence: `The sentence of ${id}.`, level: 'required' as const };
  return { clause, exchanges: 1, requests: 1, verdict: 'passed', ms: 1, ...others };
}

const exchange = (line: string, status: number, at: number) => ({
  request: `${line}\nAuthorization: Bearer [key]`,
  response: `HTTP ${status}\n\n[]`,
  curl: `curl ${line}`,
  ...{ at, ms: 1 },
});

const failure = { verdict: 'failed', expected: 'at most 5 animals', actual: '6' } as const;

const outcomes = [
  createResult('list-pets/advice', {
    ...failure,
    clause: { ...createResult('list-pets/advice', {}).clause, level: 'advised' },
  }),
  createResult('list-pets/one', {
    ...failure,
    suspected: 'one too many',
    before: [exchange('POST http://store.example/v1/pets', 201, 100)],
    evidence: exchange('GET http://store.example/v1/pets?limit=5', 200, 112.34),
    script: 'first\nsecond',
  }),
  createResult('list-pets/two', { ...failure, follows: 'list-pets/one' }),
  createResult('list-pets/three', { ...failure, follows: 'list-pets/one' }),
  createResult('list-pets/four', {}),
  createResult('list-pets/five', { verdict: 'skipped', reason: 'it would write' }),
  createResult('list-pets/six', { verdict: 'skipped', reason: 'it would write' }),
  createResult('list-pets/seven', { verdict: 'skipped', reason: 'the store is full', isUnproven: true }),
  createResult('list-pets/eight', { verdict: 'skipped', reason: 'the time was over', isUntried: true }),
  createResult('list-pets/nine', { verdict: 'error', reason: 'Error: x\n    at y' }),
];

const report = {
  baseUrl: 'http://store.example/v1',
  ...{ requests: 9, animalsAdded: 1, ms: 1234, outcomes },
} as unknown as Report;

const print = (options: PrintOptions = {}, told = report) => reporters.terminal?.print(told, options) ?? '';

test('findings come first, then what could not be tried, what weakens the conclusion apart, then the counts', () => {
  expect(print()).toBe(`FAILED  The sentence of list-pets/one.
  list-pets/one  GET /pets
  expected  at most 5 animals
  got       6
  probably  one too many
  POST /pets → 201, 12.3 ms before
  GET /pets?limit=5 → 200
  first
  second
  also: 2 clauses, probably for the same reason: list-pets/two, list-pets/three

ADVISED  The sentence of list-pets/advice.
  list-pets/advice  GET /pets
  expected  at most 5 animals
  got       6

FAULT OF THE SUITE  The sentence of list-pets/nine.
  list-pets/nine
  Error: x
      at y

Left out, so that the deployment cannot be said to conform
  the time was over
    1 clause: list-pets/eight

Could not be tried, though the deployment may have what it takes
  the store is full
    1 clause: list-pets/seven

Not tried
  it would write
    2 clauses: list-pets/five, list-pets/six

http://store.example/v1 does not conform: 1 passed, 3 failed, 4 skipped, 1 fault of the suite, 1 advised not followed (9 requests, 1 animals added, 1.2 s)
`);
});

test('what has passed is told if asked for', () => {
  expect(print()).not.toContain('list-pets/four');
  expect(print({ isVerbose: true })).toMatch(
    /^GET \/pets\n {2}passed {2}list-pets\/four +The sentence of .*\n\nFAILED /,
  );
});

test('on a terminal it is the same in colours, and nothing else of it is a control', () => {
  for (const name of ['FORCE_COLOR', 'NO_COLOR', 'NODE_DISABLE_COLORS', 'CI']) vi.stubEnv(name, undefined);
  vi.stubEnv('TERM', 'xterm-256color');
  const stream = Object.assign(Object.create(WriteStream.prototype), { isTTY: true }) as WriteStream;
  const hostile = { ...report, baseUrl: 'http://\x1b[2J\u202e\x9b31m' };
  const colored = print({ stream }, hostile);
  expect(colored).toContain('\x1b[31mFAILED\x1b[39m');
  expect(stripVTControlCharacters(colored)).toBe(print({}, hostile));
  expect(print({}, hostile)).toContain('http://\\u001b[2J\\u202e\\u009b31m does not conform');
  vi.stubEnv('NO_COLOR', '1');
  expect(print({ stream }, hostile)).toBe(print({}, hostile));
});

test('no reporter prints a command of a CI runner that a deployment has sent', () => {
  const sent = '::stop-commands::x\n##[error]x ##vso[x]';
  const spoil = (name: string, value: unknown) =>
    ['expected', 'actual', 'suspected', 'request', 'response', 'curl', 'script', 'reason'].includes(name)
      ? sent
      : value;
  const spoiled = JSON.parse(
    JSON.stringify({ ...report, options: { only: [] }, startedAt: '2026-11-21T09:30:00Z' }),
    spoil,
  );
  for (const [name, { print }] of Object.entries(reporters)) {
    const printed = print(spoiled, { isVerbose: true });
    expect(printed).toContain('stop-commands');
    expect(printed.replaceAll(/^::(?:error|warning|notice) title=/gm, ''), name).not.toMatch(
      /##\w*\[|^\s*::s/m,
    );
  }
  expect(JSON.parse(reporters.json?.print(spoiled, {}) ?? '')).toMatchObject(spoiled);
  expect(reporters.github?.print(spoiled, {})).toMatch(/^::error title=/);
});
