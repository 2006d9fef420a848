import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../testing/create-folder.ts';
import { projectVersion } from '../testing/project/project-version.ts';
import { watchProcess } from '../testing/watch-process.ts';
import { hasNode } from './install-node.ts';
import { startExecutable, startExecutableMock } from './testing/start-executable.ts';

/** What `npm run executable` has built. */
const file = join(import.meta.dirname, '../../dist/animal-store');

if (hasNode && !existsSync(file)) throw new Error('The executable is not built. Run: npm run executable');

const key = { Authorization: 'Bearer test-key' };

const run = (folder: string, ...args: readonly string[]) => startExecutable(file, args, folder).ended;

/** Runs the executable once, and returns the folder that it has written its files to. */
async function unpack(folder: string): Promise<string> {
  expect(await run(folder, 'mock', '--version')).toEqual({
    exitCode: 0,
    stdout: `${projectVersion}\n`,
    stderr: '',
  });
  const [name = ''] = readdirSync(folder).filter((one) => one.startsWith('animal-store-'));
  return join(folder, name);
}

test.runIf(hasNode)('verify finds that the mock conforms, and a mock learns from its recording', async () => {
  const folder = createFolder();
  const mock = await startExecutableMock(file, [], folder);
  const report = ['--har', 'run.har', '--reporter', 'json=report.json', '--reporter', 'html=report.html'];
  const args = [mock.url, '--api-key', 'test-key', '--allow-writes', ...report];
  const { exitCode, stdout } = await run(folder, 'verify', ...args);
  expect(stdout).toMatch(/ conforms: (\d+) of \1 required clauses tested/);
  expect(exitCode).toBe(0);
  const { verdict } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
  expect(verdict).toBe('conforms');
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('<style>');
  const learned = await startExecutableMock(file, ['--behaviour', 'run.har'], folder);
  expect((await fetch(`${learned.url}/pets`, { headers: key })).status).toBe(200);
});

test.runIf(hasNode)('proxy finds a violation', async () => {
  const folder = createFolder();
  const mock = await startExecutableMock(file, ['--no-checked-proxy'], folder);
  const proxy = startExecutable(file, ['proxy', mock.url, '--port', '0', '--fail-on', 'error'], folder);
  const [url] = /http:\S+\/v1/.exec(await proxy.waitFor(/listening on \S+\/v1.*\n/)) ?? [];
  expect((await fetch(`${url}/pets`, { headers: key })).status).toBe(200);
  expect((await fetch(`${url}/pets?limit=none`, { headers: key })).status).toBe(400);
  proxy.child.kill('SIGTERM');
  const { exitCode, stdout } = await proxy.ended;
  expect(stdout).toContain('error     listPets   request.query.limit  type');
  expect(exitCode).toBe(1);
});

test.runIf(hasNode)(
  'the mock checks requests in its thread, and serves its console and documents',
  async () => {
    const folder = createFolder();
    const mock = await startExecutableMock(file, ['--fail-on', 'error'], folder);
    const { origin } = new URL(mock.url);
    const pages = ['/', '/__console/page.js', '/docs', '/openapi.yaml'];
    for (const path of pages) {
      const { status } = await fetch(`${origin}${path}`, { headers: { Accept: 'text/html' } });
      expect({ path, status }).toEqual({ path, status: 200 });
    }
    await fetch(`${mock.url}/pets?limit=none`, { headers: key });
    mock.child.kill('SIGINT');
    expect((await mock.ended).exitCode).toBe(1);
  },
);

test.runIf(hasNode)('a command after -- runs in the environment of the executable', async () => {
  const folder = createFolder();
  const script = `fetch(process.env.ANIMAL_STORE_URL + '/pets', { headers: { Authorization: 'Bearer test-key' } })
    .then(async (response) => console.log(response.status, (await response.json()).length))`;
  const command = ['--', process.execPath, '--eval', script];
  const { exitCode, stdout } = await run(folder, 'mock', '--port', '0', ...command);
  expect(stdout).toContain('200 20\n');
  expect(exitCode).toBe(0);
  const idle = ['--', process.execPath, '--eval', ''];
  const trial = await run(folder, 'mock', '--port', '0', '--try-behaviours', ...idle);
  expect(trial.stderr).toContain('No request reached the mock.');
  expect(trial.exitCode).toBe(2);
});

const wrong: readonly (readonly [args: string, message: string])[] = [
  [
    '',
    'animal-store: the command is missing. The commands are mock, proxy, verify and licenses. See animal-store --help.',
  ],
  [
    'mocks',
    'animal-store: there is no command "mocks". The commands are mock, proxy, verify and licenses. See animal-store --help.',
  ],
  [
    'mock 4010',
    'animal-store mock: too many arguments: 1 instead of 0. Write a command after --, such as: animal-store mock -- npm test.',
  ],
  ['proxy', 'animal-store proxy: the upstream is missing'],
  ['proxy check', 'animal-store proxy: the file is missing'],
  ['verify', 'animal-store verify: The base URL is missing. Give one such as https://staging.example/v1.'],
];

test.runIf(hasNode).for(wrong)('animal-store %s: exit code 2 and what to do', async ([args, message]) => {
  const result = await run(createFolder(), ...args.split(' ').filter(Boolean));
  expect(result).toEqual({ exitCode: 2, stdout: '', stderr: `${message}\n` });
});

test.runIf(hasNode)('--help, --version and licenses need no files', async () => {
  const folder = createFolder();
  const [help, version, licenses] = await Promise.all(
    ['--help', '--version', 'licenses'].map((word) => run(folder, word)),
  );
  expect(help).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^Usage: animal-store <command>/),
  });
  expect(version).toEqual({ exitCode: 0, stdout: `${projectVersion}\n`, stderr: '' });
  for (const name of ['Node.js\n', 'V8', 'OpenSSL', 'express 5', 'swagger-ui', '@stoplight/prism-http 5'])
    expect(licenses?.stdout).toContain(name);
  expect(readdirSync(folder)).toEqual([]);
});

test.runIf(hasNode)('several first starts at once write the same files', async () => {
  const folder = createFolder();
  const versions = await Promise.all(
    ['mock', 'proxy', 'verify'].map((name) => run(folder, name, '--version')),
  );
  expect(versions.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  const [own = '', ...others] = readdirSync(folder);
  expect(others).toEqual([]);
  const names = readdirSync(join(folder, own), { recursive: true, encoding: 'utf8' });
  // What is written has a random name at first.
  expect(names.filter((name) => /\.[0-9a-f]{8}-/.test(name))).toEqual([]);
});

test.runIf(hasNode)('a start repairs files that were removed or changed', async () => {
  const folder = createFolder();
  const own = await unpack(folder);
  rmSync(join(own, 'node_modules/animal-store-mock/dist'), { recursive: true });
  writeFileSync(join(own, 'node_modules/animal-store-mock/bin.js'), 'throw new Error("changed")');
  await unpack(folder);
});

test.runIf(hasNode)('a folder that others can write to is refused', async () => {
  const folder = createFolder();
  const own = await unpack(folder);
  const refusal = {
    exitCode: 2,
    stdout: '',
    stderr:
      `animal-store: the files of the command could not be written: ${own} is not a folder of this user alone. ` +
      'Set TMPDIR to a folder that you own.\n',
  };
  chmodSync(own, 0o777);
  expect(await run(folder, 'mock', '--version')).toEqual(refusal);
  rmSync(own, { recursive: true });
  const other = createFolder();
  symlinkSync(other, own);
  expect(await run(folder, 'mock', '--version')).toEqual(refusal);
  expect(readdirSync(other)).toEqual([]);
});

test.runIf(hasNode)('a fork runs nothing of a folder that others can write to', async () => {
  const folder = createFolder();
  const own = await unpack(folder);
  const script = join(own, 'node_modules/animal-store-mock/bin.js');
  const proof = join(folder, 'proof');
  writeFileSync(join(own, 'load.cjs'), `require('node:fs').writeFileSync(${JSON.stringify(proof)}, '')`);
  chmodSync(own, 0o777);
  // A fork has a channel, and the command of the executable that it belongs to has unpacked the files.
  const env = { TMPDIR: createFolder() };
  const child = spawn(file, [script], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const { stderr, exitCode } = await watchProcess(child as ChildProcessWithoutNullStreams).ended;
  expect(stderr).toBe(
    `animal-store: the files of the command cannot be used: ${own} is not a folder of this user alone.\n`,
  );
  expect([exitCode, existsSync(proof)]).toEqual([2, false]);
});

test.runIf(hasNode)(
  'a folder for temporary files may be a symbolic link, and forked processes start',
  async () => {
    const folder = createFolder();
    mkdirSync(join(folder, 'real'));
    symlinkSync('real', join(folder, 'linked'));
    const linked = join(folder, 'linked');
    const mock = await startExecutableMock(file, ['--no-checked-proxy'], linked);
    const args = [mock.url, '--api-key', 'test-key', '--only', 'list-pets/success'];
    expect((await run(linked, 'verify', ...args)).stdout).toContain('1 passed, 0 failed');
  },
);

/** A user that the machine does not know, as in a container that is started with `--user`. */
const UNKNOWN_USER = 54321;

test.runIf(hasNode && process.getuid?.() === 0)(
  'a user without a name and a home has a verdict',
  async () => {
    const folder = createFolder();
    chownSync(folder, UNKNOWN_USER, UNKNOWN_USER);
    const mock = await startExecutableMock(file, ['--no-checked-proxy'], folder);
    const args = [mock.url, '--api-key', 'test-key', '--only', 'list-pets/success'];
    expect((await run(folder, 'verify', ...args)).stdout).toContain('1 passed, 0 failed');
    // Nothing else was written.
    const [own = ''] = readdirSync(folder).filter((name) => name.startsWith('animal-store-'));
    expect(existsSync(join(tmpdir(), own))).toBe(false);
  },
);
