import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { one } from '../bench/print-request.ts';
import { sendRaw } from '../bench/send-raw.ts';

/**
 * Sends requests one after the other, each three times, since a machine may be busy with something else.
 *
 * @returns the longest that another client had to wait for an answer beside one of them, in milliseconds, and its bytes.
 */
export async function measureWait(url: string, requests: readonly string[]) {
  let longest = { wait: 0, bytes: '' };
  for (const bytes of requests) {
    const waits: number[] = [];
    for (let time = 0; time < 3; time += 1) waits.push(await waitBeside(url, bytes));
    const wait = Math.min(...waits);
    if (wait > longest.wait) longest = { wait, bytes };
  }
  return longest;
}

async function waitBeside(url: string, bytes: string): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setNoDelay();
  await once(socket, 'connect');
  let isOver = false;
  const sent = sendRaw(url, { bytes, expected: '' }).finally(() => {
    isOver = true;
  });
  let longest = 0;
  while (!isOver) {
    const start = performance.now();
    socket.write(one);
    await once(socket, 'data');
    longest = Math.max(longest, performance.now() - start);
  }
  socket.destroy();
  await sent;
  return longest;
}

/** Starts a server that answers with what it was sent, so that a proxy before it reads the same in both directions. */
export async function startEcho() {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'Content-Type': request.headers['content-type'] ?? 'application/json' });
    request.pipe(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { url, [Symbol.asyncDispose]: async () => void server.close().closeAllConnections() };
}
