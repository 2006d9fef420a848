import type { WriteStream } from 'node:tty';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createProgress } from './create-progress.ts';
import type { Result } from './report.ts';

/** Lets a clause end each second. @returns what was written to the stream. */
function writeProgress(isTTY: boolean, seconds: number): string[] {
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
  return written;
}

test('on a terminal one line shows the progress of a run, and is removed at its end', () => {
  const line = (start: string) => `\r\x1b[K${start}`;
  expect(writeProgress(true, 2)).toEqual([
    line('… 1 of 64 clauses, 10 requests, 3 anima'),
    line('… 2 of 64 clauses, 20 requests, 3 anima'),
    '\r\x1b[K',
  ]);
});

test('elsewhere a line appears every 10 seconds', () => {
  expect(writeProgress(false, 21)).toEqual([
    '… 10 of 64 clauses, 100 requests, 3 animals added, 10 s\n',
    '… 20 of 64 clauses, 200 requests, 3 animals added, 20 s\n',
  ]);
});
