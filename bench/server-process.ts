import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerOptions } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Response } from './exchange.ts';

/** A server in a process of its own, so that it does not share a core with the load. */
export interface ServerProcess {
  /** Its base URL. */
  readonly url: string;
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

async function start(file: string, options: readonly string[]): Promise<ServerProcess> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [path, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await readUrl(child);
  child.stdout.resume();
  return { url, stop: () => stop(child) };
}

async function readUrl(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('The server has no stdout.');
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /listening on (\S+)/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('The server ended before it listened.');
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}
