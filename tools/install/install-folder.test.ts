import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../testing/create-folder.ts';

/** Creates a folder whose lock file has one package, packed next to it, so that npm needs no registry. */
function createLockedFolder() {
  const folder = createFolder();
  const linter = createFolder({ 'package.json': '{"name":"linter","version":"1.0.0"}' });
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: linter, stdio: 'ignore' });
  const dependencies = { linter: 'file:../linter-1.0.0.tgz' };
  const manifest = { name: 'tool', version: '1.0.0', dependencies };
  const packages = {
    '': manifest,
    'node_modules/linter': { version: '1.0.0', resolved: dependencies.linter },
  };
  const lock = { name: 'tool', version: '1.0.0', lockfileVersion: 3, requires: true, packages };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  return { folder, installed: join(folder, 'node_modules/linter') };
}

const cli = join(import.meta.dirname, 'cli.ts');

/** Installs a folder in another process. @returns what it prints */
const install = (folder: string) => spawnSync(process.execPath, [cli, folder], { encoding: 'utf8' }).stderr;

test('the packages of a folder are installed once, and again when the lock file changes', () => {
  const { folder, installed } = createLockedFolder();
  expect(install(folder)).toBe(`Installing the packages of ${folder}\n`);
  expect(existsSync(installed)).toBe(true);
  // Only another installation would bring it back.
  rmSync(installed, { recursive: true });
  expect(install(folder)).toBe('');
  expect(existsSync(installed)).toBe(false);
  const lockFile = join(folder, 'package-lock.json');
  writeFileSync(lockFile, `${readFileSync(lockFile, 'utf8')}\n`);
  install(folder);
  expect(existsSync(installed)).toBe(true);
});

test('an installation that fails says what npm printed, and is tried again', () => {
  const { folder, installed } = createLockedFolder();
  const manifest = join(folder, 'package.json');
  const right = readFileSync(manifest, 'utf8');
  writeFileSync(manifest, right.replace('"linter"', '"another"'));
  expect(install(folder)).toMatch(/npm ci failed in .*:\n(?:.*\n)*npm error/);
  writeFileSync(manifest, right);
  install(folder);
  expect(existsSync(installed)).toBe(true);
});

test('several processes install a folder at once', async () => {
  const { folder, installed } = createLockedFolder();
  const children = Array.from({ length: 3 }, () =>
    spawn(process.execPath, [cli, folder], { stdio: 'ignore' }),
  );
  expect(await Promise.all(children.map((child) => once(child, 'close')))).toEqual(Array(3).fill([0, null]));
  expect(existsSync(installed)).toBe(true);
  expect(readdirSync(folder).filter((name) => name.startsWith('node_modules'))).toEqual(['node_modules']);
});
