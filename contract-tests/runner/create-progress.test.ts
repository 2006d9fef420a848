import type { WriteStream } from 'node:tty';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createProgress } from './create-progress.ts';
import type { Result } from './report.ts';

const onTerminal = ['1 of 64 clauses, 10 requests', '2 of 64 clauses, 20 requests'];
const inLines = ['10 of 64 clauses, 100 requests', '20 of 64 clauses, 200 requests'];

test.for([
  [true, 2, [...onTerminal.map((start) => `\r\x1b[K… ${start}, 3 anima`), '\r\x1b[K']],
  [false, 21, inLines.map((start, index) => `… ${start}, 3 animals added, ${index + 1}0 s\n`)],
] as const)('on a terminal (%s) the progress of %i seconds is %j', ([isTTY, seconds, expected]) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const written: string[] = [];
  const write = (text: string) => written.push(text) > 0;
  const { onResult, clear } = createProgress({ isTTY, columns: 40, write } as unknown as WriteStream, 64);
  for (let second = 1; second <= seconds; second += 1) {
    vi.advanceTimersByTime(1000);
    onResult({} as Result, { requests: 10 * second, animalsAdded: 3 });
  }
  clear();
  expect(written).toEqual(expected);
});
