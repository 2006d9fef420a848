import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { answerClientErrors } from '../../common/answer-client-error.ts';
import { attacks } from '../../fuzz/attacks.ts';
import { animal, chunked, one, printFramed, printGet, printPost } from '../../fuzz/print-request.ts';
import { countAwaited, type Outcome, printOutcome, sendRaw } from '../../fuzz/send-raw.ts';
import { type Mock, startMock } from '../index.ts';
import { errorCodes, get, send } from '../testing/http-case.ts';
import { startTestMock } from '../testing/start-test-mock.ts';

let mock: Mock;

beforeAll(async () => {
  mock = await startMock({ port: 0, log: 'silent' });
  return () => mock.close();
});

/** Waits for as many answers as are expected, and for the server to close the connection where it is to. */
function exchange(url: string, bytes: string, expected: string): Promise<Outcome> {
  return sendRaw(url, { bytes, ending: 'wait', awaited: countAwaited(expected), lifetime: 30_000 });
}

const large = animal.padEnd(8 * 1024 * 1024);

test.for([
  ...attacks.map(({ title, answers, bytes }) => [title, answers.mock, bytes] as const),
  ['a body of 8 MiB', '413', printPost(large)],
  ['chunks of 8 MiB', '413', printFramed(`800000\r\n${large}\r\n0\r\n\r\n`, chunked)],
] as const)('%s: answered with %s', async ([, expected, bytes]) => {
  const outcome = await exchange(mock.url, bytes, expected);
  expect(printOutcome(outcome)).toBe(expected);
  expect(outcome.rest).toBe('');
  if (expected.endsWith('close')) expect(outcome.answers.at(-1)?.headers).toMatch(/^Connection: close\r$/im);
  for (const { status, headers, body } of outcome.answers) {
    if (status < 400) continue;
    expect(headers).toMatch(/^Content-Type: application\/json\r$/m);
    expect(JSON.parse(body)).toEqual({ code: errorCodes[status], message: expect.any(String), status });
  }
  expect((await send(mock.url, get('/v1/pets'))).status).toBe(200);
});

test.for([
  ['a target in absolute form', printGet('http://example.org/v1/pets/1'), [1]],
  ['an expectation that the mock does not know', printGet('/v1/pets/1', 'Expect: miracles'), [1]],
  [
    'requests that come at once on one connection',
    printGet('/v1/pets/1') + printGet('/v1/pets/2') + one,
    [1, 2, 7],
  ],
] as const)('%s: the animals come in the order of the requests', async ([, bytes, ids]) => {
  const { answers } = await exchange(mock.url, bytes, ids.join(' '));
  expect(answers.map(({ body }) => JSON.parse(body).id)).toEqual(ids);
});

test('a client that keeps a refused connection does not keep the mock', async () => {
  const { url, close } = await startTestMock();
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  socket.write('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  onTestFinished(() => void socket.destroy());
  await close();
});

test('a client that goes away in the middle of a body leaves the mock well', async () => {
  const { url } = await startTestMock({ profile: 'empty' });
  const bytes = printFramed('{"name":', 'Content-Length: 100');
  await sendRaw(url, { bytes, ending: 'destroy', awaited: 1, lifetime: 30_000 });
  expect((await send(url, get('/v1/pets'))).body).toEqual([]);
});

/** Starts a bare server whose malformed requests are answered as the mock's. */
async function startBare(server: Server): Promise<string> {
  answerClientErrors(server).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('malformed bytes that go on while a request is being answered are answered once', async () => {
  const warnings: string[] = [];
  const listen = ({ message }: Error) => void warnings.push(message);
  process.on('warning', listen);
  onTestFinished(() => void process.off('warning', listen));
  const bytes = `${one}garbage\r\n\r\n${'x'.repeat(3 * 1024 * 1024)}`;
  const server = createServer(({ socket }, response) => {
    const answerLast = () => (socket.bytesRead < bytes.length ? setImmediate(answerLast) : response.end());
    answerLast();
  });
  expect(printOutcome(await exchange(await startBare(server), bytes, '200 400 close'))).toBe('200 400 close');
  expect(warnings).toEqual([]);
});

test('a request that is too slow is answered with an Error', async () => {
  const server = createServer({ requestTimeout: 20, connectionsCheckingInterval: 10 });
  const { answers } = await exchange(await startBare(server), 'GET / HTTP/1.1\r\n', '408 close');
  expect(answers).toMatchObject([{ status: 408, body: expect.stringContaining('"status":408') }]);
});
