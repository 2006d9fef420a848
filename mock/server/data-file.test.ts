import { execFileSync } from 'node:child_process';
import { createWriteStream, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createFolder } from '../../testing/create-folder.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';
import type { MockSession } from '../index.ts';
import { DataFileError, readDataFile } from './data-file.ts';

const rex = '{"id":1,"name":"Rex","categoryId":1}';
const tom = '{"id":2,"name":"Tom","categoryId":1}';

function write(content: string | Buffer): string {
  const file = join(createFolder(), 'animals.json');
  writeFileSync(file, content);
  return file;
}

test.for([
  ['{}', 'The animals must be an array, not an object'],
  ['[', 'is not JSON'],
  [Buffer.from([0x5b, 0xff]), 'not UTF-8'],
  ['[1]', 'entry [0] must be an object, not 1'],
  [`[${rex},{"id":2,"name":null}]`, 'entry [1]: name must be a string, not null; categoryId is missing'],
  ['[{"id":9223372036854775808,"name":"Rex","categoryId":1}]', 'entry [0]: id must be an integer'],
  [`[${rex},${tom},${rex}]`, 'entry [0] and entry [2] have the same id, 1'],
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
  const pets = [
    { id: 2n, name: 'Tom', categoryId: 2n },
    { id: 1n, name: 'Rex', categoryId: 1n },
  ];
  expect(await readDataFile(file)).toEqual({ pets, unknownProperties: ['tail'] });
});

test('a pipe is read, and cannot be watched, since it can be read only once', async () => {
  const file = join(createFolder(), 'pipe');
  execFileSync('mkfifo', [file]);
  const watching = startTestMock({ data: file, watch: true });
  await expect(watching).rejects.toThrow(`${file} cannot be watched: it is not a file.`);
  const reading = readDataFile(file);
  createWriteStream(file).end(`[${rex}]`);
  expect(await reading).toEqual({ pets: [{ id: 1n, name: 'Rex', categoryId: 1n }], unknownProperties: [] });
});

/** Starts a mock that watches a file with Rex; `printed` returns what the mock printed. */
async function startWatching() {
  const file = write(`[${rex}]`);
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => stderr.mockRestore());
  const mock = await startTestMock({ data: file, watch: true });
  const printed = () => stderr.mock.calls.map(([line]) => String(line).replaceAll(file, '<file>'));
  const save = (text: string) => {
    writeFileSync(`${file}~`, text);
    renameSync(`${file}~`, file);
  };
  const seen = (count: number) => vi.waitFor(() => expect(printed()).toHaveLength(count), 30_000);
  return { mock, file, save, printed, seen };
}

const nameAll = ({ animals }: MockSession) => animals.all().map(({ name }) => name);

test('a file that was saved is read again, and a reset and a new session start with it', async () => {
  const { mock, save, printed, seen } = await startWatching();
  const earlier = mock.session('earlier');
  mock.animals.add({ name: 'Max', categoryId: 1 });
  save(`[${tom},${rex}]`);
  await seen(1);
  expect(nameAll(mock)).toEqual(['Tom', 'Rex']);
  mock.animals.replace([]);
  mock.reset();
  const all = [mock, earlier, mock.session('later')].map(nameAll);
  expect(all).toEqual([['Tom', 'Rex'], ['Rex'], ['Tom', 'Rex']]);
  earlier.reset();
  expect(earlier.animals.size).toBe(2);
  save(`[${tom.replace('}', ',"zzz":3}')}]`);
  await seen(2);
  expect([mock.animals.size, printed()]).toEqual([
    1,
    ['2', '1; left out: zzz'].map((what) => `animal-store-mock: <file> was read again: animals: ${what}\n`),
  ]);
});

test('a file that cannot be used changes nothing, and is reported once', async () => {
  const { mock, file, save, printed, seen } = await startWatching();
  mock.animals.add({ name: 'Max', categoryId: 1 });
  save('[{"id":1}]');
  await seen(1);
  rmSync(file);
  await seen(2);
  // The animals of the file are the same, so the mock keeps its animals.
  writeFileSync(file, `[ ${rex} ]`);
  await seen(3);
  expect(nameAll(mock)).toEqual(['Rex', 'Max']);
  expect(printed()).toEqual([
    expect.stringMatching(/^animal-store-mock: <file>: entry \[0\]: name is missing; .*; the animals stay/),
    expect.stringMatching(/^animal-store-mock: <file> could not be read: ENOENT.*; the animals stay as/),
    'animal-store-mock: <file> was read again: animals: 1\n',
  ]);
});
