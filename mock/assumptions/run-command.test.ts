import { expect, test } from 'vitest';
import { waitForScript } from '../testing/wait-for-script.ts';
import { runCommand } from './run-command.ts';

const { signal } = new AbortController();

/** A script of Node that starts another one. */
const spawnScript = (script: string) =>
  `process.getBuiltinModule('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(script)}])`;

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
