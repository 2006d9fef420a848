import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openChoices } from '../common/behaviour/choices.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import { callCommand } from '../tools/testing/call-command.ts';
import { createFolder } from '../tools/testing/create-folder.ts';
import { startTestMock } from '../tools/testing/start-test-mock.ts';
import { runMock } from './run-mock.ts';

const habit = { nullStatus: 'accepted' } as const;

const writeFile = (content: object) =>
  join(createFolder({ 'staging.json': JSON.stringify(content) }), 'staging.json');

const learned = { version: 1, behaviour: { order: 'oldest', ...habit }, observed: openChoices, unknown: {} };

/** Runs the command until its program ends. */
async function run(...args: string[]) {
  const own = ['--port', '0', '--no-checked-proxy', ...args];
  return callCommand('animal-store-mock', runMock, [...own, '--', process.execPath, '-e', '0']);
}

test('a learned file is used without what breaks the contract, and the start says so', async () => {
  const file = writeFile(learned);
  const mock = await startTestMock({ behaviour: file });
  expect([mock.settings().behaviour, mock.leftOutChoices]).toEqual([{ order: 'oldest' }, habit]);
  const { stdout } = await run('--behaviour', file);
  expect(stdout).toContain(
    'left out, because it breaks the contract: null status: accepted. --with-violations uses it.\n',
  );
  expect(stdout).not.toMatch(/^breaks the contract/m);
  // A file without the habits of a deployment has no gap.
  expect(mock.unknownChoices).toEqual({});
});

test('with the flag the habits of a learned file are used, and the start says that the mock breaks the contract', async () => {
  const file = writeFile(learned);
  const mock = await startTestMock({ behaviour: file, withViolations: true });
  expect([mock.settings(), mock.leftOutChoices]).toMatchObject([
    { behaviour: learned.behaviour, withViolations: true },
    {},
  ]);
  const { stdout } = await run('--behaviour', file, '--with-violations');
  expect(stdout).toContain('breaks the contract: null status: accepted\n');
  expect(stdout).not.toContain('left out');
});

test.for([
  ['JSON', () => JSON.stringify(habit)],
  ['an object', () => habit],
  ['a file that was written by hand', () => writeFile(habit)],
  ['a file by hand with animals', () => writeFile({ behaviour: habit, animals: [] })],
] as const)('%s with such a value is refused without the flag', async ([, give]) => {
  const behaviour = give();
  const refusal = startTestMock({ behaviour });
  await expect(refusal).rejects.toThrow(UsageError);
  await expect(refusal).rejects.toThrow(
    'The behaviour breaks the contract: null status: accepted. Allow it with --with-violations, or withViolations: true.',
  );
  expect((await startTestMock({ behaviour, withViolations: true })).settings().behaviour).toEqual(habit);
});

test('sessions have the flag of the start, and a reset returns to it', async () => {
  const { session, configure, reset, settings } = await startTestMock({ withViolations: true });
  session('w1').configure({ behaviour: habit });
  configure({ withViolations: false });
  expect(() => configure({ behaviour: habit })).toThrow('breaks the contract');
  reset();
  expect(settings().withViolations).toBe(true);
});
