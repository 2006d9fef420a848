import { connect, type Socket } from 'node:net';
import type { MalformedRequest } from './malformed-requests.ts';

/** How long a connection may last, in milliseconds: where nothing is owed, and where an answer is. */
const LIFETIMES = { unowed: 500, owed: 5_000 };

/** What came of a request. */
export interface Outcome {
  /** The status of the first final response; undefined when there was none. */
  readonly status: number | undefined;
  /** What is wrong with the answer, or with there being none. */
  readonly problem?: string | undefined;
}

/** Sends a request on a connection of its own; resolves when the connection is closed, which is bounded. */
export function sendMalformed(url: URL, request: MalformedRequest): Promise<Outcome> {
  return new Promise((resolve) => {
    let received = '';
    let refusal: string | undefined;
    const socket = connect(Number(url.port), url.hostname);
    const timer = setTimeout(() => socket.destroy(), LIFETIMES[request.isOwed ? 'owed' : 'unowed']);
    socket.setEncoding('latin1').on('data', (chunk) => {
      received += chunk;
      if (statusOf(received) !== undefined) socket.end();
    });
    socket.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      // Any other failure is that of a connection that the server has closed.
      if (socket.bytesWritten === 0 && code !== 'ECONNRESET') refusal = `no connection: ${message}`;
    });
    socket.on('close', () => {
      clearTimeout(timer);
      resolve({ status: statusOf(received), problem: refusal ?? findProblem(request, received) });
    });
    socket.on('connect', () => deliver(socket, request));
  });
}

function deliver(socket: Socket, { bytes, ending }: MalformedRequest): void {
  if (ending === 'wait') socket.write(bytes);
  else if (ending === 'half-close') socket.end(bytes);
  else socket.write(bytes, () => (ending === 'destroy' ? socket.destroy() : socket.resetAndDestroy()));
}

/** Informational responses come before the final one. */
const FINAL_RESPONSE = /^(?:HTTP\/1\.1 1\d\d .*?\r\n\r\n)*HTTP\/1\.1 ([2-5]\d\d) (.*?)\r\n\r\n(.*)$/s;

function statusOf(received: string): number | undefined {
  const [, status] = FINAL_RESPONSE.exec(received) ?? [];
  return status === undefined ? undefined : Number(status);
}

function findProblem({ isOwed, bytes }: MalformedRequest, received: string): string | undefined {
  const [, status = '', head = '', rest = ''] = FINAL_RESPONSE.exec(received) ?? [];
  if (status === '') {
    if (received !== '' && !/^HTTP\/1\.1 1\d\d /.test(received)) return 'the answer is no HTTP';
    return isOwed ? 'no answer' : undefined;
  }
  if (Number(status) >= 500) return `the status ${status}, ${rest}`;
  if (Number(status) < 400 || bytes.includes('HEAD ')) return undefined;
  const length = Number(/^content-length: (\d+)\r?$/im.exec(head)?.[1]);
  const body = Buffer.from(rest.slice(0, length), 'latin1').toString();
  return isErrorBody(body, Number(status)) ? undefined : `the status ${status} without an Error body`;
}

function isErrorBody(text: string, status: number): boolean {
  try {
    const body = JSON.parse(text);
    return typeof body.code === 'string' && typeof body.message === 'string' && body.status === status;
  } catch {
    return false;
  }
}
