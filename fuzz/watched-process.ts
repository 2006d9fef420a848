import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** What a server holds after a garbage collection. */
export interface ServerState {
  /** In bytes, including buffers. */
  readonly heap: number;
  readonly descriptors: number;
  /** Requests and responses that are still reachable; 0 if the server is not idle. */
  readonly exchanges: number;
}

/** Starts a command, such as `mock/bin.js`, that reports what it holds. */
export async function startWatched(command: string, ...options: string[]) {
  const preload = join(import.meta.dirname, 'report-state.ts');
  const child = fork(command, [...options, '--port', '0'], {
    cwd: join(import.meta.dirname, '..'),
    execArgv: ['--disable-warning=ExperimentalWarning', '--import', preload],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const readState = async (isIdle: boolean): Promise<ServerState> => {
    const answered = once(child, 'message');
    child.send(isIdle);
    const [state] = await Promise.race([answered, exited]);
    if (typeof state !== 'object' || state === null) throw new Error(`${command} ended with ${state}.`);
    return state;
  };
  /** @returns the exit code. */
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM');
    await exited;
    return child.exitCode;
  };
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const [, url] = /listening on (\S+)/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stdout?.resume();
    return { url, readState, stop, [Symbol.asyncDispose]: async () => void child.kill('SIGTERM') };
  }
  throw new Error(`${command} ended before it listened.`);
}
