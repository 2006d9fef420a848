import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projects } from '../testing/project/user-projects.ts';
import { buildExecutable } from './build-executable.ts';
import { hasNode, installNode } from './install-node.ts';
import { startExecutable, startExecutableMock } from './testing/start-executable.ts';

// The first run installs 130 MB.
const timeout = 120_000;

test.runIf(hasNode)('the executable serves the mock on a machine without Node', { timeout }, async () => {
  const file = join(projects, 'animal-store');
  buildExecutable({ node: `${installNode()}`, modules: join(projects, 'pages/node_modules'), output: file });

  const { url, child, ended } = await startExecutableMock(file, [], projects);
  const response = await fetch(`${url}/pets?limit=1`, { headers: { Authorization: 'Bearer test-key' } });
  expect(await response.json()).toEqual([expect.objectContaining({ id: expect.any(Number) })]);
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ exitCode: 0, stderr: '' });

  const help = await startExecutable(file, ['verify', '--help'], projects).ended;
  expect(help).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^Usage: animal-store verify /) });
});
