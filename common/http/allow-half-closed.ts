import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clearTimeout, setTimeout } from '../real-time.ts';

/**
 * Times of the questions after the end of a client's requests, in milliseconds. The first question makes a client that has gone reset
 * the connection, and the next one fails because of that. Two come soon, so that a mock hears of an aborted request while its fault
 * still waits for that, and two late, for a client that is far away.
 */
const QUESTIONS = [10, 20, 500, 1_000];

/**
 * Lets a client that closes its writing half wait for its responses. It may have gone as well. Only a write shows which, so the client
 * gets a `100 Continue`, which every client of HTTP/1.1 accepts. Node then closes the connection of a client that has gone. Source:
 * RFC 9110 section 15.2.1
 */
export function allowHalfClosed(server: Server): Server {
  const openResponses = new WeakMap<Socket, Set<ServerResponse>>();
  const watch: RequestListener = ({ socket }, response) => {
    const open = openResponses.get(socket) ?? new Set();
    if (!openResponses.has(socket)) {
      openResponses.set(socket, open);
      socket.once('end', () => ask(socket, open));
    }
    open.add(response);
    response.once('close', () => open.delete(response));
  };
  Object.assign(server, { httpAllowHalfOpen: true });
  return server.on('request', watch).on('checkExpectation', watch);
}

function ask(socket: Socket, open: ReadonlySet<ServerResponse>): void {
  const timers = QUESTIONS.map((time) =>
    setTimeout(() => {
      // Responses to later requests have no socket until it is their turn.
      const next = open.values().find((response) => response.socket !== null);
      if (next !== undefined && !next.headersSent && next.req.httpVersion === '1.1') next.writeContinue();
    }, time),
  );
  socket.once('close', () => timers.forEach(clearTimeout));
}
