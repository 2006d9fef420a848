import type { WriteStream } from 'node:tty';
import { toOneLine } from '../../common/text/harmless-text.ts';
import { isFailure, type Result, type Traffic } from './report.ts';

/** The time between two lines on a terminal, in ms. */
const ON_TERMINAL = 200;

/** The time between two lines elsewhere, such as in the log of a CI system, in ms. */
const ELSEWHERE = 10_000;

/** Width of a terminal that does not say how wide it is, in columns. */
const USUAL_COLUMNS = 80;

/** The longest line about a failure, in characters. The report has all of it. */
const LONGEST_FAILURE = 200;

/** Clears a line of a terminal, and goes to its start. */
const CLEAR = '\r\x1b[K';

/**
 * Creates the progress of a run: a line that changes on a terminal, otherwise a line now and then. A timer prints it, because
 * a slow deployment may answer nothing for seconds. The failures come at the end, because the run judges when it has sent everything.
 */
export function createProgress(stream: Pick<WriteStream, 'isTTY' | 'columns' | 'write'>) {
  const startedAt = Date.now();
  let table = 'starting';
  let countTraffic = (): Traffic => ({ requests: 0, animalsAdded: 0 });
  const printLine = () => {
    const seconds = Math.floor((Date.now() - startedAt) / 1000);
    const { requests, animalsAdded } = countTraffic();
    return `… ${seconds} s: ${table}, ${requests} requests, ${animalsAdded} animals added`;
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
    onTable(name: string, count: () => Traffic): void {
      countTraffic = count;
      table = name;
    },
    /** @param result with its texts */
    onResult(result: Result): void {
      if (!isFailure(result)) return;
      stream.write(`${stream.isTTY ? CLEAR : ''}${printFailure(result)}\n`);
    },
    clear(): void {
      clearInterval(timer);
      if (stream.isTTY) stream.write(CLEAR);
    },
  };
}

function printFailure({ clause, expected, received }: Result): string {
  const line = toOneLine(`✗ ${clause.id}: expected ${expected}, received ${received}`);
  return line.length > LONGEST_FAILURE ? `${line.slice(0, LONGEST_FAILURE)}…` : line;
}
