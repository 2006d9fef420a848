import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { resolveTarget } from '../client/target.ts';
import type { Behaviour, DeployedReply } from '../deployments/deployment.ts';
import { createEmpty, createError, createReply } from '../deployments/replies.ts';
import { hasKey, isList } from '../deployments/requests.ts';
import { runCli, startForTest } from '../testing/run-cli.ts';
import { expectReady } from './expect-ready.ts';
import { CouldNotTell } from './report.ts';

const certificates = join(import.meta.dirname, '../../testing/certificates');

/** How a message of TLS begins. */
const TLS_HANDSHAKE = 0x16;

/** Asks a deployment whether it is ready. @returns what was said of it, without its base URL, and the number of requests. */
async function ask(behave: Behaviour) {
  let requests = 0;
  const baseUrl = await startForTest({
    createBehaviour: () => (request, asMock) => {
      requests += 1;
      return behave(request, asMock);
    },
  });
  const target = resolveTarget({ baseUrl, apiKey: 'test-key', allowsWrites: true });
  const said = await expectReady(target).then(
    ({ hint }) => hint,
    (error) => `${error.name}: ${error.message}`,
  );
  return { said: said?.replace(baseUrl, 'URL'), requests };
}

function createPage(status: number, body: string): DeployedReply {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

const location = `https://login.example/?next=${'x'.repeat(200)}`;

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
  ['a redirect to nowhere', createEmpty(307), /answered 307: is the base URL complete\?/],
  ['a 404 page', createPage(404, '<h1>Not Found</h1>'), /answered 404: is the base URL complete\?/],
  [
    'the 404 of a framework',
    createReply(404, { statusCode: 404n, error: 'Not Found', message: 'No route' }),
    /answered 404: is the base URL complete\?/,
  ],
  [
    'a sign-in page',
    createPage(200, '<!doctype html><title>\n Sign in \x1b[2J to test-key</title>'),
    /answered 200 with the page "Sign in \\u001b\[2J to \[key\]": must one sign in first/,
  ],
  [
    'a sign-in page and 401',
    createPage(401, '<h1>Hi</h1>'),
    /answered 401 with a page of HTML: must one sign in/,
  ],
  ['a sign-in page and 403', createPage(403, '<html>'), /answered 403 with a page of HTML: must one sign in/],
  ['503', createPage(503, '<h1>Back soon</h1>'), /answered 503: the service cannot be used now/],
  ['503 and an Error', createError(503), /answered 503: the service cannot be used now/],
  ['plain text', { status: 200, headers: {}, body: 'OK' }, /neither a list nor an Error/],
  ['another JSON', createReply(200, { status: 'up' }), /neither a list nor an Error/],
])(
  'what answers everything with %s is not the service, and is left alone soon',
  async ([, reply, sentence]) => {
    const { said, requests } = await ask(async () => reply);
    expect(said).toMatch(/^CouldNotTell: [^\n]+$/);
    expect(said?.replace('CouldNotTell: ', '')).toMatch(sentence);
    expect(requests).toBeLessThanOrEqual(10);
  },
);

test.for<[string, DeployedReply, RegExp?]>([
  ['404', createError(404), /answered 404: is the base URL complete\?/],
  ['an empty 404', createEmpty(404), /answered 404: is the base URL complete\?/],
  ['a redirect', createEmpty(301, { location: '/v2/pets' }), /a redirect: use http:.*\/v2$/],
  ['a page', createPage(200, '<title>Pets</title>')],
  ['503', createPage(503, '')],
  ['nothing', createEmpty(200)],
  ['an object that holds the list', createReply(200, { data: [] })],
])('a service whose list alone is answered with %s is judged', async ([, reply, hint]) => {
  const { said } = await ask(async (request, asMock) =>
    isList(request) && hasKey(request) ? reply : asMock(request),
  );
  expect(said ?? '').toMatch(hint ?? /^$/);
  expect(said ?? '').not.toContain('CouldNotTell');
});

test.for<[string, (url: string) => string, string, string?]>([
  [
    'with /pets at its end',
    (url) => `${url}/pets`,
    'URL/pets/pets is answered 404: leave out /pets, use URL',
  ],
  ['without /v1', (url) => url.replace('/v1', ''), '/pets is answered 404: /v1 is missing, use URL'],
  ['without /v1', (url) => url.replace('/v1', ''), ': /v1 is missing, use URL', 'another-key'],
])(
  'a base URL %s is no verdict, and the URL to use is named',
  async ([, change, end, apiKey = 'test-key']) => {
    const url = await startForTest();
    const error = await expectReady(
      resolveTarget({ baseUrl: change(url), apiKey, allowsWrites: true }),
    ).catch((one) => one);
    expect(error).toBeInstanceOf(CouldNotTell);
    expect(error.message.replaceAll(url, 'URL')).toMatch(RegExp(`${end}$`));
  },
);

test('the base URL without /v1 is named too where a gateway answers other paths with 403 or a page', async () => {
  for (const reply of [createReply(403, { message: 'Missing Token' }), createPage(200, '<html>')]) {
    const url = await startForTest({
      createBehaviour: () => async (request, asMock) =>
        request.path.startsWith('/outside') ? reply : asMock(request),
    });
    const target = resolveTarget({
      baseUrl: url.replace(/\/v1$/, ''),
      apiKey: 'test-key',
      allowsWrites: true,
    });
    await expect(expectReady(target)).rejects.toThrow(`: /v1 is missing, use ${url}`);
  }
});

test('what answers only the first request, and the others with 429, could not be told', async () => {
  let requests = 0;
  const { said } = await ask(async () => {
    requests += 1;
    return requests === 1 ? createEmpty(404) : createError(429, { 'retry-after': '3600' });
  });
  expect(said).toMatch(/^CouldNotTell: the deployment answers 429/);
});

test('plain HTTP at a port of TLS, and TLS at one of plain HTTP, are told', async () => {
  const read = (name: string) => readFileSync(join(certificates, name));
  const server = createServer({ cert: read('localhost.pem'), key: read('localhost-key.pem') }, (socket) =>
    socket.end('HTTP/1.1 200 OK\r\n\r\n[]'),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  // As nginx does it: plain HTTP is answered with a page about HTTPS.
  const both = createNetServer((socket) =>
    socket.once('data', (data) => {
      if (data[0] !== TLS_HANDSHAKE)
        return void socket.end('HTTP/1.1 400 Bad Request\r\n\r\nsent to HTTPS port');
      socket.pause();
      socket.unshift(data);
      server.emit('connection', socket);
    }),
  );
  both.listen(0, '127.0.0.1');
  await once(both, 'listening');
  onTestFinished(() => void both.close());
  const plainAtBoth = `http://127.0.0.1:${(both.address() as AddressInfo).port}/v1`;
  const plainAtTls = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const tlsAtPlain = (await startForTest()).replace('http:', 'https:');
  const say = (baseUrl: string) =>
    expectReady(resolveTarget({ baseUrl, apiKey: 'test-key', allowsWrites: true }));
  await expect(say(plainAtTls)).rejects.toThrow(`${plainAtTls} speaks TLS: its URL is one of https`);
  await expect(say(plainAtBoth)).rejects.toThrow(`${plainAtBoth} speaks TLS: its URL is one of https`);
  await expect(say(tlsAtPlain)).rejects.toThrow(
    `${tlsAtPlain} cannot be reached: it does not speak TLS, or not this one: is its URL one of http?`,
  );
});

test('of an expired certificate it is told when it expired', async () => {
  const read = (name: string) => readFileSync(join(certificates, name), 'utf8');
  const server = createServer({ cert: read('expired.pem'), key: read('localhost-key.pem') });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const baseUrl = `https://localhost:${(server.address() as AddressInfo).port}/v1`;
  const target = resolveTarget({ baseUrl, apiKey: 'test-key', allowsWrites: true, ca: read('expired.pem') });
  await expect(expectReady(target)).rejects.toThrow(
    `${baseUrl} cannot be reached: its certificate expired on 2021-02-03T04:05:06.000Z: see --insecure`,
  );
});

test('the command says it in one line, with exit code 2', async () => {
  const url = await startForTest({ createBehaviour: () => async () => createPage(404, 'x') });
  const { exitCode, stdout, stderr } = await runCli([url]);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^animal-store-verify: GET [^\n]* is answered 404: [^\n]+\n$/);
});
