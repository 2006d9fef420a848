import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Exchange, exchangeOnce } from './exchange.ts';
import { type ServerProcess, startBareProcess, startMockProcess } from './server-process.ts';
import type { Comparison } from './statistics.ts';

const TURNS = 15;

const list: Exchange = {
  title: 'a list of 20',
  method: 'GET',
  path: '/pets',
  headers: { Authorization: 'Bearer test-key' },
};

/** Compares the time until the first answer, with Node's compile cache as a start leaves it, and without one. */
export async function compareStarts(): Promise<Comparison[]> {
  const cache = await mkdtemp(join(tmpdir(), 'bench-compile-cache-'));
  process.env.NODE_COMPILE_CACHE = cache;
  const mock = await startMockProcess();
  const answer = await exchangeOnce(mock.url, list);
  await mock.stop();
  const startBare = () => startBareProcess(answer);
  const later = await compare('every start but the first', startMockProcess, startBare);
  delete process.env.NODE_COMPILE_CACHE;
  process.env.NODE_DISABLE_COMPILE_CACHE = '1';
  const first = await compare('the first start on a machine', startMockProcess, startBare);
  delete process.env.NODE_DISABLE_COMPILE_CACHE;
  await rm(cache, { recursive: true });
  return [later, first];
}

async function compare(
  title: string,
  startOurs: () => Promise<ServerProcess>,
  startTheirs: () => Promise<ServerProcess>,
): Promise<Comparison> {
  const times: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  for (let turn = 0; turn < TURNS; turn += 1) {
    times.theirs.push(await measureStart(startTheirs));
    times.ours.push(await measureStart(startOurs));
  }
  return { title, ...times };
}

/** The time from the start of the process to the end of its first answer, in milliseconds. */
async function measureStart(start: () => Promise<ServerProcess>): Promise<number> {
  const begin = performance.now();
  const server = await start();
  await exchangeOnce(server.url, list);
  const time = performance.now() - begin;
  await server.stop();
  return time;
}
