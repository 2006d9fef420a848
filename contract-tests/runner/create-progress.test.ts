import type { WriteStream } from 'node:tty';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createProgress } from './create-progress.ts';
import type { Result } from './report.ts';

/** A terminal, or what is none, that keeps what it is given. */
function createStream(isTTY: boolean) {
  const written: string[] = [];
  const write = (text: string) => written.push(text) > 0;
  return { stream: { isTTY, columns: 80, write } as unknown as WriteStream, written };
}

const result = {} as Result;

test('on a terminal a line says how far a run is and what waits for a 429, and goes at the end', async () => {
  const { stream, written } = createStream(true);
  const { onResult, watch, end } = createProgress(stream, 64);
  onTestFinished(end);
  const headers = { 'retry-after': '30' };
  const send = watch(async () => ({
    response: { status: 429, headers, body: Buffer.alloc(0) },
    failure: undefined,
  }));
  await send({ method: 'GET', base: '', path: '/pets', headers: {}, body: undefined });
  onResult(result, { requests: 12, animalsAdded: 3 });
  const line = /^… 1 of 64 clauses, 12 requests, 3 animals added, \d+ s, waits \d+ s after a 429$/;
  await vi.waitFor(() => expect(written.at(-1)?.replace('\r\x1b[K', '')).toMatch(line));
  end();
  expect(written.at(-1)).toBe('\r\x1b[K');
});

test('elsewhere a line comes every 10 seconds', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { stream, written } = createStream(false);
  const { onResult, end } = createProgress(stream, 64);
  for (let second = 1; second <= 21; second += 1) {
    vi.advanceTimersByTime(1000);
    onResult(result, { requests: 10 * second, animalsAdded: 0 });
  }
  end();
  expect(written).toEqual(['… 10 clauses, 100 requests\n', '… 20 clauses, 200 requests\n']);
});
