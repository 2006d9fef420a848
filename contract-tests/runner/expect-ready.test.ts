import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer as createNetServer } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createServer, getCACertificates, setDefaultCACertificates, type TlsOptions } from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { listen } from '../../tools/testing/listen.ts';
import { startForwardProxy } from '../../tools/testing/start-forward-proxy.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import { answerWith } from '../deployments/changes.ts';
import type { Answer } from '../deployments/deployment.ts';
import type { DeployedReply } from '../deployments/messages.ts';
import { hasKey, isList } from '../deployments/messages.ts';
import { createEmpty, createError, createPage, createReply } from '../deployments/replies.ts';
import { resolveVerifyOptions } from '../resolve-verify-options.ts';
import { createTarget, startForTest } from '../testing/run-suite.ts';
import { expectReady } from './expect-ready.ts';
import { CouldNotTell } from './report.ts';

/** Asks a deployment whether it is ready. @returns the hint or the error, without its base URL */
async function ask(behave?: Answer, change = (url: string) => url, apiKey = 'test-key') {
  const url = await startForTest(behave && { createAnswer: () => behave });
  const said = await expectReady(createTarget({ baseUrl: change(url), apiKey })).then(
    ({ hint = '' }) => hint,
    (error) => `${error.name}: ${error.message}`,
  );
  return said.replaceAll(url, 'URL').replaceAll(url.replace('/v1', ''), 'ROOT');
}

const location = `https://login.example/?next=${'x'.repeat(200)}`;
const other = 'https://me:hunter2@api.example/v1/pets?x=1';
const page = '<!doctype html><title>\n Sign in \x1b[2J to test-key</title>';
const gateway = 'Check the base URL, or add the header that your gateway requires (--header).';
const check = 'Check the base URL. It usually ends with /v1.';
const redirect = `${'https://login.example/?next='.padEnd(100, 'x')}…`;

test.for<[what: string, reply: DeployedReply, message: string]>([
  ['a redirect', createEmpty(302, { location }), `returned 302 with the Location ${redirect}. ${check}`],
  ['a redirect to nowhere', createEmpty(302), `returned 302. ${check}`],
  [
    'another base URL',
    createEmpty(308, { location: other }),
    'returned 308, a redirect. Use https://api.example/v1',
  ],
  [
    'a redirect to what is no URL',
    createEmpty(302, { location: 'http://' }),
    `returned 302 with the Location http://. ${check}`,
  ],
  [
    'the same URL',
    createEmpty(307, { location: '/v1/pets' }),
    `returned 307 with the Location /v1/pets. ${check}`,
  ],
  ['the 404 of a framework', createReply(404, { statusCode: 404n }), `returned 404. ${check}`],
  ['404 and an Error', createError(404), `returned 404. ${check}`],
  [
    'a sign-in page',
    createPage(200, {}, page),
    `returned 200 with the page "Sign in \\u001b[2J to [key]". ${gateway}`,
  ],
  ['a page and 401', createPage(401), `returned 401 with an HTML page. ${gateway}`],
  [
    'a page and 500',
    createPage(500),
    'returned 500. Check the base URL, or wait for the deployment with --wait 30000.',
  ],
  [
    'a page and 502',
    createPage(502),
    'returned 502. Check the base URL, or wait for the deployment with --wait 30000.',
  ],
  [
    '503 and an Error',
    createError(503),
    'returned 503. Check the base URL, or wait for the deployment with --wait 30000.',
  ],
  [
    'a list in zstd',
    { ...createReply(200, []), headers: { 'content-encoding': 'zstd' } },
    'returned 200, but the body is in the Content-Encoding zstd, which the suite did not ask for.',
  ],
  [
    'other JSON',
    createReply(200, { status: 'up' }),
    'returned 200, but neither a list nor an Error. Check that the base URL is of an Animal Store Service.',
  ],
  [
    'null',
    createReply(200, null),
    'returned 200, but neither a list nor an Error. Check that the base URL is of an Animal Store Service.',
  ],
])('a server that always answers with %s is not the service', async ([, reply, message]) => {
  let requests = 0;
  const said = await ask(async () => {
    requests += 1;
    return reply;
  });
  expect(said).toBe(`CouldNotTell: GET URL/pets ${message}`);
  expect(requests).toBeLessThanOrEqual(10);
});

test.for<[what: string, reply: DeployedReply, message: string]>([
  [
    '400 for a missing client certificate, as nginx does,',
    createPage(400, {}, '<title>400 No required SSL certificate was sent</title>'),
    'requires a client certificate. Give one with --client-cert and --client-key.',
  ],
  ['401', createError(401), 'refuses the API key: GET /pets returned 401. Check the key.'],
  [
    '403',
    createError(403),
    'refuses GET /pets with 403. Check the key, or add the header that your gateway requires (--header).',
  ],
])('a service that answers with %s refuses the run', async ([, reply, message]) => {
  expect(await ask(async () => reply)).toBe(`CouldNotTell: URL ${message}`);
});

test.for<[string, DeployedReply, hint: string]>([
  ['404', createError(404), `GET URL/pets returned 404. ${check}`],
  [
    'a redirect',
    createEmpty(301, { location: '/v2/pets' }),
    'GET URL/pets returned 301, a redirect. Use ROOT/v2',
  ],
  ['a page', createPage(200), ''],
  ['400', createError(400), ''],
  ['an object that has the list', createReply(200, { data: [] }), ''],
])('a service is tested if only its list is answered with %s', async ([, reply, hint]) => {
  expect(await ask(answerWith(isList, reply)())).toBe(hint);
});

test.for<[what: string, answer: Answer]>([
  ['refuses a missing key', async (request) => createError(hasKey(request) ? 404 : 401)],
  ['refuses an invalid limit', async ({ query }) => createError(query.get('limit') === '0' ? 400 : 404)],
])('a service that has no animals, and says so with 404, is tested if it %s', async ([, answer]) => {
  expect(await ask(answer)).toBe(`GET URL/pets returned 404. ${check}`);
});

test('a service whose paths all redirect to a slash is tested, and the message says so', async () => {
  const withSlash: Answer = async (request, asMock) => {
    if (request.path.endsWith('/')) return asMock({ ...request, path: request.path.slice(0, -1) });
    return createEmpty(301, { location: `/v1${request.path}/` });
  };
  expect(await ask(withSlash)).toBe(
    'GET URL/pets returned 301, a redirect to the same path with a slash, which the specification does not have',
  );
});

test('a run begins with the number of requests so far only if one of them shows that the key is accepted', async () => {
  const readiness = async (reply?: DeployedReply) => {
    const behave = reply && { createAnswer: answerWith(isList, reply) };
    const { hint, accepted } = await expectReady(createTarget({ baseUrl: await startForTest(behave) }));
    return [hint, accepted];
  };
  expect(await readiness()).toEqual([undefined, 1]);
  expect(await readiness(createError(400))).toEqual([undefined, 0]);
});

const withPets = (url: string) => `${url}/pets`;
const withoutVersion = (url: string) => url.replace('/v1', '');

test.for<[string, string, (url: string) => string, string?]>([
  [
    'with /pets at its end',
    'GET URL/pets/pets returned 404. Remove /pets from the base URL: use URL',
    withPets,
  ],
  ['without /v1', 'GET ROOT/pets returned 404. Add /v1 to the base URL: use URL', withoutVersion],
  [
    'without /v1, with another key',
    'GET ROOT/pets returned 404. Add /v1 to the base URL: use URL',
    withoutVersion,
    'another-key',
  ],
  [
    'of another path',
    'GET URL/other/pets returned 404. The base URL must end with /v1, such as URL',
    (url) => `${url}/other`,
  ],
])('for a base URL %s the message has the URL to use', async ([, message, ...others]) => {
  expect(await ask(undefined, ...others)).toBe(`CouldNotTell: ${message}`);
});

const certificates = join(import.meta.dirname, '../../tools/testing/certificates');
const read = (name: string) => readFileSync(join(certificates, name), 'utf8');

const key = read('localhost-key.pem');

/** Starts a server that decrypts the connections to a mock. @returns its base URL with another host */
async function startTls(mock: string, host: string, options: TlsOptions = {}): Promise<string> {
  const server = createServer({ cert: read('localhost.pem'), key, ...options }, (socket) => {
    pipeline(socket, connect(Number(new URL(mock).port), '127.0.0.1'), socket, () => {});
  });
  return `https://${host}:${new URL(await listen(server)).port}/v1`;
}

test.for([[{ ca: join(certificates, 'ca.pem') }], [{ insecure: true }]])('https with %j', async ([trust]) => {
  const baseUrl = await startTls(await startForTest(), 'localhost');
  const options = { baseUrl, apiKey: 'test-key', allowWrites: false };
  const trusting = await resolveVerifyOptions({ ...options, ...trust });
  expect((await expectReady(trusting.target)).accepted).toBeGreaterThan(0);
  const { target } = await resolveVerifyOptions(options);
  await expect(expectReady(target)).rejects.toThrow('its certificate is not trusted');
});

test('the usual authorities are trusted next to those of --ca', async () => {
  const usual = getCACertificates('default');
  onTestFinished(() => setDefaultCACertificates(usual));
  setDefaultCACertificates([...usual, read('ca.pem')]);
  const baseUrl = await startTls(await startForTest(), 'localhost');
  const target = createTarget({ baseUrl, ca: read('address.pem') });
  expect((await expectReady(target)).accepted).toBeGreaterThan(0);
});

test('a deployment that requires a client certificate gets it', async () => {
  const authority = { ca: read('ca.pem'), requestCert: true };
  const baseUrl = await startTls(await startForTest(), 'localhost', authority);
  const options = { baseUrl, apiKey: 'test-key', allowWrites: false, ca: join(certificates, 'ca.pem') };
  const clientCert = join(certificates, 'localhost.pem');
  const clientKey = join(certificates, 'localhost-key.pem');
  const { target } = await resolveVerifyOptions({ ...options, clientCert, clientKey });
  expect((await expectReady(target)).accepted).toBeGreaterThan(0);
  await expect(resolveVerifyOptions(options).then((one) => expectReady(one.target))).rejects.toThrow(
    'It may require a client certificate',
  );
  const broken = resolveVerifyOptions({ ...options, clientCert, clientKey: join(certificates, 'ca.pem') });
  await expect(broken).rejects.toThrow('clientCert and clientKey cannot be used: ');
});

test('--client-passphrase decrypts the key of the client certificate', async () => {
  const authority = { ca: read('ca.pem'), requestCert: true };
  const baseUrl = await startTls(await startForTest(), 'localhost', authority);
  const encryption = { format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'p@ss' } as const;
  const encrypted = createPrivateKey(key).export(encryption);
  const open = (clientPassphrase?: string) =>
    resolveVerifyOptions({
      baseUrl,
      apiKey: 'test-key',
      allowWrites: false,
      ca: join(certificates, 'ca.pem'),
      clientCert: join(certificates, 'localhost.pem'),
      clientKey: join(createFolder({ 'key.pem': String(encrypted) }), 'key.pem'),
      ...(clientPassphrase !== undefined && { clientPassphrase }),
    });
  expect((await expectReady((await open('p@ss')).target)).accepted).toBeGreaterThan(0);
  for (const wrong of ['another', undefined])
    await expect(open(wrong)).rejects.toThrow(
      /^clientCert and clientKey cannot be used: .*\. Check clientPassphrase$/,
    );
});

test('a forward proxy gets all requests but those to loopback and to hosts of NO_PROXY', async () => {
  const { url: mock, requests } = await startTestMock({ allowHosts: ['staging.test'] });
  const http = mock.replace('127.0.0.1', 'staging.test');
  const https = await startTls(mock, 'staging.test');
  const proxy = await startForwardProxy();
  const ask = (baseUrl: string) => expectReady(createTarget({ baseUrl, insecure: true }));
  for (const url of [http, https]) {
    proxy.use('');
    await expect(ask(url)).rejects.toThrow(/cannot be reached: the proxy .*407/);
    proxy.use('ann:p%40ss@');
    proxy.targets.length = 0;
    expect((await ask(url)).accepted).toBeGreaterThan(0);
    await expectReady(createTarget({ baseUrl: url, insecure: true, apiKey: 'wrong-key' })).catch(() => {});
    if (url === http) expect(proxy.targets[0]).toBe(`GET ${http}/pets`);
    // One connection serves all requests of a run.
    else expect(proxy.targets).toEqual([1, 2].map(() => `CONNECT ${new URL(https).host}`));
  }
  const hosts = requests().map(({ headers }) => headers.host);
  expect([...new Set(hosts)]).toEqual([new URL(http).host, new URL(https).host]);
  proxy.targets.length = 0;
  await ask(mock.replace('127.0.0.1', 'localhost'));
  proxy.use('', '.test');
  await expect(ask(http)).rejects.toThrow(/getaddrinfo (?:ENOTFOUND|EAI_AGAIN) staging\.test/);
  vi.stubEnv('NO_PROXY', '').stubEnv('HTTPS_PROXY', `${process.env.HTTPS_PROXY}`.replace('http:', 'https:'));
  await expect(ask('https://staging.example')).rejects.toThrow(/the proxy https:.* failed: /);
  for (const unusable of ['127.0.0.1:99999', 'socks5://127.0.0.1:1', 'http://ann:50%@127.0.0.1:1']) {
    vi.stubEnv('HTTPS_PROXY', unusable);
    const message = 'HTTPS_PROXY must be a URL such as http://user';
    await expect(ask('https://staging.example')).rejects.toThrow(message);
  }
  expect(proxy.targets).toEqual([]);
});

test.for(['http', 'https'])(
  'credentials that a forward proxy for %s repeats are redacted',
  async (scheme) => {
    const proxy = await startForwardProxy();
    const ask = () => expectReady(createTarget({ baseUrl: `${scheme}://staging.test/v1` }));
    proxy.use('ann:wr%40ng-pass@');
    await expect(ask()).rejects.toThrow(/No access for \[key\] \[key\] \[key\] \[key\](?=$|")/);
    // A token has no password.
    proxy.use('a-token@');
    await expect(ask()).rejects.toThrow(/No access for \[key\] \[key\]:? \[key\](?:%3A)? \[key\](?=$|")/);
  },
);

test.for(['http', 'https'])('a forward proxy for %s that is down is named', async (scheme) => {
  vi.stubEnv('NO_PROXY', '').stubEnv('no_proxy', undefined);
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY'])
    vi.stubEnv(name.toLowerCase(), undefined).stubEnv(name, 'http://ann:p%40ss@127.0.0.1:9');
  onTestFinished(() => void vi.unstubAllEnvs());
  const baseUrl = `${scheme}://staging.test/v1`;
  const message = 'cannot be reached: the proxy http://127.0.0.1:9 failed: connect ECONNREFUSED 127.0.0.1:9';
  await expect(expectReady(createTarget({ baseUrl }))).rejects.toThrow(message);
});

test.for(['192.0.2.2', '[2001:db8::2]'])('HTTPS to %s goes through a forward proxy', async (address) => {
  const baseUrl = await startTls(await startForTest(), address, { cert: read('address.pem') });
  const proxy = await startForwardProxy();
  proxy.use('ann:p%40ss@');
  const target = createTarget({ baseUrl, ca: read('address.pem') });
  expect((await expectReady(target)).accepted).toBeGreaterThan(0);
  expect(proxy.targets).toEqual([`CONNECT ${new URL(baseUrl).host}`]);
});

test.for(['127.0.0.1', '192.0.2.3'])('a certificate that is not for %s is reported', async (address) => {
  const baseUrl = await startTls(await startForTest(), address, { cert: read('address.pem') });
  // The loopback address has no forward proxy.
  (await startForwardProxy()).use('ann:p%40ss@');
  const target = createTarget({ baseUrl, ca: read('address.pem') });
  const hosts = 'its subjectAltName has 192.0.2.2, 2001:DB8:0:0:0:0:0:2';
  const advice = 'Use one of the hosts of the certificate, or add the host to the certificate.';
  await expect(expectReady(target)).rejects.toThrow(
    new CouldNotTell(
      `${baseUrl} cannot be reached: its certificate is not for ${address}: ${hosts}. ${advice}`,
    ),
  );
});

test('the key is not sent to the address of https that the message advises', async () => {
  const received: (string | undefined)[] = [];
  const server = createHttpsServer({ cert: read('localhost.pem'), key }, ({ headers }, response) => {
    received.push(headers.authorization);
    response.end('[]');
  });
  const baseUrl = `${await listen(server)}/v1`;
  const target = createTarget({ baseUrl, insecure: true });
  await expect(expectReady(target)).rejects.toThrow(`${baseUrl} requires TLS. Use https in the base URL.`);
  expect(received).toEqual([undefined]);
});

test('plain HTTP at a port of TLS, TLS at a port of plain HTTP, and an expired certificate are reported', async () => {
  const tls = createServer({ cert: read('expired.pem'), key });
  const origin = await listen(tls);
  // As nginx does it: plain HTTP is answered with a page about HTTPS.
  const nginx = createNetServer((socket) =>
    socket.once('data', (data) => {
      if (String(data).startsWith('GET')) socket.end('HTTP/1.1 400 Bad Request\r\n\r\nsent to HTTPS port');
      else tls.emit('connection', socket.pause(), socket.unshift(data));
    }),
  );
  const plain = (await startForTest()).replace('http:', 'https:');
  for (const [baseUrl, message] of [
    [`${origin}/v1`, 'requires TLS. Use https in the base URL.'],
    [`${await listen(nginx)}/v1`, 'requires TLS. Use https in the base URL.'],
    [plain, 'cannot be reached: the TLS handshake failed. If the service has no TLS, use http.'],
    [
      `${origin.replace('http://127.0.0.1', 'https://localhost')}/v1`,
      'cannot be reached: its certificate expired on 2021-02-03T04:05:06.000Z. Renew it.',
    ],
  ] as const) {
    const target = createTarget({ baseUrl, ca: read('expired.pem') });
    await expect(expectReady(target)).rejects.toThrow(`${baseUrl} ${message}`);
  }
});

test('the reason is reported where the date of an expired certificate cannot be read', async () => {
  const tls = createServer({ cert: read('expired.pem'), key });
  let connections = 0;
  const server = createNetServer((socket) => {
    connections += 1;
    if (connections === 1) tls.emit('connection', socket);
    else socket.destroy();
  });
  const origin = await listen(server);
  const baseUrl = `${origin.replace('http://127.0.0.1', 'https://localhost')}/v1`;
  const target = createTarget({ baseUrl, ca: read('expired.pem') });
  await expect(expectReady(target)).rejects.toThrow(
    new CouldNotTell(
      `${baseUrl} cannot be reached: its certificate is not trusted (CERT_HAS_EXPIRED). Give the certificate of its authority with --ca.`,
    ),
  );
});

test.for([
  ['is tested if it answers other requests', '{"code":"a","message":"No.","status":404}', undefined],
  ['cannot be reached if it answers nothing else', 'hello', 'cannot be reached: Parse Error'],
])('a service whose list is no HTTP %s', async ([, body = '', message]) => {
  const server = createNetServer((socket) =>
    socket.once('data', (data) => {
      const isOfList = String(data).startsWith('GET /v1/pets HTTP');
      const head = 'HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\n\r\n';
      socket.end(isOfList ? 'hello\r\n\r\n' : `${head}${body}`);
    }),
  );
  const ready = expectReady(createTarget({ baseUrl: `${await listen(server)}/v1` }));
  if (message === undefined) expect((await ready).hint).toBe(undefined);
  else await expect(ready).rejects.toThrow(message);
});

/** Starts a deployment that answers the third connection. @returns its base URL, and counts the connections */
async function startLate() {
  const counts = { requests: 0 };
  const server = createNetServer((socket) => {
    counts.requests += 1;
    // At first nothing answers, and then a gateway without a service.
    if (counts.requests === 1) {
      socket.destroy();
      return;
    }
    const ready = '200 OK\r\nContent-Type: application/json\r\n\r\n[]';
    const start = counts.requests > 2 ? ready : '404 Not Found\r\n\r\n404 page not found';
    socket.once('data', () => socket.end(`HTTP/1.1 ${start}`));
  });
  return { baseUrl: `${await listen(server)}/v1`, counts };
}

test('a deployment that starts is waited for', async () => {
  const { baseUrl, counts } = await startLate();
  expect((await expectReady(createTarget({ baseUrl, wait: 30_000 }))).accepted).toBeGreaterThan(0);
  expect(counts.requests).toBe(4);
});

test('a gateway that loses the first request does not keep a run from its start', async () => {
  let requests = 0;
  const loseFirst: Answer = async (request, asMock) => {
    requests += 1;
    return requests === 1 ? createPage(502) : asMock(request);
  };
  expect(await ask(loseFirst)).toBe('');
});
