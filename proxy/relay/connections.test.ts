import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { talk } from '../../testing/exchange-raw.ts';
import { startProxyBefore } from '../testing/start-test-proxy.ts';
import { MOST_OPEN } from './start-relay.ts';

const printGet = (path: string) => `GET /v1/${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

const last = 'GET /v1/last HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

/** Opens a connection for the test that is running and sends these bytes at once. */
async function open(url: string, bytes: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const options = { port: Number(port), host: hostname, allowHalfOpen: true };
  const socket = connect(options).on('error', () => {});
  onTestFinished(() => void socket.resetAndDestroy());
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

/** Starts a proxy before an upstream that answers when it is told. */
async function startPatiently() {
  const held: ServerResponse[] = [];
  let isHolding = true;
  const proxy = await startProxyBefore((request, response) => {
    request.resume();
    held.push(response);
    if (!isHolding) setImmediate(answerOne);
  });
  const answerOne = () => void held.shift()?.end('x');
  const answerAll = () => {
    isHolding = false;
    while (held.length > 0) answerOne();
  };
  // What is still held would hold up the end of the test.
  onTestFinished(answerAll);
  return { ...proxy, held, answerAll };
}

test('requests that one client sends at once are answered in their order', async () => {
  const { url } = await startProxyBefore((request, response) => void response.end(`${request.url}\n`));
  const names = Array.from({ length: 100 }, (_, index) => String(index));
  const answers = await talk(url, `${names.map(printGet).join('')}${last}`);
  const paths = [...names, 'last'].map((name) => `/v1/${name}`);
  expect(answers.match(/^\/v1\/.*$/gm)).toEqual(paths);
});

test('requests with bodies that one client sends at once arrive whole', async () => {
  const bodies: string[] = [];
  const { url } = await startProxyBefore(async (request, response) => {
    bodies.push(await text(request));
    response.end();
  });
  const sent = Array.from({ length: 50 }, (_, index) => String(index).repeat(5_000));
  const post = (body: string) =>
    `POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const answers = await talk(url, `${sent.map(post).join('')}${last}`);
  expect(answers.match(/HTTP\/1.1 200 /g)).toHaveLength(51);
  expect(bodies.toSorted()).toEqual([...sent, ''].toSorted());
});

test('a request past the limit is refused, and the next one after an answer is carried', async () => {
  const { url, held, answerAll } = await startPatiently();
  await open(url, printGet('greedy').repeat(MOST_OPEN));
  await expect.poll(() => held.length, { timeout: 20_000 }).toBe(MOST_OPEN);
  expect(await talk(url, last)).toMatch(/^HTTP\/1.1 503 .*"code":"service_unavailable".*1024/s);
  answerAll();
  await expect.poll(() => talk(url, last), { timeout: 20_000 }).toMatch(/^HTTP\/1.1 200 /);
});

test('requests behind one that is being answered are given up with their client', async () => {
  const cancelled: Promise<unknown>[] = [];
  const { url } = await startProxyBefore(
    (_request, response) => void cancelled.push(once(response, 'close')),
  );
  const socket = await open(url, printGet('pets').repeat(3));
  await expect.poll(() => cancelled.length).toBe(3);
  socket.resetAndDestroy();
  await Promise.all(cancelled);
});
