import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { get, post, send } from './testing/http-case.ts';
import { startMockCli, urlIn } from './testing/run-cli.ts';

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

test('the log has a line for each request', async () => {
  const { url, waitFor } = await startMockCli();
  await send(url, get('/v1/pets?limit=5'));
  await send(url, get('/v1/pets?limit=0'));
  await send(url, post('/v1/pets', '{\n"name\n12:00:00 GET /forged'));
  const lines = (await waitFor(/POST.*\n/)).trim().split('\n').slice(-3);
  expect(lines).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d GET \/v1\/pets\?limit=5 200 [\d.]+ ms$/),
    expect.stringMatching(/^\d\d:\d\d:\d\d GET \/v1\/pets\?limit=0 400 [\d.]+ ms invalid_request$/),
    expect.stringMatching(/^\d\d:\d\d:\d\d POST \/v1\/pets 400 [\d.]+ ms invalid_request$/),
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
  expect(await waitFor(/POST.*\n/)).toMatch(
    /POST \/v1\/pets aborted by the client [\d.]+ ms invalid_request\n/,
  );
});

test('as JSON, a line of the log is an object', async () => {
  const { url, waitFor } = await startMockCli(['--log', 'json']);
  await send(url, get('/v1/pets/0'));
  const stdout = await waitFor(/\n\{.*\n/);
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    method: 'GET',
    url: '/v1/pets/0',
    status: 404,
    ms: expect.any(Number),
    error: 'not_found',
  });
});
