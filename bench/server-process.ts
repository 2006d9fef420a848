import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerOptions } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Response } from './exchange.ts';

/** A server in a process of its own, so that it does not share a core with the load. */
export interface ServerProcess {
  /** Its base URL. */
  readonly url: string;
  readonly pid: number;
  isAlive(): boolean;
  stop(): Promise<void>;
}

/** Starts the mock as `npm start` does, on a free port. */
export function startMockProcess(...options: string[]): Promise<ServerProcess> {
  return start('../mock/bin.js', ['--port', '0', ...options]);
}

/** Starts the server that always answers with one response; `options` are those of `createServer`. */
export function startBareProcess(response: Response, options: ServerOptions = {}): Promise<ServerProcess> {
  return start('./bare-server.js', [JSON.stringify(response), JSON.stringify(options)]);
}

/** Starts the checked proxy before an upstream, on a free port. */
export function startProxyProcess(upstream: string, ...options: string[]): Promise<ServerProcess> {
  return start('../proxy/bin.js', [upstream, '--port', '0', ...options]);
}

/** Starts the stock `prism proxy` before an upstream; its base URL has no path. */
export async function startStockProcess(upstream: string, ...options: string[]): Promise<ServerProcess> {
  const prism = '../node_modules/@stoplight/prism-cli/dist/index.js';
  const contract = fileURLToPath(new URL('../openapi.yaml', import.meta.url));
  const port = await findFreePort();
  const child = spawnNode(prism, ['proxy', contract, upstream, '--port', String(port), ...options]);
  child.stdout.resume();
  // Without its log it does not say when it listens.
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error('The stock proxy ended before it listened.');
  }
  return toServerProcess(`http://127.0.0.1:${port}`, child);
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
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

async function start(file: string, options: readonly string[]): Promise<ServerProcess> {
  const child = spawnNode(file, options);
  const url = await readUrl(child);
  child.stdout.resume();
  return toServerProcess(url, child);
}

function toServerProcess(url: string, child: ChildProcess): ServerProcess {
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  return { url, pid: child.pid ?? Number.NaN, isAlive, stop: () => stop(child, isAlive) };
}

function spawnNode(file: string, options: readonly string[]) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return spawn(process.execPath, ['--no-deprecation', path, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function readUrl(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('The server has no stdout.');
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /listening on (\S+)/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('The server ended before it listened.');
}

async function stop(child: ChildProcess, isAlive: () => boolean): Promise<void> {
  if (!isAlive()) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
