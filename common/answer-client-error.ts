import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** How long a client may take to read the answer and hang up, in milliseconds. */
const LINGER = 1_000;

/** An error that is written without the app, its connection being past saving. */
interface RawError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** What Node's parser gives up with, where it is not simply a bad request. */
const parserErrors: Readonly<Record<string, RawError>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'invalid_request',
    message: 'The headers are larger than 16 KiB.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: 'payload_too_large',
    message: 'The chunk extensions of the body are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'invalid_request',
    message: 'The request took too long to arrive.',
  },
};

/**
 * Answers what is no HTTP request with an `Error` body and closes the connection; it never reaches the app. What comes
 * behind a request that is still being answered is answered after it.
 * Source: RFC 9112 section 2.2
 */
export function answerClientErrors(server: Server): Server {
  const latest = new WeakMap<Duplex, ServerResponse>();
  const remember = ({ socket }: IncomingMessage, response: ServerResponse) =>
    void latest.set(socket, response);
  return server
    .prependListener('request', remember)
    .prependListener('checkExpectation', remember)
    .on('clientError', (error: Error & { code?: string }, socket: Duplex) => {
      const message = `The request is not valid HTTP: ${error.message}.`;
      const rawError = parserErrors[error.code ?? ''] ?? { status: 400, code: 'invalid_request', message };
      const response = latest.get(socket);
      if (response === undefined || response.writableFinished) answer(socket, rawError);
      else if (response.req.complete) response.once('finish', () => answer(socket, rawError));
      // It is the body of that request that is wrong: where its answer has begun, there is nothing left to say.
      else if (response.headersSent) socket.destroy();
      else answer(socket, rawError);
    });
}

/** Answers CONNECT, which asks for a tunnel and names no path. Source: RFC 9110 section 9.3.6 */
export function answerConnect(_request: unknown, socket: Duplex): void {
  answer(socket, { status: 405, code: 'method_not_allowed', message: 'CONNECT is not allowed here.' });
}

function answer(socket: Duplex, { status, code, message }: RawError): void {
  const body = JSON.stringify({ code, message, status });
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  // A client that has gone away cannot be told.
  socket.on('error', () => socket.destroy());
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  // To hang up on what is still coming would take the answer from the client; to wait for ever would keep the socket.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER).unref();
}
