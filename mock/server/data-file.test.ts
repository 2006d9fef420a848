import { execFileSync } from 'node:child_process';
import { createWriteStream, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../../testing/create-folder.ts';
import { DataFileError, readDataFile } from './data-file.ts';

function write(content: string | Buffer): string {
  const file = join(createFolder(), 'animals.json');
  writeFileSync(file, content);
  return file;
}

const rex = '{"id":1,"name":"Rex","categoryId":1}';

test.for([
  ['{}', 'The animals must be an array, not an object'],
  ['[', 'is not JSON'],
  [Buffer.from([0x5b, 0xff]), 'not UTF-8'],
  ['[1]', 'entry [0] must be an object, not 1'],
  [`[${rex},{"id":2,"name":null}]`, 'entry [1]: name must be a string, not null; categoryId is missing'],
  ['[{"id":9223372036854775808,"name":"Rex","categoryId":1}]', 'entry [0]: id must be an integer'],
  [`[${rex},${rex.replace('1', '2')},${rex}]`, 'entry [0] and entry [2] have the same id, 1'],
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

test('an animal without an id gets the next one, and unknown properties are left out', async () => {
  const file = write(`[{"name":"Tom","categoryId":2,"tail":1},${rex}]`);
  const tom = { id: 2n, name: 'Tom', categoryId: 2n };
  const pets = [tom, { id: 1n, name: 'Rex', categoryId: 1n }];
  expect(await readDataFile(file)).toEqual({ pets, unknownProperties: ['tail'] });
});

test('a pipe is read', async () => {
  const file = join(createFolder(), 'pipe');
  execFileSync('mkfifo', [file]);
  const reading = readDataFile(file);
  const writer = createWriteStream(file);
  writer.end(`[${rex}]`);
  expect(await reading).toEqual({ pets: [{ id: 1n, name: 'Rex', categoryId: 1n }], unknownProperties: [] });
});
