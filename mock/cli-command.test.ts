import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli, startCli } from '../testing/run-cli.ts';
import { runInTurn } from '../testing/run-in-turn.ts';

/** What follows the mock's own options: a program that Node runs. */
const beside = (program: string) => ['--port', '0', '--', process.execPath, '-e', program];

const list = `fetch(process.env.ANIMAL_STORE_URL + '/pets?limit=1', {
  headers: { Authorization: 'Bearer ' + process.env.ANIMAL_STORE_API_KEY },
}).then(async (answer) => console.log('answer', answer.status, process.env.ANIMAL_STORE_CHECKED_URL))`;

test.for([
  [[], {}],
  [['--api-key', 'one', '--api-key', 'two'], { ANIMAL_STORE_API_KEY: 'three' }],
  [[], { ANIMAL_STORE_API_KEY: 'three four', ANIMAL_STORE_CHECKED_URL: 'http://127.0.0.1:1/v1' }],
] as const)(
  'with %j and %j a command finds it and a key, and is not disturbed by its log',
  async ([options, environment]) => {
    const { stdout, stderr, exitCode } = await runCli([...options, ...beside(list)], { environment });
    expect([stderr, exitCode]).toEqual(['', 0]);
    expect(stdout).toMatch(/^animal-store-mock listening on .*\n(?:.*\n){4}answer 200 undefined\n$/);
  },
);

test('PORT is for the command, so that the mock does not read it', async () => {
  const options = { environment: { PORT: 'of the app' } };
  const { stderr, exitCode } = await runCli(['--data', 'README.md', '--', 'npm', 'test'], options);
  expect([stderr, exitCode]).toEqual([expect.stringContaining('README.md is not JSON'), 2]);
});

test('--log brings the log back', async () => {
  const { stdout } = await runCli(['--log', 'pretty', ...beside(list)]);
  expect(stdout).toMatch(/ mock GET \/v1\/pets\?limit=1 200 /);
});

test('a command finds the checked proxy too, which tells its violations', async () => {
  const environment = { ANIMAL_STORE_NO_CHECKED_PROXY: '' };
  const program = `fetch(process.env.ANIMAL_STORE_CHECKED_URL + '/pets?limit=0', {
    headers: { Authorization: 'Bearer ' + process.env.ANIMAL_STORE_API_KEY },
  }).then((answer) => { process.exitCode = answer.status - 397 })`;
  const { stdout, stderr, exitCode } = await runCli(beside(program), { environment });
  expect([stderr, exitCode]).toEqual(['', 3]);
  expect(stdout).toMatch(/ proxy violation error listPets /);
  expect(stdout).not.toMatch(/ mock GET/);
});

test.for([
  ['SIGINT', "process.on('SIGINT', () => process.exit(7))", 7],
  ['SIGTERM', "process.on('SIGTERM', () => process.exit(0))", 0],
  ['SIGTERM', '', 143],
] as const)('%s reaches the command, %j, and both end with %i', async ([signal, program, exitCode]) => {
  const { child, ended, waitFor } = startCli(
    beside(`${program}; setInterval(() => {}, 1000); console.log('ready')`),
  );
  await waitFor(/ready/);
  child.kill(signal);
  expect(await ended).toMatchObject({ stderr: '', exitCode });
});

const refused = await runInTurn(
  join(import.meta.dirname, 'cli.ts'),
  [
    { words: [], message: 'there is no command after --, such as: -- npm test' },
    {
      words: ['no-such-program'],
      message: 'the command "no-such-program" could not be started: there is no such program',
    },
    { words: ['npm test'], message: 'there is no such program; without quotes it is -- npm test' },
    { words: [import.meta.dirname], message: `the command "${import.meta.dirname}" could not be started: ` },
    { words: [''], message: 'the command "" could not be started: ' },
  ].map((row) => ({ ...row, args: ['--no-checked-proxy', '--port', '0', '--', ...row.words] })),
);

test.for(refused)('-- $words is a usage error', ({ message, stderr, exitCode }) => {
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^animal-store-mock: [^\n]+\n$/);
  expect(stderr).toContain(message);
});
