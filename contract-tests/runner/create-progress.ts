import type { WriteStream } from 'node:tty';
import { toOneLine } from '../../common/text/harmless-text.ts';
import type { Clause } from '../vocabulary/clause.ts';
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
 * a slow deployment may end no clause for seconds. Each failure is printed as soon as its clause has ended.
 */
export function createProgress(stream: Pick<WriteStream, 'isTTY' | 'columns' | 'write'>, total: number) {
  const startedAt = Date.now();
  const running = new Set<string>();
  let ended = 0;
  let countTraffic = (): Traffic => ({ requests: 0, animalsAdded: 0 });
  const printLine = () => {
    const seconds = Math.floor((Date.now() - startedAt) / 1000);
    const { requests, animalsAdded } = countTraffic();
    const parts = [
      `… ${seconds} s: ${ended} of ${total} clauses`,
      `${requests} requests`,
      ...printRunning([...running]),
      `${animalsAdded} animals added`,
    ];
    return parts.join(', ');
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
    onStart({ id }: Pick<Clause, 'id'>, count: () => Traffic): void {
      countTraffic = count;
      running.add(id);
    },
    /** @param result with its texts */
    onResult(result: Result): void {
      running.delete(result.clause.id);
      ended += 1;
      if (!isFailure(result)) return;
      stream.write(`${stream.isTTY ? CLEAR : ''}${printFailure(result)}\n`);
      if (stream.isTTY) draw();
    },
    clear(): void {
      clearInterval(timer);
      if (stream.isTTY) stream.write(CLEAR);
    },
  };
}

/** Names the clause that has run for the longest time, and counts the others. */
function printRunning([first, ...others]: readonly string[]): string[] {
  if (first === undefined) return [];
  return [`now ${first}${others.length === 0 ? '' : ` and ${others.length} more`}`];
}

function printFailure({ clause, expected, received }: Result): string {
  const line = toOneLine(`✗ ${clause.id}: expected ${expected}, received ${received}`);
  return line.length > LONGEST_FAILURE ? `${line.slice(0, LONGEST_FAILURE)}…` : line;
}
