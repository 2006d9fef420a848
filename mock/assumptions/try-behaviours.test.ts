import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { StartError } from '../../common/cli/usage-error.ts';
import { Keys } from '../../common/text/redact.ts';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { listen } from '../../tools/testing/listen.ts';
import { runCli, startCli } from '../../tools/testing/run-cli.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';

import { printScript, tryScript } from '../testing/try-script.ts';
import { forEachBehaviour } from './for-each-behaviour.ts';
import { runCommand } from './run-command.ts';
import {
  type ChoiceValues,
  DEFAULT_RUN_TIMEOUT,
  printTrial,
  type Trial,
  tryBehaviours,
} from './try-behaviours.ts';

const { signal } = new AbortController();

/** The values that would change a list of 20 animals, the most frequent first. */
const ofList = [
  ['order', ['oldest', 'name', 'random']],
  ['pageSize', [7, 1]],
  ['animalMembers', ['createdAt', 'links']],
  ['charset', ['utf-8']],
  ['etag', ['all']],
] as const;

const choicesOf = (groups: readonly ChoiceValues[]) => groups.map(({ choice, values }) => [choice, values]);

test('only the values that change a response are tried, and one that breaks a command is tried again', async () => {
  const fragile = `const [{ id }] = await list(); if (id === 1) { console.log('not ok 1 - newest first'); throw id; }`;
  const { progress, messages, result } = await tryScript(fragile);
  const { passed, neverActed, ...others } = result;
  expect(others).toEqual({
    version: 1,
    given: ['--seed', '7'],
    command: expect.any(Array),
    runs: 12,
    endedBy: 'end',
    causes: [
      {
        choice: 'order',
        values: [{ value: 'oldest', outcome: 'failed', failedTests: ['newest first'], excerpt: [] }],
      },
    ],
    unstable: [],
    untested: [],
  });
  const values = choicesOf(passed).toSorted();
  const expected = ofList.map(([choice, all]) => [choice, all.filter((value) => value !== 'oldest')]);
  expect(values).toEqual(expected.toSorted());
  expect(choicesOf(neverActed)).toContainEqual(['pageSize', [25]]);
  expect(progress).toHaveLength(12);
  expect(progress[0]).toBe('… run 1: the default behaviour');
  const index = progress.findIndex((line) => line.endsWith('order: oldest'));
  expect(progress.slice(index + 1, index + 3)).toEqual([
    `… run ${index + 2}: the default behaviour`,
    `… run ${index + 3}: order: oldest`,
  ]);
  const time = '\\d+\\.\\d (?:s|min)';
  const counted = '9 values of choices would have changed a response';
  expect(messages).toEqual([
    expect.stringMatching(`^The first run took ${time}\\. ${counted}, so all runs take about ${time}\\.$`),
  ]);
  const text = printTrial({ ...result, command: ['npm', 'test', 'a b'] });
  expect(text.split('\n')).toEqual([
    "npm test 'a b' passes with the default behaviour, and breaks with other values:",
    '  order: fails with oldest',
    '      ✖ newest first',
    expect.stringMatching(/^These values changed no response of your tests: .*page size \(25\).*\.$/),
    '12 runs. 9 values changed a response.',
    `Try one: animal-store-mock --seed 7 --behaviour '{"order":"oldest"}' -- npm test 'a b'`,
    '',
  ]);
});

const nothing: Trial = {
  ...({ version: 1, given: [], command: ['npm', 'test'], runs: 7, endedBy: 'end', causes: [] } as const),
  ...{ passed: [], neverActed: [], unstable: [], untested: [] },
};
const failed = { outcome: 'failed', failedTests: [], excerpt: [] } as const;
const pages = { choice: 'pageSize', values: [25, 7, 1] } as const;
const counted = '7 runs. 3 values changed a response.';
const breaks = 'npm test passes with the default behaviour, and breaks with other values:';
const passedInPart = 'npm test passes with the default behaviour, and no value is known to break it.';

test.for<[Partial<Trial>, lines: readonly string[]]>([
  [{ passed: [pages] }, ['npm test passes with each value that changes a response to it.', counted]],
  [
    {
      neverActed: [
        { choice: 'pageSize', values: [25] },
        { choice: 'location', values: ['present'] },
      ],
    },
    [
      'npm test passes, but no value changed a response to it, so nothing is known.',
      'These values changed no response of your tests: page size (25), location.',
      '7 runs. 0 values changed a response.',
    ],
  ],
  [
    { passed: [pages], untested: [{ choice: 'order', values: ['oldest'] }], endedBy: 'signal' },
    [passedInPart, 'Not tried (interrupted): order (oldest).', counted],
  ],
  [
    { passed: [pages], unstable: [{ choice: 'order', values: ['name'] }] },
    [
      passedInPart,
      'The command failed once with these values and passed another time, so its tests are not stable: order (name).',
      counted,
    ],
  ],
  [
    {
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
    },
    [
      breaks,
      '  order: fails with oldest and name (does not end)',
      ...['      ✖ a', '      ✖ b', '      ✖ c\\u001b[31m', '      and 2 tests more'],
      '  charset: fails with utf-8',
      ...['      | 0', '      | 1', '      | 2'],
      counted,
      `Try one: animal-store-mock --behaviour '{"order":"oldest"}' -- npm test`,
    ],
  ],
])('the result with %j is printed as a whole', ([found, lines]) => {
  expect(printTrial({ ...nothing, ...found })).toBe(`${lines.join('\n')}\n`);
});

test('all runs have one base URL, because an app may be built with it', async () => {
  const file = join(createFolder(), 'urls');
  const note = `process.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(file)}, process.env.ANIMAL_STORE_URL + '\\n')`;
  await tryScript(`${note}; await list();`);
  const urls = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect([urls.length, new Set(urls).size]).toEqual([10, 1]);
});

test('a run that fails once blames no value', async () => {
  const file = join(createFolder(), 'runs');
  const count = `const { appendFileSync, readFileSync } = process.getBuiltinModule('node:fs');
    appendFileSync(${JSON.stringify(file)}, '.'); const runs = readFileSync(${JSON.stringify(file)}).length;`;
  const { result } = await tryScript(`${count} if (runs === 3) throw 'flaky'; await list();`);
  expect(result).toMatchObject({ causes: [], runs: 12, unstable: [{ values: [expect.anything()] }] });
});

test('a request in a session that has ended counts too', async () => {
  const script = `const base = process.env.ANIMAL_STORE_URL;
    const [{ id }] = await list(base.replace('/v1', '/sessions/w1/v1'));
    await fetch(base.replace('/v1', '/__admin/sessions/w1'), { method: 'DELETE' });
    if (id === 1) throw id;`;
  const { result } = await tryScript(script);
  expect(result.causes).toMatchObject([{ choice: 'order', values: [{ value: 'oldest' }] }]);
});

test('a command that is tried trusts the certificate of the mock, as mkcert keeps its authority', async () => {
  const certificates = join(import.meta.dirname, '../../tools/testing/certificates');
  vi.stubEnv('CAROOT', createFolder({ 'rootCA.pem': readFileSync(join(certificates, 'ca.pem'), 'utf8') }));
  onTestFinished(() => void vi.unstubAllEnvs());
  const words = [process.execPath, ...printScript('await list();')];
  const tlsCert = join(certificates, 'localhost.pem');
  const tlsKey = join(certificates, 'localhost-key.pem');
  const silent = { onProgress: () => {}, onMessage: () => {} };
  const trialOptions = { given: [], words, keys: new Keys(), signal, ...silent };
  const result = await tryBehaviours({ port: 0, tlsCert, tlsKey, apiKeys: ['own-key'] }, trialOptions);
  expect(result).toMatchObject({ runs: 10, causes: [], unstable: [] });
});

/** A busy machine needs two seconds for a run, in ms. */
const WHOLE_TRIAL = 300_000;

const key = 'MyOwnKey99';
const keyOptions = ['--port', '0', '--try-behaviours', '--api-key', key];
const keysOfCommand = ['--', '--api-key', key, `--token=${key}`, 'API_KEY=OtherKey77', `"${key}"`];

test('a trial that finds something exits with 1 and a report, and shows no key of the options, the command or its output', {
  timeout: WHOLE_TRIAL,
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
  expect(found).toMatchObject({ version: 1, runs: 16, endedBy: 'end', unstable: [], untested: [] });
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

/** Starts a server, and returns a script of Node that connects to it and does not end by itself. */
async function waitForScript() {
  const server = createServer();
  const connected = once(server, 'connection').then(([one]) => ({ closed: once(one.resume(), 'close') }));
  const { port } = new URL(await listen(server));
  return { connected, script: `process.getBuiltinModule('node:net').connect(${port}, '127.0.0.1')` };
}

/** A script of Node that starts another one. */
const spawnScript = (script: string) =>
  `process.getBuiltinModule('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(script)}])`;

test('a command that does not end is ended, with everything that it has started', async () => {
  const { connected, script } = await waitForScript();
  const run = runCommand([process.execPath, '-e', spawnScript(script)], process.env, 1_500, signal);
  const { closed } = await connected;
  expect((await run).outcome).toBe('timeout');
  await closed;
});

test('what a command leaves in the background is ended, and both of its outputs are kept', async () => {
  const { connected, script } = await waitForScript();
  const background = `${script}.on('connect', () => console.log('ready'))`;
  const leave = `console.error('to stderr'); console.log('to stdout'); process.exit()`;
  const command = `${spawnScript(background)}.stdout.on('data', () => { ${leave} })`;
  const run = await runCommand([process.execPath, '-e', command], process.env, 60_000, signal);
  expect(run.outcome).toBe('passed');
  expect(run.output.split('\n').toSorted()).toEqual(['', 'to stderr', 'to stdout']);
  await (await connected).closed;
});

test('of a long output the last whole lines are kept, since half a line may have half a key', async () => {
  const line = 'a line of 23 characters';
  const command = `for (let count = 0; count < 6_000; count += 1) console.log('${line}')`;
  const { output } = await runCommand([process.execPath, '-e', command], process.env, 60_000, signal);
  expect(output.length).toBeGreaterThan(99_900);
  expect(output.length).toBeLessThan(100_000);
  expect(new Set(output.split('\n'))).toEqual(new Set([line, '']));
});

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

test('silence is noted once, a minute after the last output', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { connected, script } = await waitForScript();
  const ending = new AbortController();
  let notes = 0;
  const onSilence = () => {
    notes += 1;
  };
  const run = runCommand([process.execPath, '-e', script], process.env, 600_000, ending.signal, onSilence);
  const { closed } = await connected;
  vi.advanceTimersByTime(59_999);
  expect(notes).toBe(0);
  vi.advanceTimersByTime(1);
  expect(notes).toBe(1);
  vi.advanceTimersByTime(120_000);
  expect(notes).toBe(1);
  ending.abort();
  await run;
  await closed;
  expect(vi.getTimerCount()).toBe(0);
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
  expect(await ended).toEqual({ stdout: '', stderr: '… run 1: the default behaviour\n', exitCode });
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

test('forEachBehaviour runs with each value that changes a response, and names all that fail', async () => {
  const mock = await startTestMock({ animals: 30 });
  const seen: object[] = [];
  const declared: [string, () => Promise<void>][] = [];
  const run = async (behaviour: object) => {
    seen.push(behaviour);
    mock.animals.add({ name: 'Rex', categoryId: 1 });
    const headers = { Authorization: 'Bearer test-key' };
    const list = (await (await fetch(`${mock.url}/pets`, { headers })).json()) as unknown[];
    if (list.length !== 20) throw new Error(`Shows ${list.length}.\nAnd more.`);
  };
  forEachBehaviour(
    () => mock,
    run,
    (name, body) => declared.push([name, body]),
  );
  expect(declared.map(([name]) => name)).toEqual(['each behaviour that changes a response']);
  await expect(declared[0]?.[1]()).rejects.toThrow(
    'It fails with 2 of 9 values that change a response:\n  page size: 7: Shows 7.\n  page size: 1: Shows 1.',
  );
  expect(seen).toHaveLength(10);
  expect(seen).toContainEqual({ order: 'oldest' });
  expect([mock.settings().behaviour, mock.animals.size]).toEqual([{}, 30]);
});

test('forEachBehaviour fails where no value would change a response, because it then shows nothing', async () => {
  const mock = await startTestMock();
  let body = async () => {};
  forEachBehaviour(
    () => mock,
    () => {},
    (_name, declared) => {
      body = declared;
    },
  );
  await expect(body()).rejects.toThrow('No value of a choice would change a response of this test.');
});

test('forEachBehaviour uses node:test where there are no global functions', async () => {
  const script = `
    const { forEachBehaviour, startMock } = await import(${JSON.stringify(join(import.meta.dirname, '../index.ts'))});
    const mock = await startMock({ port: 0, log: 'silent' });
    const get = () => fetch(mock.url + '/pets', { headers: { Authorization: 'Bearer test-key' } });
    forEachBehaviour(() => mock, async () => { if ((await (await get()).json()).length < 7) throw 'short'; });
    (await import('node:test')).after(() => mock.close());`;
  const args = ['--test-reporter=tap', '--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args).catch((error) => error);
  expect(stdout.match(/^not ok .*/gm)).toEqual(['not ok 1 - each behaviour that changes a response']);
  expect(stdout).toContain('page size: 1: short');
});
