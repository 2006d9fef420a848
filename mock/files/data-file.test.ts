import { execFileSync } from 'node:child_process';
import { createWriteStream, renameSync, rmSync, unwatchFile, watchFile, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
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
  ['', 'is not JSON: It is empty'],
  [Buffer.from([0x5b, 0xff]), 'not UTF-8'],
  [`[${rex},{"id":2,"name":null}]`, 'entry [1]: name must be a string, not null. categoryId is required'],
  ['[{"id":9223372036854775808,"name":"Rex","categoryId":1}]', 'entry [0]: id must be a 64-bit integer'],
  [`[${rex},${tom},${rex}]`, 'entry [0] and entry [2] have the same id, 1'],
] as const)('%s is refused', async ([content, message]) => {
  const file = write(content);
  const failure = await readDataFile(file).catch((error) => error);
  expect(failure).toBeInstanceOf(DataFileError);
  expect(failure.message).toContain(file);
  expect(failure.message).toContain(message);
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

test('a file that was saved is read again, for a reset and new sessions too; a bad file is reported once, until the mock is closed', async () => {
  const file = write(`[${rex}]`);
  using stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const mock = await startTestMock({ data: file, watch: true });
  const nameAll = ({ animals }: MockSession) => animals.all().map(({ name }) => name);
  const earlier = mock.session('earlier');
  const expectReport = async (pattern: RegExp, count: number) => {
    await vi.waitFor(() => expect(stderr).toHaveBeenCalledTimes(count), 30_000);
    expect(String(stderr.mock.lastCall?.[0]).replace(file, '<file>')).toMatch(pattern);
  };
  writeFileSync(`${file}~`, `[${tom.replace('}', ',"zzz":3}')},${rex}]`);
  renameSync(`${file}~`, file);
  await expectReport(/^animal-store-mock: <file> was read again: animals: 2; left out: zzz\n$/, 1);
  expect(nameAll(mock)).toEqual(['Tom', 'Rex']);
  mock.animals.replace([]);
  mock.reset();
  const all = [mock, earlier, mock.session('later')].map(nameAll);
  expect(all).toEqual([['Tom', 'Rex'], ['Rex'], ['Tom', 'Rex']]);
  mock.animals.add({ name: 'Max', categoryId: 1 });
  writeFileSync(file, '[{"id":1}]');
  await expectReport(/^animal-store-mock: <file>: entry \[0\]: name is required .* keeps its animals\./, 2);
  rmSync(file);
  await expectReport(/^animal-store-mock: <file> does not exist\. The mock keeps its animals\./, 3);
  // The animals of the file are the same, so the mock keeps its animals.
  writeFileSync(file, `[ ${tom}, ${rex} ]`);
  await expectReport(/^animal-store-mock: <file> was read again: animals: 2\n$/, 4);
  expect(nameAll(mock)).toEqual(['Tom', 'Rex', 'Max']);
  // Node has one watcher for all who watch a file: the mock, until it is closed, and this test.
  const watcher = watchFile(file, { persistent: false }, () => {});
  onTestFinished(() => unwatchFile(file));
  expect(watcher.listenerCount('change')).toBe(2);
  await mock.close();
  expect(watcher.listenerCount('change')).toBe(1);
});
