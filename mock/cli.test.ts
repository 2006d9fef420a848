import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { variablesOf } from '../common/cli/options.ts';
import { readOptions } from '../common/cli/read-options.ts';
import { get, send } from '../testing/http-case.ts';
import { type CliResult, runCli, startCli, startMockCli } from '../testing/run-cli.ts';
import { runInTurn } from '../testing/run-in-turn.ts';
import { mockCommand } from './options.ts';

test('it says where it listens, the key, the number of animals and a line to try', async () => {
  const { announcement, url } = await startMockCli();
  expect(announcement).toBe(
    `animal-store-mock listening on ${url}\n` +
      'API key: test-key\n' +
      'animals: 120\n' +
      `try: curl -H "Authorization: Bearer test-key" ${url}/pets\n` +
      `console: ${new URL('/', url)}\n`,
  );
  expect((await send(url, get('/v1/pets'))).body).toHaveLength(20);
});

test.for([
  [[], 'one two', 'from ANIMAL_STORE_API_KEY (not shown), so that test-key gets a 401'],
  [[], 'one test-key', 'from ANIMAL_STORE_API_KEY (not shown)'],
  [['--api-key', 'three'], 'one', 'as you set it (not shown)'],
] as const)('with %j and an inherited key %j it says: %s', async ([args, key, says]) => {
  const { announcement } = await startMockCli(args, { environment: { ANIMAL_STORE_API_KEY: key } });
  expect(announcement).toContain(`\nAPI key: ${says}\n`);
});

test('properties of the data file that were left out are named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'animal-store-mock-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'animals.json');
  await writeFile(
    file,
    '[{"id":1,"name":"Rex","categoryId":1,"staus":"sold"},' +
      '{"id":2,"name":"","categoryId":1,"staus":1,"b":[],"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1}]',
  );
  const stdout = await startCli(['--port', '0', '--data', file]).waitFor(/\nleft out.*\n/);
  expect(stdout).toMatch(
    /animals: 2\n(?:.*\n){2}left out, not being in the contract: staus, b, c, d, e, f, g, h, i, j, and 2 more\n$/,
  );
});

function expectFailure({ stdout, stderr, exitCode }: CliResult, code: number, message: string): void {
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^animal-store-mock: [^\n]+\n$/);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('secret');
  expect(exitCode).toBe(code);
}

test.for([
  [['--prot', '1'], "unknown option '--prot'; did you mean --port?"],
  [['--port'], "option '-p, --port <number>' argument missing"],
  [['5000'], 'there is an argument that belongs to no option (npm passes options on only after --'],
  [['npm', 'test'], 'write a command to run after --, as in: animal-store-mock -- npm test)'],
  [['--api-key', 'my', 'secret'], 'there is an argument that belongs to no option'],
  [['--api-keys=secret'], "unknown option '--api-keys=…'"],
  [['-ksecret'], "unknown option '-k…'"],
  [['--no-cors=false'], "unknown option '--no-cors=…'"],
  [['--data', 'a.json', '--animals', '5'], '--data and --animals cannot be combined'],
] as const)('%j is a usage error, which does not repeat a key', ([args, message]) => {
  expect(() => readOptions(mockCommand, args)).toThrow(message);
  expect(() => readOptions(mockCommand, args)).not.toThrow('secret');
});

test('the command that the proxy was is a usage error that names the one that it is', async () => {
  const message = 'the proxy is now a command of its own: animal-store-proxy, or npm run';
  expectFailure(await runCli(['proxy', 'http://127.0.0.1:9/v1']), 2, message);
});

test('a wrong variable is a usage error that names it', async () => {
  expectFailure(await runCli([], { environment: { PORT: 'http' } }), 2, 'PORT must be an integer');
});

test('a long key in the wrong place is redacted', async () => {
  const key = 'k3y'.repeat(30);
  const { stderr } = await runCli(['--port', key], { environment: { ANIMAL_STORE_API_KEY: key } });
  expect(stderr).toBe('animal-store-mock: --port must be an integer from 0 to 65535, not "[key]"\n');
});

test('a port in use is a failure to start', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const result = await runCli(['--port', String(port)]);
  expectFailure(result, 2, `Port ${port} of 127.0.0.1 is in use. Try --port 0.`);
});

const failed = await runInTurn(
  join(import.meta.dirname, 'cli.ts'),
  [
    {
      options: ['--host', '192.0.2.1'],
      message: '192.0.2.1 (from --host or ANIMAL_STORE_HOST): listen EADDRNOTAVAIL',
    },
    { options: ['--host', 'fe80::1'], message: 'cannot listen on fe80::1 (from --host' },
    {
      options: ['--host', 'no-such-host.invalid'],
      message: 'cannot listen on no-such-host.invalid (from --host',
    },
    { options: ['--host', 'x'.repeat(300)], message: 'cannot listen on xxx' },
    { options: ['--data', 'README.md'], message: 'README.md is not JSON' },
  ].map((row) => ({ ...row, args: ['--port', '0', ...row.options] })),
);

test.for(failed)('$options is a failure to start', ({ message, ...result }) => {
  expectFailure(result, 2, message);
});

test('--help names every option, its variables and its default', async () => {
  const { stdout, exitCode } = await runCli(['--help']);
  const words = stdout.replaceAll(/\s+/g, ' ');
  expect(exitCode).toBe(0);
  for (const [name, [flags]] of Object.entries(mockCommand.options)) {
    expect(words).toContain(flags);
    expect(words).toContain(`env: ${variablesOf(mockCommand, name).join(', ')}`);
  }
  expect(words).toContain('default: 4010');
});

test.for([
  ['20.20.2', 2, /^animal-store-mock needs Node 24\.18 or later, and this is v20\.20\.2; .+\n$/],
  ['24.17.9', 2, /^animal-store-mock needs Node 24\.18 or later, and this is v24\.17\.9; .+\n$/],
  ['24.18.0', 0, /^$/],
  ['25.0.0', 0, /^$/],
  ['100.1.0', 0, /^$/],
] as const)(
  'on Node %s --version ends with %i: the version or one sentence',
  async ([version, exitCode, stderr]) => {
    const stdout = exitCode === 0 ? /^\d+\.\d+\.\d+\n$/ : /^$/;
    const values = `{ version: { value: 'v${version}' }, versions: { value: { node: '${version}' } } }`;
    const pretended = encodeURIComponent(`Object.defineProperties(process, ${values})`);
    const result = await runCli(['--version'], { node: ['--import', `data:text/javascript,${pretended}`] });
    expect([stdout.test(result.stdout), result.stderr, result.exitCode]).toEqual([
      ...[true, expect.stringMatching(stderr), exitCode],
    ]);
  },
);
