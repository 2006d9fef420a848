import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { optionSpecs } from './option-specs.ts';
import { get } from './testing/http-case.ts';
import { type CliResult, runCli, startCli } from './testing/run-cli.ts';
import { sampleAnimals } from './testing/sample-animals.ts';
import { send } from './testing/send.ts';

const announced = /\ntry: .*\n/;

function urlIn(stdout: string): string {
  return /^animal-store-mock listening on (http:\S+\/v1)\n/.exec(stdout)?.[1] ?? '';
}

test('it says where it listens, the key, the number of animals and a line to try', async () => {
  const { waitFor } = startCli(['--port', '0']);
  const stdout = await waitFor(announced);
  const url = urlIn(stdout);
  expect(stdout).toBe(
    `animal-store-mock listening on ${url}\n` +
      'API key: test-key\n' +
      'animals: 120\n' +
      `try: curl -H "Authorization: Bearer test-key" ${url}/pets\n`,
  );
  expect((await send(url, get('/v1/pets'))).body).toHaveLength(20);
});

test.for(['SIGINT', 'SIGTERM'] as const)('%s ends it with 0, sent once or twice', async (signal) => {
  const { child, waitFor } = startCli(['--port', '0']);
  await waitFor(announced);
  child.kill(signal);
  child.kill(signal);
  const [exitCode] = await once(child, 'exit');
  expect(exitCode).toBe(0);
});

test('every option has a twin in the environment, and the command line wins', async () => {
  const environment = {
    ANIMAL_STORE_PORT: '0',
    PORT: '1',
    HOST: '127.0.0.1',
    ANIMAL_STORE_API_KEY: 'one two',
    ANIMAL_STORE_DATA: sampleAnimals,
    ANIMAL_STORE_LIMIT_POLICY: 'reject',
    ANIMAL_STORE_NOW: '2031-01-01',
    ANIMAL_STORE_NO_CORS: 'true',
    ANIMAL_STORE_LOG: 'silent',
  };
  const { waitFor } = startCli(['--limit-policy', 'clamp'], { environment });
  const stdout = await waitFor(announced);
  expect(stdout).toContain('animals: 5\n');
  const url = urlIn(stdout);
  const headers = { Authorization: 'Bearer two' };
  const list = await send(url, get('/v1/pets?limit=0', headers));
  expect([list.status, list.body.length]).toEqual([200, 1]);
  expect(list.headers).not.toHaveProperty('access-control-allow-origin');
  expect((await send(url, get('/v1/pets/1', headers))).status).toBe(404);
});

test('properties of the data file that were left out are named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'animal-store-mock-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'animals.json');
  await writeFile(file, '[{"id":1,"name":"Rex","categoryId":1,"staus":"sold"}]');
  const { waitFor } = startCli(['--port', '0', '--data', file]);
  const stdout = await waitFor(/\nleft out.*\n/);
  expect(stdout).toMatch(/animals: 1\n.*\nleft out, not being in the contract: staus\n$/);
});

test('the log has a line for each request', async () => {
  const { waitFor } = startCli(['--port', '0']);
  const url = urlIn(await waitFor(announced));
  await send(url, get('/v1/pets?limit=5'));
  await send(url, get('/v1/pets?limit=0'));
  const stdout = await waitFor(/limit=0.*\n/);
  const [first, second] = stdout.trim().split('\n').slice(-2);
  expect(first).toMatch(/^\d\d:\d\d:\d\d GET \/v1\/pets\?limit=5 200 [\d.]+ ms$/);
  expect(second).toMatch(
    / GET \/v1\/pets\?limit=0 400 [\d.]+ ms {2}limit must be an integer from 1 to 100, not "0"\.$/,
  );
});

test('as JSON, a line of the log is an object', async () => {
  const { waitFor } = startCli(['--port', '0', '--log', 'json']);
  const url = urlIn(await waitFor(announced));
  await send(url, get('/v1/pets/0'));
  const stdout = await waitFor(/\n\{.*\n/);
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    method: 'GET',
    url: '/v1/pets/0',
    status: 404,
    ms: expect.any(Number),
    error: 'No animal has the id 0.',
  });
});

test.for(['pretty', 'json', 'silent'])(
  'with --log %s no key is printed, wherever it was put',
  async (log) => {
    const { child, ended, waitFor } = startCli([
      '--port',
      '0',
      '--log',
      log,
      '--api-key',
      's3cr%t',
      '--api-key',
      'other-s3cr%t',
    ]);
    const url = urlIn(await waitFor(announced));
    const headers = { Authorization: 'Bearer s3cr%t' };
    expect((await send(url, get('/v1/pets', headers))).status).toBe(200);
    await send(url, get('/v1/pets?key=s3cr%t&other=other-s3cr%25t', headers));
    await send(url, get('/v1/pets?status=s3cr%25t', headers));
    await send(url, get('/v1/s3cr%25t', headers));
    await send(url, get('/v1/pets', { Authorization: 'Basic s3cr%t' }));
    child.kill('SIGTERM');
    const { stdout, stderr } = await ended;
    expect(stdout + stderr).not.toMatch(/s3cr|other-/);
  },
);

test('it goes on when nobody reads its log any more', async () => {
  const { child, waitFor } = startCli(['--port', '0']);
  const url = urlIn(await waitFor(announced));
  child.stdout.destroy();
  for (let request = 0; request < 5; request += 1) {
    expect((await send(url, get('/v1/pets'))).status).toBe(200);
  }
});

function expectFailure(
  { stdout, stderr, exitCode }: CliResult,
  code: number,
  message: string | RegExp,
): void {
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^animal-store-mock: [^\n]+\n$/);
  expect(stderr).toMatch(message);
  expect(exitCode).toBe(code);
}

test.for([
  [['--prot', '1'], "unknown option '--prot' (Did you mean --port?)"],
  [['--port'], "option '-p, --port <number>' argument missing"],
  [['--port', 'http'], '--port must be an integer from 0 to 65535, not "http"'],
  [['5000'], 'there is no argument "5000" (npm passes options on only after --'],
  [['--profile', 'huge'], '--profile must be default, empty, edge-cases or large, not "huge"'],
  [['--data', 'a.json', '--animals', '5'], 'data and animals cannot be combined'],
] as const)('%j is a usage error', async ([args, message]) => {
  expectFailure(await runCli(args), 2, message);
});

test('a wrong variable is a usage error that names it', async () => {
  expectFailure(await runCli([], { environment: { PORT: 'http' } }), 2, 'PORT must be an integer');
});

test('a port in use is a failure to start', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const result = await runCli(['--port', String(port)]);
  expectFailure(result, 1, `port ${port} of 127.0.0.1 is in use; choose another with --port`);
});

test.for([
  [
    ['--host', '192.0.2.1'],
    '192.0.2.1 (from --host, ANIMAL_STORE_HOST or HOST) is not an address of this machine',
  ],
  [['--data', '/nowhere.json'], '/nowhere.json could not be read'],
  [['--data', 'package.json'], 'package.json must hold a JSON array of animals, not an object'],
] as const)('%j is a failure to start', async ([args, message]) => {
  expectFailure(await runCli(['--port', '0', ...args]), 1, message);
});

test('--help names every option, its variables and its default', async () => {
  const { stdout, exitCode } = await runCli(['--help']);
  expect(exitCode).toBe(0);
  const words = stdout.replaceAll(/\s+/g, ' ');
  for (const { flags, variables } of Object.values(optionSpecs)) {
    expect(words).toContain(flags);
    expect(words).toContain(`env: ${variables.join(', ')}`);
  }
  expect(words).toContain('default: 4010');
});

test('--version is the version of the package', async () => {
  expect(await runCli(['--version'])).toMatchObject({
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    exitCode: 0,
  });
});

test.for(['20.20.2', '24.17.9'])('Node %s gets one sentence and no stack trace', async (version) => {
  const code = `for (const [name, value] of Object.entries({ version: 'v${version}', versions: { node: '${version}' } })) Object.defineProperty(process, name, { value });`;
  const result = await runCli([], { node: ['--import', `data:text/javascript,${encodeURIComponent(code)}`] });
  expect(result.stderr).toMatch(
    /^animal-store-mock needs Node 24\.18 or later, and this is v[\d.]+; [^\n]+\n$/,
  );
  expect(result).toMatchObject({ stdout: '', exitCode: 1 });
});
