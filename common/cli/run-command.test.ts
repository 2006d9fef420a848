import { expect, onTestFinished, test, vi } from 'vitest';
import { startCommand } from './start-command.ts';

// It is JavaScript without types.
const { runCommand } = await import(new URL('run-command.js', import.meta.url).href);
const base = new URL('../../mock/bin.js', import.meta.url);
/** A module that does nothing; its name ends as in a checkout. */
const file = 'data:text/javascript,//.ts';

test.for([
  ['24.18.0', ''],
  ['100.1.0', ''],
  ['20.20.2', 'animal-store-mock needs Node 24.18 or later, and this is v20.20.2; '],
  ['24.17.9', 'animal-store-mock needs Node 24.18 or later, and this is v24.17.9; '],
] as const)('on Node %s the command prints "%s" in one line', async ([version, message]) => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const { versions, version: usual } = process;
  Object.defineProperties(process, {
    version: { value: `v${version}` },
    versions: { value: { node: version } },
  });
  onTestFinished(() => {
    Object.defineProperties(process, { version: { value: usual }, versions: { value: versions } });
    process.exitCode = 0;
    write.mockRestore();
  });
  await runCommand('animal-store-mock', base, file);
  const printed = write.mock.calls.join('');
  expect(printed.slice(0, message.length || undefined)).toBe(message);
  expect(printed).toMatch(message ? /^[^\n]+\n$/ : /^$/);
  expect(process.exitCode ?? 0).toBe(message ? 2 : 0);
});

test('a command that a signal ends has the exit code of a shell', async () => {
  const { ended, kill } = await startCommand([process.execPath, '-e', 'setInterval(() => {}, 1000)'], {});
  kill('SIGTERM');
  expect(await ended).toBe(143);
});

test('a command in quotes is refused with a hint', async () => {
  await expect(startCommand(['npm test'], {})).rejects.toThrow(
    'the command "npm test" could not be started: there is no such program; without quotes it is -- npm test',
  );
});
