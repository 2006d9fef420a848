import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ThreadGate } from '../../common/proxy-thread.ts';
import { callCommand } from '../../tools/testing/call-command.ts';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { get, post, send } from '../../tools/testing/http-case.ts';
import { startMockCli } from '../../tools/testing/run-cli.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import { type MockOptions, startMock } from '../index.ts';
import { launchMock } from '../launch-mock.ts';
import { resolveMockOptions } from '../options.ts';
import { runMock } from '../run-mock.ts';
import { createContents, PetStore } from '../service/pet-store.ts';
import { startSaving } from './save-animals.ts';
import { SavedFile } from './saved-file.ts';

const rex = '{"id":1,"name":"Rex","categoryId":1}';
const tom = { name: 'Tom', categoryId: 2 };

function createFile(content?: string): string {
  const file = join(createFolder(), 'animals.json');
  if (content !== undefined) writeFileSync(file, content);
  return file;
}

const read = (file: string) => readFileSync(file, 'utf8');
const waitForText = (file: string, text: string) =>
  vi.waitFor(() => expect(existsSync(file) ? read(file) : undefined).toBe(text), 30_000);

test('animals are saved when they change, one on a line; a reset goes back to the file as it was, and sessions are not saved', async () => {
  const file = createFile(`[ ${rex} ]`);
  const mock = await startTestMock({ data: file, save: true });
  mock.session('w1').animals.add({ name: 'Session', categoryId: 1 });
  mock.animals.add({ name: 'Max', categoryId: 9_223_372_036_854_775_807n, status: 'sold' });
  const max = '{"id":2,"name":"Max","categoryId":9223372036854775807,"status":"sold"}';
  await waitForText(file, `[\n  ${rex},\n  ${max}\n]\n`);
  mock.reset();
  await waitForText(file, `[\n  ${rex}\n]\n`);
  mock.animals.replace([]);
  await mock.close();
  expect(read(file)).toBe('[]\n');
  expect(readdirSync(dirname(file))).toEqual(['animals.json']);
});

test('a file is left as it is until an animal changes', async () => {
  const file = createFile(`[ ${rex} ]`);
  const mock = await startTestMock({ data: file, save: true });
  mock.reset();
  await mock.close();
  expect(read(file)).toBe(`[ ${rex} ]`);
});

test('a new file gets the usual animals, and any animal is the same after a restart', async () => {
  const file = createFile();
  const mock = await startTestMock({ data: file, save: true });
  expect(JSON.parse(read(file))).toHaveLength(120);
  await mock.fill('edge-cases');
  mock.animals.add({ name: '\ud800 "\n\u2028', categoryId: -9_223_372_036_854_775_808n });
  const all = mock.animals.all();
  await mock.close();
  const next = await startTestMock({ data: file, save: true });
  expect(next.animals.all()).toEqual(all);
});

test('members that a behaviour keeps are returned, but neither saved nor shown to tests, which could not put them back', async () => {
  const file = createFile('[]');
  const mock = await startTestMock({ data: file, save: true, behaviour: { unknownMembers: 'keep' } });
  const created = await send(mock.url, post('/v1/pets', '{"tags":[],"name":"Rex","categoryId":1}'));
  expect(created.body).toEqual({ id: 1, name: 'Rex', categoryId: 1, tags: [] });
  await mock.close();
  expect(read(file)).toBe(`[\n  ${rex}\n]\n`);
  expect(mock.animals.replace(mock.animals.all())).toEqual([{ id: 1n, name: 'Rex', categoryId: 1n }]);
});

/** Starts to save a store. @returns the sizes that were written, and a function that stops it */
function startCounting(store: PetStore) {
  const file = new SavedFile(createFile());
  const write = vi.spyOn(file, 'write');
  const stop = startSaving({ file, isNew: false, readStore: () => store, report: () => {} });
  return { sizes: () => write.mock.calls.map(([content]) => JSON.parse(content).length), stop };
}

test('changes that follow each other quickly are written once', async () => {
  const store = new PetStore(createContents());
  const { sizes, stop } = startCounting(store);
  for (let count = 0; count < 1_000; count += 1) store.add({ name: 'Max', categoryId: 1n });
  await vi.waitFor(() => expect(sizes()).not.toEqual([]), 30_000);
  stop();
  expect(sizes()).toEqual([1_000]);
});

test('animals that change all the time are written all the same', async () => {
  const store = new PetStore(createContents());
  const { sizes, stop } = startCounting(store);
  const timer = setInterval(() => store.add({ name: 'Max', categoryId: 1n }), 10);
  await vi.waitFor(() => expect(sizes()).not.toEqual([]), 30_000);
  clearInterval(timer);
  stop();
});

test('a file that cannot be written is reported once, and tried again with the next change', async () => {
  const file = createFile(`[${rex}]`);
  using stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const mock = await startTestMock({ data: file, save: true });
  rmSync(file);
  mkdirSync(file);
  mock.animals.add(tom);
  await vi.waitFor(() => expect(stderr).toHaveBeenCalledTimes(1), 30_000);
  expect(String(stderr.mock.lastCall?.[0]).replace(file, '<file>')).toMatch(
    /^animal-store-mock: the animals could not be saved to <file>: it is not a regular file\. The mock tries again after the next change\.\n$/,
  );
  expect((await send(mock.url, get('/v1/pets'))).status).toBe(200);
  rmdirSync(file);
  mock.animals.add(tom);
  await vi.waitFor(() => expect(JSON.parse(read(file))).toHaveLength(3), 30_000);
  expect(stderr).toHaveBeenCalledTimes(1);
});

test('a file with members that saving would remove is refused', async () => {
  const file = createFile('[{"name":"Rex","categoryId":1,"staus":"sold"}]');
  const starting = startMock({ port: 0, data: file, save: true });
  await expect(starting).rejects.toThrow(
    `${file} has members that the contract does not have, which saving would remove: staus. Remove them first`,
  );
});

test('the last animals are saved when the terminal is closed', async () => {
  const file = createFile();
  const { announcement, child, url, ended } = await startMockCli(['--data', file, '--save']);
  expect(announcement).toContain(`\nanimals: 120\nsaved to: ${file}, a new file\n`);
  expect((await send(url, post('/v1/pets', '{"name":"Last","categoryId":1}'))).status).toBe(201);
  child.kill('SIGHUP');
  expect((await ended).exitCode).toBe(0);
  expect(JSON.parse(read(file)).at(-1)).toEqual({ id: 121, name: 'Last', categoryId: 1 });
});

/** Starts a mock as the command does. `readErrors` returns what it has printed on stderr, and `end` its exit code. */
async function launch(options: MockOptions, gate?: ThreadGate) {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const config = resolveMockOptions({ port: 0, log: 'silent', ...options });
  const { mock, close } = await launchMock(config, { gate });
  let ending: Promise<number> | undefined;
  const end = () => {
    ending ??= close().then((ended) => ended?.exitCode ?? 0);
    return ending;
  };
  onTestFinished(async () => {
    await end();
    stderr.mockRestore();
  });
  return { ...mock, end, readErrors: () => stderr.mock.calls.map(([text]) => text).join('') };
}

test.for(['[', '[{"id":5,"name":"Edited","categoryId":1}]'])(
  'if the file has become %s, the mock says that the last animals are not saved, and ends with 2',
  async (content) => {
    const file = createFile(`[${rex}]`);
    const { animals, end, readErrors } = await launch({ data: file, save: true });
    writeFileSync(file, content);
    animals.add(tom);
    expect(await end()).toBe(2);
    expect(readErrors()).toContain(
      `animal-store-mock: the last animals could not be saved to ${file}: another program has changed the file, which keeps its content: move it away, or restart the mock to read it.\n`,
    );
    expect(read(file)).toBe(content);
  },
);

test('a file that was not there, and that another program has created before the first save, is kept', () => {
  const file = createFile();
  const saved = new SavedFile(file);
  writeFileSync(file, '[]');
  expect(() => saved.write(`[${rex}]`)).toThrow('another program has changed the file');
  expect(read(file)).toBe('[]');
});

test('a gate that has passed ends with 2, if the last animals are not saved', async () => {
  const file = createFile(`[${rex}]`);
  using _stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const gate = { failOn: 'never', report: undefined, summary: undefined, forAgent: false } as const;
  const { animals, end } = await launch({ data: file, save: true }, gate);
  writeFileSync(file, '[');
  animals.add(tom);
  expect(await end()).toBe(2);
});

test.skipIf(process.platform === 'win32').for([
  { options: { save: true }, isRemoved: true },
  { options: { save: true }, isRemoved: false },
  { options: { watch: true }, isRemoved: false },
])(
  'with $options, the mock reports a link to itself in the place of the file, and continues until it ends; removed: $isRemoved',
  async ({ options, isRemoved }) => {
    const file = createFile(`[${rex}]`);
    const { url, end, readErrors } = await launch({ data: file, ...options });
    rmSync(file);
    symlinkSync(basename(file), file);
    expect((await send(url, post('/v1/pets', '{"name":"Last","categoryId":1}'))).status).toBe(201);
    const problem = 'too many symbolic links encountered. ';
    const failure = `animals could not be saved to ${file}: ${problem}`;
    const report = options.save ? `the ${failure}` : `${file} could not be read: ${problem}`;
    await vi.waitFor(() => expect(readErrors()).toContain(report), 10_000);
    expect((await send(url, get('/v1/pets/2'))).status).toBe(200);
    if (isRemoved) rmSync(file);
    const isLost = options.save === true && !isRemoved;
    expect(await end()).toBe(isLost ? 2 : 0);
    expect(readErrors().includes(`the last ${failure.trim()}`)).toBe(isLost);
    if (options.save && isRemoved) expect(read(file)).toContain('"Last"');
  },
);

test('of two mocks that save to one file, the second one to save reports that the file has changed, until it is gone', async () => {
  const file = createFile(`[${rex}]`);
  using stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const first = await startTestMock({ data: file, save: true });
  const second = await startTestMock({ data: file, save: true });
  // A touched file is not a changed one.
  utimesSync(file, 1, 1);
  first.animals.add(tom);
  await vi.waitFor(() => expect(JSON.parse(read(file))).toHaveLength(2), 30_000);
  const ofFirst = read(file);
  second.animals.add({ name: 'Max', categoryId: 1 });
  await vi.waitFor(() => expect(stderr).toHaveBeenCalledTimes(1), 30_000);
  expect(String(stderr.mock.lastCall?.[0]).replace(file, '<file>')).toBe(
    'animal-store-mock: the animals could not be saved to <file>: another program has changed the file, which keeps its content: move it away, or restart the mock to read it. The mock tries again after the next change.\n',
  );
  expect(read(file)).toBe(ofFirst);
  rmSync(file);
  await second.close();
  expect(read(file)).toContain('Max');
  expect(stderr).toHaveBeenCalledTimes(1);
});

/** Starts the command with a file that it refuses. @returns what it prints, with `FILE` for the path */
async function refuse(file: string, ...options: string[]) {
  const argv = ['--port', '0', '--data', file, ...options];
  const { stderr, exitCode } = await callCommand('animal-store-mock', runMock, argv);
  expect(exitCode).toBe(2);
  return stderr.replace(file, 'FILE');
}

test('a file that cannot be used is refused at the start, with what to do', async () => {
  const folder = createFolder();
  const missing = join(folder, 'missing.json');
  expect(await refuse(missing)).toBe(
    'animal-store-mock: FILE does not exist. Add --save, or save: true in code, to create it\n',
  );
  expect(await refuse(join(folder, 'none/animals.json'), '--save')).toBe(
    'animal-store-mock: --save: FILE could not be written: no such file or directory\n',
  );
  const link = join(folder, 'link.json');
  symlinkSync('link.json', link);
  expect(await refuse(link)).toBe(
    'animal-store-mock: FILE could not be read: too many symbolic links encountered\n',
  );
});
