import {
  createServer as createHttpServer,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http';
import { loadHttps } from '../tls/load-secure.ts';
import type { ServerTls } from '../tls/trust.ts';
import { allowHalfClosed } from './allow-half-closed.ts';
import { answerConnect, answerRequests, type OnMalformed } from './answer-requests.ts';

/** Classes of requests and responses, and what hears of malformed requests. */
interface Options extends Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  readonly onMalformed?: OnMalformed;
}

/**
 * Creates a server of HTTP, or of HTTPS if it has a certificate. It answers malformed requests itself, and a client of HTTP that
 * sends no more may wait for its response.
 * @param classes @default Node's own
 */
export function createServer(
  listener: RequestListener,
  tls?: ServerTls,
  { onMalformed, ...classes }: Options = {},
): Server {
  // Node would refuse a request without Host, or with an unknown expectation, with an empty body.
  const options = { requireHostHeader: false, optimizeEmptyRequests: true, ...classes };
  const server =
    tls === undefined
      ? allowHalfClosed(createHttpServer(options))
      : loadHttps().createServer({ ...options, ...tls });
  // Node would leave out all headers after the first thousand. The size of all headers is limited too.
  server.maxHeadersCount = 0;
  return answerRequests(server.on('connect', answerConnect), listener, onMalformed);
}
