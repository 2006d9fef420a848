import { expect, test } from 'vitest';
import { startCommand } from './start-command.ts';

test('a command that a signal ends has the exit code of a shell, and one in quotes gets a hint', async () => {
  const { ended, kill } = await startCommand([process.execPath, '-e', 'setInterval(() => {}, 1000)'], {});
  kill('SIGTERM');
  expect(await ended).toBe(143);
  const hint = 'there is no such program; without quotes it is -- npm test';
  const message = `the command "npm test" could not be started: ${hint}`;
  await expect(startCommand(['npm test'], {})).rejects.toThrow(message);
});
