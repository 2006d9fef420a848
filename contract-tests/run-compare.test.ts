import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCommand } from '../tools/testing/call-command.ts';
import { createFolder } from '../tools/testing/create-folder.ts';
import type { Failure } from './failures/failure.ts';
import { runVerify } from './run-verify.ts';
import type { Report, Result } from './runner/report.ts';
import { reportUnstarted } from './runner/report-untried.ts';

const shown = { operation: 'GET /pets', status: 200 } as const;
const count = (received: number): Failure => ({
  ...shown,
  kind: 'count',
  compared: 'at most',
  expected: 5,
  received,
  isAtLeast: false,
});
const byteOrderMark: Failure = { ...shown, kind: 'byte order mark' };

const result = (id: string, verdict: Result['verdict'], others: Partial<Result> = {}): Result => ({
  clause: {
    id,
    heading: 'GET /pets',
    sentence: `The sentence of ${id}.`,
    level: id.startsWith('recommended/') ? 'recommended' : 'required',
  },
  compared: { responses: 1, lists: 1, animals: 1 },
  verdict,
  ...others,
});
const fail = (id: string, ...failures: Failure[]) => result(id, 'failed', { failures });
const miss = (id: string) => result(id, 'not tested', { reason: 'no list has an animal' });

const { reason: _, ...unstarted } = reportUnstarted('');

const report = (startedAt: string, ...outcomes: Result[]): Report => ({
  ...unstarted,
  verdict: 'conforms',
  baseUrl: 'https://staging.example/v1',
  startedAt,
  outcomes,
});

const run = (files: string[], environment = {}) =>
  callCommand('animal-store-verify', runVerify, ['compare', ...files], environment);

/** Compares the reports of two days. */
function compare(yesterday: readonly Result[], today: readonly Result[], environment = {}) {
  const files = {
    'yesterday.json': JSON.stringify(report('2026-11-28T03:00:00Z', ...yesterday)),
    'today.json': JSON.stringify(report('2026-11-29T03:00:00Z', ...today)),
  };
  const folder = createFolder(files);
  return run(
    Object.keys(files).map((name) => join(folder, name)),
    environment,
  );
}

test('compare prints what is new, fixed and no longer tested', async () => {
  const { exitCode, stdout } = await compare(
    [
      fail('a/same', count(6)),
      fail('a/other-way', count(6)),
      fail('a/one-more', count(6)),
      fail('a/fixed', count(6)),
      result('a/lost', 'passed'),
      result('a/left', 'passed'),
      result('a/new', 'passed'),
    ],
    [
      fail('a/same', count(7)),
      fail('a/other-way', byteOrderMark),
      fail('a/one-more', byteOrderMark, count(6)),
      result('a/fixed', 'passed'),
      miss('a/lost'),
      fail('a/new', count(6)),
    ],
  );
  expect(
    stdout,
  ).toBe(`https://staging.example/v1, from 2026-11-28T03:00:00Z to 2026-11-29T03:00:00Z: 3 new failures, 1 fixed, 2 no longer tested.

New failures
  a/other-way: expected application/json, received a byte order mark before the JSON
  a/one-more: expected application/json, received a byte order mark before the JSON
  a/new: expected at most 5 animals, received 6

Fixed
  a/fixed: The sentence of a/fixed.

No longer tested
  a/lost: no list has an animal
  a/left: left out by --only
`);
  expect(exitCode).toBe(1);
});

test('how often is said of the first failure of a clause, and not of a second one that is new', async () => {
  const today = result('list-pets/one', 'failed', {
    failures: [count(6), byteOrderMark],
    times: { wrong: 2, of: 11 },
  });
  const [ofBoth, ofSecond] = [
    await compare([], [today]),
    await compare([fail('list-pets/one', count(6))], [today]),
  ];
  expect(ofBoth.stdout).toContain('6, in 2 of 11 responses');
  expect(ofSecond.stdout).toContain('byte order mark');
  expect(ofSecond.stdout).not.toContain('2 of 11');
});

test('a recommendation is no failure, and is new only if it was met before', async () => {
  const { stdout } = await compare(
    [fail('recommended/same', count(6)), result('recommended/new', 'passed')],
    [fail('recommended/same', count(6), byteOrderMark), fail('recommended/new', count(6))],
  );
  const [first, ...lines] = stdout.trim().split('\n');
  expect(first).toMatch(/: 0 new failures, 0 fixed, 0 no longer tested\.$/);
  expect(lines).toEqual([
    ...['', 'Recommendations no longer met'],
    '  recommended/new: expected at most 5 animals, received 6',
  ]);
});

test('compare says once why the second run has no verdict', async () => {
  const first = report('2026-11-28T03:00:00Z', result('a/one', 'passed'), result('a/other', 'passed'));
  const second = { ...report('2026-11-29T03:00:00Z'), verdict: 'no verdict', reason: 'it cannot be reached' };
  const folder = createFolder({ 'first.json': JSON.stringify(first), 'second.json': JSON.stringify(second) });
  const { exitCode, stdout } = await run(['first.json', 'second.json'].map((name) => join(folder, name)));
  const lines = stdout.trim().split('\n');
  expect([exitCode, ...lines.slice(1)]).toEqual([1, 'The second run has no verdict: it cannot be reached']);
});

test('compare refuses reports of one deployment in the wrong order, after which nothing would be new', async () => {
  const [later, earlier] = ['2026-11-29', '2026-11-28'].map((day) =>
    JSON.stringify(report(`${day}T03:00:00Z`)),
  );
  const folder = createFolder({ 'later.json': `${later}`, 'earlier.json': `${earlier}` });
  const names = ['later.json', 'earlier.json'].map((name) => join(folder, name));
  const { exitCode, stdout, stderr } = await run(names);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain(
    `${names[0]} is of a later run than ${names[1]}: 2026-11-29T03:00:00Z, and 2026-11-28T03:00:00Z. Give the report of the earlier run first.`,
  );
});

test('an agent gets each change as a line of JSON', async () => {
  const { stdout } = await compare([result('a/lost', 'passed')], [miss('a/lost')], { AI_AGENT: 'one' });
  const [, ...lines] = stdout.trim().split('\n');
  const lost = {
    kind: 'no longer tested',
    clause: 'a/lost',
    level: 'required',
    text: 'no list has an animal',
  };
  expect(lines.map((line) => JSON.parse(line))).toEqual([lost]);
});

/** The result of the lists of a run that have shown so many animals. */
const show = (animals: number) =>
  result('list-pets/success', 'passed', { compared: { responses: 20, lists: 20, animals } });

test.for([
  [278, 278, '', 0],
  [278, 270, 'The lists show 270 animals, before 278.\n', 0],
  [278, 25, 'The lists show 25 animals, before 278. Most animals are gone, or the key shows others.\n', 1],
] as const)(
  'after lists of %s animals, lists of %s are a line, and a lost half fails',
  async ([before, now, line, code]) => {
    const { stdout, exitCode } = await compare([show(before)], [show(now)]);
    expect(stdout.replace(/^.*\n/, '')).toBe(line);
    expect(exitCode).toBe(code);
  },
);

test('how many animals two deployments have is not compared', async () => {
  const first = report('2026-11-28T03:00:00Z', show(278));
  const second = { ...report('2026-11-28T04:00:00Z', show(25)), baseUrl: 'https://production.example/v1' };
  const folder = createFolder({ 'first.json': JSON.stringify(first), 'second.json': JSON.stringify(second) });
  const { exitCode, stdout } = await run(['first.json', 'second.json'].map((name) => join(folder, name)));
  expect([exitCode, stdout]).toEqual([0, expect.not.stringContaining('animals')]);
});

const known = { reason: 'Seen by Ann', isExpired: false };

test.for<[what: string, yesterday: Result[], today: Result[], exitCode: number]>([
  ['a failure that stays', [fail('a/one', count(6))], [fail('a/one', count(6))], 0],
  ['a known failure', [result('a/one', 'passed')], [{ ...fail('a/one', count(6)), known }], 0],
  ['a recommendation', [result('recommended/one', 'passed')], [fail('recommended/one', count(6))], 0],
  ['a lost recommendation', [result('recommended/one', 'passed')], [miss('recommended/one')], 0],
  ['a failure of what was not tested before', [miss('a/one')], [fail('a/one', count(6))], 1],
  ['a clause that is no longer tested', [result('a/one', 'passed')], [miss('a/one')], 1],
  ['a failed clause that is no longer tested', [fail('a/one', count(6))], [miss('a/one')], 1],
])('after %s compare exits with the code that a job needs', async ([, yesterday, today, exitCode]) => {
  expect((await compare(yesterday, today)).exitCode).toBe(exitCode);
});

test.for([
  ['{"log":{"entries":[]}}', 'a HAR file'],
  ['{"violations":[],"passed":true}', 'a report of the proxy'],
  ['{"version":1,"behaviour":{}}', 'a learned behaviour'],
  ['<?xml version="1.0"?>', 'XML or HTML'],
  ['nothing', 'no JSON'],
  ['{}', 'another file'],
  ['{"version":2,"outcomes":[]}', 'of version 2 of the format'],
] as const)('compare says that %s is %s', async ([text, kind]) => {
  const file = join(createFolder({ 'a.json': text }), 'a.json');
  const { exitCode, stderr } = await run([file, file]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    `a.json is ${kind}, and no JSON report of the suite. A run writes one with --reporter json=<file>.`,
  );
});
