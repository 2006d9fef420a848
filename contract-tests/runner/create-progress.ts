import type { WriteStream } from 'node:tty';
import { LONGEST_WAIT, readRetryAfter } from '../client/client.ts';
import type { SendRequest } from '../client/send-request.ts';
import type { Traffic } from './report.ts';

/** The interval of a line without a terminal, and on a terminal, in ms. */
const [SILENCE, INTERVAL] = [10_000, 100];

/** Creates the progress of a run: a line that changes on a terminal, otherwise a line now and then. */
export function createProgress(stream: WriteStream, total: number) {
  const startedAt = Date.now();
  let [count, requests, animals, printedAt, waitsUntil] = [0, 0, 0, startedAt, 0];
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
    onResult: (_: unknown, traffic: Traffic) => {
      count += 1;
      ({ requests, animalsAdded: animals } = traffic);
      if (stream.isTTY || Date.now() - printedAt < SILENCE) return;
      printedAt = Date.now();
      stream.write(`… ${count} clauses, ${requests} requests\n`);
    },
    /** Watches for a 429, after which a run waits. */
    watch:
      (send: SendRequest): SendRequest =>
      async (request, signal) => {
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
