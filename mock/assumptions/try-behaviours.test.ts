import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { StartError } from '../../common/cli/usage-error.ts';
import { callCommand } from '../../tools/testing/call-command.ts';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { startCli } from '../../tools/testing/run-cli.ts';
import { runMock } from '../run-mock.ts';
import { toCommand, tryCommand } from '../testing/try-command.ts';
import { waitForScript } from '../testing/wait-for-script.ts';
import { printTrial } from './print-trial.ts';
import { DEFAULT_RUN_TIMEOUT, type Trial } from './try-behaviours.ts';

/** Only two values change a list of no animals: first charset, then etag. Each of them is a run. */
const profile = 'empty';
const OF_EMPTY = 2;

const nothing: Trial = {
  ...({
    version: 1,
    given: [],
    command: ['npm', 'test', 'a b'],
    runs: 7,
    endedBy: 'end',
    causes: [],
  } as const),
  ...{ passed: [], neverActed: [], unstable: [], untested: [] },
};
const failed = { outcome: 'failed', failedTests: [], excerpt: [] } as const;
const pages = { choice: 'pageSize', values: [25, 7, 1] } as const;
const location = { choice: 'location', values: ['present'] } as const;
const passedInPart = "npm test 'a b' passes with the default behaviour, and no value is known to break it.";

test.for<[Partial<Trial>, lines: readonly string[]]>([
  [
    { passed: [pages], neverActed: [{ choice: 'order', values: ['oldest'] }, location] },
    [
      "npm test 'a b' passes with each value that changes a response to it.",
      'These values changed no response of your tests, so they were not tried: order (oldest), location.',
      '7 runs.',
    ],
  ],
  [
    { passed: [pages], untested: [{ choice: 'order', values: ['oldest'] }], endedBy: 'signal' },
    [passedInPart, 'Not tried (interrupted): order (oldest).', '7 runs.'],
  ],
  [
    {
      passed: [pages],
      unstable: [{ choice: 'order', values: [{ value: 'name', ...failed, excerpt: ['0', 'Error: lock'] }] }],
    },
    [
      passedInPart,
      'With these values, the command does not fail each time, or it also fails with the default behaviour, so its tests are not stable: order (name).',
      ...['      | 0', '      | Error: lock'],
      '7 runs.',
    ],
  ],
  [
    {
      given: ['--seed', '7'],
      causes: [
        {
          choice: 'order',
          values: [
            { value: 'oldest', ...failed, failedTests: ['a', 'b'] },
            { value: 'name', ...failed, outcome: 'timeout', failedTests: ['b', 'c\u001b[31m', 'd', 'e'] },
          ],
        },
        {
          choice: 'charset',
          values: [{ value: 'utf-8', ...failed, excerpt: ['0', '1', '2', 'Error: 3'] }],
        },
      ],
      passed: [pages, location],
    },
    [
      "npm test 'a b' passes with the default behaviour, and breaks with other values:",
      '  order: fails with oldest and name (does not end)',
      ...['      ✖ a', '      ✖ b', '      ✖ c\\u001b[31m', '      and 2 tests more'],
      '  charset: fails with utf-8',
      ...['      | 0', '      | 1', '      | 2'],
      'It passes with: page size, location.',
      '7 runs.',
      `Try one: npx --no -- animal-store-mock --seed 7 --behaviour '{"order":"oldest"}' -- npm test 'a b'`,
    ],
  ],
])('the result with %j is printed as a whole', ([found, lines]) => {
  expect(printTrial({ ...nothing, ...found })).toBe(`${lines.join('\n')}\n`);
});

test('an agent reads each value that breaks the command as a line of JSON', () => {
  const values = [{ value: 'oldest', outcome: 'failed', failedTests: ['a\u001b[31m'], excerpt: [] }] as const;
  const printed = printTrial({ ...nothing, causes: [{ choice: 'order', values }] }, true).split('\n');
  expect(JSON.parse(printed[1] ?? '')).toEqual({ choice: 'order', ...values[0] });
  expect(printed.join('')).not.toContain('\u001b');
});

test('all runs have one base URL, because an app may be built with it, and trust the authority of its certificate, as mkcert keeps it', async () => {
  const certificates = join(import.meta.dirname, '../../tools/testing/certificates');
  vi.stubEnv('CAROOT', createFolder({ 'rootCA.pem': readFileSync(join(certificates, 'ca.pem'), 'utf8') }));
  onTestFinished(() => void vi.unstubAllEnvs());
  const file = join(createFolder(), 'urls');
  const words = [...toCommand('echo "$ANIMAL_STORE_URL" >> "$0"; ask'), file];
  const tlsCert = join(certificates, 'localhost.pem');
  const tlsKey = join(certificates, 'localhost-key.pem');
  const { result } = await tryCommand(words, [], { profile, tlsCert, tlsKey });
  expect(result).toMatchObject({ runs: 1 + OF_EMPTY, causes: [], unstable: [] });
  const urls = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect([urls.length, new Set(urls).size]).toEqual([1 + OF_EMPTY, 1]);
});

const key = 'MyOwnKey99';
const keyOptions = ['--port', '0', '--profile', profile, '--try-behaviours', '--api-key', key];
const keysOfCommand = ['--', '--api-key', key, `--token=${key}`, 'API_KEY=OtherKey77', `"${key}"`];

const callMock = (argv: readonly string[]) => callCommand('animal-store-mock', runMock, argv);

test('a trial that finds something exits with 1 and a report, and shows no key of the options, the command or its output', async () => {
  const report = join(createFolder(), 'trial.json');
  const fragile = `if ask | grep -iq ^etag:; then echo 'not ok 1 - sent ${key}'; exit 1; fi`;
  const words = [...toCommand(fragile), ...keysOfCommand];
  const { exitCode, stdout, stderr } = await callMock([...keyOptions, `--report=${report}`, '--', ...words]);
  expect(exitCode).toBe(1);
  // Without the options of the trial.
  expect(stdout).toContain(
    `Try one: npx --no -- animal-store-mock --port 0 --profile empty --api-key '[key]' --behaviour '{"etag":"all"}' -- `,
  );
  expect(stdout).toContain('✖ sent [key]');
  const written = readFileSync(report, 'utf8');
  const values = [{ value: 'all', failedTests: ['sent [key]'] }];
  const { command, neverActed, ...found } = JSON.parse(written);
  expect(found).toMatchObject({
    version: 1,
    runs: 1 + OF_EMPTY + values.length + 1,
    endedBy: 'end',
    causes: [{ choice: 'etag', values }],
    unstable: [],
    untested: [],
  });
  expect(neverActed).toContainEqual({ choice: 'location', values: ['present'] });
  expect(command).toContain('[key]');
  expect(stdout + stderr + written).not.toMatch(/MyOwnKey99|OtherKey77/);
});

test('a trial of tests that are not stable is no pass, and exits with 2', async () => {
  const failed = join(createFolder(), 'failed');
  const unstable = 'if ask | grep -iq ^etag: && [ ! -e "$0" ]; then touch "$0"; exit 1; fi';
  const { exitCode, stdout } = await callMock([...keyOptions, '--', ...toCommand(unstable), failed]);
  expect([exitCode, stdout]).toEqual([2, expect.stringContaining('so its tests are not stable: etag.\n')]);
});

test('the output of a command that fails with the default behaviour is printed without keys', async () => {
  const script = `printf '%99999s\\nsent ${key}\\n' >&2; exit 1`;
  const words = [...toCommand(script), ...keysOfCommand];
  const { exitCode, stdout, stderr } = await callMock([...keyOptions, '--', ...words]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('\nsent [key]\n')]);
  expect(stdout + stderr).not.toMatch(/MyOwnKey99|OtherKey77/);
});

test.for([
  [
    "ask > /dev/null; printf '%09999d\\nwhy\\n' 0; exit 1",
    'The tests fail with the default behaviour. See the output above.',
    `\n${'0'.repeat(3_996)}\nwhy\n`,
  ],
  [
    '',
    'No request reached the mock. Use the base URL in the variable ANIMAL_STORE_URL. ' +
      'If your tests start a mock, use forEachBehaviour.',
    '',
  ],
  [
    'ANIMAL_STORE_API_KEY=wrong; ask > /dev/null',
    'The mock refused each request with 401, so that no behaviour could break the command. ' +
      'Send the key in the variable ANIMAL_STORE_API_KEY.',
    '',
  ],
] as const)(
  'without a result for the default behaviour nothing is tried: %s',
  async ([script, message, output]) => {
    using write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await expect(tryCommand(toCommand(script))).rejects.toThrow(new StartError(message));
    expect(write.mock.calls.join('')).toBe(output);
  },
);

/** Runs a trial whose command connects and then hangs, and lets this many ms pass. */
async function hang(toScript: (connect: string) => string, time: number) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { connected, command } = await waitForScript();
  const messages: string[] = [];
  const result = tryCommand(toCommand(toScript(command)), messages);
  const { closed } = await Promise.race([connected, result.then(() => connected)]);
  vi.advanceTimersByTime(time);
  return { result, closed, messages };
}

test('a command that hangs with the default behaviour is ended after 30 minutes, and may be a watch command', async () => {
  const { result, closed, messages } = await hang(
    (connect) => `ask > /dev/null; ${connect}`,
    DEFAULT_RUN_TIMEOUT,
  );
  const message =
    'The command did not end within 30 minutes with the default behaviour, so it was stopped. ' +
    'Give a command that ends by itself, or that runs a part of the tests. See the output above.';
  await expect(result).rejects.toThrow(new StartError(message));
  const watch =
    'The command has printed nothing for 60 s. Is this a watch command? Give a command that ends by itself.';
  expect(messages).toEqual([watch]);
  await closed;
});

test('a behaviour with which the command hangs twice is a cause', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { server, command } = await waitForScript();
  const words = toCommand(`if ask | grep -iq ^etag:; then ${command}; fi`);
  const result = tryCommand(words, [], { profile });
  for (let count = 0; count < 2; count += 1) {
    const [socket] = await once(server, 'connection');
    const closed = once(socket.resume(), 'close');
    vi.advanceTimersByTime(59_999);
    // The minute of the run has not passed.
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    await closed;
  }
  const found = (await result).result;
  expect(found.causes).toMatchObject([{ choice: 'etag', values: [{ value: 'all', outcome: 'timeout' }] }]);
  expect(printTrial(found)).toContain('  etag: fails with all (does not end)\n');
});

test('SIGTERM during a later run prints and writes what was found so far', async () => {
  const { connected, command } = await waitForScript();
  const report = join(createFolder(), 'trial.json');
  const fragile = `response=$(ask)
    if grep -iq charset <<< "$response"; then exit 1; fi
    if grep -iq ^etag: <<< "$response"; then ${command}; fi`;
  const words = toCommand(fragile);
  const options = ['--port', '0', '--profile', profile, '--try-behaviours', '--report', report];
  const { child, ended } = startCli([...options, '--', ...words]);
  const { closed } = await connected;
  child.kill('SIGTERM');
  const { stdout, exitCode } = await ended;
  expect(exitCode).toBe(143);
  expect(stdout).toMatch(/^Not tried \(interrupted\): etag\.$/m);
  expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ version: 1, endedBy: 'signal' });
  expect(stdout).toMatch(/^ {2}charset: fails with utf-8$/m);
  await closed;
});
