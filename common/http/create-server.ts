import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { ServerTls } from '../tls/trust.ts';
import { answerClientErrors, answerConnect } from './answer-client-error.ts';

/** Creates a server of HTTP, or of HTTPS if it has a certificate. It answers malformed requests itself. */
export function createServer(listener: RequestListener, tls?: ServerTls): Server {
  // Node would refuse a request without Host, or with an unknown expectation, with an empty body.
  const options = { requireHostHeader: false, optimizeEmptyRequests: true };
  const server =
    tls === undefined
      ? createHttpServer(options, listener)
      : createHttpsServer({ ...options, ...tls }, listener);
  return answerClientErrors(server.on('checkExpectation', listener).on('connect', answerConnect));
}
