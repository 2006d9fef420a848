import { execFileSync } from 'node:child_process';
import fs, {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { replaceFile } from './replace-file.ts';

const isPosix = process.platform !== 'win32';

test.skipIf(!isPosix)('a file is replaced, and keeps its permissions and the links to it', () => {
  const folder = createFolder({ 'report.json': 'old' });
  const [file, link] = [join(folder, 'report.json'), join(folder, 'latest.json')];
  // A usual umask would take the group's right to write.
  chmodSync(file, 0o660);
  symlinkSync('report.json', link);
  const { ino } = statSync(file);
  replaceFile(link, 'new');
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o660);
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

test.skipIf(!isPosix)('a pipe is written, not replaced', () => {
  const pipe = join(createFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  replaceFile(pipe, 'new');
  expect(readFileSync(reader, 'utf8')).toBe('new');
  closeSync(reader);
  expect(statSync(pipe).isFIFO()).toBe(true);
});

test.skipIf(process.getuid?.() !== 0)('a file that root replaces keeps its owner', () => {
  const file = join(createFolder({ 'report.json': 'old' }), 'report.json');
  chownSync(file, 1_234, 4_321);
  replaceFile(file, 'new');
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(statSync(file)).toMatchObject({ uid: 1_234, gid: 4_321 });
});

test.skipIf(!isPosix)(
  'a file that the shell has opened and one behind a dead link are written, not replaced',
  () => {
    const folder = createFolder({ 'output.txt': 'old' });
    const file = join(folder, 'output.txt');
    const { ino } = statSync(file);
    const descriptor = openSync(file, 'r+');
    onTestFinished(() => closeSync(descriptor));
    replaceFile(`/dev/fd/${descriptor}`, 'new');
    expect([readFileSync(file, 'utf8'), statSync(file).ino]).toEqual(['new', ino]);
    symlinkSync('later.json', join(folder, 'latest.json'));
    replaceFile(join(folder, 'latest.json'), 'new');
    expect(lstatSync(join(folder, 'latest.json')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, 'later.json'), 'utf8')).toBe('new');
  },
);

test.skipIf(!isPosix)('a new content is never readable by more users than the old one', () => {
  const file = join(createFolder({ 'report.json': 'old' }), 'report.json');
  chmodSync(file, 0o600);
  vi.spyOn(fs, 'chmodSync').mockReturnValue();
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  replaceFile(file, 'new');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a file in a folder without permission is written, not replaced', () => {
  const file = join(createFolder({ 'report.json': 'old' }), 'report.json');
  const { ino } = statSync(file);
  const { openSync: open } = fs;
  vi.spyOn(fs, 'openSync').mockImplementation((path, flags, mode) => {
    if (flags === 'wx') throw Object.assign(new Error('denied'), { code: 'EACCES' });
    return open(path, flags, mode);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  replaceFile(file, 'new');
  expect([readFileSync(file, 'utf8'), statSync(file).ino]).toEqual(['new', ino]);
});

test.for([
  ['EBUSY', 'new'],
  ['EPERM', 'new'],
  ['ENOSPC', 'old'],
])(
  'a file that cannot be replaced because of %s is %s, and nothing is left next to it',
  ([code, content]) => {
    const folder = createFolder({ 'report.json': 'old' });
    const file = join(folder, 'report.json');
    vi.spyOn(fs, 'renameSync').mockImplementation(() => {
      throw Object.assign(new Error(code), { code });
    });
    syncBuiltinESMExports();
    onTestFinished(() => {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    });
    const replace = () => replaceFile(file, 'new');
    if (content === 'old') expect(replace).toThrow(code);
    else replace();
    expect(readFileSync(file, 'utf8')).toBe(content);
    expect(readdirSync(folder)).toEqual(['report.json']);
  },
);
