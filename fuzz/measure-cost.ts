import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendRaw } from '../bench/send-raw.ts';
import type { ServerProcess } from '../bench/server-process.ts';

/**
 * Sends requests one after the other, each three times, and returns the one that a server computed longest for, in
 * milliseconds. No other client waits longer because of it. Another process that takes the processor does not count.
 */
export async function measureCost({ url, pid }: ServerProcess, requests: readonly string[]) {
  let highest = { cost: 0, bytes: '' };
  for (const bytes of requests) {
    let cost = Number.POSITIVE_INFINITY;
    for (let time = 0; time < 3; time += 1) {
      const before = readComputed(pid);
      await sendRaw(url, { bytes, expected: '' });
      cost = Math.min(cost, readComputed(pid) - before);
    }
    if (cost > highest.cost) highest = { cost, bytes };
  }
  return highest;
}

/** How long the main thread of a process has computed, in milliseconds. Source: proc(5), schedstat */
function readComputed(pid: number): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
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
