import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exchangeOnce } from './exchange.ts';
import { exchanges } from './exchanges.ts';
import { measureStart } from './measure-start.ts';
import { startBareProcess, startMockProcess } from './server-process.ts';
import type { Comparison } from './statistics.ts';
import { takeTurns } from './take-turns.ts';

const TURNS = 16;

/** Compares the time until the first answer, with Node's compile cache as a start leaves it, and without one. */
export async function compareStarts(): Promise<Comparison[]> {
  const cache = await mkdtemp(join(tmpdir(), 'bench-compile-cache-'));
  process.env.NODE_COMPILE_CACHE = cache;
  const mock = await startMockProcess();
  const answer = await exchangeOnce(mock.url, exchanges.list);
  await mock.stop();
  const compare = (title: string) =>
    takeTurns(
      title,
      TURNS,
      () => measureStart(startMockProcess),
      () => measureStart(() => startBareProcess(answer)),
    );
  const later = await compare('every start but the first');
  delete process.env.NODE_COMPILE_CACHE;
  process.env.NODE_DISABLE_COMPILE_CACHE = '1';
  const first = await compare('the first start on a machine');
  delete process.env.NODE_DISABLE_COMPILE_CACHE;
  await rm(cache, { recursive: true });
  return [later, first];
}
