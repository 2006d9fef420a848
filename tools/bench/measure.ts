import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { animal, one, printGet, printPost } from './print-request.ts';
import { sendRaw } from './send-raw.ts';
import type { Server } from './start-server.ts';

const statuses = ['', '&status=available', '&status=pending', '&status=sold'];
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Requests to measure with, by title. They are sent in turn to a base URL that ends with `/v1`. */
export const exchanges = {
  'a list of 20': [printGet('/v1/pets')],
  'a list of 100 by status': [printGet('/v1/pets?limit=100&status=sold')],
  'one animal': [one],
  'a 401': ['GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  'adding an animal': [printPost(animal)],
  'lists of 1 to 40, all different': upTo(40).flatMap((limit) =>
    statuses.map((status) => printGet(`/v1/pets?limit=${limit}${status}`)),
  ),
  '1,000 animals, one by one': upTo(1000).map((id) => printGet(`/v1/pets/${id}`)),
  'adding animals, all different': upTo(1000).map((id) =>
    printPost(`{"name":"Rex ${id}","categoryId":${id}}`),
  ),
} as const satisfies Record<string, readonly string[]>;

export type Exchange = keyof typeof exchanges;

const NODE_HEADERS = /^(date|connection|keep-alive):/i;

/** Number of connections. Each has one request under way. */
const CONNECTIONS = 32;

/** Returns the requests for a server. The base URL of stock Prism has no path. */
function printFor(url: string, exchange: Exchange): readonly string[] {
  const requests: readonly string[] = exchanges[exchange];
  return url.endsWith('/v1') ? requests : requests.map((bytes) => bytes.replace('/v1', ''));
}

/**
 * Sends one request.
 * @returns the response, as the bare server repeats it: without the headers that Node writes. @throws if there is none
 */
export async function exchangeOnce(url: string, exchange: Exchange = 'a list of 20') {
  const { answers } = await sendRaw(url, { bytes: printFor(url, exchange)[0] ?? '' });
  const [{ status, headers, body }] = answers as [(typeof answers)[number]];
  const lines = headers.split('\r\n').filter((line) => line !== '' && !NODE_HEADERS.test(line));
  const pairs = lines.flatMap((line) => line.split(/: (.*)/, 2));
  return { status, headers: pairs, body: Buffer.from(body, 'latin1').toString() };
}

/** Returns the time from the start of a process to the end of its first response, in milliseconds. */
export async function measureStart(start: () => Promise<Server>): Promise<number> {
  const begin = performance.now();
  await using server = await start();
  await exchangeOnce(server.url);
  return performance.now() - begin;
}

/** The load that a server has answered. @param duration in milliseconds, of all requests together. */
interface Load {
  readonly count: number;
  readonly duration: number;
}

/**
 * Returns the number of requests per second that a server answers. Sockets and ready-made bytes cost less than an HTTP
 * client, so that the server is measured.
 *
 * @param duration in milliseconds.
 */
export async function measureRate(url: string, exchange: Exchange, duration: number): Promise<number> {
  const load = await sendLoad(url, exchange, duration);
  return (load.count * 1000) / load.duration;
}

/**
 * Returns the CPU time of a server for a request, in microseconds. The server was started with report-cpu.js.
 * @param duration in milliseconds.
 */
export async function measureCpu(
  { url, child }: Server,
  exchange: Exchange,
  duration: number,
): Promise<number> {
  const readCpu = async () => {
    const answered = once(child, 'message');
    child.send('report');
    const [cpu] = await answered;
    return Number(cpu);
  };
  const before = await readCpu();
  const { count } = await sendLoad(url, exchange, duration);
  return ((await readCpu()) - before) / count;
}

async function sendLoad(url: string, exchange: Exchange, duration: number): Promise<Load> {
  const { hostname, port } = new URL(url);
  const requests = printFor(url, exchange).map((bytes) => Buffer.from(bytes));
  let sent = 0;
  const next = () => requests[sent++ % requests.length] as Buffer;
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(Number(port), hostname));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const start = performance.now();
  const counts = await Promise.all(sockets.map((socket) => countAnswers(socket, next, start + duration)));
  return { count: counts.reduce((sum, count) => sum + count), duration: performance.now() - start };
}

/** Sends a request after each answer until `end`. */
async function countAnswers(socket: Socket, next: () => Buffer, end: number): Promise<number> {
  let [count, missing] = [0, 0];
  socket.on('data', (chunk) => {
    missing = (missing || lengthOfResponse(chunk)) - chunk.length;
    if (missing > 0) return;
    count += 1;
    if (performance.now() < end) socket.write(next());
    else socket.destroy();
  });
  socket.setNoDelay().write(next());
  await once(socket, 'close');
  return count;
}

/** Returns the length of a whole response in bytes. All headers are in the first chunk. */
function lengthOfResponse(chunk: Buffer): number {
  const start = /^.*?\r\nContent-Length: (\d+)\r.*?\n\r\n/is.exec(chunk.toString('latin1'));
  if (start === null) throw new Error(`Not the beginning of a response: ${chunk}`);
  return start[0].length + Number(start[1]);
}
