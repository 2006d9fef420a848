import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { talk } from '../testing/exchange-raw.ts';
import { startProxyBefore } from '../testing/start-test-proxy.ts';
import { MOST_LASTING, MOST_OPEN, TURN } from './create-places.ts';
import { MOST_OF_CONNECTION } from './take-turns.ts';

const MANY = 3_000;

const printGet = (path: string) => `GET /v1/${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

const last = 'GET /v1/last HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

/** Opens a connection for the test that is running and sends these bytes at once. */
async function open(url: string, bytes: string, localAddress = '127.0.0.1'): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const options = { port: Number(port), host: hostname, allowHalfOpen: true, localAddress };
  const socket = connect(options).on('error', () => {});
  onTestFinished(() => void socket.resetAndDestroy());
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

/** Answers with events without end, and only what is asked for last at once; it reads no body. */
const answerEvents: RequestListener = ({ url }, response) => {
  if (url === '/v1/last') response.end();
  if (url === '/v1/events')
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
};

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
  const paths = () => proxy.received.map(({ url }) => url);
  return { ...proxy, held, answerOne, answerAll, paths };
}

test('requests that one client sends at once are carried a few at a time, and answered in their order', async () => {
  let [open, most] = [0, 0];
  const { url } = await startProxyBefore(async (request, response) => {
    open += 1;
    most = Math.max(most, open);
    // Long enough for others to arrive, were they on their way.
    await delay(1);
    open -= 1;
    response.end(`${request.url}\n`);
  });
  const names = Array.from({ length: MANY }, (_, index) => String(index));
  const answers = await talk(url, `${names.map(printGet).join('')}${last}`);
  const paths = [...names, 'last'].map((name) => `/v1/${name}`);
  expect(answers.match(/^\/v1\/.*$/gm)).toEqual(paths);
  expect(most).toBeLessThanOrEqual(MOST_OF_CONNECTION);
});

test('requests with bodies that wait for their turn arrive whole', async () => {
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

test('a client with very many requests keeps none waiting', async () => {
  const { url, held, paths } = await startPatiently();
  await open(url, printGet('greedy').repeat(MANY));
  await expect.poll(() => held.length).toBe(MOST_OF_CONNECTION);
  const modest = talk(url, last);
  await expect.poll(paths).toContain('/v1/last');
  held.at(-1)?.end('x');
  expect(await modest).toMatch(/^HTTP\/1.1 200 /);
  expect(paths()).toHaveLength(MOST_OF_CONNECTION + 1);
});

test('where all the places are taken, connections take turns', async () => {
  const { url, held, answerOne, paths } = await startPatiently();
  const busy = MOST_OPEN / MOST_OF_CONNECTION;
  for (let opened = 0; opened < busy; opened += 1) await open(url, printGet('greedy').repeat(20));
  await expect.poll(() => held.length, { timeout: 20_000, interval: 1 }).toBe(MOST_OPEN);
  await open(url, last);
  for (let answered = 0; answered < busy; answered += 1) {
    const before = paths().length;
    answerOne();
    await expect.poll(() => paths().length, { timeout: 20_000, interval: 1 }).toBe(before + 1);
  }
  expect(paths()).toContain('/v1/last');
});

// Other systems give this machine one loopback address alone.
test.runIf(process.platform === 'linux')(
  'where all the places are taken, clients take turns by address, however many connections one has',
  async () => {
    const { url, held, answerOne, paths } = await startPatiently();
    for (let opened = 0; opened < 200; opened += 1) await open(url, printGet('greedy').repeat(4));
    await expect.poll(() => held.length, { timeout: 20_000, interval: 1 }).toBe(MOST_OPEN);
    await open(url, last, '127.0.0.2');
    // Long enough for its request to arrive.
    for (let answered = 1; answered <= 50; answered += 1) {
      answerOne();
      await expect.poll(() => paths().length, { timeout: 20_000, interval: 1 }).toBe(MOST_OPEN + answered);
    }
    expect(paths()).toContain('/v1/last');
  },
);

describe('where others wait', () => {
  // Sockets keep the time of the system.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  /** Waits until a turn is over, again and again, for something to be true. */
  const waitInTurns = (condition: () => boolean) =>
    expect.poll(() => condition() || (vi.advanceTimersByTime(TURN) && false), { timeout: 20_000 }).toBe(true);

  test('requests that last leave their places to them, and go on', async () => {
    const { url, held, answerAll, paths } = await startPatiently();
    const greedy = [];
    for (let opened = 0; opened < MOST_OPEN / MOST_OF_CONNECTION; opened += 1) {
      greedy.push(talk(url, `${printGet('greedy').repeat(3)}${last.replace('last', 'greedy')}`));
    }
    await expect.poll(() => held.length, { timeout: 20_000 }).toBe(MOST_OPEN);
    const modest = talk(url, last);
    await waitInTurns(() => paths().includes('/v1/last'));
    answerAll();
    for (const answer of await Promise.all([modest, ...greedy])) expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });

  const endless = 'POST /v1/greedy HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx';

  test.for([
    ['uploads', endless],
    ['events', printGet('events')],
  ] as const)(
    'of very many %s without end, one is broken off for each request that waits',
    async ([, bytes]) => {
      const { url, received } = await startProxyBefore(answerEvents, { timeout: 600_000 });
      const cut = new Set<Socket>();
      for (let opened = 0; opened < MOST_OPEN + MOST_LASTING; opened += 1) {
        const socket = await open(url, bytes);
        for (const ending of ['end', 'close']) socket.resume().once(ending, () => cut.add(socket));
      }
      await waitInTurns(() => received.length === MOST_OPEN + MOST_LASTING);
      expect(cut.size).toBe(0);
      const answer = talk(url, last);
      await waitInTurns(() => cut.size > 0);
      expect(await answer).toMatch(/^HTTP\/1.1 200 /);
      expect(cut.size).toBe(1);
    },
  );
});

test('events that go on and on leave the places to others', async () => {
  const { url, received } = await startProxyBefore(answerEvents, { timeout: 600_000 });
  const many = Array(MOST_OPEN / MOST_OF_CONNECTION).fill(printGet('events').repeat(MOST_OF_CONNECTION));
  await Promise.all(many.map((bytes) => open(url, bytes)));
  await expect.poll(() => received.length, { timeout: 20_000 }).toBe(MOST_OPEN);
  expect(await talk(url, last)).toMatch(/^HTTP\/1.1 200 /);
});

test.for(['destroy', 'resetAndDestroy'] as const)(
  'nothing goes on for a client that has gone (%s)',
  async (how) => {
    const { url, held, answerAll, close, paths } = await startPatiently();
    const socket = await open(url, printGet('greedy').repeat(MANY));
    await expect.poll(() => held.length).toBe(MOST_OF_CONNECTION);
    socket[how]();
    await once(socket, 'close');
    answerAll();
    await close();
    expect(paths().length).toBeLessThan(50);
  },
);

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

test('a client that says that it sends no more gets its answer', async () => {
  const { url, held, answerAll } = await startPatiently();
  const socket = await open(url, '');
  socket.end(printGet('pets'));
  await expect.poll(() => held.length).toBe(1);
  // It is asked whether it is still there.
  await once(socket, 'data');
  answerAll();
  expect(await text(socket)).toMatch(/HTTP\/1.1 200 .*\r\n\r\n(?:1\r\n)?x/s);
});
