import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { exchangeOnce, exchanges } from '../measure.ts';
import type { Peer } from './peers.ts';

/** How long a server may take to answer first, in milliseconds. */
const LONGEST_START = 60_000;

/** Starts a mock server in a process of its own and waits for its first answer. @throws when there is none. */
export async function startPeer({ name, basePath, program, prepare }: Peer) {
  const folder = await mkdtempDisposable(join(tmpdir(), 'bench-peer-'));
  const port = await findPort();
  const start = performance.now();
  const child = spawn(program ?? process.execPath, prepare(port, folder.path), { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}${basePath}`;
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL'))
      await once(child, 'exit');
    await folder.remove();
  };
  for (;;) {
    const status = await exchangeOnce(url, exchanges.list).then(
      ({ status }) => status,
      () => undefined,
    );
    const ms = performance.now() - start;
    if (status === 200)
      return { name, url, ms, readMemory: () => readMemory(child.pid), [Symbol.asyncDispose]: stop };
    if (child.exitCode === null && ms < LONGEST_START) await delay(5);
    else {
      await stop();
      throw new Error(`${name} did not start: exit code ${child.exitCode}, status ${status}`);
    }
  }
}

/** The resident memory of a process, in MB. */
function readMemory(pid = 0): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
