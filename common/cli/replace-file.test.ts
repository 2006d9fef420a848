import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { replaceFile } from './replace-file.ts';

const isPosix = process.platform !== 'win32';

test.skipIf(!isPosix)('a file is replaced, and keeps its permissions and the links to it', () => {
  const folder = createFolder({ 'report.json': 'old' });
  const [file, link] = [join(folder, 'report.json'), join(folder, 'latest.json')];
  chmodSync(file, 0o640);
  symlinkSync('report.json', link);
  const { ino } = statSync(file);
  replaceFile(link, 'new');
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o640);
  // The old file was not emptied first.
  expect(statSync(file).ino).not.toBe(ino);
  expect(readdirSync(folder).sort()).toEqual(['latest.json', 'report.json']);
});

test('a new file is written, and a folder that does not exist is an error', () => {
  const folder = createFolder();
  replaceFile(join(folder, 'new.json'), 'new');
  expect(readFileSync(join(folder, 'new.json'), 'utf8')).toBe('new');
  expect(() => replaceFile(join(folder, 'none', 'new.json'), 'new')).toThrow('ENOENT');
});

test.skipIf(!isPosix)('a pipe is written, not replaced', async () => {
  const pipe = join(createFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reading = promisify(execFile)('cat', [pipe]);
  replaceFile(pipe, 'new');
  expect((await reading).stdout).toBe('new');
  expect(statSync(pipe).isFIFO()).toBe(true);
});
