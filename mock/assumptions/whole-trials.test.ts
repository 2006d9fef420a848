import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { callCommand } from '../../tools/testing/call-command.ts';
import { runCli } from '../../tools/testing/run-cli.ts';
import { runMock } from '../run-mock.ts';
import { printScript, tryScript } from '../testing/try-script.ts';

/** A busy machine needs two seconds for a run, in ms. */
const timeout = 300_000;

test('every value that breaks a command is found, and no other', { timeout }, async () => {
  const whole = `const all = await list();
    if (all.length !== 20 || all[0].id !== 120 || all.some((one) => Object.keys(one).length > 4)) throw 'list';
    const response = await fetch(process.env.ANIMAL_STORE_URL + '/pets', { method: 'POST', body: '{"name":"Zoe","categoryId":1}',
      headers: { Authorization: 'Bearer ' + process.env.ANIMAL_STORE_API_KEY, 'Content-Type': 'application/json' } });
    if (response.headers.get('location') !== null) throw 'location';
    if ('status' in (await response.json())) throw 'status';`;
  const { result } = await tryScript(whole);
  expect(result).toMatchObject({ unstable: [], untested: [] });
  const found = result.causes.map(({ choice, values }) => [choice, ...values.map(({ value }) => value)]);
  expect(found.toSorted()).toEqual([
    ['animalMembers', 'createdAt', 'links'],
    ['location', 'present'],
    ['order', 'oldest', 'name', 'random'],
    ['pageSize', 7, 1],
    ['statusWhenOmitted', 'available', 'pending', 'sold'],
  ]);
  const tried = [...result.causes, ...result.passed].reduce((sum, { values }) => sum + values.length, 0);
  // The first run, each value, and two more for each of the 11 that fail.
  expect(result.runs).toBe(1 + tried + 2 * 11);
});

test('a trial that finds nothing exits with 0, and in a terminal its progress is one line', {
  timeout,
}, async () => {
  const { isTTY } = process.stderr;
  onTestFinished(() => void Object.assign(process.stderr, { isTTY }));
  process.stderr.isTTY = true;
  const words = [process.execPath, ...printScript('await list();')];
  const options = ['--port=0', '--animals=0', '--try-behaviours', '--', ...words];
  const { stdout, stderr, exitCode } = await callCommand('animal-store-mock', runMock, options);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/ passes with each value that changes a response to it\.\n/);
  const [, ...lines] = stderr.split('\r\x1b[K');
  const runs = lines.filter((line) => line.startsWith('… run '));
  expect(runs).toEqual(runs.map((_, index) => expect.stringMatching(`^… run ${index + 1}: .+$`)));
  expect(lines.filter((line) => !runs.includes(line))).toEqual([
    expect.stringMatching(/^The first run took .*\.\n$/),
    '',
  ]);
});

test.skipIf(!existsSync('/dev/full')).for([
  ['if (id !== 120) throw id;', 1, 'order: fails with oldest'],
  ['', 2, ' passes with each value that changes a response to it.'],
] as const)(
  'a full disk hides no result, and is a failure if there is no other: %s',
  { timeout },
  async ([assumption, code, result]) => {
    const script = `const [{ id }] = await list(); ${assumption}`;
    const options = ['--port', '0', '--try-behaviours', '--report', '/dev/full'];
    const words = [process.execPath, ...printScript(script)];
    const { exitCode, stdout, stderr } = await runCli([...options, '--', ...words]);
    expect([exitCode, stdout]).toEqual([code, expect.stringContaining(result)]);
    const failure = 'animal-store-mock: the report could not be written to /dev/full: ENOSPC: ';
    expect(stderr).toContain(failure);
  },
);
