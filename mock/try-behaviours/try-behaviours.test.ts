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
import { LEAST_RUNS } from '../options.ts';
import { runMock } from '../run-mock.ts';

import { forEachBehaviour } from './for-each-behaviour.ts';
import { runCommand } from './run-command.ts';
import { DEFAULT_RUN_TIMEOUT, printTrial, type Trial, tryBehaviours } from './try-behaviours.ts';

const { signal } = new AbortController();

/** For a script of Node: a function that lists the animals, of a base URL if one is given. */
const list = `const list = async (base = process.env.ANIMAL_STORE_URL) => (await fetch(base + '/pets', {
  headers: { Authorization: 'Bearer ' + process.env.ANIMAL_STORE_API_KEY } })).json();`;

const printScript = (script: string) => ['--input-type=module', '--eval', `${list}\n${script}`];

/** Tries a script of Node, to which `list` is a function that lists the animals. */
async function trial(script: string, maxRuns: number) {
  const words = [process.execPath, ...printScript(script)];
  const progress: string[] = [];
  const onProgress = (text: string) => progress.push(text);
  const options = { port: 0, apiKeys: ['own-key'] };
  const given = ['--seed', '7'];
  const hide = (text: string) => text;
  return { progress, ...(await tryBehaviours(options, { given, words, maxRuns, hide, signal, onProgress })) };
}

test('the values that break a command are found, and the others up to the maximum are not', async () => {
  const { progress, ...result } = await trial(`const [{ id }] = await list(); if (id !== 120) throw id;`, 7);
  const cause = { behaviour: { order: 'oldest' }, outcome: 'failed', isConfirmed: true };
  expect(result).toMatchObject({ runs: 7, causes: [cause] });
  const [column = {}] = listColumns();
  expect(progress.slice(0, 4)).toEqual([
    '… run 1 of at most 7: the default behaviour',
    '… run 2 of at most 7: the default behaviour',
    `… run 3 of at most 7: ${Object.keys(column).length} choices at once`,
    '… run 4 of at most 7: order: oldest',
  ]);
  const hint = `Try one: animal-store-mock --seed 7 --behaviour '{"order":"oldest"}' -- npm test 'a b'`;
  const text = printTrial({ ...result, command: ['npm', 'test', 'a b'] });
  expect(text.split('\n')).toEqual([
    "npm test 'a b' passes with the default behaviour. It fails with",
    '  order: oldest                        (confirmed)',
    expect.stringMatching(/^Not tried \(--max-runs\): page size: 25, .*[^,]$/),
    `7 runs, 3 choices tried. ${hint}`,
    '',
  ]);
});

const nothing = { version: 1, given: [], command: ['npm', 'test'], runs: 7, choices: 3 } as const;

test.for<[Partial<Trial>, lines: string[]]>([
  [{}, ['npm test passes with each behaviour that was tried.', '7 runs, 3 choices tried.']],
  [
    { untested: [{ order: 'oldest' }, { pageSize: 25 }] },
    [
      'npm test passes with the behaviours that was tried.',
      'Not tried (--max-runs): order: oldest, page size: 25',
      '7 runs, 3 choices tried.',
    ],
  ],
  [
    {
      causes: [
        { behaviour: { order: 'oldest', pageSize: 25 }, outcome: 'timeout', isConfirmed: true },
        { behaviour: { order: 'name' }, outcome: 'failed', isConfirmed: false },
      ],
    },
    [
      'npm test passes with the default behaviour. It fails with',
      '  order: oldest, page size: 25         (does not end, confirmed)',
      '  order: name                          (not confirmed: a second run passed, or was not possible)',
      `7 runs, 3 choices tried. Try one: animal-store-mock --behaviour '{"order":"oldest","pageSize":25}' -- npm test`,
    ],
  ],
])('the result with %j is printed as a whole', ([found, lines]) => {
  const text = printTrial({ ...nothing, causes: [], untested: [], ...found });
  expect(text).toBe(`${lines.join('\n')}\n`);
});

test('a command that passes with all behaviours is run once for each column, as --max-runs allows at least', async () => {
  const file = join(createFolder(), 'urls');
  const note = `process.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(file)}, process.env.ANIMAL_STORE_URL + '\\n')`;
  const result = await trial(`await list(); ${note};`, LEAST_RUNS);
  expect(result).toMatchObject({ runs: 5, causes: [], untested: [] });
  // An app may be built with the base URL.
  const urls = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect([urls.length, new Set(urls).size]).toEqual([5, 1]);
});

test('requests to a session count', async () => {
  const session = `process.env.ANIMAL_STORE_URL.replace('/v1', '/sessions/w1/v1')`;
  expect(await trial(`await list(${session});`, 5)).toMatchObject({ runs: 5, causes: [] });
});

test('a command that is tried trusts the certificate of the mock, as mkcert keeps its authority', async () => {
  const certificates = join(import.meta.dirname, '../../tools/testing/certificates');
  vi.stubEnv('CAROOT', createFolder({ 'rootCA.pem': readFileSync(join(certificates, 'ca.pem'), 'utf8') }));
  onTestFinished(() => void vi.unstubAllEnvs());
  const words = [process.execPath, ...printScript('await list();')];
  const tlsCert = join(certificates, 'localhost.pem');
  const tlsKey = join(certificates, 'localhost-key.pem');
  const trialOptions = { given: [], words, maxRuns: 5, hide: String, signal, onProgress: () => {} };
  const { causes } = await tryBehaviours({ port: 0, tlsCert, tlsKey, apiKeys: ['own-key'] }, trialOptions);
  expect(causes).toEqual([]);
});

const key = 'MyOwnKey99';

test('the key is not printed, where the options, the command after -- or its output have it', async () => {
  const report = join(createFolder(), 'trial.json');
  const options = [
    '--port',
    '0',
    '--try-behaviours',
    '--max-runs',
    '5',
    '--api-key',
    key,
    `--report=${report}`,
  ];
  const ofCommand = ['--', '--api-key', key, `--token=${key}`, 'API_KEY=OtherKey77', `"${key}"`];
  const run = (script: string) =>
    runCli([...options, '--', process.execPath, ...printScript(script), ...ofCommand]);
  const found = await run('const [{ id }] = await list(); if (id !== 120) throw id;');
  // Without the options of the trial.
  const line = `Try one: animal-store-mock --port 0 --api-key '[key]' --behaviour '{`;
  expect(found).toMatchObject({ exitCode: 1, stdout: expect.stringContaining(line) });
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
    await expect(trial(script, 80)).rejects.toThrow(new StartError(message));
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
  const result = trial(toScript(script), 3);
  const { closed } = await Promise.race([connected, result.then(() => connected)]);
  vi.advanceTimersByTime(time);
  return { result, closed };
}

test('a command that hangs with the default behaviour is ended after 30 minutes', async () => {
  const { result, closed } = await hang((connect) => `await list(); ${connect};`, DEFAULT_RUN_TIMEOUT);
  const message =
    'The command did not end within 30 minutes with the default behaviour, so it was stopped. ' +
    'Give a command that ends by itself, or that runs a part of the tests. See the output above.';
  await expect(result).rejects.toThrow(new StartError(message));
  await closed;
});

test('a behaviour with which the command hangs is a cause', async () => {
  const whenOther = (connect: string) => `const [{ id }] = await list(); if (id !== 120) ${connect};`;
  const { result, closed } = await hang(whenOther, 59_999);
  // The minute of the run has not passed.
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1);
  const { causes, ...trial } = await result;
  expect(causes).toMatchObject([{ outcome: 'timeout', isConfirmed: false }]);
  expect(printTrial({ causes, ...trial })).toContain('(does not end, not confirmed');
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
  const stderr = '… run 1 of at most 80: the default behaviour\n';
  expect(await ended).toEqual({ stdout: '', stderr, exitCode });
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
  const found = await tryScript(fragile, 7, file);
  expect(found.exitCode).toBe(1);
  // Without the log of the mock, and without the options of the trial.
  const call = ` --port 0 --behaviour '{"order":"oldest"}' -- ${process.execPath} --eval ${quoteForShell(fragile)}`;
  expect(found.stdout.split('\n')).toEqual([
    expect.stringMatching(/ passes with the default behaviour\. It fails with$/),
    '  order: oldest                        (confirmed)',
    expect.stringMatching(/^Not tried \(--max-runs\): /),
    `7 runs, 3 choices tried. Try one: animal-store-mock${call}`,
    '',
  ]);
  expect(found.stderr.split('\n')).toHaveLength(8);
  const cause = { behaviour: { order: 'oldest' }, outcome: 'failed', isConfirmed: true };
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ version: 1, runs: 7, causes: [cause] });
  if (!existsSync('/dev/full')) return;
  const failure = 'animal-store-mock: the report could not be written to /dev/full: ENOSPC: ';
  const failed = await tryScript(fragile, 7, '/dev/full');
  expect(failed).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('order: oldest') });
  expect(failed.stderr).toContain(failure);
});

test.skipIf(!existsSync('/dev/full'))(
  'a report that cannot be written fails a trial that found nothing; a terminal has one line of progress',
  async () => {
    const { isTTY } = process.stderr;
    onTestFinished(() => void Object.assign(process.stderr, { isTTY }));
    process.stderr.isTTY = true;
    const words = [process.execPath, ...printScript('await list();')];
    const options = ['--port=0', '--try-behaviours', '--report', '/dev/full', '--max-runs=5', '--', ...words];
    const { stdout, stderr, exitCode } = await callCommand('animal-store-mock', runMock, options);
    expect(exitCode).toBe(2);
    expect(stdout).toMatch(/ passes with each behaviour that was tried\.\n5 runs, \d\d choices tried\.\n$/);
    const [, ...lines] = stderr.split('\r\x1b[K');
    expect(lines).toEqual([
      ...[1, 2].map((run) => `… run ${run} of at most 5: the default behaviour`),
      ...[3, 4, 5].map((run) => expect.stringMatching(`^… run ${run} of at most 5: \\d+ choices at once$`)),
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
  expect(stdout).toContain('# pass 53\n');
});
