import { once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { createServer, type Socket } from 'node:net';
import tty from 'node:tty';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listen } from '../../tools/testing/listen.ts';
import { startCommand } from './start-command.ts';

test('a command that a signal ends has the exit code of a shell, and one in quotes gets a hint', async () => {
  const { ended, kill } = await startCommand([process.execPath, '-e', 'setInterval(() => {}, 1000)'], {});
  kill('SIGTERM');
  expect(await ended).toBe(143);
  const hint = 'there is no such program; without quotes it is -- npm test';
  const message = `the command "npm test" could not be started: ${hint}`;
  await expect(startCommand(['npm test'], {})).rejects.toThrow(message);
});

test('on a terminal the first Ctrl-C reaches the command without us, and the second one is forwarded', async () => {
  vi.spyOn(tty, 'isatty').mockReturnValue(true);
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  const server = createServer();
  const connected = once(server, 'connection');
  const { port } = new URL(await listen(server));
  const program = `const socket = require('node:net').connect(${port}, '127.0.0.1');
    process.on('SIGINT', () => socket.write('interrupted'));
    socket.write('ready');`;
  const { ended, kill } = await startCommand([process.execPath, '-e', program], {});
  const [socket] = (await connected) as [Socket];
  expect(String((await once(socket, 'data'))[0])).toBe('ready');
  kill('SIGINT');
  kill('SIGINT');
  expect(String((await once(socket, 'data'))[0])).toBe('interrupted');
  kill('SIGTERM');
  expect(await ended).toBe(143);
});
