import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { talk } from '../../testing/exchange-raw.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';
import { startProxyBefore, startTestProxy } from '../testing/start-test-proxy.ts';
import { answerJson } from '../testing/start-upstream.ts';

test('a malformed request is answered with an Error', async () => {
  const mock = await startTestMock();
  const { url } = await startTestProxy(mock.url);
  expect(await talk(url, 'hello\r\n\r\n')).toMatch(/^HTTP\/1.1 400 .*"code":"invalid_request"/s);
  expect((await fetch(`${url}/pets`)).status).toBe(401);
});

test('a request hidden in the body of another stays in it, whatever Connection names', async () => {
  const { url, received } = await startProxyBefore(answerJson());
  const hidden = 'GET /v1/pets/2 HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const head = `GET /v1/pets/1 HTTP/1.1\r\nHost: localhost\r\nConnection: content-length, close\r\nContent-Length: ${hidden.length}`;
  await talk(url, `${head}\r\n\r\n${hidden}`);
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
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () =>
    socket.write('GET /v1/x HTTP/1.1\r\nHost: localhost\r\n\r\n'),
  );
  let received = '';
  socket.on('data', (chunk) => {
    if (received === '') socket.write('garbage\r\n\r\n', finish);
    received += chunk;
  });
  await once(socket, 'end');
  const [, answered = '', after = ''] = /\r\n\r\n(x*)(.*)$/s.exec(received) ?? [];
  expect([answered.length, after.slice(0, 12)]).toEqual([body.length, 'HTTP/1.1 400']);
});

test('a request that is refused does not block the next one on its connection', async () => {
  const { url } = await startProxyBefore(answerJson(), { errors: true });
  const size = 3 * 1024 * 1024;
  const common = 'HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x';
  const first = `GET /v1/pets?limit=0 ${common}\r\nContent-Length: ${size}\r\n\r\n${'x'.repeat(size)}`;
  const answer = await talk(url, `${first}GET /v1/pets ${common}\r\nConnection: close\r\n\r\n`);
  expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 200']);
});

test('of a small answer with very many violations the first 1,000 are kept', async () => {
  const body = `[${'{},'.repeat(7_000)}{}]`;
  const { url, exchanges } = await startProxyBefore(answerJson(body));
  const answer = await fetch(`${url}/pets`, { headers: { Authorization: 'Bearer test-key' } });
  expect((await answer.text()).length).toBe(body.length);
  expect(exchanges[0]?.violations.length).toBe(1000);
});
