import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { StartError } from '../../common/cli/usage-error.ts';
import { Keys } from '../../common/text/redact.ts';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { runCli, startCli } from '../../tools/testing/run-cli.ts';
import { printScript, tryScript } from '../testing/try-script.ts';
import { waitForScript } from '../testing/wait-for-script.ts';
import { printTrial } from './print-trial.ts';
import { DEFAULT_RUN_TIMEOUT, type Trial, tryBehaviours } from './try-behaviours.ts';

const { signal } = new AbortController();

/** A busy machine needs two seconds for a run, in ms. */
const timeout = 120_000;

/** Number of values that change a response to a list of 20. */
const OF_LIST = 9;

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
    { passed: [pages], unstable: [{ choice: 'order', values: ['name'] }] },
    [
      passedInPart,
      'With these values, the command does not fail each time, or it also fails with the default behaviour, so its tests are not stable: order (name).',
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
      `Try one: animal-store-mock --seed 7 --behaviour '{"order":"oldest"}' -- npm test 'a b'`,
    ],
  ],
])('the result with %j is printed as a whole', ([found, lines]) => {
  expect(printTrial({ ...nothing, ...found })).toBe(`${lines.join('\n')}\n`);
});

test('all runs have one base URL, because an app may be built with it', { timeout }, async () => {
  const file = join(createFolder(), 'urls');
  const note = `process.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(file)}, process.env.ANIMAL_STORE_URL + '\\n')`;
  await tryScript(`${note}; await list();`);
  const urls = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect([urls.length, new Set(urls).size]).toEqual([1 + OF_LIST, 1]);
});

test('requests to a session, before a reset and with a behaviour of the test', { timeout }, async () => {
  const script = `const base = process.env.ANIMAL_STORE_URL;
    const admin = (method, path, body) => fetch(base.replace('/v1', path), { method, body, headers: { 'Content-Type': 'application/json' } });
    const [{ id }] = await list(base.replace('/v1', '/sessions/w1/v1'));
    await admin('DELETE', '/__admin/sessions/w1');
    await admin('POST', '/__admin/reset');
    await admin('PATCH', '/__admin/settings', '{"behaviour":"strict"}');
    await list(base + '/pets/none');
    if (id === 1) throw id;`;
  const { result } = await tryScript(script);
  expect(result.causes).toMatchObject([{ choice: 'order', values: [{ value: 'oldest' }] }]);
  // Which would have changed the response to the last one.
  expect(result.neverActed).toContainEqual({ choice: 'errorMembers', values: ['some'] });
});

test('a command that is tried trusts the certificate of the mock, as mkcert keeps its authority', {
  timeout,
}, async () => {
  const certificates = join(import.meta.dirname, '../../tools/testing/certificates');
  vi.stubEnv('CAROOT', createFolder({ 'rootCA.pem': readFileSync(join(certificates, 'ca.pem'), 'utf8') }));
  onTestFinished(() => void vi.unstubAllEnvs());
  const words = [process.execPath, ...printScript('await list();')];
  const tlsCert = join(certificates, 'localhost.pem');
  const tlsKey = join(certificates, 'localhost-key.pem');
  const silent = { onProgress: () => {}, onMessage: () => {} };
  const trialOptions = { given: [], words, keys: new Keys(), signal, ...silent };
  const result = await tryBehaviours({ port: 0, tlsCert, tlsKey, apiKeys: ['own-key'] }, trialOptions);
  expect(result).toMatchObject({ runs: 1 + OF_LIST, causes: [], unstable: [] });
});

const key = 'MyOwnKey99';
const keyOptions = ['--port', '0', '--try-behaviours', '--api-key', key];
const keysOfCommand = ['--', '--api-key', key, `--token=${key}`, 'API_KEY=OtherKey77', `"${key}"`];

test('a trial that finds something exits with 1 and a report, and shows no key of the options, the command or its output', {
  timeout,
}, async () => {
  const report = join(createFolder(), 'trial.json');
  const fragile = `const [{ id }] = await list(); if (id !== 120) { console.log('not ok 1 - sent ${key}'); throw id; }`;
  const words = [process.execPath, ...printScript(fragile), ...keysOfCommand];
  const { exitCode, stdout, stderr } = await runCli([...keyOptions, `--report=${report}`, '--', ...words]);
  expect(exitCode).toBe(1);
  // Without the options of the trial.
  expect(stdout).toContain(
    `Try one: animal-store-mock --port 0 --api-key '[key]' --behaviour '{"order":"oldest"}' -- `,
  );
  expect(stdout).toContain('✖ sent [key]');
  const written = readFileSync(report, 'utf8');
  const values = ['oldest', 'name', 'random'].map((value) => ({ value, failedTests: ['sent [key]'] }));
  const { command, neverActed, ...found } = JSON.parse(written);
  expect(found).toMatchObject({
    version: 1,
    runs: 1 + OF_LIST + values.length + 1,
    endedBy: 'end',
    unstable: [],
    untested: [],
  });
  expect(found.causes).toMatchObject([{ choice: 'order', values }]);
  expect(neverActed).toContainEqual({ choice: 'location', values: ['present'] });
  expect(command).toContain('[key]');
  expect(stdout + stderr + written).not.toMatch(/MyOwnKey99|OtherKey77/);
});

test('the output of a command that fails with the default behaviour is printed without keys', async () => {
  const script = `console.error('x'.repeat(99_999)); console.error('sent ${key}'); process.exit(1);`;
  const words = [process.execPath, ...printScript(script), ...keysOfCommand];
  const { exitCode, stdout, stderr } = await runCli([...keyOptions, '--', ...words]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('\nsent [key]\n')]);
  expect(stdout + stderr).not.toMatch(/MyOwnKey99|OtherKey77/);
});

test.for([
  [
    "await list(); console.log('x'.repeat(9_999)); console.log('why'); process.exit(1);",
    'The tests fail with the default behaviour. See the output above.',
    `\n${'x'.repeat(3_996)}\nwhy\n`,
  ],
  [
    '',
    'No request reached the mock. Use the base URL in the variable ANIMAL_STORE_URL. ' +
      'If your tests start a mock, use forEachBehaviour.',
    '',
  ],
] as const)(
  'without a result for the default behaviour nothing is tried: %s',
  async ([script, message, output]) => {
    using write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await expect(tryScript(script)).rejects.toThrow(new StartError(message));
    expect(write.mock.calls.join('')).toBe(output);
  },
);

/** Runs a trial whose command connects and then hangs, and lets this many ms pass. */
async function hang(toScript: (connect: string) => string, time: number) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { connected, script } = await waitForScript();
  const messages: string[] = [];
  const result = tryScript(toScript(script), messages);
  const { closed } = await Promise.race([connected, result.then(() => connected)]);
  vi.advanceTimersByTime(time);
  return { result, closed, messages };
}

test('a command that hangs with the default behaviour is ended after 30 minutes, and may be a watch command', async () => {
  const { result, closed, messages } = await hang(
    (connect) => `await list(); ${connect};`,
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

test('a behaviour with which the command hangs twice is a cause', { timeout }, async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { server, script } = await waitForScript();
  const result = tryScript(`const { length } = await list(); if (length === 7) ${script};`);
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
  expect(found.causes).toMatchObject([{ choice: 'pageSize', values: [{ value: 7, outcome: 'timeout' }] }]);
  expect(printTrial(found)).toContain('  page size: fails with 7 (does not end)\n');
});

test.for([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s ends the command, and no result is printed', async ([signal, exitCode]) => {
  const { connected, script } = await waitForScript();
  const args = ['--port', '0', '--try-behaviours', '--', process.execPath, '-e', script];
  const { child, ended } = startCli(args);
  const { closed } = await connected;
  child.kill(signal);
  expect(await ended).toEqual({ stdout: '', stderr: '… the default behaviour (first)\n', exitCode });
  await closed;
});

test.for([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s during a later run prints and writes what was found so far', async ([signal, exitCode]) => {
  const { connected, script } = await waitForScript();
  const report = join(createFolder(), 'trial.json');
  // It breaks with the first value, and hangs with the second one.
  const fragile = `const [{ id }] = await list(); if (id === 1) throw 'oldest';
    if (id !== 120) ${script};`;
  const args = [
    '--port',
    '0',
    '--try-behaviours',
    '--report',
    report,
    '--',
    process.execPath,
    ...printScript(fragile),
  ];
  const { child, ended } = startCli(args);
  const { closed } = await connected;
  child.kill(signal);
  const { stdout, exitCode: code } = await ended;
  expect(code).toBe(exitCode);
  expect(stdout).toMatch(/^Not tried \(interrupted\): .*\.$/m);
  expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ version: 1, endedBy: 'signal' });
  expect(stdout).toMatch(/^ {2}order: fails with oldest$/m);
  await closed;
});
