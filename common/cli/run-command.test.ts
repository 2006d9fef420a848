import { expect, onTestFinished, test, vi } from 'vitest';
import { startCommand } from './start-command.ts';

// It is JavaScript without types.
const { runCommand } = await import(new URL('run-command.js', import.meta.url).href);
const base = new URL('../../mock/bin.js', import.meta.url);
/** A module that does nothing; its name ends as in a checkout. */
const file = 'data:text/javascript,//.ts';

test.for([
  ['24.18.0', true],
  ['100.1.0', true],
  ['20.20.2', false],
  ['24.17.9', false],
] as const)('on Node %s the command runs: %s', async ([version, isRun]) => {
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
  const message = `animal-store-mock needs Node 24\\.18 or later, and this is v${version}; [^\\n]+\\n`;
  expect(write.mock.calls.join('')).toMatch(new RegExp(isRun ? '^$' : `^${message}$`));
  expect(process.exitCode ?? 0).toBe(isRun ? 0 : 2);
});

test('a command that a signal ends has the exit code of a shell, and one in quotes gets a hint', async () => {
  const { ended, kill } = await startCommand([process.execPath, '-e', 'setInterval(() => {}, 1000)'], {});
  kill('SIGTERM');
  expect(await ended).toBe(143);
  const hint = 'there is no such program; without quotes it is -- npm test';
  const message = `the command "npm test" could not be started: ${hint}`;
  await expect(startCommand(['npm test'], {})).rejects.toThrow(message);
});
