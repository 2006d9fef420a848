import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startMock } from '../mock/index.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');

/** A project of a user's, with the packages installed as npm would, but for the links to their dependencies. */
let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'animal-store-user-'));
  await mkdir(join(project, 'node_modules'));
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name.startsWith('animal-store')) continue;
    await symlink(join(root, 'node_modules', name), join(project, 'node_modules', name));
  }
  for (const folder of ['mock', 'proxy', 'contract-tests']) await install(folder);
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
}, 60_000);

async function install(folder: string): Promise<void> {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', project, '-w', folder], {
    cwd: root,
  });
  const [{ filename, name }] = JSON.parse(stdout.slice(stdout.indexOf('[\n')));
  const installed = join(project, 'node_modules', name);
  await mkdir(installed);
  await run('tar', ['-xf', join(project, filename), '-C', installed, '--strip-components=1']);
}

afterAll(() => rm(project, { recursive: true }));

test('the installed command starts', async () => {
  const command = join(project, 'node_modules/animal-store-mock/bin.js');
  const child = spawn(process.execPath, [command, '--port', '0'], { cwd: project });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  expect(String(line)).toMatch(/^animal-store-mock listening on http:/);
});

test('the installed command starts the proxy, which finds its contract', async () => {
  const command = join(project, 'node_modules/animal-store-proxy/bin.js');
  const child = spawn(process.execPath, [command, 'http://127.0.0.1:9/v1', '--port', '0'], {
    cwd: project,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  expect(String(line)).toMatch(/^checked proxy listening on http:/);
});

test('the installed command verifies', async () => {
  const mock = await startMock({ port: 0, log: 'silent' });
  onTestFinished(mock.close);
  const command = join(project, 'node_modules/animal-store-contract-tests/bin.js');
  const { stdout } = await run(process.execPath, [command, mock.url, '--api-key', 'test-key'], {
    cwd: project,
  });
  expect(stdout).toMatch(/ conforms: \d+ passed, 0 failed, 0 skipped /);
}, 30_000);

test('the installed function starts a mock with a checked proxy, and its types fit', async () => {
  const script = `
    import { type Mock, startMock } from 'animal-store-mock';
    const mock: Mock = await startMock({ port: 0, profile: 'empty', log: 'silent', checkedProxy: true });
    const answer = await fetch(mock.checkedUrl + '/pets', { headers: { Authorization: 'Bearer test-key' } });
    process.stdout.write(String(answer.status) + (await answer.text()));
    await mock.close();
  `;
  await writeFile(join(project, 'use.ts'), script);
  const flags = ['--module', 'nodenext', '--target', 'es2024', '--strict', '--noEmit', '--types', 'node'];
  await run(join(root, 'node_modules/.bin/tsc'), [...flags, 'use.ts'], { cwd: project });
  const { stdout } = await run(process.execPath, ['use.ts'], { cwd: project });
  expect(stdout).toBe('200[]');
});

test.for(['animal-store-mock', 'animal-store-proxy', 'animal-store-contract-tests'])(
  '%s holds the program and its contract, and no tests',
  async (name) => {
    const files = await readdir(join(project, 'node_modules', name), { recursive: true });
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'bin.js', 'dist/openapi.yaml']));
    expect(
      files.filter((file) => /\.test\.|\/testing\/|^bench/.test(file) || /(?<!\.d)\.ts$/.test(file)),
    ).toEqual([]);
  },
);
