import { once } from 'node:events';
import { createServer } from 'node:net';
import { listen } from '../../tools/testing/listen.ts';

/** Starts a server, and returns a script of Node and a command of bash that connect to it and do not end by themselves. */
export async function waitForScript() {
  const server = createServer();
  const connected = once(server, 'connection').then(([one]) => ({ closed: once(one.resume(), 'close') }));
  const { port } = new URL(await listen(server));
  const script = `process.getBuiltinModule('node:net').connect(${port}, '127.0.0.1')`;
  return { server, connected, script, command: `curl --silent --noproxy '*' http://127.0.0.1:${port}` };
}
