import { expect, onTestFinished, test, vi } from 'vitest';
import { UsageError } from '../cli/usage-error.ts';
import { findProxySecrets, findRoute, isLoopback } from './connection.ts';

test.for([
  ...['localhost', 'app.localhost', '127.0.0.1', '127.10.200.3', '[::1]'].map(
    (host) => [host, true] as const,
  ),
  ...['localhost.example', 'mylocalhost', '127.0.0.1.example', 'x127.0.0.1.example', '[::2]'].map(
    (host) => [host, false] as const,
  ),
])('only this machine answers at %s: %s', ([host, expected]) => {
  expect(isLoopback(new URL(`http://${host}/v1`))).toBe(expected);
});

/** Sets the variables that name proxies, and no others, for the running test. */
function setProxies(variables: Readonly<Record<string, string>>): void {
  for (const name of ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'])
    vi.stubEnv(name, variables[name]).stubEnv(name.toUpperCase(), variables[name.toUpperCase()]);
  onTestFinished(() => void vi.unstubAllEnvs());
}

const http = 'http://staging.test:8080/v1';
const https = 'https://staging.test/v1';
const basic = (credentials: string) => ({ 'Proxy-Authorization': `Basic ${btoa(credentials)}` });
const direct = { hostname: 'staging.test', port: '', prefix: '', headers: {} };
const byProxy = { hostname: 'proxy.test', port: '3128', prefix: 'http://staging.test:8080', headers: {} };

test.for<[url: string, variables: Readonly<Record<string, string>>, route: object]>([
  [http, {}, { ...direct, port: '8080' }],
  [http, { HTTPS_PROXY: 'proxy.test:3128' }, { ...direct, port: '8080' }],
  [http, { http_proxy: 'proxy.test:3128', HTTP_PROXY: 'other.test:1' }, byProxy],
  [http, { ALL_PROXY: 'http://proxy.test:3128' }, byProxy],
  [http, { HTTP_PROXY: 'http://proxy.test:3128', NO_PROXY: 'staging.test' }, { ...direct, port: '8080' }],
  [http, { HTTP_PROXY: 'http://[2001:db8::2]:3128' }, { ...byProxy, hostname: '2001:db8::2' }],
  [http, { HTTP_PROXY: 'http://ann:p%40ss@proxy.test:3128' }, { ...byProxy, headers: basic('ann:p@ss') }],
  [http, { HTTP_PROXY: 'http://a-token@proxy.test:3128' }, { ...byProxy, headers: basic('a-token:') }],
  // A tunnel leads to the deployment itself.
  [https, { HTTPS_PROXY: 'http://ann:p%40ss@proxy.test:3128' }, direct],
  ['https://[2001:db8::3]/v1', {}, { ...direct, hostname: '2001:db8::3' }],
  ['http://localhost/v1', { HTTP_PROXY: 'proxy.test:3128' }, { ...direct, hostname: 'localhost' }],
])('the route to %s with %o', async ([url, variables, expected]) => {
  setProxies(variables);
  const { createAgent, toFailure, findRefusal, ...route } = await findRoute(url);
  expect(route).toEqual(expected);
});

test('the proxy of plain HTTP is named for its own failures, and not for those of the deployment', async () => {
  setProxies({ HTTP_PROXY: 'http://ann:p%40ss@proxy.test:3128' });
  const { toFailure, findRefusal } = await findRoute(http);
  const failure = (syscall: string, message: string) =>
    toFailure(Object.assign(new Error(message), { syscall, code: 'ECODE' }));
  expect(failure('connect', 'refused p@ss')).toMatchObject({
    message: 'the proxy http://proxy.test:3128 failed: refused [key]',
    code: 'ECODE',
  });
  expect(failure('getaddrinfo', '').message).toBe('the proxy http://proxy.test:3128 failed: ECODE');
  expect(failure('read', 'reset').message).toBe('reset');
  const refusal = 'it refused with 407, so it requires credentials';
  expect(findRefusal(407)?.message).toBe(`the proxy http://proxy.test:3128 failed: ${refusal}`);
  expect(findRefusal(401)).toBeUndefined();
  setProxies({});
  expect((await findRoute(http)).findRefusal(407)).toBeUndefined();
});

test.for([
  ['https_proxy', 'socks5://proxy.test:1'],
  ['HTTPS_PROXY', 'proxy.test:99999'],
  ['all_proxy', 'http://ann:50%@proxy.test:1'],
] as const)('%s with %s is refused by the name of the variable', async ([name, value]) => {
  setProxies({ [name]: value });
  const message = `${name} must be a URL such as http://user:password@proxy.example:3128`;
  await expect(findRoute(https)).rejects.toThrow(new UsageError(message));
  expect(findProxySecrets(new URL(https))).toEqual([]);
});

test.for([
  ['http://proxy.test:3128', []],
  ['http://ann:p%40ss@proxy.test:3128', ['ann:p@ss', btoa('ann:p@ss'), 'ann:p%40ss', 'p%40ss', 'p@ss']],
  ['http://a%2Dtoken@proxy.test:3128', ['a-token:', btoa('a-token:'), 'a%2Dtoken:', 'a%2Dtoken', 'a-token']],
] as const)('the secrets of the proxy %s are %j', ([proxy, secrets]) => {
  setProxies({ HTTPS_PROXY: proxy });
  expect(findProxySecrets(new URL(https))).toEqual(secrets);
  expect(findProxySecrets(new URL('http://localhost/v1'))).toEqual([]);
});
