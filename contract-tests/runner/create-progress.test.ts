import type { WriteStream } from 'node:tty';
import { expect, onTestFinished, test, vi } from 'vitest';
import { describeResult } from '../reporters/describe-report.ts';
import { createTarget } from '../testing/run-suite.ts';
import { createProgress } from './create-progress.ts';
import type { Result, Traffic } from './report.ts';
import { runSuite } from './run.ts';

/** Starts the progress of 64 clauses with a clock that stands still. */
function start(isTTY: boolean, columns = 0) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const written: string[] = [];
  const write = (text: string) => written.push(text) > 0;
  const stream = { isTTY, columns, write } as unknown as WriteStream;
  return { written, ...createProgress(stream, 64) };
}

function resultOf(id: string, more: Partial<Result> = {}): Result {
  const clause = { id, heading: 'GET /pets', sentence: '', level: 'required' } as Result['clause'];
  return { clause, verdict: 'passed', ...more } as Result;
}

test('a terminal shows requests and the clause that runs each second, although no clause ends', () => {
  const { written, onStart, clear } = start(true, 120);
  let requests = 0;
  onStart({ id: 'list-pets/limit' }, () => ({ requests, animalsAdded: 3 }));
  onStart({ id: 'list-pets/status' }, () => ({ requests, animalsAdded: 3 }));
  const afterEachSecond: (string | undefined)[] = [];
  for (; requests < 30; requests += 10) {
    vi.advanceTimersByTime(1_000);
    afterEachSecond.push(written.at(-1));
  }
  const line = (seconds: number, count: number) =>
    `\r\x1b[K… ${seconds} s: 0 of 64 clauses, ${count} requests, now list-pets/limit and 1 more, 3 animals added`;
  expect(afterEachSecond).toEqual([line(1, 0), line(2, 10), line(3, 20)]);
  clear();
  expect(written.at(-1)).toBe('\r\x1b[K');
  const { length } = written;
  vi.advanceTimersByTime(60_000);
  expect(written).toHaveLength(length);
});

test('the log of a CI system has a line each ten seconds', () => {
  const { written, onStart, onResult, clear } = start(false);
  const countTraffic = () => ({ requests: 12, animalsAdded: 0 });
  onStart({ id: 'list-pets/limit' }, countTraffic);
  vi.advanceTimersByTime(10_000);
  onResult(resultOf('list-pets/limit'));
  vi.advanceTimersByTime(10_999);
  clear();
  expect(written).toEqual([
    '… 10 s: 0 of 64 clauses, 12 requests, now list-pets/limit, 0 animals added\n',
    '… 20 s: 1 of 64 clauses, 12 requests, 0 animals added\n',
  ]);
});

test('a failure is printed when it happens, on one line, and no recommendation', () => {
  const { written, onStart, onResult } = start(false);
  onStart({ id: 'list-pets/limit' }, () => ({ requests: 12, animalsAdded: 0 }));
  const failed = { verdict: 'failed', expected: '200', received: `500: "a\nb${'x'.repeat(300)}"` } as const;
  onResult(resultOf('list-pets/limit', failed));
  onResult(resultOf('list-pets/status', { ...failed, clause: { level: 'recommended' } as Result['clause'] }));
  onResult(resultOf('list-pets/success', { ...failed, received: '404' }));
  const [long = '', ...others] = written;
  expect(long).toMatch(/^✗ list-pets\/limit: expected 200, received 500: "a bx+…\n$/);
  expect(long).toHaveLength(202);
  expect(others).toEqual(['✗ list-pets/success: expected 200, received 404\n']);
});

test('a failure on a terminal stands above the line of progress', () => {
  const { written, onStart, onResult } = start(true, 38);
  onStart({ id: 'list-pets/limit' }, () => ({ requests: 12, animalsAdded: 0 }));
  onResult(resultOf('list-pets/limit', { verdict: 'failed', expected: '200', received: '404' }));
  expect(written).toEqual([
    '\r\x1b[K✗ list-pets/limit: expected 200, received 404\n',
    // A line that is as wide as the terminal could not be cleared.
    '\r\x1b[K… 0 s: 1 of 64 clauses, 12 requests, ',
  ]);
});

test('a run names a clause before its first response, with the requests so far, and then its result', async () => {
  const told: unknown[] = [];
  let count = (): Traffic => ({ requests: -1, animalsAdded: -1 });
  await runSuite(createTarget({ allowsWrites: false }), {
    only: ['list-pets/missing-key'],
    onStart: ({ id }, countTraffic) => {
      told.push(id);
      count = countTraffic;
    },
    onResult: (result) => told.push(describeResult(result).received),
    sendRequest: async () => {
      told.push(count().requests);
      return {
        response: { status: 404, headers: {}, rawHeaders: [], body: Buffer.from('') } as never,
        failure: undefined,
      };
    },
  });
  expect(told.slice(0, 2)).toEqual(['list-pets/missing-key', 1]);
  expect(told.at(-1)).toMatch(/^404/);
});
