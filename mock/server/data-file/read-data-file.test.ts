import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DataFileError, readDataFile } from './read-data-file.ts';

function write(content: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'data-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'animals.json');
  writeFileSync(file, content);
  return file;
}

const rex = '{"id":1,"name":"Rex","categoryId":1}';

test.for([
  ['{}', 'must hold a JSON array of animals, not an object'],
  ['', 'is not JSON'],
  ['[', 'is not JSON'],
  [Buffer.from([0x5b, 0xff]), 'not UTF-8'],
  ['[1]', 'entry [0] must be an object, not 1'],
  [`[${rex},null]`, 'entry [1] must be an object, not null'],
  [`[${rex},{"id":2,"name":null}]`, 'entry [1]: name must be a string, not null; categoryId is missing'],
  ['[{"name":"Rex","categoryId":1}]', 'entry [0]: id is missing; it must be an integer'],
  ['[{"id":9223372036854775808,"name":"Rex","categoryId":1}]', 'entry [0]: id must be an integer'],
  [`[${rex},${rex.replace('1', '2')},${rex}]`, 'entries [0] and [2] have the same id, 1'],
] as const)('%s is refused', async ([content, message]) => {
  const file = write(content);
  const failure = await readDataFile(file).catch((error) => error);
  expect(failure).toBeInstanceOf(DataFileError);
  expect(failure.message).toContain(file);
  expect(failure.message).toContain(message);
});

test.for([
  ['/nowhere/animals.json', 'ENOENT'],
  [tmpdir(), 'EISDIR'],
] as const)('%s cannot be read as a file', async ([file, reason]) => {
  await expect(readDataFile(file)).rejects.toThrow(`${file} could not be read: ${reason}`);
});

test('every fault of a file is told, the first ten one by one', async () => {
  const failure = await readDataFile(write(`[${rex},${'1,'.repeat(11)}${rex}]`)).catch((error) => error);
  const told = Array.from({ length: 10 }, (_, index) => `entry [${index + 1}] must be an object, not 1`);
  expect(failure.message).toMatch(new RegExp(`: ${RegExp.escape(told.join('; '))}; and 2 more$`));
});

test('a pipe is read; that it is slow is said', async () => {
  const file = write('');
  rmSync(file);
  execFileSync('mkfifo', [file]);
  const onSlow = vi.fn();
  const reading = readDataFile(file, onSlow);
  await vi.waitFor(() => expect(onSlow).toHaveBeenCalledOnce(), 30_000);
  const writer = createWriteStream(file);
  writer.end(`[${rex}]`);
  expect(await reading).toMatchObject({ pets: [{ name: 'Rex' }] });
});
