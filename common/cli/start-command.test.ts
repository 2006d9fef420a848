import { once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import tty from 'node:tty';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { listen } from '../../tools/testing/listen.ts';
import { startCommand } from './start-command.ts';
import { UsageError } from './usage-error.ts';

test('a command that a signal ends has the exit code of a shell, and one in quotes gets a hint', async () => {
  const { ended, kill } = await startCommand([process.execPath, '-e', 'setInterval(() => {}, 1000)'], {});
  kill('SIGTERM');
  expect(await ended).toBe(143);
  const hint = 'there is no such program; without quotes it is -- npm test';
  const message = `the command "npm test" could not be started: ${hint}`;
  await expect(startCommand(['npm test'], {})).rejects.toThrow(new UsageError(message));
  await expect(startCommand(['no-such-program'], {})).rejects.toThrow(
    new UsageError('the command "no-such-program" could not be started: there is no such program'),
  );
});

test.skipIf(process.platform === 'win32')('a file that may not be run is reported as such', async () => {
  const file = join(createFolder({ 'run.sh': 'true' }), 'run.sh');
  await expect(startCommand([file], {})).rejects.toThrow(
    new UsageError(`the command ${JSON.stringify(file)} could not be started: spawn ${file} EACCES`),
  );
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
