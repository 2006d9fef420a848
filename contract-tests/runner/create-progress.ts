import type { WriteStream } from 'node:tty';
import type { Traffic } from './report.ts';

/** The minimum time between two lines on a terminal, and elsewhere, in ms. */
const [ON_TERMINAL, ELSEWHERE] = [100, 10_000];

/** Creates the progress of a run: a line that changes on a terminal, otherwise a line now and then. */
export function createProgress(stream: WriteStream, total: number) {
  const startedAt = Date.now();
  let [count, printedAt] = [0, startedAt];
  return {
    onResult(_: unknown, { requests, animalsAdded }: Traffic): void {
      count += 1;
      const now = Date.now();
      if (now - printedAt < (stream.isTTY ? ON_TERMINAL : ELSEWHERE)) return;
      printedAt = now;
      const seconds = Math.floor((now - startedAt) / 1000);
      const line = `… ${count} of ${total} clauses, ${requests} requests, ${animalsAdded} animals added, ${seconds} s`;
      // A line that is too long would not be cleared as a whole.
      stream.write(stream.isTTY ? `\r\x1b[K${line.slice(0, (stream.columns || 80) - 1)}` : `${line}\n`);
    },
    clear: () => void (stream.isTTY && stream.write('\r\x1b[K')),
  };
}
