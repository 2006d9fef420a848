import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createFolder } from '../../testing/create-folder.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';

const rex = '{"id":1,"name":"Rex","categoryId":1}';
const tom = '{"id":2,"name":"Tom","categoryId":1}';

/** Starts a mock that watches a file with Rex; `printed` returns what the mock printed. */
async function startWatching() {
  const file = join(createFolder(), 'animals.json');
  writeFileSync(file, `[${rex}]`);
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const mock = await startTestMock({ data: file, watch: true });
  const printed = () => write.mock.calls.map(([line]) => String(line).replaceAll(file, '<file>'));
  const save = (text: string) => {
    writeFileSync(`${file}~`, text);
    renameSync(`${file}~`, file);
  };
  const seen = (count: number) => vi.waitFor(() => expect(printed()).toHaveLength(count), 30_000);
  return { mock, file, save, printed, seen };
}

const nameAll = (pets: readonly { readonly name: string }[]) => pets.map(({ name }) => name);

test('a file that was saved is read again, and a reset and a new session start with it', async () => {
  const { mock, save, printed, seen } = await startWatching();
  const earlier = mock.session('earlier');
  mock.animals.add({ name: 'Max', categoryId: 1 });
  save(`[${tom},${rex}]`);
  await seen(1);
  expect(nameAll(mock.animals.all())).toEqual(['Tom', 'Rex']);
  mock.animals.replace([]);
  mock.reset();
  const sessions = [earlier, mock.session('later')].map(({ animals }) => nameAll(animals.all()));
  expect([nameAll(mock.animals.all()), ...sessions]).toEqual([['Tom', 'Rex'], ['Rex'], ['Tom', 'Rex']]);
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
  // What it holds is as it was: the animals stay too.
  writeFileSync(file, `[ ${rex} ]`);
  await seen(3);
  expect(nameAll(mock.animals.all())).toEqual(['Rex', 'Max']);
  expect(printed()).toEqual([
    expect.stringMatching(
      /^animal-store-mock: <file>: entry \[0\]: name is missing; .*; the animals stay as they are\n$/,
    ),
    expect.stringMatching(
      /^animal-store-mock: <file> could not be read: ENOENT.*; the animals stay as they are\n$/,
    ),
    'animal-store-mock: <file> was read again: animals: 1\n',
  ]);
  mock.reset();
  expect(mock.animals.size).toBe(1);
});

test('a pipe cannot be watched, since it can be read only once', async () => {
  const pipe = join(createFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const message = `${pipe} cannot be watched: it is not a file.`;
  await expect(startTestMock({ data: pipe, watch: true })).rejects.toThrow(message);
});
