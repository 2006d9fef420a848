import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
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
] as const)('%s is refused', ([content, message]) => {
  const file = write(content);
  const read = () => readDataFile(file);
  expect(read).toThrow(DataFileError);
  expect(read).toThrow(file);
  expect(read).toThrow(message);
});

test.for(['/nowhere/animals.json', tmpdir()])('%s cannot be read as a file', (file) => {
  expect(() => readDataFile(file)).toThrow(`${file} could not be read`);
});
