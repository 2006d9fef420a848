import type { RequestListener, Server } from 'node:http';
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
  Object.assign(server, { httpAllowHalfOpen: true });
  const watch: RequestListener = ({ socket, httpVersion }, response) => {
    const ask = () => {
      // The response to a later request has no socket until it is its turn.
      if (response.socket !== null && !response.headersSent && httpVersion === '1.1')
        response.writeContinue();
    };
    let timers: NodeJS.Timeout[] = [];
    const onEnd = () => {
      timers = QUESTIONS.map((time) => setTimeout(ask, time));
    };
    // A client may send many requests at once.
    socket.setMaxListeners(0).once('end', onEnd);
    response.once('close', () => {
      socket.off('end', onEnd);
      timers.forEach(clearTimeout);
    });
  };
  return server.on('request', watch).on('checkExpectation', watch);
}
