import type { RequestListener, Server } from 'node:http';
import type { ServerTls } from '../tls/trust.ts';
import { answerClientErrors, answerConnect } from './answer-client-error.ts';

/** Creates a server of HTTP, or of HTTPS if it has a certificate. It answers malformed requests itself. */
export function createServer(listener: RequestListener, tls?: ServerTls): Server {
  // Node would refuse a request without Host, or with an unknown expectation, with an empty body.
  const options = { requireHostHeader: false, optimizeEmptyRequests: true };
  // An import would load all that node:http exports, with a WebSocket client: an eighth of the time of a start.
  const server =
    tls === undefined
      ? process.getBuiltinModule('node:http').createServer(options, listener)
      : process.getBuiltinModule('node:https').createServer({ ...options, ...tls }, listener);
  return answerClientErrors(server.on('checkExpectation', listener).on('connect', answerConnect));
}
