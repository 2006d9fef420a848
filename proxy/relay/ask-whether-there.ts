import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a client that sends no more is waited for before it is asked, in milliseconds. */
export const PATIENCE = 500;

/** The first question makes a client that has gone say so, the second notices. */
const QUESTIONS = 2;

/**
 * Finds out whether a client that sends no more still waits for its answers or has gone, which looks the same until
 * something is sent to it: twice a `100 Continue`, which every client of HTTP/1.1 has to pass over. To one that has
 * gone the connection is closed by that. A client of HTTP/1.0 is taken to be waiting.
 * Source: RFC 9110 section 15.2.1
 *
 * @param open the responses that it waits for.
 */
export function askWhetherThere(socket: Socket, open: ReadonlySet<ServerResponse>): void {
  let questions = 0;
  const timer = setInterval(() => {
    // Between two responses, and before the first byte of one, is the only place for it.
    const next = [...open].find(({ socket }) => socket !== null);
    if (next?.headersSent === false && next.req.httpVersion === '1.1') next.writeContinue();
    questions += 1;
    if (questions === QUESTIONS) clearInterval(timer);
  }, PATIENCE);
  socket.once('close', () => clearInterval(timer));
}
