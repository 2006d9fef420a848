import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { printGet } from '../../bench/print-request.ts';
import { sendRaw } from '../../bench/send-raw.ts';
import { contractFile } from '../../common/contract-file.ts';
import { get, send } from '../../testing/http-case.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';

const written = parse(readFileSync(contractFile, 'utf8'));

/** Without a key. */
const getFreely = (path: string, headers = {}) => get(path, { Authorization: undefined, ...headers });

test.for([
  ['/openapi.yaml', 'application/yaml', (text: string) => parse(text)],
  ['/openapi.json', 'application/json', (text: string) => JSON.parse(text)],
] as const)('%s is the contract, without a key, and its server is the mock', async ([path, type, read]) => {
  const { url } = await startTestMock();
  const answer = await fetch(new URL(path, url));
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(read(await answer.text())).toEqual({ ...written, servers: [{ url, description: 'This mock.' }] });
  const head = await fetch(new URL(path, url), { method: 'HEAD' });
  const length = answer.headers.get('content-length');
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, length, '']);
});

test.for([
  ['another name of this machine', 'mock.localhost:8080', 'http://mock.localhost:8080/v1'],
  ['an address of IPv6', '[::1]:4010', 'http://[::1]:4010/v1'],
])('the server is the address that was asked: %s', async ([, Host, expected]) => {
  const { url } = await startTestMock();
  for (const path of ['/openapi.yaml', '/openapi.json']) {
    const { text } = await send(url, getFreely(path, { Host }));
    expect(parse(text).servers).toMatchObject([{ url: expected }]);
  }
});

test('whatever name is asked, it adds nothing to the contract', async () => {
  const { url } = await startTestMock();
  const strange = [`a'b"c.localhost`, '$&.localhost', '{x}.localhost', 'a;b.localhost'];
  for (const Host of strange) {
    const { text } = await send(url, getFreely('/openapi.yaml', { Host }));
    const { servers, ...rest } = parse(text);
    expect({ ...rest, servers: written.servers }, Host).toEqual(written);
    expect(servers, Host).toEqual([{ url: expect.stringMatching(/\/v1$/), description: expect.any(String) }]);
  }
});

test('a client that names no host gets the contract as it is written', async () => {
  const { url } = await startTestMock();
  const bytes = 'GET /openapi.yaml HTTP/1.0\r\n\r\n';
  const { answers } = await sendRaw(url, { bytes, expected: '200 close' });
  expect(answers[0]?.body).toBe(readFileSync(contractFile, 'utf8'));
});

test('a page of another site whose name leads here gets no contract', async () => {
  const { url } = await startTestMock();
  const bytes = printGet('/openapi.json').replace('Host: localhost', 'Host: evil.test');
  expect(await sendRaw(url, { bytes, expected: '403' })).toMatchObject({ printed: '403' });
});

test('the contract is not changed', async () => {
  const { url } = await startTestMock();
  const { status, headers } = await send(url, { ...getFreely('/openapi.json'), method: 'PUT' });
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
});
