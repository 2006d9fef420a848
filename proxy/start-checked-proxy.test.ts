import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startTestMock } from '../mock/testing/start-test-mock.ts';
import { JUDGED_LIMIT } from './relay/carried-body.ts';
import { exchangeRaw, type RawMessage, startUpstream } from './testing/raw-exchange.ts';
import { startTestProxy } from './testing/start-test-proxy.ts';
import { talk } from './testing/talk.ts';

/** Headers without those that either connection has of its own, and without what the proxy adds. */
function essence(headers: readonly string[]): string[] {
  const own = /^(host|connection|keep-alive|transfer-encoding|content-length|date|sl-violations)$/i;
  return headers.flatMap((name, index) =>
    index % 2 === 0 && !own.test(name) ? [`${name}: ${headers[index + 1]}`] : [],
  );
}

test('bytes, headers and statuses arrive as they were sent, both ways', async () => {
  const name = fc.stringMatching(/^X-[A-Za-z0-9-]{1,12}$/);
  const value = fc.string({
    unit: fc
      .integer({ min: 0x21, max: 0xff })
      .filter((code) => code !== 0x7f && !(code > 0x7f && code < 0xa1))
      .map((code) => String.fromCharCode(code)),
  });
  const headers = fc
    .array(fc.tuple(fc.oneof(name, fc.constant('Set-Cookie')), value), { maxLength: 6 })
    .map((pairs) => pairs.flat());
  const message = fc.record({
    headers,
    body: fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
  });
  const status = fc
    .oneof(fc.constantFrom(200, 201, 301, 302, 404, 418, 501, 503, 599), fc.integer({ min: 205, max: 599 }))
    .filter((code) => code !== 304);
  const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS');
  let seen: (RawMessage & { method: string | undefined; url: string | undefined }) | undefined;
  let answer: { status: number; headers: readonly string[]; body: Buffer; isChunked: boolean };
  const upstream = await startUpstream(async (request, response) => {
    seen = {
      method: request.method,
      url: request.url,
      headers: request.rawHeaders,
      body: await buffer(request),
    };
    const length = answer.isChunked ? [] : ['Content-Length', String(answer.body.length)];
    response.writeHead(answer.status, [...answer.headers, ...length] as string[]).end(answer.body);
  });
  const { url } = await startTestProxy(upstream);
  await fc.assert(
    fc.asyncProperty(
      message,
      message,
      status,
      method,
      fc.boolean(),
      async (sent, answered, status, method, isChunked) => {
        answer = { ...answered, status, isChunked };
        const framing = isChunked
          ? ['Transfer-Encoding', 'chunked']
          : ['Content-Length', String(sent.body.length)];
        const got = await exchangeRaw(
          `${url}/pets/%7e?a=%2F`.replace('?', '%3F'),
          method,
          [...sent.headers, ...framing],
          sent.body,
        );
        expect([seen?.method, seen?.url, seen?.body]).toEqual([method, '/v1/pets/%7e%3Fa=%2F', sent.body]);
        expect(essence(seen?.headers ?? [])).toEqual(essence(sent.headers));
        expect([got.status, got.body]).toEqual([status, answered.body]);
        expect(essence(got.headers)).toEqual(essence(answered.headers));
      },
    ),
  );
});

test.for([
  ['OPTIONS', []],
  ['DELETE', []],
  ['POST', ['Content-Length', '0']],
] as const)('%s without a body and a length goes on with %j', async ([method, framing]) => {
  let seen: readonly string[] = [];
  const upstream = await startUpstream((request, response) => {
    seen = request.rawHeaders;
    response.end();
  });
  const { url } = await startTestProxy(upstream);
  await talk(url, `${method} /v1/pets HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  const { host } = new URL(upstream);
  expect(seen).toEqual(['Host', host, ...framing, 'Connection', 'keep-alive']);
});

test('a violation is in the header, as JSON in ASCII, and the answer is what it was', async () => {
  const body = '[{"id":"é","name":1}]';
  const upstream = await startUpstream((_request, response) => {
    response
      .writeHead(200, { 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*' })
      .end(body);
  });
  const { url, exchanges } = await startTestProxy(upstream);
  const answer = await fetch(`${url}/pets?limit=0`, { headers: { Authorization: 'Bearer x' } });
  expect(await answer.text()).toBe(body);
  const header = answer.headers.get('sl-violations') ?? '';
  expect(
    JSON.parse(header).map(({ location, severity, code }: Record<string, unknown>) => [
      location,
      severity,
      code,
    ]),
  ).toEqual([
    [['request', 'query', 'limit'], 'Error', 'minimum'],
    [['response', 'body', '0'], 'Error', 'required'],
    [['response', 'body', '0', 'id'], 'Error', 'type'],
    [['response', 'body', '0', 'name'], 'Error', 'type'],
  ]);
  expect(answer.headers.get('access-control-expose-headers')).toBe('sl-violations');
  expect(exchanges.map(({ operationId }) => operationId)).toEqual(['listPets']);
});

test('very many violations are counted where they do not fit', async () => {
  const body = JSON.stringify(Array.from({ length: 100 }, () => ({})));
  const upstream = await startUpstream((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
  });
  const { url } = await startTestProxy(upstream);
  const answer = await fetch(`${url}/pets`, { headers: { Authorization: 'Bearer x' } });
  const header = answer.headers.get('sl-violations') ?? '';
  expect(header.length).toBeLessThan(6001);
  const violations = JSON.parse(header);
  expect(violations.at(-1).message).toBe(`${300 - violations.length + 1} more violations`);
});

test('without the header the answer is the upstream’s alone', async () => {
  const upstream = await startUpstream((_request, response) => void response.end('x'));
  const { url } = await startTestProxy(upstream, { violationHeader: false });
  const answer = await fetch(`${url}/pets`);
  expect(answer.headers.has('sl-violations')).toBe(false);
});

test('a compressed body passes as it is and is judged decoded', async () => {
  const body = gzipSync('[{"id":1}]');
  const upstream = await startUpstream((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).end(body);
  });
  const { url, exchanges } = await startTestProxy(upstream);
  const answer = await exchangeRaw(`${url}/pets`, 'GET', ['Authorization', 'Bearer x'], Buffer.alloc(0));
  expect(answer.body).toEqual(body);
  expect(exchanges[0]?.violations.map(({ location, code }) => [...location, code].join('.'))).toEqual([
    'response.body.0.required',
    'response.body.0.required',
  ]);
});

test('bodies too large to be judged pass', async () => {
  const large = Buffer.alloc(JUDGED_LIMIT * 3, 'x');
  const upstream = await startUpstream(async (request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(await buffer(request));
  });
  const { url, exchanges } = await startTestProxy(upstream);
  const headers = [
    'Content-Type',
    'application/json',
    'Content-Length',
    String(large.length),
    'Authorization',
    'Bearer x',
  ];
  const answer = await exchangeRaw(`${url}/pets`, 'POST', headers, large);
  expect(answer.body.equals(large)).toBe(true);
  expect(exchanges[0]?.violations.filter(({ location }) => location[1] === 'body')).toEqual([]);
});

test('malformed JSON goes through to the upstream, which answers it', async () => {
  const mock = await startTestMock();
  const { url, exchanges } = await startTestProxy(mock.url);
  const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };
  const answer = await fetch(`${url}/pets`, { method: 'POST', headers, body: '{"name":' });
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([400, 'invalid_request']);
  expect(exchanges[0]?.violations.map(({ location, code }) => [...location, code].join('.'))).toEqual([
    'request.body.json',
  ]);
});

test.for(['/v1', '/v1/', '/animal/store/v1'])('the base path %s is the upstream’s', async (path) => {
  const paths: (string | undefined)[] = [];
  const upstream = await startUpstream((request, response) => {
    paths.push(request.url);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]');
  });
  const { url, exchanges } = await startTestProxy(upstream.replace('/v1', path));
  await fetch(`${url}/pets`, { headers: { Authorization: 'Bearer x' } });
  expect(paths).toEqual([`${path.replace(/\/$/, '')}/pets`]);
  expect(exchanges).toMatchObject([{ operationId: 'listPets', violations: [] }]);
});

test('trailers pass both ways', async () => {
  let seen: readonly string[] = [];
  const upstream = await startUpstream(async (request, response) => {
    await buffer(request);
    seen = request.rawTrailers;
    response.writeHead(200, { Trailer: 'X-Sum' }).write('abc');
    response.addTrailers([['X-Sum', 'Down']]);
    response.end();
  });
  const { url } = await startTestProxy(upstream);
  const head = 'POST /v1/pets HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTrailer: X-Sum\r\n';
  const answer = await talk(url, `${head}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Sum: Up\r\n\r\n`);
  expect(seen).toEqual(['X-Sum', 'Up']);
  expect(answer).toMatch(/\r\n3\r\nabc\r\n0\r\nX-Sum: Down\r\n\r\n$/);
});

test.for(['__proto__', 'constructor', 'hasOwnProperty'])('a header named %s passes', async (name) => {
  let seen: readonly string[] = [];
  const upstream = await startUpstream((request, response) => {
    seen = request.rawHeaders;
    response.writeHead(200, ['Content-Type', 'application/json', name, 'x']).end('[]');
  });
  const { url, exchanges } = await startTestProxy(upstream);
  const answer = await exchangeRaw(
    `${url}/pets`,
    'GET',
    ['Authorization', 'Bearer x', name, 'x'],
    Buffer.alloc(0),
  );
  expect(essence(seen)).toContain(`${name}: x`);
  expect(essence(answer.headers)).toContain(`${name}: x`);
  expect(exchanges).toMatchObject([{ violations: [] }]);
});
