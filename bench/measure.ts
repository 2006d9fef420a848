import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { animal, printGet, printPost } from './print-request.ts';
import { sendRaw } from './send-raw.ts';
import type { ServerProcess } from './server-process.ts';

/** A request to measure with. */
export interface Exchange {
  readonly title: string;
  /** As for a base URL that ends with `/v1`. */
  readonly bytes: string;
}

/** A response, as the bare server repeats it. */
export interface Response {
  readonly status: number;
  /** Names and values in turn, without those that Node writes by itself. */
  readonly headers: readonly string[];
  readonly body: string;
}

/** What the mock is measured with. */
export const exchanges = {
  list: { title: 'a list of 20', bytes: printGet('/v1/pets') },
  filtered: { title: 'a list of 100 by status', bytes: printGet('/v1/pets?limit=100&status=sold') },
  one: { title: 'one animal', bytes: printGet('/v1/pets/7') },
  refusal: { title: 'a 401', bytes: 'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n' },
  addition: { title: 'adding an animal', bytes: printPost(animal) },
} as const satisfies Record<string, Exchange>;

const NODE_HEADERS = /^(date|connection|keep-alive):/i;

/** How many connections each have one request under way. */
const CONNECTIONS = 32;

/** Makes one request; `url` is the base URL. @throws when there is no answer. */
export async function exchangeOnce(url: string, exchange: Exchange): Promise<Response> {
  const { answers } = await sendRaw(url, { bytes: printFor(url, exchange) });
  const [{ status, headers, body }] = answers as [(typeof answers)[number]];
  const lines = headers.split('\r\n').filter((line) => line !== '' && !NODE_HEADERS.test(line));
  const pairs = lines.flatMap((line) => line.split(/: (.*)/, 2));
  return { status, headers: pairs, body: Buffer.from(body, 'latin1').toString() };
}

function printFor(url: string, { bytes }: Exchange): string {
  return url.endsWith('/v1') ? bytes : bytes.replace('/v1', '');
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
  const bytes = Buffer.from(printFor(url, exchange));
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(Number(port), hostname));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const start = performance.now();
  const counts = await Promise.all(sockets.map((socket) => countAnswers(socket, bytes, start + duration)));
  const answers = counts.reduce((sum, count) => sum + count);
  return (answers * 1000) / (performance.now() - start);
}

/** Sends a request again after each answer until `end`. */
async function countAnswers(socket: Socket, bytes: Buffer, end: number): Promise<number> {
  let [count, missing] = [0, 0];
  socket.on('data', (chunk) => {
    missing = (missing || lengthOfResponse(chunk)) - chunk.length;
    if (missing > 0) return;
    count += 1;
    if (performance.now() < end) socket.write(bytes);
    else socket.destroy();
  });
  socket.setNoDelay().write(bytes);
  await once(socket, 'close');
  return count;
}

/** The length of the whole response, in bytes; its headers are in the first chunk, being written at once. */
function lengthOfResponse(chunk: Buffer): number {
  const start = /^.*?\r\nContent-Length: (\d+)\r.*?\n\r\n/is.exec(chunk.toString('latin1'));
  if (start === null) throw new Error(`Not the beginning of a response: ${chunk}`);
  return start[0].length + Number(start[1]);
}
