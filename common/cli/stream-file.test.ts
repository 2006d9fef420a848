import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { StreamFile } from './stream-file.ts';

const isPosix = process.platform !== 'win32';

test.skipIf(!isPosix)('a file is replaced at the end, and keeps its permissions and the links to it', () => {
  const folder = createFolder({ 'traffic.har': 'old' });
  const [file, link] = [join(folder, 'traffic.har'), join(folder, 'latest.har')];
  chmodSync(file, 0o600);
  symlinkSync('traffic.har', link);
  const stream = new StreamFile(link);
  stream.write('Zoë');
  stream.write('!');
  expect(readFileSync(file, 'utf8')).toBe('old');
  const [temporary = ''] = globSync('*.tmp', { cwd: folder });
  expect(statSync(join(folder, temporary)).mode & 0o777).toBe(0o600);
  stream.end();
  expect(readFileSync(file, 'utf8')).toBe('Zoë!');
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).sort()).toEqual(['latest.har', 'traffic.har']);
});

test('what is discarded leaves the earlier file, and nothing next to it', () => {
  const folder = createFolder({ 'traffic.har': 'old' });
  const stream = new StreamFile(join(folder, 'traffic.har'));
  stream.write('new');
  stream.discard();
  expect(readdirSync(folder)).toEqual(['traffic.har']);
  expect(readFileSync(join(folder, 'traffic.har'), 'utf8')).toBe('old');
});

test.skipIf(!isPosix)('a device is written directly', () => {
  const stream = new StreamFile('/dev/null');
  stream.write('text');
  stream.end();
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});

test.skipIf(!isPosix)('a pipe without a reader is refused at once', () => {
  const pipe = join(createFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  expect(() => new StreamFile(pipe)).toThrow('no such device or address');
});
