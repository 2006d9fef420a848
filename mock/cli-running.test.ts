import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { get, post, send } from '../testing/http-case.ts';
import { startMockCli, urlIn } from '../testing/run-cli.ts';

test.for(['SIGINT', 'SIGTERM'] as const)(
  '%s lets an open request finish, sent once or again, and ends it with 0',
  async (signal) => {
    const { child, ended, url } = await startMockCli();
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    const body = '{"name":"Rex","categoryId":1}';
    const head = 'POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer test-key\r\n';
    const framing = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    socket.write(`${head}${framing}Expect: 100-continue\r\n\r\n`);
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 100 /);
    child.kill(signal);
    await refusesConnections(Number(port), hostname);
    child.kill(signal);
    socket.write(body);
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 201 /);
    expect((await ended).exitCode).toBe(0);
  },
);

async function refusesConnections(port: number, hostname: string): Promise<void> {
  for (;;) {
    const socket = connect(port, hostname);
    const isRefused = await once(socket, 'connect').then(
      () => false,
      () => true,
    );
    socket.destroy();
    if (isRefused) return;
  }
}

test('a mock that npm started ends with the shell in between', async () => {
  const command = `"${process.execPath}" mock/bin.js --port 0; true`;
  const environment = { ANIMAL_STORE_NO_CHECKED_PROXY: 'true', npm_lifecycle_event: 'start' };
  const shell = spawn('sh', ['-c', command], { env: { ...process.env, ...environment } });
  const [line] = await once(shell.stdout, 'data');
  const { hostname, port } = new URL(urlIn(String(line)));
  shell.kill('SIGKILL');
  await refusesConnections(Number(port), hostname);
});

test('it goes on when nobody reads its log any more', async () => {
  const { child, url } = await startMockCli();
  child.stdout.destroy();
  for (let request = 0; request < 5; request += 1) {
    expect((await send(url, get('/v1/pets'))).status).toBe(200);
  }
});

test('the log has a line for each request, with what was wrong', async () => {
  const { url, waitFor } = await startMockCli();
  await send(url, get('/v1/pets?limit=5'));
  await send(url, get('/v1/pets?limit=0'));
  await send(url, post('/v1/pets', '{\n"name\n12:00:00 GET /forged'));
  await send(url, post('/v1/pets', '{"name":"Rex","categoryId":1,"status":"##[stop-commands]x"}'));
  const lines = (await waitFor(/not ".*\n.*POST.*\n.*POST.*\n/)).trim().split('\n').slice(-4);
  expect(lines).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d mock GET \/v1\/pets\?limit=5 200 [\d.]+ ms$/),
    expect.stringMatching(
      /^\d\d:\d\d:\d\d mock GET \/v1\/pets\?limit=0 400 [\d.]+ ms invalid_request: limit must be .*, not "0"\.$/,
    ),
    expect.stringMatching(
      /^\d\d:\d\d:\d\d mock POST \/v1\/pets 400 [\d.]+ ms invalid_request: The body could not be read as JSON: .+\.$/,
    ),
    expect.stringMatching(/ mock POST \/v1\/pets 400 [\d.]+ ms .*, not "#\\u0023\[stop-commands\]x"\.$/),
  ]);
});

test('the log says of a request that the client gave it up', async () => {
  const { url, waitFor } = await startMockCli();
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(
    'POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer test-key\r\nContent-Length: 5\r\n',
  );
  socket.write('Expect: 100-continue\r\n\r\n');
  await once(socket, 'data');
  socket.destroy();
  expect(await waitFor(/POST.*\n/)).toMatch(/POST \/v1\/pets aborted by the client [\d.]+ ms\n/);
});

test('as JSON, a line of the log is an object', async () => {
  const { url, waitFor } = await startMockCli(['--log', 'json']);
  await send(url, get('/v1/pets/0'));
  const stdout = await waitFor(/\n\{.*\n/);
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    from: 'mock',
    method: 'GET',
    url: '/v1/pets/0',
    status: 404,
    ms: expect.any(Number),
    error: 'not_found',
    message: 'No animal has the id 0.',
  });
});

test('preflights and health checks have no line of their own', async () => {
  const { url, waitFor } = await startMockCli();
  const ask = (headers = {}) => send(url, { method: 'OPTIONS', path: '/v1/pets', headers });
  await fetch(new URL('/health', url));
  for (let preflight = 0; preflight < 2; preflight += 1) {
    const headers = { Origin: 'http://localhost:5173', 'Access-Control-Request-Method': 'POST' };
    expect((await ask(headers)).status).toBe(204);
  }
  await send(url, get('/v1/pets'));
  await ask({ 'Access-Control-Request-Method': 'POST' });
  const lines = (await waitFor(/OPTIONS.*\n/)).trim().split('\n').slice(5);
  expect(lines).toEqual([
    expect.stringMatching(/ GET \/v1\/pets 200 [\d.]+ ms$/),
    expect.stringMatching(/ OPTIONS \/v1\/pets 405 /),
  ]);
});

test.for([
  [{}, ['200', '400', '500']],
  [{ FORCE_COLOR: '1' }, ['\x1b[32m200\x1b[39m', '\x1b[33m400\x1b[39m', '\x1b[31m500\x1b[39m']],
] as const)('with %j the statuses of the log are %j', async ([environment, statuses]) => {
  const { url, waitFor } = await startMockCli([], { environment });
  for (const target of ['/v1/pets', '/v1/pets?limit=%1b[31m']) await send(url, get(target));
  await send(url, { ...get('/v1/pets'), headers: { Prefer: 'code=500' } });
  const lines = (await waitFor(/ 500.*\n/)).trim().split('\n').slice(5);
  expect(lines.map((line) => /(\S+) [\d.]+ ms/.exec(line)?.[1])).toEqual(statuses);
});
