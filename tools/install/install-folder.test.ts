import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../testing/create-folder.ts';
import { installFolder } from './install-folder.ts';

/** Creates a folder whose lock file has one package, which is next to it, so that npm needs no registry. */
function createLockedFolder() {
  const folder = createFolder();
  const dependencies = { linter: 'file:./linter' };
  mkdirSync(join(folder, 'linter'));
  const manifest = { name: 'tool', version: '1.0.0', dependencies };
  const packages = {
    '': manifest,
    linter: { version: '1.0.0' },
    'node_modules/linter': { resolved: 'linter', link: true },
  };
  const lock = { name: 'tool', version: '1.0.0', lockfileVersion: 3, requires: true, packages };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  writeFileSync(join(folder, 'linter/package.json'), '{"name":"linter","version":"1.0.0"}');
  return { folder, installed: join(folder, 'node_modules/linter') };
}

test('the packages of a folder are installed once, and again when the lock file changes', () => {
  const { folder, installed } = createLockedFolder();
  installFolder(folder);
  expect(existsSync(installed)).toBe(true);
  // Only another installation would bring it back.
  rmSync(installed);
  installFolder(folder);
  expect(existsSync(installed)).toBe(false);
  const lockFile = join(folder, 'package-lock.json');
  writeFileSync(lockFile, `${readFileSync(lockFile, 'utf8')}\n`);
  installFolder(folder);
  expect(existsSync(installed)).toBe(true);
});

test('an installation that fails is tried again', () => {
  const { folder, installed } = createLockedFolder();
  const manifest = join(folder, 'package.json');
  const right = readFileSync(manifest, 'utf8');
  writeFileSync(manifest, right.replace('"linter"', '"another"'));
  expect(() => installFolder(folder)).toThrow(/npm ci/);
  writeFileSync(manifest, right);
  installFolder(folder);
  expect(existsSync(installed)).toBe(true);
});
