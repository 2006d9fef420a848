import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

type Stream = 'inherit' | 'ignore' | 'ipc';

/** The program of stock Prism, which the checked proxy is compared with. */
export const stockPrism = 'node_modules/@stoplight/prism-cli/dist/index.js';

/** A server in its own process, so that it does not share a core with the load. */
export type Server = Awaited<ReturnType<typeof startServer>>;

/** Starts a server with Node and waits until it prints its base URL. @param args such as `mock/bin.js --port 0` */
export async function startServer(args: readonly string[], ...[stderr = 'inherit', ...ipc]: Stream[]) {
  const flags = ['--disable-warning=ExperimentalWarning', '--no-deprecation'];
  const cwd = join(import.meta.dirname, '../..');
  const stdio: StdioOptions = ['ignore', 'pipe', stderr, ...ipc];
  const child = spawn(process.execPath, [...flags, ...args], { cwd, stdio });
  const exited = once(child, 'exit');
  /** @returns the exit code. */
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM');
    await exited;
    return child.exitCode;
  };
  for await (const line of createInterface({ input: child.stdout as Readable })) {
    const [, url] = /listening on (\S+)/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stdout?.resume();
    return { url, child, exited, stop, [Symbol.asyncDispose]: async () => void (await stop()) };
  }
  throw new Error(`${args[0]} ended before it listened.`);
}
