import type { WriteStream } from 'node:tty';
import { expect, onTestFinished, test, vi } from 'vitest';
import { describeResult } from '../reporters/describe-report.ts';
import { createTarget } from '../testing/run-suite.ts';
import { createProgress } from './create-progress.ts';
import type { Traffic } from './report.ts';
import { runSuite } from './run.ts';

/** Starts the progress of a run with a clock that stands still. */
function start(isTTY: boolean, columns = 0) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const written: string[] = [];
  const write = (text: string) => written.push(text) > 0;
  const stream = { isTTY, columns, write } as unknown as WriteStream;
  return { written, ...createProgress(stream) };
}

test('a terminal shows each second what the run sends and how much it has sent', () => {
  const { written, onTable, clear } = start(true, 120);
  let requests = 0;
  const afterEachSecond: (string | undefined)[] = [];
  for (const table of ['lists', 'unusual animals', 'unusual animals']) {
    onTable(table, () => ({ requests, animalsAdded: 31, waitsFor: 0 }));
    vi.advanceTimersByTime(1_000);
    afterEachSecond.push(written.at(-1));
    requests += 205;
  }
  expect(afterEachSecond).toEqual([
    '\r\x1b[K… 1 s: lists, 0 requests, 31 animals added',
    '\r\x1b[K… 2 s: unusual animals, 205 requests, 31 animals added',
    '\r\x1b[K… 3 s: unusual animals, 410 requests, 31 animals added',
  ]);
  clear();
  expect(written.at(-1)).toBe('\r\x1b[K');
  const { length } = written;
  vi.advanceTimersByTime(60_000);
  expect(written).toHaveLength(length);
});

test('the log of a CI system has a line each ten seconds', () => {
  const { written, onTable, clear } = start(false);
  const countTraffic = () => ({ requests: 12, animalsAdded: 0, waitsFor: 0 });
  onTable('lists', countTraffic);
  vi.advanceTimersByTime(10_000);
  onTable('keys', () => ({ ...countTraffic(), waitsFor: 29_100 }));
  vi.advanceTimersByTime(10_999);
  clear();
  expect(written).toEqual([
    '… 10 s: lists, 12 requests, 0 animals added\n',
    '… 20 s: keys, 12 requests, 0 animals added, next request in 30 s\n',
  ]);
});

test('a line of progress is no wider than the terminal', () => {
  const { written, onTable } = start(true, 38);
  onTable('unusual animals', () => ({ requests: 12, animalsAdded: 0, waitsFor: 0 }));
  vi.advanceTimersByTime(200);
  // A line that is as wide as the terminal could not be cleared.
  expect(written).toEqual(['\r\x1b[K… 0 s: unusual animals, 12 requests, ']);
});

test('a run names its tables before their requests, with the traffic so far, and then its results', async () => {
  const told: unknown[] = [];
  let count = (): Traffic => ({ requests: -1, animalsAdded: -1 });
  await runSuite(createTarget({ allowsWrites: false, settle: 0 }), {
    only: ['list-pets/missing-key'],
    onTable: (name, countTraffic) => {
      told.push(name);
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
  expect(told.slice(0, 3)).toEqual(['lists', 1, expect.any(Number)]);
  expect(told).toContain('keys');
  expect(told.at(-1)).toMatch(/^404/);
});
