import { expect, onTestFinished, test, vi } from 'vitest';
import { waitForScript } from '../testing/wait-for-script.ts';
import { runCommand } from './run-command.ts';

const { signal } = new AbortController();

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
