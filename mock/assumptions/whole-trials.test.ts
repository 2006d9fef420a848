import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { callCommand } from '../../tools/testing/call-command.ts';
import { runCli } from '../../tools/testing/run-cli.ts';
import { runMock } from '../run-mock.ts';
import { tryCommand } from '../testing/try-command.ts';

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

test('an app that assumes five things: each is found, in two runs and one for each value that acts, and another for each that breaks it', {
  timeout,
}, async () => {
  const app = `const base = process.env.ANIMAL_STORE_URL;
    const headers = { Authorization: 'Bearer ' + process.env.ANIMAL_STORE_API_KEY, 'Content-Type': 'application/json' };
    const check = (name, isRight) => { if (!isRight) { console.log('not ok 1 - ' + name); process.exit(1); } };
    const body = '{"name":"Zoe","categoryId":1}';
    const added = await fetch(base + '/pets', { method: 'POST', headers, body });
    check('no Location', added.headers.get('location') === null);
    const { id, status } = await added.json();
    check('no status', status === undefined);
    const all = await list();
    check('newest first', all[0].id === id);
    check('pages of 20', all.length === 20);
    check('four members', all.every((one) => Object.keys(one).length <= 4));`;
  const { progress, messages, result } = await tryCommand(toCommand(app));
  expect(result).toMatchObject({
    version: 1,
    given: ['--seed', '7'],
    endedBy: 'end',
    unstable: [],
    untested: [],
  });
  const found = result.causes.flatMap(({ choice, values }) =>
    values.map(({ value, failedTests }) => `${choice} ${value}: ${failedTests}`),
  );
  expect(found.toSorted()).toEqual([
    'animalMembers createdAt: four members',
    'animalMembers links: four members',
    'listDelay 1500: newest first',
    'listDelay 300: newest first',
    'location present: no Location',
    'order name: newest first',
    'order oldest: newest first',
    'order random: newest first',
    'pageSize 1: pages of 20',
    'pageSize 7: pages of 20',
    'statusWhenOmitted available: no status',
    'statusWhenOmitted pending: no status',
    'statusWhenOmitted sold: no status',
  ]);
  expect(result.passed).toContainEqual({ choice: 'charset', values: ['utf-8'] });
  expect(result.neverActed).toContainEqual({ choice: 'pageSize', values: [25] });
  expect(result.neverActed).toContainEqual({ choice: 'challenge', values: ['absent'] });
  const acting = progress.filter((line) => !/\((?:first|again)\)$/.test(line)).length;
  // Those that break it run twice.
  expect(result.runs).toBe(acting + 2 + found.length);
  expect(progress.slice(0, 2)).toEqual([
    '… the default behaviour (first)',
    expect.stringMatching(`^… .+: .+ \\(1 of ${acting}\\)$`),
  ]);
  expect(progress.at(-1)).toBe('… the default behaviour (again)');
  const time = '\\d+\\.\\d (?:s|min)';
  expect(messages).toEqual([
    expect.stringMatching(
      `^${acting} of \\d+ values change a response\\. The runs with them take at most about ${time}, and those that fail run again\\.$`,
    ),
  ]);
});

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
