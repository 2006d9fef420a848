import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout } from '../real-time.ts';
import { type ErrorCode, errorStatuses, printError } from './errors.ts';

/** Time to read the response and close the connection, in milliseconds. */
const LINGER = 1_000;

/** Errors of Node's parser that are not a 400. */
const parserErrors: Readonly<Record<string, readonly [ErrorCode, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The headers are larger than 16 KiB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['payload_too_large', 'The chunk extensions of the body are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request took too long to arrive.'],
};

/** An error of Node's parser. It has bytes unless the client left, or sent nothing for too long. */
interface ParserError extends Error {
  readonly code?: string;
  /** The last bytes that were received. */
  readonly rawPacket?: Buffer;
  /** Number of these bytes in front of the error. */
  readonly bytesParsed?: number;
}

/** A malformed request, and its response. */
export interface Malformed {
  readonly code: ErrorCode;
  readonly message: string;
  /** The request if its headers could be read, otherwise bytes, which mostly begin with its request line. */
  readonly received: IncomingMessage | Buffer;
}

/** Called with a malformed request. It gets its response afterwards. */
export type OnMalformed = (malformed: Malformed) => Promise<void>;

/**
 * Lets a listener answer the requests of a server. Malformed ones get an `Error` body, after an open response, and a connection is
 * closed whose framing may be faulty. Source: RFC 9112 section 2.2
 */
export function answerRequests(server: Server, listener: RequestListener, onMalformed?: OnMalformed): Server {
  const latest = new WeakMap<Duplex, ServerResponse>();
  const malformed = new WeakSet<Duplex>();
  const faulty = new WeakSet<Duplex>();
  const handle: RequestListener = (request, response) => {
    const { socket, httpVersion, headers } = request;
    // What follows may be a part of the body. Nobody reads it, and the earlier response closes the connection.
    if (faulty.has(socket)) return;
    latest.set(socket, response);
    // HTTP/1.0 has no transfer codings, so the framing may be faulty. Source: RFC 9112 section 6.1
    if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined) {
      faulty.add(socket);
      response.shouldKeepAlive = false;
    }
    listener(request, response);
  };
  return server
    .on('request', handle)
    .on('checkExpectation', handle)
    .on('clientError', (error: ParserError, socket: Duplex) => {
      // Node emits the event for every further chunk.
      if (malformed.has(socket)) return;
      malformed.add(socket);
      const why = `The request is not valid HTTP: ${error.message}.`;
      const [code, message] = parserErrors[error.code ?? ''] ?? ['invalid_request', why];
      const response = latest.get(socket);
      const answerLast = () => {
        const isOpen = response?.req.complete || response?.headersSent;
        if (isOpen && !response.writableFinished)
          response.once('finish', () => answer(socket, code, message));
        else answer(socket, code, message);
      };
      const received = response?.req.complete === false ? response.req : findBeginning(error);
      if (onMalformed === undefined || error.rawPacket === undefined) answerLast();
      else onMalformed({ code, message, received }).then(answerLast);
    });
}

/** Returns the bytes from the last blank line in front of an error, which other requests may end with. */
function findBeginning({ rawPacket = Buffer.of(), bytesParsed = 0 }: ParserError): Buffer {
  const blankLine = '\r\n\r\n';
  const end = rawPacket.subarray(0, bytesParsed).lastIndexOf(blankLine);
  return end < 0 ? rawPacket : rawPacket.subarray(end + blankLine.length);
}

/** Answers CONNECT, which asks for a tunnel and names no path. Source: RFC 9110 section 9.3.6 */
export function answerConnect(_request: unknown, socket: Duplex): void {
  answer(socket, 'method_not_allowed', 'CONNECT is not allowed here.');
}

function answer(socket: Duplex, code: ErrorCode, message: string): void {
  const status = errorStatuses[code];
  const body = printError(code, message);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.on('error', () => socket.destroy());
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  // Closing a socket with unread bytes would take the response from the client.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER).unref();
}
