import type { WriteStream } from 'node:tty';
import { LONGEST_WAIT, readRetryAfter } from './core/client.ts';
import type { SendRequest } from './core/send-request.ts';
import type { RunOptions } from './run.ts';

/** Says how far a run is. */
export interface Progress {
  readonly onResult: NonNullable<RunOptions['onResult']>;
  /** Looks for a 429, after which a run waits. */
  watch(send: SendRequest): SendRequest;
  /** Clears its line, until something is told again. */
  clear(): void;
  /** Clears its line for good. */
  end(): void;
}

/** How long a run may go on without a word where there is no terminal, and how often its line is drawn on one, in milliseconds. */
const [SILENCE, INTERVAL] = [10_000, 100];

/**
 * Creates what says how far a run is: on a terminal a line that changes, elsewhere a line now and then.
 *
 * @param total the number of its clauses.
 */
export function createProgress(stream: WriteStream, total: number): Progress {
  const startedAt = Date.now();
  let [count, requests, animals, told, waitsUntil] = [0, 0, 0, startedAt, 0];
  const printLine = () => {
    const now = Date.now();
    const wait = Math.ceil((waitsUntil - now) / 1000);
    const parts = [
      `${count} of ${total} clauses`,
      `${requests} requests`,
      `${animals} animals added`,
      `${Math.floor((now - startedAt) / 1000)} s`,
      ...(wait > 0 ? [`waits ${wait} s after a 429`] : []),
    ];
    return `… ${parts.join(', ')}`;
  };
  const clear = () => void (stream.isTTY && stream.write('\r\x1b[K'));
  // A line that is too long would not be cleared as a whole.
  const draw = () => stream.write(`\r\x1b[K${printLine().slice(0, (stream.columns || 80) - 1)}`);
  const timer = stream.isTTY ? setInterval(draw, INTERVAL).unref() : undefined;
  return {
    onResult: (_, traffic) => {
      count += 1;
      ({ requests, animalsAdded: animals } = traffic);
      if (stream.isTTY || Date.now() - told < SILENCE) return;
      told = Date.now();
      stream.write(`… ${count} clauses, ${requests} requests\n`);
    },
    watch: (send) => async (request, signal) => {
      const sent = await send(request, signal);
      const wait = sent.response?.status === 429 ? readRetryAfter(sent.response) : 0;
      // Nothing waits for longer.
      if (wait <= LONGEST_WAIT) waitsUntil = Math.max(waitsUntil, Date.now() + wait);
      return sent;
    },
    clear,
    end: () => {
      clearInterval(timer);
      clear();
    },
  };
}
