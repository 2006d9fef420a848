import { beforeEach, expect, test } from 'vitest';
import { UsageError } from '../common/cli/usage-error.ts';
import { get, post, send } from '../tools/testing/http-case.ts';
import { startFileMock, startTestMock } from '../tools/testing/start-test-mock.ts';
import { connectMock } from './client/connect-mock.ts';
import { launchMock } from './launch-mock.ts';
import { resolveMockOptions } from './options.ts';
import { sendAdmin } from './testing/send-admin.ts';

const mock = await startFileMock({ checkedProxy: true });
const checkedUrl = mock.checkedUrl as string;
const { origin } = new URL(checkedUrl);
const ask = (path: string, headers = {}) => send(checkedUrl, get(path, headers));
beforeEach(() => {
  mock.reset();
  for (const name of mock.sessions()) mock.endSession(name);
});

test('violations are recorded by the mock or session of their request, without keys', async () => {
  const session = mock.session('w1');
  await ask('/v1/pets?limit=0');
  await send(session.checkedUrl as string, post('/sessions/w1/v1/pets', '{"name":"test-key"}'));
  const own = { method: 'GET', url: '/v1/pets?limit=0', operation: 'listPets', status: 400 };
  const found = {
    id: 1,
    ...own,
    severity: 'error',
    place: 'request.query.limit',
    rule: 'minimum',
    received: '"0"',
  };
  expect(mock.violations()).toMatchObject([found]);
  expect(session.violations()).toMatchObject([{ method: 'POST', url: '/v1/pets', operation: 'createPet' }]);
  expect(JSON.stringify(session.violations())).not.toContain('test-key');
  const line = 'createPet request\\.body\\.categoryId required: .* \\(POST .*, 400\\)';
  expect(() => session.expectNoViolations()).toThrow(RegExp(`^1 violation of the contract:\\n {2}${line}$`));
  expect(() => mock.expectNoViolations()).toThrow('must be >= 1; received "0" (GET /v1/pets?limit=0, 400)');
  session.expectNoViolations({ operation: 'createPet', severity: 'warning' });
  session.clearViolations();
  session.expectNoViolations();
  await ask('/v1/pets?limit=0&sort=name');
  const read = async (rest = '') => Object((await sendAdmin(mock.url, ['GET', `/violations${rest}`])).body);
  expect(await read('?operation=listPets')).toMatchObject([{ id: 1n }, { id: 2n }, { id: 3n }]);
  expect(await read('?severity=warning&since=0')).toMatchObject([{ place: 'request.query.sort' }]);
  await sendAdmin(mock.url, ['DELETE', '/violations?until=1']);
  expect(await read()).toHaveLength(2);
  mock.reset();
  expect(mock.violations()).toEqual([]);
});

test.for(['in this process', 'in another one'])(
  'neither no request nor one that was sent past the checked proxy is a proof that there are no violations: %s',
  async (place) => {
    const control = place === 'in this process' ? mock : connectMock(mock.url);
    const check = async () => control.expectNoViolations();
    await expect(check()).rejects.toThrow(
      'The journal has no request, so nothing was checked. Use the checked URL',
    );
    await send(mock.url, get('/v1/pets?limit=0'));
    await expect(check()).rejects.toThrow(
      'The only request was sent past the checked proxy, so nothing was checked. Use the checked URL as the base URL of the app.',
    );
    await ask('/v1/pets');
    await check();
    const ofCreate = async () => control.expectNoViolations({ operation: 'createPet' });
    await expect(ofCreate()).rejects.toThrow(
      'The journal has no request of createPet, so nothing was checked.',
    );
    const create = post('/v1/pets', '{"name":"Rex","categoryId":1}');
    await send(mock.url, create);
    await expect(ofCreate()).rejects.toThrow('The only request of createPet was sent past the checked proxy');
    await send(checkedUrl, create);
    await ofCreate();
  },
);

test('on every address, the URLs are ones that this machine reaches', async () => {
  const every = await startTestMock({ host: '0.0.0.0', checkedProxy: true, adminToken: 's3cr-token' });
  const remote = connectMock(every.url, { adminToken: 's3cr-token' });
  for (const url of [every.url, every.session('w1').url, every.checkedUrl, await remote.checkedUrl()])
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
  expect((await send(`${every.checkedUrl}`, get('/v1/pets'))).status).toBe(200);
});

test('without a journal, only violations count, also in another process', async () => {
  const { url, expectNoViolations } = await startTestMock({ checkedProxy: true, journal: 0 });
  expectNoViolations();
  await connectMock(url).expectNoViolations();
});

test('a request of an operation that has left the journal may have been checked', async () => {
  const { checkedUrl, expectNoViolations } = await startTestMock({ checkedProxy: true, journal: 2 });
  for (let count = 0; count < 2; count += 1) await send(`${checkedUrl}`, get('/v1/pets'));
  expectNoViolations({ operation: 'createPet' });
});

test('a session that a header names has its requests and violations through the checked proxy', async () => {
  const session = mock.session('w1');
  await ask('/v1/pets?limit=0', session.headers);
  expect(session.requests()).toMatchObject([{ isChecked: true }]);
  expect(session.violations()).toMatchObject([{ url: '/v1/pets?limit=0', rule: 'minimum', request: 1 }]);
  expect(mock.violations()).toEqual([]);
  session.faults.add({ drop: true, times: 1 });
  await expect(ask('/v1/pets?limit=0', session.headers)).rejects.toThrow();
  expect(session.violations()).toHaveLength(2);
  const { status, body } = await ask('/sessions/w2/v1/pets', session.headers);
  expect([status, body.message]).toEqual([
    400,
    expect.stringContaining('names two sessions: "w2" in its path'),
  ]);
});

test.for<[path: string, names: string]>([
  ['/v1/pets?limit=0', 'two-1, two-2'],
  ['/sessions/two-1/v1/pets?limit=0', 'two-2'],
])('a violation of a request that names two sessions counts for none: %s with %s', async ([path, names]) => {
  const first = mock.session('two-1');
  // The first session exists, and its test has sent one correct request.
  await ask('/v1/pets', first.headers);
  expect((await ask(path, { 'X-Animal-Store-Session': names })).status).toBe(400);
  first.expectNoViolations();
  expect(mock.violations()).toEqual([]);
});

test('the journal says which requests came through the checked proxy, and has only their own headers', async () => {
  await ask('/v1/pets?limit=1', { Host: 'localhost:5173' });
  await send(mock.url, get('/v1/pets?limit=2', { Host: 'localhost:5173' }));
  const [checked, direct] = mock.requests();
  expect([checked?.isChecked, direct?.isChecked]).toEqual([true, false]);
  expect(Object.keys(checked?.headers ?? {}).sort()).toEqual(Object.keys(direct?.headers ?? {}).sort());
});

test('only paths that the mock does not have are violations, each in its mock or session', async () => {
  const known = ['/', '/health', '/messages', '/__admin/settings', '/sessions/w1/__admin/animals', '/docs'];
  const others = ['/openapi.yaml', `/sessions/${'a'.repeat(65)}/v1/pets`, '/sessions/w1/pets'];
  for (const path of [...known, ...others, '/pets', '/__administration', '/v1/pets']) await ask(path);
  const urls = [mock, mock.session('w1')].map(({ violations }) => violations().map(({ url }) => url));
  expect(urls).toEqual([['/pets', '/__administration'], ['/pets']]);
});

test('a session is the same service through the proxy, and the contract names the address of the request', async () => {
  const { animals, violations } = mock.session('w1');
  animals.replace([{ name: 'Nobody', categoryId: 1 }]);
  const { text } = await ask('/sessions/w1/v1/pets');
  expect(text).toBe('[{"id":1,"name":"Nobody","categoryId":1}]');
  for (const base of ['', '/sessions/w1']) {
    const { servers } = (await ask(`${base}/openapi.json`)).body;
    expect(servers).toMatchObject([{ url: `${origin}${base}/v1` }]);
  }
  expect(violations()).toEqual([]);
  expect((await ask('/v1/pets', { Host: 'evil.test' })).status).toBe(403);
});

test('each of many violations at once names its own request, OPTIONS without Origin too', async () => {
  const headers = { 'Access-Control-Request-Method': 'GET' };
  const options = { method: 'OPTIONS', path: '/v1/pets', headers };
  const requests = Array.from({ length: 30 }, (_, index) => get(`/v1/pets?limit=${index % 3 ? 20 : 500}`));
  await Promise.all([...requests, options].map((request) => send(checkedUrl, request)));
  const refused = mock.requests().flatMap(({ id, status }) => (status === 200 ? [] : [id]));
  expect(refused).toHaveLength(11);
  const named = new Set(mock.violations().map(({ request }) => request));
  expect([...named].toSorted((one = 0, other = 0) => one - other)).toEqual(refused);
});

test('a fault is no violation of the app, and breaks connections here too', async () => {
  mock.faults.add({ status: 500, times: 1 });
  mock.faults.add({ response: { body: [{ id: 1 }] }, times: 1 });
  for (const [status, id] of Object.entries({ 200: '2', 500: '1' }))
    expect(await ask('/v1/pets')).toMatchObject({ status: Number(status), headers: { 'x-fault': id } });
  mock.expectNoViolations();
  mock.faults.add({ drop: true, times: 1 });
  await expect(ask('/v1/pets')).rejects.toThrow('ECONNRESET');
  for (const fault of [{ truncate: true }, { after: 'drop' }] as const) {
    mock.faults.add({ ...fault, times: 1 });
    await expect(ask('/v1/pets')).rejects.toThrow(/ECONNRESET|aborted/);
  }
  expect((await ask('/v1/pets')).status).toBe(200);
  mock.expectNoViolations();
});

test('the mock closes the checked proxy, also while the proxy is starting, and does not start without its port', async () => {
  const config = resolveMockOptions({ port: 0, checkedProxy: true, log: 'silent' });
  const { close, proxyUrl } = await launchMock(config);
  await close();
  // Otherwise the command would print why the proxy did not start.
  await expect(fetch(`${await proxyUrl}/pets`)).rejects.toThrow('fetch failed');
  const port = Number(new URL(mock.url).port);
  const inUse = (option: string) =>
    new UsageError(`Port ${port} of 127.0.0.1 is in use. Try ${option}: 0 for a free port.`);
  await expect(startTestMock({ checkedPort: port })).rejects.toThrow(inUse('checkedPort'));
  await expect(startTestMock({ port })).rejects.toThrow(inUse('port'));
});
