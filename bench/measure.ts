import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ServerProcess } from './server-process.ts';

/** A request to measure with. */
export interface Exchange {
  readonly title: string;
  readonly method: 'GET' | 'POST';
  /** Relative to the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A response, as the bare server repeats it. */
export interface Response {
  readonly status: number;
  /** Names and values in turn, without those that Node writes by itself. */
  readonly headers: readonly string[];
  readonly body: string;
}

const headers = { Authorization: 'Bearer test-key' };

/** What the mock is measured with. */
export const exchanges = {
  list: { title: 'a list of 20', method: 'GET', path: '/pets', headers },
  filtered: { title: 'a list of 100 by status', method: 'GET', path: '/pets?limit=100&status=sold', headers },
  one: { title: 'one animal', method: 'GET', path: '/pets/7', headers },
  refusal: { title: 'a 401', method: 'GET', path: '/pets', headers: {} },
  addition: {
    title: 'adding an animal',
    method: 'POST',
    path: '/pets',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: '{"name":"Rex","categoryId":9007199254740993,"status":"sold"}',
  },
} as const satisfies Record<string, Exchange>;

const NODE_HEADERS = /^(date|connection|keep-alive)$/i;

/** How many connections each have one request under way. */
const CONNECTIONS = 32;

/** Makes one request; `url` is the base URL. */
export async function exchangeOnce(
  url: string,
  { method, path, headers, body }: Exchange,
): Promise<Response> {
  const outgoing = request(`${url}${path}`, { method, headers, agent: false });
  outgoing.end(body);
  const [response] = await once(outgoing, 'response');
  const { statusCode, rawHeaders } = response as IncomingMessage;
  const own = rawHeaders.filter((_, index) => !NODE_HEADERS.test(rawHeaders[index - (index % 2)] ?? ''));
  return { status: statusCode ?? 0, headers: own, body: await text(response) };
}

/** The time from the start of the process to the end of its first answer, in milliseconds. */
export async function measureStart(start: () => Promise<ServerProcess>): Promise<number> {
  const begin = performance.now();
  const server = await start();
  await exchangeOnce(server.url, exchanges.list);
  const time = performance.now() - begin;
  await server.stop();
  return time;
}

/**
 * Counts how many requests a second a server answers. Sockets and ready-made bytes instead of an HTTP client, so that
 * the server is what is measured.
 *
 * @param url the base URL.
 * @param duration in milliseconds.
 */
export async function measureRate(url: string, exchange: Exchange, duration: number): Promise<number> {
  const { hostname, port } = new URL(url);
  const bytes = Buffer.from(printRequest(new URL(url), exchange));
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(Number(port), hostname));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const start = performance.now();
  const counts = await Promise.all(sockets.map((socket) => countAnswers(socket, bytes, start + duration)));
  const answers = counts.reduce((sum, count) => sum + count);
  return (answers * 1000) / (performance.now() - start);
}

function printRequest({ host, pathname }: URL, { method, path, headers, body = '' }: Exchange): string {
  const length = body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const lines = Object.entries({ Host: host, ...headers, ...length }).map((pair) => `${pair.join(': ')}\r\n`);
  return `${method} ${pathname.replace(/\/$/, '')}${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** Sends a request again after each answer until `end`. */
async function countAnswers(socket: Socket, bytes: Buffer, end: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let [count, missing] = [0, 0];
  socket
    .setNoDelay()
    .on('error', reject)
    .on('close', () => resolve(count));
  socket.on('data', (chunk) => {
    missing = missing === 0 ? lengthOfResponse(chunk) - chunk.length : missing - chunk.length;
    if (missing > 0) return;
    count += 1;
    if (performance.now() < end) socket.write(bytes);
    else socket.destroy();
  });
  socket.write(bytes);
  return promise;
}

/** The length of the whole response, in bytes; its headers are in the first chunk, being written at once. */
function lengthOfResponse(chunk: Buffer): number {
  const head = chunk.indexOf('\r\n\r\n');
  const length = /\r\nContent-Length: (\d+)\r/i.exec(chunk.toString('latin1', 0, head + 2))?.[1];
  if (head === -1 || length === undefined)
    throw new Error(`Not the beginning of a response: ${chunk.toString('latin1')}`);
  return head + 4 + Number(length);
}
