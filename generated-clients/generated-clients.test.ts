import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { client } from './generated/hey-api/client.gen';
import { getGetPetUrl, getListPetsUrl } from './generated/orval/animal-store';

const here = import.meta.dirname;

const run = promisify(execFile);

/** Compiles with these settings, as a rule those of a project for browsers; throws where something does not compile. */
const compile = (project: string) => run(join(here, '../node_modules/.bin/tsc'), ['-p', project]);

/** All that was generated, by its path. */
function readGenerated(folder: string): Record<string, string> {
  const cwd = join(folder, 'generated');
  const files = globSync('**/*.ts', { cwd }).sort();
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(cwd, file), 'utf8')]));
}

test('the generated clients compile in a project for browsers, and so do their tests', async () => {
  await compile(here);
  await compile(join(here, 'tsconfig.tests.json'));
});

test('the clients name no host: by themselves they ask where the page came from, below /v1', () => {
  expect(client.getConfig().baseUrl).toBe('/v1');
  expect([getListPetsUrl(), getGetPetUrl(7)]).toEqual(['/v1/pets', '/v1/pets/7']);
  for (const [file, text] of Object.entries(readGenerated(here))) {
    const hosts = /localhost|127\.0\.0\.1|animal-store\.example|base_url/;
    expect(text.match(hosts), file).toBe(null);
  }
});

test('every whole address that ends with /v1 is offered to the user of the client of hey-api', () => {
  expect(readGenerated(here)['hey-api/types.gen.ts']).toMatch(
    /baseUrl: `\$\{string\}:\/\/\$\{string\}\/v1` \|/,
  );
});

test('the generators make these clients of openapi.yaml', async ({ skip }) => {
  if (!existsSync(join(here, 'node_modules'))) {
    skip('The generators are not installed: npm install --prefix generated-clients');
  }
  const folder = await mkdtemp(join(tmpdir(), 'animal-store-clients-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const cwd = join(folder, 'generated-clients');
  const isWritten = (path: string) => !/node_modules|generated\/|\.test\.ts$/.test(path.slice(here.length));
  await cp(here, cwd, { recursive: true, filter: isWritten });
  await cp(join(here, '../openapi.yaml'), join(folder, 'openapi.yaml'));
  await symlink(join(here, 'node_modules'), join(cwd, 'node_modules'));
  await symlink(join(here, '../node_modules'), join(folder, 'node_modules'));
  await run('npm', ['run', 'generate'], { cwd });
  expect(readGenerated(cwd)).toEqual(readGenerated(here));
  // Without our options too.
  const bin = join(cwd, 'node_modules/.bin');
  await run(join(bin, 'openapi-typescript'), ['../openapi.yaml', '-o', 'generated/as-it-comes.ts'], { cwd });
  await run(join(bin, 'openapi-ts'), ['-i', '../openapi.yaml', '-o', 'generated/as-it-comes'], { cwd });
  await compile(cwd);
});
