import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** What Node's parser gives up with, where it is not simply a bad request. */
const answers: Record<string, { status: number; code: string; message: string }> = {
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
 * Answers what is no HTTP request with an `Error` body and closes the connection; it never reaches the app.
 * Source: RFC 9112 section 2.2
 */
export function answerClientError(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const message = `The request is not valid HTTP: ${error.message}.`;
  const answer = answers[error.code ?? ''] ?? { status: 400, code: 'invalid_request', message };
  const { status, code } = answer;
  const body = JSON.stringify({ code, message: answer.message, status });
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
