import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';

/** Sends a request with just these headers and Host, and returns all of the answer; `target` goes on the wire as it is. */
export async function exchangeRaw(
  origin: string | URL,
  method: string,
  target: string,
  headers: readonly string[],
  body?: string | Buffer,
  signal?: AbortSignal,
) {
  const all = ['Host', new URL(origin).host, ...headers];
  const options = { method, path: target, headers: all, agent: false, ...(signal && { signal }) } as const;
  const [answer] = (await once(request(origin, options).end(body), 'response')) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.rawHeaders, body: await buffer(answer) };
}

/** Headers as they are put on the wire; those that are undefined are left out. */
export function toRawHeaders(headers: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
}

/** Opens a connection, sends bytes as they are and returns all of the answer until the other side closes it. */
export async function talk(url: string, bytes: string, encoding?: 'latin1'): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes, 'latin1');
  return encoding ? (await buffer(socket)).toString(encoding) : text(socket);
}

/** Opens a connection for the running test, and sends bytes as they are. */
export async function open(url: string, bytes: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }).on('error', () => {});
  onTestFinished(() => void socket.resetAndDestroy());
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

/** Expects an answer that is an Error. */
export async function expectError(answer: Response, status: number, code: string, message?: unknown) {
  const body = { code, message: message ?? expect.any(String), status };
  expect([answer.status, await answer.json()]).toEqual([status, body]);
}
