import { execFileSync } from 'node:child_process';
import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { describeFileError, expectOtherFiles, expectWritable, readOptionFile } from './option-files.ts';
import { UsageError } from './usage-error.ts';

test('a file of an editor on Windows is read without its byte order mark', async () => {
  const folder = createFolder({ 'known.yaml': '\uFEFF- clause: list-pets/limit\n' });
  const text = await readOptionFile(join(folder, 'known.yaml'), '--known');
  expect(text).toBe('- clause: list-pets/limit\n');
});

test('a file that cannot be read is named once, with its option', async () => {
  const file = join(createFolder(), 'none.pem');
  const reading = readOptionFile(file, '--ca');
  const message = `--ca: ${file} could not be read: no such file or directory`;
  await expect(reading).rejects.toThrow(new UsageError(message));
});

test('a report can be written to a new file and over an old one, and not to a folder or without one', () => {
  const folder = createFolder({ 'report.json': 'old' });
  expectWritable(join(folder, 'report.json'), '--report');
  expectWritable(join(folder, 'new.json'), '--report');
  expect(readdirSync(folder)).toEqual(['report.json']);
  const refused = (file: string, reason: string) =>
    expect(() => expectWritable(file, '--report')).toThrow(
      new UsageError(`--report: ${file} could not be written: ${reason}`),
    );
  expect(() => expectWritable('-', '--report')).toThrow(
    '--report: - is not the path of a file. Name a file.',
  );
  refused(folder, 'it is a folder');
  refused(join(folder, 'none', 'new.json'), 'no such file or directory');
});

test.skipIf(process.platform === 'win32')(
  'a pipe that nobody reads is refused, because a write to it would never end',
  () => {
    const pipe = join(createFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(() => expectWritable(pipe, '--report')).toThrow(
      `--report: ${pipe} could not be written: no such device or address`,
    );
  },
);

test('the code of a message of Node is left out, and the path at its end, whatever it has in it', () => {
  const error = new Error("ENOENT: no such file or directory, open '/a'b\n/key.pem'");
  expect(describeFileError(error)).toBe('no such file or directory');
});

test('two options for one file are refused, in any spelling of its path, but not for a device', () => {
  const folder = createFolder({ 't.har': '{}' });
  const file = join(folder, 't.har');
  const same = { 'the HAR file': file, '--report': undefined, '--har': `${folder}/./t.har` };
  const message = 'the HAR file and --har name the same file: ';
  expect(() => expectOtherFiles(same)).toThrow(message);
  symlinkSync('t.har', join(folder, 'link'));
  symlinkSync(folder, join(folder, 'folder'));
  for (const [first, second] of [
    [file, join(folder, 'link')],
    [join(folder, 'new'), join(folder, 'folder', 'new')],
  ])
    expect(() => expectOtherFiles({ '--report': first, '--har': second })).toThrow(
      '--report and --har name the same file: ',
    );
  expect(() => expectOtherFiles({ '--report': '/dev/null', '--har': '/dev/null' })).not.toThrow();
  expect(() => expectOtherFiles({ '--report': 'a.json', '--har': 'b.json' })).not.toThrow();
});
