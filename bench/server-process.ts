import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Response } from './measure.ts';

/** A server in a process of its own, so that it does not share a core with the load. */
export interface ServerProcess extends AsyncDisposable {
  /** Its base URL. */
  readonly url: string;
  readonly pid: number;
  isAlive(): boolean;
  stop(): Promise<void>;
}

/** Starts the mock as `npm start` does, on a free port. */
export function startMockProcess(...options: string[]): Promise<ServerProcess> {
  return start('mock/bin.js', '--port', '0', ...options);
}

/** Starts the server that always answers with one response. */
export function startBareProcess(response: Response): Promise<ServerProcess> {
  return start('bench/bare-server.js', JSON.stringify(response));
}

/** Starts the checked proxy before an upstream, on a free port. */
export function startProxyProcess(upstream: string, ...options: string[]): Promise<ServerProcess> {
  return start('proxy/bin.js', upstream, '--port', '0', ...options);
}

/** Without its log the stock proxy does not say when it listens. */
const sayUrl = `import { subscribe } from 'node:diagnostics_channel';
  subscribe('tracing:net.server.listen:asyncEnd', ({ server }) => {
    process.stdout.write('listening on http://127.0.0.1:' + server.address().port + '\\n');
  });`;

/** Starts the stock `prism proxy` before an upstream, on a free port; its base URL has no path. */
export function startStockProcess(upstream: string, ...options: string[]): Promise<ServerProcess> {
  const prism = 'node_modules/@stoplight/prism-cli/dist/index.js';
  const preload = `data:text/javascript,${encodeURIComponent(sayUrl)}`;
  return start('--import', preload, prism, 'proxy', 'openapi.yaml', upstream, '--port', '0', ...options);
}

async function start(...args: readonly string[]): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['--no-deprecation', ...args], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const stop = async () => {
    if (isAlive() && child.kill('SIGTERM')) await once(child, 'exit');
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /listening on (\S+)/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stdout.resume();
    return { url, pid: child.pid ?? Number.NaN, isAlive, stop, [Symbol.asyncDispose]: stop };
  }
  throw new Error('The server ended before it listened.');
}
