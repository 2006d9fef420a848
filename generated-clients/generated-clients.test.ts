import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
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

test('without our options the generators make clients that compile', async () => {
  const [cwd, bin] = [here, join(here, 'node_modules/.bin')];
  await run(join(bin, 'openapi-typescript'), ['../openapi.yaml', '-o', 'generated/as-it-comes.ts'], { cwd });
  await run(join(bin, 'openapi-ts'), ['-i', '../openapi.yaml', '-o', 'generated/as-it-comes'], { cwd });
  await compile(here);
});
