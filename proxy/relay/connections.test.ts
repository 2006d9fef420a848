import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { open, talk } from '../../testing/exchange-raw.ts';
import { printRequest, startProxyBefore } from '../testing/start-test-proxy.ts';
import { answerJson } from '../testing/start-upstream.ts';
import { MOST_OPEN } from './start-relay.ts';

const last = printRequest('GET /v1/last');

test('requests that one client sends at once arrive whole and are answered in their order', async () => {
  const { url } = await startProxyBefore(async (request, response) => {
    response.end(`${request.url} ${await text(request)}\n`);
  });
  const bodies = Array.from({ length: 50 }, (_, index) => String(index).repeat(5_000));
  const requests = bodies.flatMap((body, index) => [
    printRequest(`POST /v1/${index}`, [`Content-Length: ${body.length}`], body),
    printRequest(`GET /v1/${index}`, []),
  ]);
  const answers = await talk(url, [...requests, last].join(''));
  const expected = bodies.flatMap((body, index) => [`/v1/${index} ${body}`, `/v1/${index} `]);
  expect(answers.match(/^\/v1\/.*$/gm)).toEqual([...expected, '/v1/last ']);
});

test('a request past the limit is refused, and the next one after an answer is forwarded', async () => {
  const held: ServerResponse[] = [];
  let isHolding = true;
  const { url } = await startProxyBefore((_request, response) => {
    if (isHolding) held.push(response);
    else response.end();
  });
  const answerAll = () => {
    isHolding = false;
    for (const response of held) response.end();
  };
  // Open requests would delay the end of the test.
  onTestFinished(answerAll);
  await open(url, printRequest('GET /v1/many', []).repeat(MOST_OPEN));
  await expect.poll(() => held.length, { timeout: 20_000 }).toBe(MOST_OPEN);
  expect(await talk(url, last)).toMatch(/^HTTP\/1.1 503 .*"code":"service_unavailable".*1024/s);
  answerAll();
  await expect.poll(() => talk(url, last), { timeout: 20_000 }).toMatch(/^HTTP\/1.1 200 /);
});

test('a request hidden in the body of another stays in it, whatever Connection names', async () => {
  const { url, received } = await startProxyBefore(answerJson());
  const hidden = printRequest('GET /v1/pets/2', []);
  const headers = ['Connection: content-length, close', `Content-Length: ${hidden.length}`];
  await talk(url, printRequest('GET /v1/pets/1', headers, hidden));
  await fetch(`${url}/pets/3`);
  expect(received.map(({ url }) => url)).toEqual(['/v1/pets/1', '/v1/pets/3']);
});

test('a malformed request never gets into the body of an answer', async () => {
  const body = 'x'.repeat(3 * 1024 * 1024);
  let finish: () => void = () => {};
  const { url } = await startProxyBefore((_request, response) => {
    response.writeHead(200, { 'Content-Length': body.length }).write(body.slice(0, 2 * 1024 * 1024));
    finish = () => response.end(body.slice(2 * 1024 * 1024));
  });
  const socket = await open(url, printRequest('GET /v1/x', []));
  let received = '';
  socket.on('data', (chunk) => {
    if (received === '') socket.write('garbage\r\n\r\n', finish);
    received += chunk;
  });
  await once(socket, 'end');
  const [, answered = '', after = ''] = /\r\n\r\n(x*)(.*)$/s.exec(received) ?? [];
  expect(answered.length).toBe(body.length);
  expect(after).toMatch(/^HTTP\/1.1 400 .*"code":"invalid_request"/s);
});
