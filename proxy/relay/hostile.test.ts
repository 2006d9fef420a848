import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { hideParameters } from '../findings/create-redaction.ts';
import { createFindingsRecord } from '../findings/findings.ts';
import { startUpstream } from '../testing/raw-exchange.ts';
import { startTestProxy } from '../testing/start-test-proxy.ts';
import { talk } from '../testing/talk.ts';

/** Starts an upstream that answers every connection with these bytes. */
async function startRawUpstream(answer: string): Promise<string> {
  const server = createServer(
    (socket) => void socket.on('error', () => {}).once('data', () => socket.write(answer)),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const key = { Authorization: 'Bearer test-key' };

test.for<[string, string]>([
  ['a reason with a control character', 'HTTP/1.1 200 a\x01b\r\nContent-Length: 2\r\n\r\n[]'],
  [
    'another protocol',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  ],
  ['a 101 without a protocol', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
])('an upstream that answers %s is a 502', async ([, answer]) => {
  const { url } = await startTestProxy(await startRawUpstream(answer));
  const response = await fetch(`${url}/pets`, { headers: key });
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
    502,
    'upstream_failed',
  ]);
});

test('a target of many question marks takes no time to print', () => {
  const target = `/x${'?key'.repeat(4000)}`;
  expect(hideParameters(target)).toBe(target);
  expect(hideParameters('/x?a=1&api_key=2&b=3')).toBe('/x?a=1&api_key=***&b=3');
});

test('an exchange that is under way when the proxy closes is told of before the end', async () => {
  let onArrival: () => void = () => {};
  const arrived = new Promise<void>((resolve) => {
    onArrival = resolve;
  });
  const upstream = await startUpstream(() => onArrival());
  const { url, exchanges, close } = await startTestProxy(upstream, { timeout: 200 });
  const answer = fetch(`${url}/pets?limit=0`, { headers: key });
  await arrived;
  await close();
  expect(exchanges).toMatchObject([{ violations: [{ code: 'minimum' }] }]);
  expect((await answer).status).toBe(504);
});

test('a request that its client gives up is judged all the same', async () => {
  const controller = new AbortController();
  const upstream = await startUpstream(() => controller.abort());
  const { url, exchanges } = await startTestProxy(upstream);
  await expect(fetch(`${url}/pets?limit=0`, { headers: key, signal: controller.signal })).rejects.toThrow();
  await expect
    .poll(() => exchanges)
    .toMatchObject([{ violations: [{ code: 'minimum' }], response: undefined }]);
  const record = createFindingsRecord(new URL(upstream), []);
  for (const exchange of exchanges) record.add(exchange);
  expect(record.read()).toMatchObject({ exchanges: 1, abandoned: 1, unanswered: 0 });
});

test('a client that is slow to send is no silence of the upstream', async () => {
  const upstream = await startUpstream((request, response) => {
    request.resume().on('end', () => response.writeHead(201).end());
  });
  const { url } = await startTestProxy(upstream, { timeout: 50 });
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write('POST /v1/pets HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\na');
  // The one thing to wait for is that time passes.
  await delay(250);
  socket.write('b');
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1.1 201 /);
});

test('a request that is refused does not hold up the next one on its connection', async () => {
  const upstream = await startUpstream((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]');
  });
  const { url } = await startTestProxy(upstream, { errors: true });
  const size = 3 * 1024 * 1024;
  const head = `GET /v1/pets?limit=0 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\nContent-Length: ${size}\r\n\r\n`;
  const next = 'GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\nConnection: close\r\n\r\n';
  const answer = await talk(url, `${head}${'x'.repeat(size)}${next}`);
  expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 200']);
});

test('a small answer of very many violations does not stop the proxy', async () => {
  const body = `[${'{},'.repeat(300_000)}{}]`;
  const upstream = await startUpstream((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
  });
  const { url, exchanges } = await startTestProxy(upstream);
  const answer = await fetch(`${url}/pets`, { headers: key });
  expect((await answer.text()).length).toBe(body.length);
  const [exchange] = exchanges;
  expect(exchange?.violations.length).toBe(1001);
  expect(exchange?.violations.at(-1)).toMatchObject({ code: 'more', message: '5000 more violations' });
});

test('what is not beneath the base path is none of the contract', async () => {
  const upstream = await startUpstream((_request, response) => void response.writeHead(404).end());
  const { url, exchanges } = await startTestProxy(upstream);
  await fetch(`${new URL(url).origin}/pets?limit=0`);
  expect(exchanges).toMatchObject([
    { operationId: undefined, violations: [{ message: 'Selected route not found' }] },
  ]);
});

test('each property that is missing is a place of its own', async () => {
  const upstream = await startUpstream((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('[{"id":1}]');
  });
  const { url, exchanges } = await startTestProxy(upstream);
  await fetch(`${url}/pets`, { headers: key });
  const record = createFindingsRecord(new URL(upstream), []);
  const found = exchanges.flatMap((exchange) => record.add(exchange));
  expect(found.map(({ place, message }) => [place, message])).toEqual([
    ['response.body.*.name', "Response body property 0 must have required property 'name'"],
    ['response.body.*.categoryId', "Response body property 0 must have required property 'categoryId'"],
  ]);
});
