import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { startServer } from '../bench/start-server.ts';
import { malformedRequestTrials } from './malformed-requests.ts';
import { ordinaryTrials } from './ordinary-requests.ts';
import type { ServerState } from './report-state.ts';
import { LANES, runTrials } from './run-trials.ts';

// Sends malformed requests to a mock, and malformed and ordinary requests to a proxy before it, in three equal
// rounds. Exits with 1 if an answer is wrong, if a server ends or keeps connections or requests, or if the last round
// leaves more memory in use than the first.

/** Maximum growth of a heap between the first and the last round, in bytes. */
const SPARE_HEAP = 16 * 1024 * 1024;

/** Maximum number of descriptors and requests that stay open after a round. */
const SPARE_SOCKETS = 4;

/** Two servers in three rounds share the requests. */
const SHARES = 6;

/** Time for sockets to close, in milliseconds. */
const SETTLING = 20_000;

const option = (usual: string) => ({ type: 'string', default: usual }) as const;
const options = { minutes: option('10'), count: option('Infinity'), seed: option('1') };
const { values } = parseArgs({ options });
const count = Number(values.count);
// A part of a request would never be the last one.
if (!Number.isInteger(count / SHARES / LANES) && Number.isFinite(count))
  throw new Error(`--count must be a multiple of ${SHARES * LANES}, and is ${values.count}.`);
const minutes = Number(values.minutes);
const names = ['mock', 'proxy'] as const;
const preload = ['--import', join(import.meta.dirname, 'report-state.ts')];
const last = ['--port', '0', '--log', 'silent'];
await using mock = await startServer([...preload, 'mock/bin.js', ...last], 'inherit', 'ipc');
await using proxy = await startServer([...preload, 'proxy/bin.js', mock.url, ...last], 'inherit', 'ipc');
const trialsOfProxy = fc.oneof(ordinaryTrials, malformedRequestTrials('proxy'));

const problems: string[] = [];
const atStart = await ask<ServerState>('state');
const heaps: number[][] = [];
for (const round of [1, 2, 3]) {
  const bounds = { seed: Number(values.seed) * 3 + round, count: count / SHARES, duration: minutes * 20_000 };
  const ofMock = runTrials(mock.url, malformedRequestTrials('mock'), bounds);
  const runs = await Promise.all([ofMock, runTrials(proxy.url, trialsOfProxy, bounds)]);
  const states = await settle();
  const found = [...runs.flatMap((run) => run.problems), ...findKept(states)];
  problems.push(...found);
  heaps.push(states.map(({ heap }) => heap));
  const sent = runs.reduce((sum, run) => sum + run.begun, 0);
  const sizes = states.map(({ heap }, index) => `${names[index]} ${(heap / 2 ** 20).toFixed(1)} MiB`);
  process.stdout.write(`round ${round}: ${sent} requests, ${found.length} problems; ${sizes.join(', ')}\n`);
}
for (const [index, name] of names.entries()) {
  const grown = (heaps.at(-1)?.[index] ?? 0) - (heaps[0]?.[index] ?? 0);
  if (count === Number.POSITIVE_INFINITY && grown > SPARE_HEAP)
    problems.push(`the heap of the ${name} grew by ${grown} bytes.`);
}
for (const [name, server] of Object.entries({ proxy, mock })) {
  const code = await server.stop();
  if (code !== 0) problems.push(`the ${name} ended with ${code}.`);
}
for (const problem of problems) process.stdout.write(`FAILED: ${problem}\n`);
if (problems.length > 0) process.exitCode = 1;

/** Asks the mock and the proxy. @throws if one of them has ended */
function ask<T extends object>(question: 'state' | 'descriptors'): Promise<T[]> {
  const answers = [mock, proxy].map(async ({ child, exited }) => {
    const answered = once(child, 'message');
    child.send(question);
    const [answer] = await Promise.race([answered, exited]);
    if (typeof answer !== 'object' || answer === null) throw new Error(`A server ended with ${answer}.`);
    return answer;
  });
  return Promise.all(answers);
}

/** Waits until the sockets of a round are closed, or for as long as they may take. */
async function settle(): Promise<ServerState[]> {
  const end = performance.now() + SETTLING;
  const hasOpen = async () =>
    (await ask<Pick<ServerState, 'descriptors'>>('descriptors')).some(
      (_, index, all) => countKept(all, index, 'descriptors') > SPARE_SOCKETS,
    );
  while (performance.now() < end && (await hasOpen())) await delay(500);
  return ask<ServerState>('state');
}

function countKept<K extends 'descriptors' | 'exchanges'>(
  states: readonly Pick<ServerState, K>[],
  index: number,
  name: K,
): number {
  return (states[index]?.[name] ?? 0) - (atStart[index]?.[name] ?? 0);
}

function findKept(states: readonly ServerState[]): string[] {
  return states.flatMap((_, index) =>
    (['descriptors', 'exchanges'] as const).flatMap((name) => {
      const kept = countKept(states, index, name);
      return kept > SPARE_SOCKETS ? [`the ${names[index]} keeps ${kept} ${name}.`] : [];
    }),
  );
}
