import { once } from 'node:events';
import { createServer } from 'node:net';
import { listen } from '../../tools/testing/listen.ts';

/** Starts a server, and returns a script of Node that connects to it and does not end by itself. */
export async function waitForScript() {
  const server = createServer();
  const connected = once(server, 'connection').then(([one]) => ({ closed: once(one.resume(), 'close') }));
  const { port } = new URL(await listen(server));
  return { server, connected, script: `process.getBuiltinModule('node:net').connect(${port}, '127.0.0.1')` };
}
