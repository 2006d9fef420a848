import type { WriteStream } from 'node:tty';
import type { Progress } from './report.ts';

/** The time between two lines on a terminal, in ms. */
const ON_TERMINAL = 200;

/** The time between two lines elsewhere, such as in the log of a CI system, in ms. */
const ELSEWHERE = 10_000;

/** The progress of a run that shows none. */
export const noProgress: ReturnType<typeof createProgress> = { onTable() {}, clear() {} };

/** A shorter wait looks like no run that hangs, in ms. */
const SHORTEST_WAIT = 3_000;

/** Width of a terminal that does not say how wide it is, in columns. */
const USUAL_COLUMNS = 80;

/** Clears a line of a terminal, and goes to its start. */
const CLEAR = '\r\x1b[K';

/**
 * Creates the progress of a run: a line that changes on a terminal, otherwise a line now and then. A timer prints it, because
 * a slow deployment may answer nothing for seconds. It shows no failures, because the run judges when it has sent everything, and the
 * report follows at once.
 */
export function createProgress(stream: Pick<WriteStream, 'isTTY' | 'columns' | 'write'>) {
  const startedAt = Date.now();
  let table = 'starting';
  let readProgress = (): Progress => ({ requests: 0, animalsAdded: 0, waitsFor: 0 });
  const printLine = () => {
    const seconds = Math.floor((Date.now() - startedAt) / 1000);
    const { requests, animalsAdded, waitsFor } = readProgress();
    const waits = waitsFor < SHORTEST_WAIT ? '' : `, next request in ${Math.ceil(waitsFor / 1_000)} s`;
    return `… ${seconds} s: ${table}, ${requests} requests, ${animalsAdded} animals added${waits}`;
  };
  const draw = () => {
    const line = printLine();
    // A line that is too long would not be cleared as a whole.
    stream.write(
      stream.isTTY ? `${CLEAR}${line.slice(0, (stream.columns || USUAL_COLUMNS) - 1)}` : `${line}\n`,
    );
  };
  const timer = setInterval(draw, stream.isTTY ? ON_TERMINAL : ELSEWHERE);
  return {
    /** Shows which table of requests the run sends now. */
    onTable(name: string, read: () => Progress): void {
      readProgress = read;
      table = name;
    },
    clear(): void {
      clearInterval(timer);
      if (stream.isTTY) stream.write(CLEAR);
    },
  };
}
