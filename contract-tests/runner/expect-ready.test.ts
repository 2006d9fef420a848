import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  type AddressInfo,
  connect,
  createServer as createNetServer,
  type Server,
  type Socket,
} from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { answerWith } from '../deployments/changes.ts';
import type { Behaviour, DeployedReply } from '../deployments/deployment.ts';
import { createEmpty, createError, createPage, createReply } from '../deployments/replies.ts';
import { isList } from '../deployments/requests.ts';
import { startForTest } from '../testing/run-cli.ts';
import { createTarget } from '../testing/run-in-process.ts';
import { resolveVerifyOptions } from '../verify-options.ts';
import { expectReady } from './expect-ready.ts';

/** Asks a deployment whether it is ready. @returns the hint or the error, without its base URL */
async function ask(behave?: Behaviour, change = (url: string) => url, apiKey = 'test-key') {
  const url = await startForTest(behave && { createBehaviour: () => behave });
  const said = await expectReady(createTarget({ baseUrl: change(url), apiKey })).then(
    ({ hint = '' }) => hint,
    (error) => `${error.name}: ${error.message}`,
  );
  return said.replaceAll(url, 'URL').replaceAll(url.replace('/v1', ''), 'ROOT');
}

const location = `https://login.example/?next=${'x'.repeat(200)}`;
const page = '<!doctype html><title>\n Sign in \x1b[2J to test-key</title>';

test.for<[string, DeployedReply, RegExp]>([
  [
    'a redirect',
    createEmpty(302, { location }),
    /^GET URL\/pets is answered 302 with the Location https:\/\/login\.example\/\?next=x+…: is the base URL complete\?/,
  ],
  [
    'a redirect to another base URL',
    createEmpty(308, { location: `https://me:hunter2@api.example/v1/pets?x=1` }),
    /^GET URL\/pets is answered 308, a redirect: use https:\/\/api\.example\/v1$/,
  ],
  [
    'the 404 of a framework',
    createReply(404, { statusCode: 404n }),
    /answered 404: is the base URL complete\?/,
  ],
  [
    'a sign-in page',
    createPage(200, {}, page),
    /answered 200 with the page "Sign in \\u001b\[2J to \[key\]": must one sign in first/,
  ],
  ['a page and 401', createPage(401), /answered 401 with a page of HTML: must one sign in/],
  ['503 and an Error', createError(503), /answered 503: the service cannot be used now/],
  ['other JSON', createReply(200, { status: 'up' }), /neither a list nor an Error/],
])(
  'a server that always answers with %s is not the service, and gets few requests',
  async ([, reply, text]) => {
    let requests = 0;
    const said = await ask(async () => {
      requests += 1;
      return reply;
    });
    expect(said).toMatch(/^CouldNotTell: [^\n]+$/);
    expect(said.replace('CouldNotTell: ', '')).toMatch(text);
    expect(requests).toBeLessThanOrEqual(10);
  },
);

test.for<[string, DeployedReply, RegExp]>([
  ['404', createError(404), /answered 404: is the base URL complete\?/],
  ['a redirect', createEmpty(301, { location: '/v2/pets' }), /a redirect: use ROOT\/v2$/],
  ['a page', createPage(200), /^$/],
  ['an object that has the list', createReply(200, { data: [] }), /^$/],
])('a service is tested if only its list is answered with %s', async ([, reply, hint]) => {
  const said = await ask(answerWith(isList, reply)());
  expect(said).toMatch(hint);
  expect(said).not.toContain('CouldNotTell');
});

const withoutVersion = (url: string) => url.replace('/v1', '');

test.for<[string, string, (url: string) => string, string?, Behaviour?]>([
  [
    'with /pets at its end',
    'URL/pets/pets is answered 404: leave out /pets, use URL',
    (url) => `${url}/pets`,
  ],
  ['without /v1', 'ROOT/pets is answered 404: /v1 is missing, use URL', withoutVersion],
  ['without /v1, with another key', ': /v1 is missing, use URL', withoutVersion, 'another-key'],
  [
    'without /v1, behind a gateway',
    ': /v1 is missing, use URL',
    withoutVersion,
    'test-key',
    async (request, asMock) => (request.path.startsWith('/outside') ? createPage(200) : asMock(request)),
  ],
])(
  'for a base URL %s there is no verdict, and the message has the URL to use',
  async ([, end, ...others]) => {
    const [change, apiKey, behave] = others;
    const said = await ask(behave, change, apiKey);
    expect([said.slice(0, 13), said.slice(-end.length)]).toEqual(['CouldNotTell:', end]);
  },
);

/** Starts a server until the test has finished. @returns its port */
async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const certificates = join(import.meta.dirname, '../../testing/certificates');
const read = (name: string) => readFileSync(join(certificates, name), 'utf8');

function createTls(certificate: string, serve?: (socket: Socket) => void): Server {
  return createServer({ cert: read(certificate), key: read('localhost-key.pem') }, serve);
}

test.for([[{ ca: join(certificates, 'ca.pem') }], [{ insecure: true }]])('https with %j', async ([trust]) => {
  const mock = new URL(await startForTest());
  const port = await listen(
    createTls('localhost.pem', (socket) => {
      pipeline(socket, connect(Number(mock.port), '127.0.0.1'), socket, () => {});
    }),
  );
  const options = { baseUrl: `https://localhost:${port}/v1`, apiKey: 'test-key', allowWrites: false };
  const trusting = await resolveVerifyOptions({ ...options, ...trust });
  expect((await expectReady(trusting.target)).accepted).toBeGreaterThan(0);
  const { target } = await resolveVerifyOptions(options);
  await expect(expectReady(target)).rejects.toThrow('its certificate is not trusted');
});

test('plain HTTP at a port of TLS, TLS at a port of plain HTTP, and an expired certificate are reported', async () => {
  const tls = createTls('expired.pem');
  const port = await listen(tls);
  // As nginx does it: plain HTTP is answered with a page about HTTPS.
  const nginx = createNetServer((socket) =>
    socket.once('data', (data) => {
      if (String(data).startsWith('GET')) socket.end('HTTP/1.1 400 Bad Request\r\n\r\nsent to HTTPS port');
      else tls.emit('connection', socket.pause(), socket.unshift(data));
    }),
  );
  const plain = (await startForTest()).replace('http:', 'https:');
  for (const [baseUrl, message] of [
    [`http://127.0.0.1:${port}/v1`, 'speaks TLS: its URL is one of https'],
    [`http://127.0.0.1:${await listen(nginx)}/v1`, 'speaks TLS: its URL is one of https'],
    [plain, 'cannot be reached: it does not speak TLS, or not this one: is its URL one of http?'],
    [
      `https://localhost:${port}/v1`,
      'cannot be reached: its certificate expired on 2021-02-03T04:05:06.000Z: see --insecure',
    ],
  ] as const) {
    const target = createTarget({ baseUrl, ca: read('expired.pem') });
    await expect(expectReady(target)).rejects.toThrow(`${baseUrl} ${message}`);
  }
});
