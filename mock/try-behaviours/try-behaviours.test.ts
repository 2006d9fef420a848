import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';

import { listColumns, listSingles, printDifference } from '../../common/behaviour/behaviours.ts';
import { StartError } from '../../common/cli/usage-error.ts';
import { quoteForShell } from '../../common/text/print-curl.ts';
import { callCommand } from '../../tools/testing/call-command.ts';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { listen } from '../../tools/testing/listen.ts';
import { runCli, startCli } from '../../tools/testing/run-cli.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import { LEAST_RUNS, USUAL_RUNS } from '../options.ts';
import { runMock } from '../run-mock.ts';

import { printScript, tryScript } from '../testing/try-script.ts';
import { forEachBehaviour } from './for-each-behaviour.ts';
import { runCommand } from './run-command.ts';
import { DEFAULT_RUN_TIMEOUT, hasFailed, printTrial, type Trial, tryBehaviours } from './try-behaviours.ts';

const { signal } = new AbortController();

test('the values that break a command are found, with its price, and the others up to the maximum are not', async () => {
  const fragile = `const [{ id }] = await list(); if (id === 1) { console.log('not ok 1 - newest first'); throw id; }`;
  const { progress, messages, result } = await tryScript(fragile, 10);
  const value = { value: 'oldest', outcome: 'failed', isConfirmed: true, failedTests: ['newest first'] };
  expect(result).toMatchObject({ runs: 10, endedBy: 'max-runs', tried: 1 });
  expect(result.causes).toMatchObject([{ choice: 'order', values: [value] }]);
  const [column = {}] = listColumns();
  expect(progress.slice(0, 3)).toEqual([
    '… run 1 of at most 10: the default behaviour',
    '… run 2 of at most 10: the default behaviour',
    `… run 3 of at most 10: ${Object.keys(column).length} choices at once`,
  ]);
  const time = '\\d+\\.\\d (?:s|min)';
  expect(messages).toEqual([
    expect.stringMatching(
      `^The first run took ${time}\\. 5 to about 8 runs show which values change a response\\. Each of these values takes ` +
        `1 more run, a random one 3, and 2 to 4 if it breaks the command\\. At most 10 runs \\(--max-runs\\), about ${time}\\.$`,
    ),
    expect.stringMatching(
      `^\\d+ values change a response and are tried alone: about 2 more runs if nothing breaks, 2 if everything does, which`,
    ),
  ]);
  const text = printTrial({ ...result, command: ['npm', 'test', 'a b'] });
  expect(text.split('\n')).toEqual([
    "npm test 'a b' passes with the default behaviour, and breaks with other values:",
    '  order: fails with oldest',
    '      ✖ newest first',
    expect.stringMatching(
      /^These values changed no response, so they are not tried: status when omitted, .*[^,]\.$/,
    ),
    expect.stringMatching(/^Not tried \(--max-runs\): .*page size \(7, 1\).*[^,]\.$/),
    '10 runs, 1 value tried.',
    `Try one: animal-store-mock --seed 7 --behaviour '{"order":"oldest"}' -- npm test 'a b'`,
    '',
  ]);
});

const nothing: Trial = {
  ...({ version: 1, given: [], command: ['npm', 'test'], runs: 7, tried: 3, endedBy: 'end' } as const),
  ...{ causes: [], combinations: [], neverActed: [], untested: [], flakyRuns: 0 },
};
const failed = { outcome: 'failed', isConfirmed: true, failedTests: [], excerpt: [] } as const;
const pair = { order: 'oldest', pageSize: 25 } as const;
const counted = '7 runs, 3 values tried.';
const passed = 'npm test passes with each value that changes a response to it.';
const breaks = 'npm test passes with the default behaviour, and breaks with other values:';

test.for<[Partial<Trial>, lines: readonly string[]]>([
  [{}, [passed, counted]],
  [
    { tried: 0 },
    [
      'npm test passes, but no value changed a response to it, so nothing is known.',
      '7 runs, 0 values tried.',
    ],
  ],
  [
    {
      neverActed: [
        { choice: 'pageSize', values: [25] },
        { choice: 'location', values: ['present'] },
      ],
    },
    [passed, 'These values changed no response, so they are not tried: page size (25), location.', counted],
  ],
  [
    { untested: [{ choice: 'order', values: ['oldest'] }], endedBy: 'signal' },
    ['npm test passes with the values that were tried.', 'Not tried (interrupted): order (oldest).', counted],
  ],
  [
    {
      causes: [
        {
          choice: 'order',
          values: [
            { value: 'oldest', ...failed, failedTests: ['a', 'b'] },
            { value: 'name', ...failed, outcome: 'timeout', failedTests: ['b', 'c\u001b[31m', 'd', 'e'] },
            { value: 'random', ...failed, isConfirmed: false },
          ],
        },
        {
          choice: 'charset',
          values: [{ value: 'utf-8', ...failed, excerpt: ['0', '1', '2', 'Error: 3'] }],
        },
      ],
      combinations: [{ behaviour: pair, ...failed, outcome: 'timeout', isConfirmed: false }],
    },
    [
      breaks,
      '  order: fails with oldest and name (does not end); failed once with random ' +
        '(not confirmed: a repeated run passed, or was not possible)',
      ...['      ✖ a', '      ✖ b', '      ✖ c\\u001b[31m', '      and 2 tests more'],
      '  charset: fails with utf-8',
      ...['      | 0', '      | 1', '      | 2'],
      '  failed once with all of order: oldest and page size: 25 ' +
        '(does not end, not confirmed: a repeated run passed, or was not possible)',
      counted,
      `Try one: animal-store-mock --behaviour '{"order":"oldest"}' -- npm test`,
    ],
  ],
  [
    { causes: [{ choice: 'order', values: [{ value: 'name', ...failed, isConfirmed: false }] }] },
    [
      'npm test passes with the default behaviour, and failed once with other values:',
      '  order: failed once with name (not confirmed: a repeated run passed, or was not possible)',
      counted,
      `Try one: animal-store-mock --behaviour '{"order":"name"}' -- npm test`,
    ],
  ],
  [
    { causes: [{ choice: 'order', values: [{ value: 'random', seed: 3, ...failed }] }] },
    [
      breaks,
      '  order: fails with random (with --seed 3)',
      counted,
      `Try one: animal-store-mock --seed 3 --behaviour '{"order":"random"}' -- npm test`,
    ],
  ],
  [
    { combinations: [{ behaviour: pair, ...failed }] },
    [
      breaks,
      '  fails only with all of order: oldest and page size: 25',
      counted,
      `Try one: animal-store-mock --behaviour '{"order":"oldest","pageSize":25}' -- npm test`,
    ],
  ],
])('the result with %j is printed as a whole', ([found, lines]) => {
  const trial = { ...nothing, ...found };
  expect(printTrial(trial)).toBe(`${lines.join('\n')}\n`);
  expect(hasFailed(trial)).toBe(lines.at(-1)?.startsWith('Try one: '));
});

test('a command whose responses no value changes is run once for each column, at one base URL', async () => {
  const file = join(createFolder(), 'urls');
  const note = `process.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(file)}, process.env.ANIMAL_STORE_URL + '\\n')`;
  const openapi = `fetch(process.env.ANIMAL_STORE_URL + '/pets', { method: 'OPTIONS' })`;
  const quickstart = `fetch(process.env.ANIMAL_STORE_URL.replace('/v1', '/messages'), { method: 'POST' , headers: {
    Authorization: 'Bearer ' + process.env.ANIMAL_STORE_API_KEY, Prefer: 'code=503' } })`;
  const { result } = await tryScript(`${note}; void ${openapi.length}; await ${quickstart};`, LEAST_RUNS);
  expect(result).toMatchObject({ runs: 5, causes: [] });
  // An app may be built with the base URL.
  const urls = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect([urls.length, new Set(urls).size]).toEqual([5, 1]);
});

test('requests to a session count', async () => {
  const session = `process.env.ANIMAL_STORE_URL.replace('/v1', '/sessions/w1/v1')`;
  const { result } = await tryScript(`await list(${session});`, 5);
  expect(result).toMatchObject({ runs: 5, causes: [] });
});

test('a command that is tried trusts the certificate of the mock, as mkcert keeps its authority', async () => {
  const certificates = join(import.meta.dirname, '../../tools/testing/certificates');
  vi.stubEnv('CAROOT', createFolder({ 'rootCA.pem': readFileSync(join(certificates, 'ca.pem'), 'utf8') }));
  onTestFinished(() => void vi.unstubAllEnvs());
  const words = [process.execPath, ...printScript('await list();')];
  const tlsCert = join(certificates, 'localhost.pem');
  const tlsKey = join(certificates, 'localhost-key.pem');
  const silent = { onProgress: () => {}, onMessage: () => {} };
  const trialOptions = { given: [], words, maxRuns: 5, hide: String, signal, ...silent };
  const result = await tryBehaviours({ port: 0, tlsCert, tlsKey, apiKeys: ['own-key'] }, trialOptions);
  expect(result).toMatchObject({ runs: 5, causes: [] });
});

const key = 'MyOwnKey99';

test('the key is not printed, where the options, the command after -- or its output have it', async () => {
  const report = join(createFolder(), 'trial.json');
  const options = [
    '--port',
    '0',
    '--try-behaviours',
    '--max-runs',
    '10',
    '--api-key',
    key,
    `--report=${report}`,
  ];
  const ofCommand = ['--', '--api-key', key, `--token=${key}`, 'API_KEY=OtherKey77', `"${key}"`];
  const run = (script: string) =>
    runCli([...options, '--', process.execPath, ...printScript(script), ...ofCommand]);
  const found = await run(
    `const [{ id }] = await list(); if (id !== 120) { console.log('not ok 1 - sent ${key}'); throw id; }`,
  );
  // Without the options of the trial.
  const line = `Try one: animal-store-mock --port 0 --api-key '[key]' --behaviour '{`;
  expect(found).toMatchObject({ exitCode: 1, stdout: expect.stringContaining(line) });
  expect(found.stdout).toContain('✖ sent [key]');
  expect(JSON.parse(readFileSync(report, 'utf8')).command).toContain('[key]');
  const failed = await run(
    `console.error('x'.repeat(99_999)); console.error('sent ${key}'); process.exit(1);`,
  );
  expect(failed).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('\nsent [key]\n') });
  const all =
    [found, failed].map(({ stdout, stderr }) => stdout + stderr).join() + readFileSync(report, 'utf8');
  expect(all).not.toMatch(/MyOwnKey99|OtherKey77/);
});

test.for([
  [
    "await list(); console.log('x'.repeat(9_999)); console.log('why'); process.exit(1);",
    'The tests fail, or are not stable, with the default behaviour. See the output above.',
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
    await expect(tryScript(script, 80)).rejects.toThrow(new StartError(message));
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
  const result = tryScript(toScript(script), 3, messages);
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

test('a behaviour with which the command hangs is a cause', async () => {
  const whenOther = (connect: string) => `const [{ id }] = await list(); if (id !== 120) ${connect};`;
  const { result, closed } = await hang(whenOther, 59_999);
  // The minute of the run has not passed.
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1);
  const { combinations, ...others } = (await result).result;
  expect(combinations).toMatchObject([{ outcome: 'timeout', isConfirmed: false }]);
  expect(printTrial({ combinations, ...others })).toContain('(does not end, not confirmed');
  await closed;
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
  const stderr = `… run 1 of at most ${USUAL_RUNS}: the default behaviour\n`;
  expect(await ended).toEqual({ stdout: '', stderr, exitCode });
  await closed;
});

test.for([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s during a later run prints and writes what was found so far', async ([signal, exitCode]) => {
  const { connected, script } = await waitForScript();
  const report = join(createFolder(), 'trial.json');
  // It breaks in the first column, and hangs in the third one.
  const fragile = `const all = await list(); if (all[0].id === 1) throw 'oldest';
    if (all.length === 1) ${script};`;
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
  expect(stdout).toMatch(/^ {2}failed once with all of order: oldest, .* and .*/m);
  await closed;
});

test('a report of the trial is written, and a full disk hides no result', async () => {
  const file = join(createFolder(), 'trial.json');
  const list = `fetch(process.env.ANIMAL_STORE_URL + '/pets', {
    headers: { Authorization: 'Bearer ' + process.env.ANIMAL_STORE_API_KEY } }).then((one) => one.json())`;
  const tryScript = (script: string, maxRuns: number, report: string) => {
    const options = ['--port', '0', '--try-behaviours', '--max-runs', `${maxRuns}`, '--report', report];
    return runCli([...options, '--', process.execPath, '--eval', script]);
  };
  const fragile = `${list}.then(([{ id }]) => process.exit(id === 120 ? 0 : 1))`;
  const found = await tryScript(fragile, 80, file);
  expect(found.exitCode).toBe(1);
  // Without the log of the mock, and without the options of the trial.
  const call = ` --port 0 --behaviour '{"order":"oldest"}' -- ${process.execPath} --eval ${quoteForShell(fragile)}`;
  expect(found.stdout.split('\n').slice(-4)).toEqual([
    expect.stringMatching(/^These values changed no response, so they are not tried: /),
    expect.stringMatching(/^\d+ runs, \d+ values tried\.$/),
    `Try one: animal-store-mock${call}`,
    '',
  ]);
  const values = ['oldest', 'name', 'random'].map((value) => ({
    value,
    outcome: 'failed',
    isConfirmed: true,
  }));
  const report = JSON.parse(readFileSync(file, 'utf8'));
  expect(report).toMatchObject({ version: 1, endedBy: 'end', untested: [] });
  expect(report.causes).toMatchObject([{ choice: 'order', values }]);
  expect(report.neverActed).toContainEqual({ choice: 'location', values: ['present'] });
  if (!existsSync('/dev/full')) return;
  const failure = 'animal-store-mock: the report could not be written to /dev/full: ENOSPC: ';
  const failed = await tryScript(fragile, 10, '/dev/full');
  expect(failed).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('order: fails with oldest') });
  expect(failed.stderr).toContain(failure);
});

test.skipIf(!existsSync('/dev/full'))(
  'a report that cannot be written fails a trial that found nothing; a terminal has one line of progress',
  async () => {
    const { isTTY } = process.stderr;
    onTestFinished(() => void Object.assign(process.stderr, { isTTY }));
    process.stderr.isTTY = true;
    const words = [process.execPath, ...printScript('await list();')];
    const options = ['--port=0', '--animals=0', '--try-behaviours', '--report', '/dev/full', '--', ...words];
    const { stdout, stderr, exitCode } = await callCommand('animal-store-mock', runMock, options);
    expect(exitCode).toBe(2);
    expect(stdout).toMatch(/ passes with each value that changes a response to it\.\n/);
    const [, ...lines] = stderr.split('\r\x1b[K');
    const runs = lines.filter((line) => line.startsWith('… run '));
    expect(runs).toEqual(
      runs.map((_, index) => expect.stringMatching(`^… run ${index + 1} of at most ${USUAL_RUNS}: .+$`)),
    );
    expect(stdout).toMatch(new RegExp(`\\n${runs.length} runs, \\d+ values tried\\.\\n$`));
    const others = lines.filter((line) => !runs.includes(line));
    expect(others).toEqual([
      expect.stringMatching(/^The first run took .*\.\n$/),
      expect.stringMatching(/^\d+ values change a response and are tried alone: .*\.\n$/),
      expect.stringMatching(
        /^animal-store-mock: the report could not be written to \/dev\/full: ENOSPC: [^\n]*\n$/,
      ),
    ]);
  },
);

test('forEachBehaviour declares a test for each value, and resets the mock after each', async () => {
  const mock = await startTestMock({ animals: 1 });
  const seen: object[] = [];
  const tests = new Map<string, () => Promise<void>>();
  const run = (behaviour: object) => {
    seen.push(mock.settings().behaviour);
    mock.animals.add({ name: 'Rex', categoryId: 1 });
    if (Object.keys(behaviour).length > 0) throw new Error('An assumption.');
  };
  const declare = (name: string, body: () => Promise<void>) => tests.set(name, body);
  forEachBehaviour(() => mock, run, declare);
  const names = listSingles().map((single) => `behaviour ${printDifference(single)}`);
  expect([...tests.keys()]).toEqual(['behaviour default', ...names]);
  await tests.get('behaviour default')?.();
  await expect(tests.get('behaviour page size: 25')?.()).rejects.toThrow('An assumption.');
  expect(seen).toEqual([{}, { pageSize: 25 }]);
  expect([mock.settings().behaviour, mock.animals.size]).toEqual([{}, 1]);
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
  expect(stdout.match(/^not ok .*/gm)).toEqual([expect.stringContaining('behaviour page size: 1')]);
  // All but one of the values, and the default.
  expect(stdout).toContain(`# pass ${listSingles().length}\n`);
});
