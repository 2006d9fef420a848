import { connect } from 'node:net';
import { type Answer, readAnswers } from './read-answers.ts';

/** What becomes of a connection once the bytes are sent: `wait` leaves it open until the answers have come. */
export type Ending = 'wait' | 'half-close' | 'destroy' | 'reset';

/** Bytes for a connection of their own. */
export interface RawRequest {
  /** Each character stands for a byte. */
  readonly bytes: string;
  readonly ending: Ending;
  /** How many final answers to wait for; with Infinity it is for the server to close the connection. */
  readonly awaited: number;
  /** How long the connection may last, in milliseconds. */
  readonly lifetime: number;
}

/** What came back on a connection. */
export interface Outcome {
  /** The final answers, without the informational ones. */
  readonly answers: readonly Answer[];
  /** What is not an answer, or not all of one. */
  readonly rest: string;
  /** Who ended the connection; `cut` is by the client without waiting for the server. */
  readonly ended: 'by the server' | 'by the client' | 'cut';
}

/**
 * Sends bytes on a connection of their own; resolves when the connection is closed, which is bounded.
 *
 * @throws when there is no connection.
 */
export function sendRaw(url: string, { bytes, ending, awaited, lifetime }: RawRequest): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  let received = '';
  let ended: Outcome['ended'] = 'by the server';
  const end = (how: 'by the client' | 'cut', close: () => unknown) => {
    ended = how;
    close();
  };
  const timer = setTimeout(() => end('cut', () => socket.destroy()), lifetime);
  socket.on('data', (chunk) => {
    received += chunk;
    const count = received.match(/HTTP\/1\.1 [2-5]/g)?.length ?? 0;
    if (ending === 'wait' && count >= awaited) end('by the client', () => socket.end());
  });
  socket.on('error', (error: NodeJS.ErrnoException) => {
    // Any other failure is that of a connection that the server has closed.
    if (socket.bytesWritten === 0 && error.code !== 'ECONNRESET') reject(error);
  });
  socket.on('close', () => {
    clearTimeout(timer);
    resolve({ ...readAnswers(received), ended });
  });
  socket.write(Buffer.from(bytes, 'latin1'), () => {
    if (ending === 'half-close') end('by the client', () => socket.end());
    if (ending === 'destroy') end('cut', () => socket.destroy());
    if (ending === 'reset') end('cut', () => socket.resetAndDestroy());
  });
  return promise;
}

/** The statuses of the answers in their order, and `close` where it was the server that closed the connection. */
export function printOutcome({ answers, ended }: Outcome): string {
  return [...answers.map(({ status }) => status), ...(ended === 'by the server' ? ['close'] : [])].join(' ');
}

/** How many answers to wait for to see an outcome that is printed so. @default one answer */
export function countAwaited(expected = '200'): number {
  return expected.endsWith('close') ? Number.POSITIVE_INFINITY : expected.split(' ').length;
}
