import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Makes Node take itself for one that is too old. */
const OLD = `Object.defineProperties(process,{version:{value:'v20.0.0'},versions:{value:{node:'20.0.0'}}})`;

test.for([
  ['mock', 'animal-store-mock'],
  ['proxy', 'animal-store-proxy'],
  ['contract-tests', 'animal-store-verify'],
])('in a checkout, %s names the Node that it needs and how to get it', ([folder = '', name]) => {
  const program = join(import.meta.dirname, '../..', folder, 'bin.js');
  const args = ['--import', `data:text/javascript,${OLD}`, program, '--version'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe(
    `${name} needs Node 24 or later, and this is v20.0.0. Use an npm script, such as npm start.\n`,
  );
  expect([status, stdout]).toEqual([2, '']);
});
