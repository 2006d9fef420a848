import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { contractFile } from '../../common/contract-file.ts';

/** The stock `prism proxy`, in a process of its own. */
export interface StockProxy {
  /** Its base URL; it has no base path. */
  readonly url: string;
  /** Resolves when the process has ended. */
  readonly ended: Promise<unknown>;
  kill(): void;
}

const command = createRequire(import.meta.url).resolve('@stoplight/prism-cli/dist/index.js');

/** Starts the stock proxy on a free port and waits until it listens; whoever starts it kills it. */
export async function startStockProxy(upstream: string): Promise<StockProxy> {
  // In production it starts more than one process, and fails.
  const { NODE_ENV: _, ...env } = process.env;
  const args = ['--no-deprecation', command, 'proxy', contractFile, upstream, '--port', '0'];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  const { promise: url, resolve, reject } = Promise.withResolvers<string>();
  createInterface(child.stdout)
    .on('line', (line) => {
      const found = /Prism is listening on (http:\S+)/.exec(stripVTControlCharacters(line))?.[1];
      if (found !== undefined) resolve(found);
    })
    .on('close', () => reject(new Error('The stock proxy ended before it listened.')));
  return { url: await url, ended, kill: () => void child.kill() };
}
