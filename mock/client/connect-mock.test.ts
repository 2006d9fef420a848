import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build } from 'rolldown';
import { expect, onTestFinished, test, vi } from 'vitest';
import { get, send } from '../../tools/testing/http-case.ts';
import { listen } from '../../tools/testing/listen.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import {
  connectMock,
  type Mock,
  type MockSession,
  type RemoteMock,
  type RemoteSession,
  startMock,
} from '../index.ts';

const certificates = join(import.meta.dirname, '../../tools/testing/certificates');
const read = (name: string) => readFileSync(join(certificates, name), 'utf8');

const [rex, large] = [{ name: 'Rex', categoryId: 1 }, 2n ** 63n - 1n];

/** Calls whose results JSON does not hold as they are, and errors that no server sends. */
const calls: readonly ((mock: MockSession | RemoteSession) => unknown)[] = [
  ({ animals }) => animals.replace([{ ...rex, id: large }, rex]),
  ({ animals }) => animals.get(9),
  ({ configure }) => configure({ now: new Date('2030-12-05') }),
  ({ configure }) => configure({ now: null }),
  ({ faults }) => faults.list(),
  ({ requests }) => requests({ since: 0, limit: 1 }),
  ({ countRequests }) => countRequests({ status: 500 }),
  ({ waitForRequest }) => waitForRequest({ status: 404, timeout: 0 }),
  ({ waitForResponse }) => waitForResponse({ status: 500 }),
  ({ waitForResponse }) => waitForResponse({ status: 404, timeout: 0 }),
  ({ violations }) => violations({ severity: 'error' }),
  ({ expectNoViolations }) => expectNoViolations(),
  ({ expectNoViolations }) => expectNoViolations({ operation: 'createPet' }),
  ({ clearRequests }) => clearRequests({ until: 0, name: 'as the context of a hook' } as object),
];

const listNames = (object: object): string[] =>
  Object.entries(object).flatMap(([name, one]) => [name, ...listNames(Object(one) === one ? one : {})]);

test('a client has the members of the library, and each returns and throws what it does there', async () => {
  const started = await startTestMock({ checkedProxy: true });
  // The last one runs a function in the process of the mock.
  const { unknownProperties, unknownChoices, close, findActingValues, ...mock } = started;
  // A test may replace the fetch of its app.
  vi.stubGlobal('fetch', () => Promise.reject(new Error('offline')));
  onTestFinished(() => void vi.unstubAllGlobals());
  const client = connectMock(`${new URL(mock.url).origin}/`);
  expect(listNames(client).sort()).toEqual(listNames(mock).sort());
  const [session, remote] = [mock.session('w1'), client.session('w1')];
  expect([remote.headers, client.headers]).toEqual([session.headers, mock.headers]);
  expect(connectMock(session.url).headers).toEqual({ 'X-Animal-Store-Session': 'w1' });
  const found = remote.waitForResponse();
  session.faults.add({ status: 500, response: { body: { id: large, ids: [7n] } }, times: 2 });
  await send(mock.checkedUrl ?? '', get('/sessions/w1/v1/pets?limit=0'));
  expect(await found).toEqual(session.requests()[0]);
  for (const call of calls) {
    const [own, other] = await Promise.allSettled([session, remote].map(async (one) => call(one)));
    expect(other).toEqual(own);
  }
  const id = 2 ** 60;
  const roundedCalls = [
    () => remote.animals.add({ ...rex, id }),
    () => remote.animals.replace([rex, { ...rex, id }]),
    () => remote.animals.get(id),
  ];
  for (const rounded of roundedCalls)
    await expect(rounded()).rejects.toThrow('id is beyond 2^53, where a number is not exact. Use a bigint.');
  expect([await remote.animals.size(), await remote.checkedUrl()]).toEqual([2, session.checkedUrl]);
  await client.endSession('w1');
  expect(await client.sessions()).toEqual([]);
});

const five = 5 as never;
const invalid = new Date('x');
const circular: unknown[] = [];
circular.push(circular);

test.for<[call: (mock: Mock | RemoteMock) => unknown, own: string, remote?: string]>([
  [({ session }) => session(five), 'up to 64 letters, digits, ".", "_" and "-", not 5.'],
  [({ snapshot }) => snapshot(five), '"-", not 5.', 'name must be a string, not 5.'],
  [({ restore }) => restore(five), 'No snapshot is called 5.', 'name must be a string, not 5.'],
  [({ fill }) => fill(five), 'No profile is called 5.', 'name must be a string, not 5.'],
  [({ endSession }) => endSession(five), 'No session is called 5.', 'name must be a string, not 5.'],
  [({ faults }) => (faults.release as () => unknown)(), 'not undefined.'],
  [
    ({ animals }) => animals.get(undefined as never),
    'id is required and',
    'id must be an id, such as 1, not undefined.',
  ],
  [({ animals }) => animals.add({ ...rex, categoryId: Number.NaN }), 'not NaN.', 'not be NaN.'],
  [({ faults }) => faults.add({ status: Number.NaN }), 'status must not be NaN.', 'status must not be NaN.'],
  [
    ({ faults }) => faults.add({ drop: true, times: 1 / 0 }),
    'times must not be Infinity.',
    'times must not be Infinity.',
  ],
  [
    ({ faults }) => faults.add(Promise.resolve({ drop: true }) as never),
    'The fault must be an object, not a Promise.',
    'The body must not be a Promise.',
  ],
  [
    ({ faults }) => faults.add({ response: { status: 503, headers: new Headers() as never } }),
    'The fault: headers must not be a Headers.',
    'headers must not be a Headers.',
  ],
  [
    ({ faults }) => faults.add({ response: { body: Buffer.from('x') } }),
    'body must not be a Uint8Array.',
    'body must not be a Uint8Array.',
  ],
  [
    ({ faults }) => faults.add({ response: { body: circular } }),
    '0 must not be what it is in.',
    '0 must not be what it is in.',
  ],
  [
    ({ configure }) => configure({ now: invalid }),
    'now must not be Invalid Date.',
    'now must not be Invalid Date.',
  ],
])(
  '%s is refused by its value, also where JSON or a path would have another',
  async ([call, own, remote = own]) => {
    await using mock = await startMock({ port: 0, log: 'silent' });
    await expect((async () => call(mock))()).rejects.toThrow(own);
    await expect((async () => call(connectMock(mock.url)))()).rejects.toThrow(remote);
    expect([mock.snapshots(), mock.faults.list(), mock.settings().now]).toEqual([[], [], null]);
  },
);

const START = 'Start it with npx --no -- animal-store-mock, or give connectMock its URL.';
const FORWARD = 'let the development server forward /__admin and /sessions';
const NO_MOCK = `Give connectMock the URL that the mock prints, or ${FORWARD}.`;

test('an error says what to do', async () => {
  let closed = '';
  {
    await using mock = await startMock({ port: 0, log: 'silent' });
    closed = new URL(mock.url).origin;
    await connectMock(closed).reset();
  }
  const { url: off } = await startTestMock({ admin: false });
  const { url: guarded } = await startTestMock({ adminToken: 's3cr-token' });
  const { url: open } = await startTestMock({ host: '0.0.0.0' });
  const tls = createSecureServer({ cert: read('localhost.pem'), key: read('localhost-key.pem') });
  const secure = (await listen(tls)).replace('http:', 'https:');
  const page = await listen(createServer((_request, response) => response.end('<html>')));
  const json = await listen(
    createServer((_request, response) =>
      response.writeHead(500, { 'Content-Type': 'application/json' }).end('{"code":"constructor"}'),
    ),
  );
  for (const [wrong, message] of [
    [`${closed}/v1/`, `No mock answers at ${closed} (ECONNREFUSED). ${START}`],
    [
      secure,
      `No mock answers at ${secure} (UNABLE_TO_VERIFY_LEAF_SIGNATURE). Name the authority of its certificate in NODE_EXTRA_CA_CERTS.`,
    ],
    [page, `${page} is no mock (200). ${NO_MOCK}`],
    [json, `${json} is no mock (500). ${NO_MOCK}`],
    [`${off}/pets`, `${off}/pets is no mock (401). ${NO_MOCK}`],
    [off, `The control API of the mock at ${new URL(off).origin} is off. Start it without --no-admin.`],
    [
      guarded,
      'The admin token is missing. Send it as "Authorization: Bearer <ADMIN_TOKEN>". Give connectMock the option adminToken.',
    ],
    [
      open,
      'The control API is disabled, because other machines can reach this mock. Enable it with --admin-token <token>, or adminToken in code.',
    ],
  ] as const)
    await expect(connectMock(wrong).reset()).rejects.toThrow(expect.objectContaining({ message }));
  const later = await listen(
    createServer((_request, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('[{"name":"a"}]'),
    ),
  );
  await expect(connectMock(later).snapshots()).rejects.toThrow(
    'This client does not understand the response to GET /__admin/snapshots: 0: Invalid type: Expected string but received Object. Use the same version of animal-store-mock for both.',
  );
  await connectMock(guarded, { adminToken: 's3cr-token\n' }).reset();
  // fetch would refuse it with a message that has the token.
  expect(() => connectMock(guarded, { adminToken: '\ns3cr-token' })).toThrow(
    'adminToken must not contain a line break (U+000A), which is its character 1.',
  );
  const object = "connectMock takes an object of options, such as { adminToken: 'token' }.";
  const url = 'connectMock needs the URL of a mock, such as http://127.0.0.1:4010.';
  for (const [attempt, message] of [
    [() => connectMock('127.0.0.1:4010'), url],
    [() => connectMock('ftp://127.0.0.1:4010'), url],
    [
      () => connectMock(off, { token: 's3cr-token' } as never),
      'The options: "token" is unknown. Known: adminToken.',
    ],
    ...['s3cr-token', null].map((given) => [() => connectMock(off, given as never), object] as const),
    [
      () => connectMock(off).session('..'),
      `A session's name must be up to 64 letters, digits, ".", "_" and "-", not "..".`,
    ],
  ] as const)
    expect(attempt).toThrow(expect.objectContaining({ code: 'invalid_request', message }));
});

test('the URL of a mock or of a session leads to the mock, and to its other sessions', () => {
  const origin = 'http://127.0.0.1:4010';
  for (const end of ['', '/', '/v1', '/v1/', '/sessions/w1', '/sessions/w1/v1'])
    expect(connectMock(origin + end).session('w2').url).toBe(`${origin}/sessions/w2/v1`);
  expect(connectMock(origin).url).toBe(`${origin}/v1`);
  expect(connectMock(`${origin}/sessions/w1/v1`).url).toBe(`${origin}/sessions/w1/v1`);
  expect(connectMock('https://page.example/mock/v1').session('w2').url).toBe(
    'https://page.example/mock/sessions/w2/v1',
  );
});

/** Builds the client as CommonJS, which Jest requires. */
async function buildClient(): Promise<string> {
  const input = join(import.meta.dirname, 'connect-mock.ts');
  const { output } = await build({ input, platform: 'neutral', write: false, output: { format: 'cjs' } });
  return output[0].code;
}

/** The URL of jsdom 20, which Jest 29 has. */
class UrlWithoutParse extends URL {}
Reflect.defineProperty(UrlWithoutParse, 'parse', { value: undefined });

test('a client works in Jest with jsdom, whose global object has neither fetch nor URL.parse', async () => {
  const { url } = await startTestMock();
  const globals = { process, exports: {}, URL: UrlWithoutParse, URLSearchParams, setTimeout, performance };
  const context = createContext(globals);
  expect(runInContext('typeof fetch + typeof URL.parse', context)).toBe('undefinedundefined');
  runInContext(await buildClient(), context);
  const connect = (to: string): RemoteSession =>
    runInContext(`exports.connectMock(${JSON.stringify(to)})`, context);
  const pet = { ...rex, id: large, categoryId: 1n };
  expect(await connect(url).animals.replace([pet])).toEqual([pet]);
  await expect(connect(url).animals.add({ name: 'Rex' } as never)).rejects.toThrow('categoryId');
  expect(() => connect('not a URL')).toThrow('needs the URL of a mock');
});

const IN_PAGE = `In a page, ${FORWARD}, and connect to its origin.`;

test.for<[message: string, cause: unknown, text: string]>([
  // As Chrome, Firefox and Safari have it.
  ['Failed to fetch', undefined, `(Failed to fetch). ${IN_PAGE}`],
  ['NetworkError when attempting it.', undefined, `(NetworkError when attempting it.). ${IN_PAGE}`],
  ['Load failed', undefined, `(Load failed). ${IN_PAGE}`],
  // As Node has it, whose tests may have a document.
  ['fetch failed', { code: 'ECONNREFUSED' }, `(ECONNREFUSED). ${START}`],
])('next to a document, an error %j with the cause %j says what to do', async ([message, cause, text]) => {
  const fetch = () => Promise.reject(new TypeError(message, { cause }));
  const context = createContext({ document: {}, fetch, exports: {}, URL, URLSearchParams, TextEncoder });
  runInContext(await buildClient(), context);
  const failed = runInContext("exports.connectMock('http://page.example').reset()", context);
  await expect(failed).rejects.toThrow(`No mock answers at http://page.example ${text}`);
});
