import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { callCommand } from '../../tools/testing/call-command.ts';
import { runCli } from '../../tools/testing/run-cli.ts';
import { runMock } from '../run-mock.ts';

/** A busy machine needs two seconds for a run, in ms. */
const timeout = 120_000;

/** Number of values that change a response to a list of 20. */
const OF_LIST = 9;

/** For a script of Node: a function that lists the animals. */
const list = `const list = async () => (await fetch(process.env.ANIMAL_STORE_URL + '/pets', {
  headers: { Authorization: 'Bearer ' + process.env.ANIMAL_STORE_API_KEY } })).json();`;

const toCommand = (script: string) => [
  process.execPath,
  ...['--input-type=module', '--eval', `${list}\n${script}`],
];

test('a trial that finds nothing exits with 0, and in a terminal its progress is one line', {
  timeout,
}, async () => {
  const { isTTY } = process.stderr;
  onTestFinished(() => void Object.assign(process.stderr, { isTTY }));
  process.stderr.isTTY = true;
  const words = toCommand('await list();');
  const options = ['--port=0', '--try-behaviours', '--', ...words];
  const { stdout, stderr, exitCode } = await callCommand('animal-store-mock', runMock, options);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/ passes with each value that changes a response to it\.\n/);
  const [, ...lines] = stderr.split('\r\x1b[K');
  expect(lines.map((line) => line.replace(/.* \(/, '('))).toEqual([
    '(first)',
    expect.stringMatching(/^9 of \d+ values .*\.\n$/),
    ...Array.from({ length: OF_LIST }, (_, index) => `(${index + 1} of ${OF_LIST})`),
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
    const words = toCommand(script);
    const { exitCode, stdout, stderr } = await runCli([...options, '--', ...words]);
    expect([exitCode, stdout]).toEqual([code, expect.stringContaining(result)]);
    const failure =
      'animal-store-mock: the report could not be written to /dev/full: no space left on device';
    expect(stderr).toContain(failure);
  },
);
