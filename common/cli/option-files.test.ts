import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { readOptionFile } from './option-files.ts';
import { UsageError } from './usage-error.ts';

test('a file of an editor on Windows is read without its byte order mark', async () => {
  const folder = createFolder({ 'known.yaml': '\uFEFF- clause: list-pets/limit\n' });
  const text = await readOptionFile(join(folder, 'known.yaml'), '--known');
  expect(text).toBe('- clause: list-pets/limit\n');
});

test('a file that cannot be read is named once, with its option', async () => {
  const file = join(createFolder(), 'none.pem');
  const reading = readOptionFile(file, '--ca');
  const message = `--ca: ${file} could not be read: ENOENT: no such file or directory`;
  await expect(reading).rejects.toThrow(new UsageError(message));
});
