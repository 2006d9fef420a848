import { WriteStream } from 'node:tty';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import { conclude, type Report, type Result } from '../runner/report.ts';
import type { PrintOptions } from './parts.ts';
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
  createResult('list-pets/five', { verdict: 'not tested', reason: 'it adds animals', cause: 'read-only' }),
  createResult('list-pets/six', { verdict: 'not tested', reason: 'it adds animals', cause: 'read-only' }),
  createResult('list-pets/seven', { verdict: 'not tested', reason: 'it was late', cause: 'deadline' }),
  createResult('list-pets/eight', { verdict: 'not applicable', reason: 'too few animals' }),
  createResult('list-pets/nine', { verdict: 'error', reason: 'Error: x\n    at y' }),
];

/** A report of outcomes, with its verdict. */
const createReport = (outcomes: readonly Result[], leftOut: readonly string[] = []) =>
  ({
    ...conclude({ outcomes, leftOut }),
    baseUrl: 'http://store.example/v1',
    ...{ requests: 9, animalsAdded: 1, ms: 1234, leftOut, outcomes },
  }) as unknown as Report;

const report = createReport(outcomes);

const print = (options: PrintOptions = {}, told = report) => reporters.terminal?.print(told, options) ?? '';

test('findings come first, then the clauses without a result, then the verdict and the counts', () => {
  expect(print()).toBe(`FAILED  The sentence of list-pets/one.
  list-pets/one  GET /pets
  expected  at most 5 animals
  received  6
  probably  one too many
  POST /pets → 201, 12.3 ms before
  GET /pets?limit=5 → 200
  first
  second
  also: 2 clauses with the same evidence
    list-pets/two: expected at most 5 animals, received 6
    list-pets/three: expected at most 5 animals, received 6

NOT MET  The sentence of list-pets/advice.
  list-pets/advice  GET /pets
  expected  at most 5 animals
  received  6

FAULT OF THE SUITE  The sentence of list-pets/nine.
  list-pets/nine
  Error: x
      at y

Not tested
  it adds animals
    2 clauses: list-pets/five, list-pets/six
  it was late
    1 clause: list-pets/seven

Not applicable
  too few animals
    1 clause: list-pets/eight

http://store.example/v1 does not conform: 1 finding, 4 of 8 required clauses tested (read-only, deadline)
1 passed, 3 failed, 3 not tested, 1 not applicable, 1 fault of the suite; recommended: 0 met, 1 not met (9 requests, 1 animal added, 1.2 s)
`);
});

const createThree = (changed: Partial<Result>) =>
  ['one', 'two', 'three'].map((name) => createResult(`list-pets/${name}`, name === 'one' ? changed : {}));

test.for<[Partial<Result>, readonly string[], string]>([
  [{}, [], 'conforms: 3 of 3 required clauses tested'],
  [{}, ['list-pets/x'], 'conforms in part: 3 of 4 required clauses tested (--only)'],
  [
    { verdict: 'not tested', cause: 'full store' },
    [],
    'conforms in part: 2 of 3 required clauses tested (full store)',
  ],
  [{ verdict: 'not applicable' }, [], 'conforms: 2 of 2 required clauses tested'],
  [{ verdict: 'error' }, [], 'no verdict: 2 of 3 required clauses tested'],
])('with a clause that is %o, and %j left out, the verdict says so', ([changed, leftOut, expected]) => {
  const printed = print({}, createReport(createThree(changed), leftOut));
  expect(printed).toContain(`http://store.example/v1 ${expected}\n`);
});

test('--verbose prints the passed clauses too', () => {
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
  expect(print({}, hostile)).toContain('http://\\u001b[2J\\u202e\\u009b31m does not conform: ');
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
