import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { faultyAnswerTrials, UPSTREAM_TIMEOUT } from './faulty-answers.ts';
import { malformedRequestTrials } from './malformed-requests.ts';
import { ordinaryTrials } from './ordinary-requests.ts';
import { runTrials } from './run-trials.ts';
import { startScriptedUpstream } from './scripted-upstream.ts';
import { type ServerState, startWatched } from './watched-process.ts';

// Sends malformed requests to a mock, and malformed and ordinary requests and faulty answers to a proxy, in three equal
// rounds. Exits with 1 if an answer is wrong, if a server ends or keeps connections or requests, or if the last round
// leaves more memory in use than the first.

/** Maximum growth of a heap between the first and the last round, in bytes. */
const SPARE_HEAP = 16 * 1024 * 1024;

/** Maximum number of descriptors and requests that stay open after a round. */
const SPARE_SOCKETS = 4;

/** Time for sockets to close, in milliseconds. */
const SETTLING = 20_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: 'Infinity' },
  },
});
const names = ['mock', 'proxy'] as const;
type States = Readonly<Record<(typeof names)[number], ServerState>>;

await using mock = await startWatched('mock/bin.js', '--log', 'silent');
await using upstream = await startScriptedUpstream(mock.url);
const options = ['--log', 'silent', '--timeout', String(UPSTREAM_TIMEOUT)];
await using proxy = await startWatched('proxy/bin.js', upstream.url, ...options);
const trialsOfProxy = fc.oneof(ordinaryTrials, malformedRequestTrials('proxy'), faultyAnswerTrials(upstream));

const problems: string[] = [];
const atStart = await readStates(true);
const rounds: States[] = [];
for (const round of [1, 2, 3]) {
  const seed = Number(values.seed) * 3 + round;
  const bounds = { seed, count: Number(values.count) / 6, duration: Number(values.minutes) * 20_000 };
  const runs = await Promise.all([
    runTrials(mock.url, malformedRequestTrials('mock'), bounds),
    runTrials(proxy.url, trialsOfProxy, bounds),
  ]);
  const states = await settle();
  const found = [...runs.flatMap((run) => run.problems), ...findKept(states)];
  problems.push(...found);
  rounds.push(states);
  const requests = runs.reduce((sum, run) => sum + run.begun, 0);
  const heaps = names.map((name) => `${name} ${toMib(states[name].heap)} MiB`);
  process.stdout.write(
    `round ${round}: ${requests} requests, ${found.length} problems; ${heaps.join(', ')}\n`,
  );
}
if (!Number.isFinite(Number(values.count))) problems.push(...findGrowth());
for (const [name, server] of Object.entries({ proxy, mock })) {
  const code = await server.stop();
  if (code !== 0) problems.push(`the ${name} ended with ${code}.`);
}
for (const problem of problems) process.stdout.write(`FAILED: ${problem}\n`);
if (problems.length > 0) process.exitCode = 1;

async function readStates(isIdle: boolean): Promise<States> {
  const [ofMock, ofProxy] = await Promise.all([mock.readState(isIdle), proxy.readState(isIdle)]);
  return { mock: ofMock, proxy: ofProxy };
}

/** Waits until the sockets of a round are closed, or for as long as they may take. */
async function settle(): Promise<States> {
  upstream.disconnect();
  const end = performance.now() + SETTLING;
  for (;;) {
    const isLate = performance.now() > end;
    const isIdle = isLate || findKept(await readStates(false)).length === 0;
    const states = await readStates(isIdle);
    if (isLate || (isIdle && findKept(states).length === 0)) return states;
    await delay(500);
  }
}

function findKept(states: States): string[] {
  return names.flatMap((name) =>
    (['descriptors', 'exchanges'] as const).flatMap((what) => {
      const kept = states[name][what] - atStart[name][what];
      return kept > SPARE_SOCKETS ? [`the ${name} keeps ${kept} ${what}.`] : [];
    }),
  );
}

function findGrowth(): string[] {
  return names.flatMap((name) => {
    const grown = (rounds.at(-1)?.[name].heap ?? 0) - (rounds[0]?.[name].heap ?? 0);
    return grown > SPARE_HEAP ? [`the heap of the ${name} grew by ${toMib(grown)} MiB.`] : [];
  });
}

function toMib(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
