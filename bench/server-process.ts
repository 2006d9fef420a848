import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerOptions } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Response } from './measure.ts';

/** A server in a process of its own, so that it does not share a core with the load. */
export interface ServerProcess extends AsyncDisposable {
  /** Its base URL. */
  readonly url: string;
  readonly pid: number;
  isAlive(): boolean;
  stop(): Promise<void>;
}

type Child = ChildProcessByStdio<null, Readable, null>;

/** Starts the mock as `npm start` does, on a free port. */
export function startMockProcess(...options: string[]): Promise<ServerProcess> {
  return start('../mock/bin.js', ['--port', '0', ...options]);
}

/** Starts the server that always answers with one response; `options` are those of `createServer`. */
export function startBareProcess(response: Response, options: ServerOptions = {}): Promise<ServerProcess> {
  return start('./bare-server.js', [JSON.stringify(response), JSON.stringify(options)]);
}

/** Starts the checked proxy before an upstream, on a free port. */
export function startProxyProcess(upstream: string): Promise<ServerProcess> {
  return start('../proxy/bin.js', [upstream, '--port', '0']);
}

/** Starts the stock `prism proxy` before an upstream; its base URL has no path. */
export async function startStockProcess(upstream: string, ...options: string[]): Promise<ServerProcess> {
  const port = await findFreePort();
  const prism = '../node_modules/@stoplight/prism-cli/dist/index.js';
  const flags = ['proxy', toPath('../openapi.yaml'), upstream, '--port', String(port), ...options];
  return start(prism, flags, async (child) => {
    // Without its log it does not say when it listens.
    while (!(await isListening(port))) {
      if (child.exitCode !== null) throw new Error('The stock proxy ended before it listened.');
    }
    return `http://127.0.0.1:${port}`;
  });
}

async function start(
  file: string,
  options: readonly string[],
  waitForUrl: (child: Child) => Promise<string> = readUrl,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['--no-deprecation', toPath(file), ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await waitForUrl(child);
  child.stdout.resume();
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const stop = async () => {
    if (isAlive() && child.kill('SIGTERM')) await once(child, 'exit');
  };
  return { url, pid: child.pid ?? Number.NaN, isAlive, stop, [Symbol.asyncDispose]: stop };
}

function toPath(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}

async function readUrl({ stdout }: Child): Promise<string> {
  for await (const line of createInterface({ input: stdout })) {
    const [, url] = /listening on (\S+)/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('The server ended before it listened.');
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket.destroy().destroyed));
    // A pause, so that asking takes nothing from the one that is asked.
    socket.on('error', () => setTimeout(() => resolve(false), 3));
  });
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
