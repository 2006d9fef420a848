import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { animal, chunked, printFramed, printGet, printPost } from '../../tools/bench/print-request.ts';
import { sendRaw } from '../../tools/bench/send-raw.ts';
import { attacks } from '../../tools/testing/attacks.ts';
import { open } from '../../tools/testing/exchange-raw.ts';
import { errorCodes, get, send } from '../../tools/testing/http-case.ts';
import { startFileMock, startTestMock } from '../../tools/testing/start-test-mock.ts';

const mock = await startFileMock();
const { url } = mock;

const large = animal.padEnd(8 * 1024 * 1024);

test.for([
  ...attacks.map(({ title, mock, bytes }) => [title, mock, bytes] as const),
  ['a body of 8 MiB', '413', printPost(large)],
  ['chunks of 8 MiB', '413', printFramed(`800000\r\n${large}\r\n0\r\n\r\n`, chunked)],
] as const)('%s: the response is %s', async ([, expected, bytes]) => {
  const { answers, printed, rest } = await sendRaw(url, { bytes, expected });
  expect([printed, rest]).toEqual([expected, '']);
  if (expected.endsWith('close')) expect(answers.at(-1)?.headers).toMatch(/^Connection: close\r$/im);
  for (const { status, headers, body } of answers) {
    if (status < 400) continue;
    expect(headers).toMatch(/^Content-Type: application\/json\r$/m);
    expect(JSON.parse(body)).toEqual({ code: errorCodes[status], message: expect.any(String), status });
  }
  expect((await send(url, get('/v1/pets'))).status).toBe(200);
});

test.for(['/health', '/__admin/settings', '/docs', '/v1/pets'])('two Hosts at %s are a 400', async (path) => {
  const { answers } = await sendRaw(url, { bytes: printGet(path, 'Host: localhost'), expected: '400' });
  expect(answers).toMatchObject([{ status: 400, body: expect.stringContaining('more than one Host') }]);
});

test('a connection is closed after a request of HTTP/1.0 with chunks, whose framing may be faulty', async () => {
  const framed = printFramed('2\r\n{}\r\n0\r\n\r\n', 'Transfer-Encoding: chunked', 'Connection: keep-alive');
  mock.reset();
  const bytes = framed.replace('HTTP/1.1', 'HTTP/1.0') + printPost(animal);
  const { printed } = await sendRaw(url, { bytes, expected: '400 close' });
  expect(printed).toBe('400 close');
  // What follows may be a part of the body.
  expect(mock.requests()).toMatchObject([{ status: 400 }]);
});

test.for([
  ['/v1/nothing', {}],
  ['/v1/pets', { latency: 50 }],
  ['/__admin/openapi.yaml', {}],
] as const)(
  'a client that closes its writing half gets the response of %s with %j',
  async ([path, options]) => {
    const { url } = await startTestMock(options);
    const socket = await open(url, '');
    socket.end(printGet(path));
    expect(await text(socket)).toMatch(/^HTTP\/1.1 (?:200|404) /m);
  },
);

test('a client that leaves in the middle of a body changes nothing, and a refused client does not keep the mock', async () => {
  const { url, close } = await startTestMock({ profile: 'empty' });
  await sendRaw(url, { bytes: printFramed('{"name":', 'Content-Length: 100'), ending: 'destroy' });
  expect((await send(url, get('/v1/pets'))).body).toEqual([]);
  await once(await open(url, 'CONNECT x:1 HTTP/1.1\r\nHost: localhost\r\n\r\n'), 'data');
  await close();
});
