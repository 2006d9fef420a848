import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** What a server holds once its garbage is collected; memory in bytes. */
export interface ServerState {
  /** What is reachable, buffers among it. */
  readonly heap: number;
  readonly rss: number;
  readonly descriptors: number;
  /** Requests that something still knows; counted only of an idle server. */
  readonly exchanges?: number;
}

/** Starts a command of ours, such as `mock/bin.js`, that can be asked what it holds. */
export async function startWatched(...[command, ...options]: readonly [command: string, ...string[]]) {
  const root = join(import.meta.dirname, '..');
  const child = fork(command, [...options, '--port', '0'], {
    cwd: root,
    execArgv: [
      '--disable-warning=ExperimentalWarning',
      '--import',
      join(import.meta.dirname, 'report-state.ts'),
    ],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const readState = async (isIdle: boolean): Promise<ServerState> => {
    const answered = once(child, 'message');
    child.send(isIdle);
    const [state] = await Promise.race([answered, exited]);
    if (typeof state !== 'object' || state === null) throw new Error(`${command} has ended with ${state}.`);
    return state;
  };
  /** @returns the exit code. */
  const stop = async (): Promise<number | null> => {
    if (isAlive()) child.kill('SIGTERM');
    await exited;
    return child.exitCode;
  };
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const [, url] = /listening on (\S+)/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stdout?.resume();
    return { url, readState, stop, [Symbol.asyncDispose]: async () => void (await stop()) };
  }
  throw new Error(`${command} ended before it listened.`);
}
