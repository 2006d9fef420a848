import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { animal, printPost } from '../bench/print-request.ts';
import { sendRaw } from '../bench/send-raw.ts';
import type { ServerProcess } from '../bench/server-process.ts';

const MIB = 1024 * 1024;

/** Repeats a part up to the largest body that is read. */
const fill = (part: string) => part.repeat((MIB - animal.length) / part.length - 1);

/** Prints an animal with an array of this many values. */
const printArray = (value: string, count: number) =>
  animal.replace('}', () => `,"x":[${Array(count).fill(value).join()}]}`);

/** Prints an animal with members of different names. */
function printMembers(count: number, pad: number): string {
  const members = Array.from({ length: count }, (_, index) => `"${String(index).padEnd(pad, 'k')}":1e399`);
  return animal.replace('}', () => `,${members.join()}}`);
}

const values = ['0', '1e399', '9'.repeat(400), '""', '{}', '{"":1e399}', '{"id":"1","name":1,"status":"x"}'];
const deep = `${'['.repeat(1_900)}${']'.repeat(1_900)},`;
const bodies = [
  ...values.map((value) => printArray(value, Math.min(14_900, Math.floor(MIB / (value.length + 2))))),
  ...[printMembers(14_900, 12), printMembers(50_000, 0)],
  ...['[', '{"":', '"a', '1', '[1,', deep].map(fill),
  ...['\\u00e9', '\\\\', '123456789012345x'].map((part) => animal.replace('Rex', () => fill(part))),
];
const blanks = ' '.repeat(15_000);
const mediaTypes = [`application/json${blanks}x`, `application/json;a=b${blanks}x`, ';a="'.repeat(3_750)];
const form = 'application/x-www-form-urlencoded';

/** Requests that take long to read for their size. */
const requests = [
  ...bodies.map((body) => printPost(body)),
  ...mediaTypes.map((type) => printPost(animal).replace('application/json', () => type)),
  ...['&', 'a=%41&'].map((part) => printPost(part.repeat(170_000)).replace('application/json', form)),
];

/** Returns the request that a server computes longest for, in milliseconds: the least of three times. */
export async function measureCosts({ url, pid }: ServerProcess) {
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

/** Returns how long the main thread of a process has computed, in milliseconds. Source: proc(5), schedstat */
function readComputed(pid: number): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

/** Starts a server that answers with the request body, so that a proxy reads the body in both directions. */
export async function startEcho() {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'Content-Type': request.headers['content-type'] ?? 'application/json' });
    request.pipe(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { url, [Symbol.asyncDispose]: async () => void server.close().closeAllConnections() };
}
