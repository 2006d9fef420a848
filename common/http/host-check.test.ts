import { expect, test } from 'vitest';
import { createHostCheck } from './host-check.ts';

const always = [
  ...'localhost LOCALHOST:1 app.localhost localhost. host.docker.internal:4010'.split(' '),
  ...'127.0.0.1:4010 10.0.2.2:4010 192.168.0.1 0.0.0.0 [::1]:1 [2001:db8::2]'.split(' '),
];
const foreign = [
  ...'evil.test evil.test:4010 mock 127.0.0.1.evil.test 10.0.2.2.nip.io localhost.evil.test'.split(' '),
  ...'host.docker.internal.evil.test evil.host.docker.internal xlocalhost'.split(' '),
];
const malformed = [
  ...'evil.test@localhost localhost/ x:99999 [::1 [evil.test%eth0] 1.2.3.999 \xff ?'.split(' '),
  'localhost, evil.test',
];

const hosts = ['127.0.0.1', '::1', 'localhost', '0.0.0.0', '::'];

test.for(hosts)('on %s any address and names of this machine are allowed', (host) => {
  const isAllowed = createHostCheck(host);
  expect([undefined, '', ...always].filter((name) => !isAllowed(name))).toEqual([]);
  expect([...foreign, ...malformed].filter(isAllowed)).toEqual([]);
});

test('names can be allowed, also with their subdomains; the name to listen on is allowed', () => {
  const isAllowed = createHostCheck('My-box.test', ['App.test', '.api.test', 'bücher.test']);
  const allowed = 'app.test APP.test.:80 api.test a.b.api.test xn--bcher-kva.test my-box.test:1'.split(' ');
  expect([...allowed, ...always].filter((name) => !isAllowed(name))).toEqual([]);
  expect(['x.app.test', 'xapi.test', 'test', ...foreign].filter(isAllowed)).toEqual([]);
});
