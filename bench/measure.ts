import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { animal, printGet, printPost } from './print-request.ts';
import { sendRaw } from './send-raw.ts';
import type { ServerProcess } from './server-process.ts';

/** A request to measure with. */
export interface Exchange {
  readonly title: string;
  /** Requests that are sent in turn, as for a base URL that ends with `/v1`. */
  readonly requests: readonly string[];
}

/** A response, as the bare server repeats it. */
export interface Response {
  readonly status: number;
  /** Names and values in turn, without those that Node writes by itself. */
  readonly headers: readonly string[];
  readonly body: string;
}

const statuses = ['', '&status=available', '&status=pending', '&status=sold'];
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** What the mock and the proxies are measured with. */
export const exchanges = {
  list: { title: 'a list of 20', requests: [printGet('/v1/pets')] },
  filtered: { title: 'a list of 100 by status', requests: [printGet('/v1/pets?limit=100&status=sold')] },
  one: { title: 'one animal', requests: [printGet('/v1/pets/7')] },
  refusal: { title: 'a 401', requests: ['GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n'] },
  addition: { title: 'adding an animal', requests: [printPost(animal)] },
  lists: {
    title: 'lists of 1 to 40, all different',
    requests: upTo(40).flatMap((limit) =>
      statuses.map((status) => printGet(`/v1/pets?limit=${limit}${status}`)),
    ),
  },
  ones: { title: '1,000 animals, one by one', requests: upTo(1000).map((id) => printGet(`/v1/pets/${id}`)) },
  additions: {
    title: 'adding animals, all different',
    requests: upTo(1000).map((id) => printPost(`{"name":"Rex ${id}","categoryId":${id}}`)),
  },
} as const satisfies Record<string, Exchange>;

const NODE_HEADERS = /^(date|connection|keep-alive):/i;

/** How many connections each have one request under way. */
const CONNECTIONS = 32;

/** Makes one request; `url` is the base URL. @throws when there is no answer. */
export async function exchangeOnce(url: string, exchange: Exchange): Promise<Response> {
  const { answers } = await sendRaw(url, { bytes: printFor(url, exchange)[0] as string });
  const [{ status, headers, body }] = answers as [(typeof answers)[number]];
  const lines = headers.split('\r\n').filter((line) => line !== '' && !NODE_HEADERS.test(line));
  const pairs = lines.flatMap((line) => line.split(/: (.*)/, 2));
  return { status, headers: pairs, body: Buffer.from(body, 'latin1').toString() };
}

function printFor(url: string, { requests }: Exchange): readonly string[] {
  return url.endsWith('/v1') ? requests : requests.map((bytes) => bytes.replace('/v1', ''));
}

/** The time from the start of the process to the end of its first answer, in milliseconds. */
export async function measureStart(start: () => Promise<ServerProcess>): Promise<number> {
  const begin = performance.now();
  await using server = await start();
  await exchangeOnce(server.url, exchanges.list);
  return performance.now() - begin;
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
  const requests = printFor(url, exchange).map((bytes) => Buffer.from(bytes));
  let sent = 0;
  const next = () => requests[sent++ % requests.length] as Buffer;
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(Number(port), hostname));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const start = performance.now();
  const counts = await Promise.all(sockets.map((socket) => countAnswers(socket, next, start + duration)));
  const answers = counts.reduce((sum, count) => sum + count);
  return (answers * 1000) / (performance.now() - start);
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

/** The length of the whole response, in bytes; its headers are in the first chunk, being written at once. */
function lengthOfResponse(chunk: Buffer): number {
  const start = /^.*?\r\nContent-Length: (\d+)\r.*?\n\r\n/is.exec(chunk.toString('latin1'));
  if (start === null) throw new Error(`Not the beginning of a response: ${chunk}`);
  return start[0].length + Number(start[1]);
}
