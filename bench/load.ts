import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Exchange } from './exchange.ts';

/** How many connections each have one request under way. */
const CONNECTIONS = 32;

/**
 * Counts how many requests a second a server answers. Sockets and ready-made bytes instead of an HTTP client, so that
 * the server is what is measured.
 *
 * @param url the base URL.
 * @param duration in milliseconds.
 */
export async function measureRate(url: string, exchange: Exchange, duration: number): Promise<number> {
  const { hostname, port, pathname } = new URL(url);
  const request = Buffer.from(printRequest(`${hostname}:${port}`, pathname.replace(/\/$/, ''), exchange));
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(Number(port), hostname));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  let answers = 0;
  const start = performance.now();
  const end = start + duration;
  await Promise.all(
    sockets.map((socket) =>
      repeat(socket, request, () => {
        answers += 1;
        return performance.now() < end;
      }),
    ),
  );
  return (answers * 1000) / (performance.now() - start);
}

function printRequest(
  host: string,
  basePath: string,
  { method, path, headers, body = '' }: Exchange,
): string {
  const length = body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const lines = Object.entries({ Host: host, ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `${method} ${basePath}${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Sends the request again after each answer, for as long as `onAnswer` wants. */
function repeat(socket: Socket, request: Buffer, onAnswer: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let missing = 0;
    socket.setNoDelay().on('error', reject);
    socket.on('data', (chunk) => {
      missing = missing === 0 ? lengthOfResponse(chunk) - chunk.length : missing - chunk.length;
      if (missing > 0) return;
      if (onAnswer()) {
        socket.write(request);
      } else {
        socket.destroy();
        resolve();
      }
    });
    socket.write(request);
  });
}

/** The length of the whole response, in bytes; its headers are in the first chunk, being written at once. */
function lengthOfResponse(chunk: Buffer): number {
  const head = chunk.indexOf('\r\n\r\n');
  const length = /\r\nContent-Length: (\d+)\r/i.exec(chunk.toString('latin1', 0, head + 2))?.[1];
  if (head === -1 || length === undefined)
    throw new Error(`Not the beginning of a response: ${chunk.toString('latin1')}`);
  return head + 4 + Number(length);
}
