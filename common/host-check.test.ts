import { expect, test } from 'vitest';
import { createHostCheck } from './host-check.ts';

const loopback = [
  'localhost',
  'LOCALHOST:1',
  'app.localhost',
  'localhost.',
  '127.0.0.1:4010',
  '127.1.2.3',
  '[::1]:1',
];
const foreign = [
  'evil.test',
  'evil.test:4010',
  '127.0.0.1.evil.test',
  'localhost.evil.test',
  'xlocalhost',
  '[::2]',
];
const malformed = [
  'evil.test@localhost',
  'localhost/',
  'localhost, evil.test',
  'x:99999',
  '[::1',
  '\xff',
  '?',
];

test.for(['127.0.0.1', '::1', 'localhost', '127.1'])(
  'on %s loopback names are taken, and no others',
  async (host) => {
    const isAllowed = await createHostCheck(host);
    expect([undefined, '', ...loopback].filter((name) => !isAllowed(name))).toEqual([]);
    expect([...foreign, ...malformed, '192.168.0.1'].filter(isAllowed)).toEqual([]);
  },
);

test.for(['0.0.0.0', '::'])('on %s any name is taken, until names are allowed', async (host) => {
  const isAnyAllowed = await createHostCheck(host);
  expect([...loopback, ...foreign, ...malformed].filter((name) => !isAnyAllowed(name))).toEqual([]);
  const isAllowed = await createHostCheck(host, ['evil.test']);
  expect([...foreign, ...malformed].filter(isAllowed)).toEqual(['evil.test', 'evil.test:4010']);
  expect([...loopback, host].filter((name) => !isAllowed(name))).toEqual([]);
});

test('names are allowed by themselves, or with all beneath them', async () => {
  const isAllowed = await createHostCheck('127.0.0.1', ['App.test', '.api.test', 'bücher.test', '::2']);
  const allowed = ['app.test', 'APP.test.:80', 'api.test', 'a.b.api.test', 'xn--bcher-kva.test', '[::2]'];
  expect(allowed.filter((name) => !isAllowed(name))).toEqual([]);
  expect(['x.app.test', 'xapi.test', 'test'].filter(isAllowed)).toEqual([]);
});

test('a host without an address is told of as Node tells it', async () => {
  await expect(createHostCheck('nowhere.invalid')).rejects.toMatchObject({ syscall: 'getaddrinfo' });
});
