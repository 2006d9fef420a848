import type { WriteStream } from 'node:tty';
import type { Traffic } from './report.ts';

/** The least time between two lines on a terminal, in ms. */
const ON_TERMINAL = 100;

/** The least time between two lines elsewhere, such as in the log of a CI system, in ms. */
const ELSEWHERE = 10_000;

/** Width of a terminal that does not say how wide it is, in columns. */
const USUAL_COLUMNS = 80;

/** Creates the progress of a run: a line that changes on a terminal, otherwise a line now and then. */
export function createProgress(stream: WriteStream, total: number) {
  const startedAt = Date.now();
  let count = 0;
  let printedAt = startedAt;
  return {
    onResult(_: unknown, { requests, animalsAdded }: Traffic): void {
      count += 1;
      const now = Date.now();
      if (now - printedAt < (stream.isTTY ? ON_TERMINAL : ELSEWHERE)) return;
      printedAt = now;
      const seconds = Math.floor((now - startedAt) / 1000);
      const line = `… ${count} of ${total} clauses, ${requests} requests, ${animalsAdded} animals added, ${seconds} s`;
      // A line that is too long would not be cleared as a whole.
      stream.write(
        stream.isTTY ? `\r\x1b[K${line.slice(0, (stream.columns || USUAL_COLUMNS) - 1)}` : `${line}\n`,
      );
    },
    clear: () => void (stream.isTTY && stream.write('\r\x1b[K')),
  };
}
