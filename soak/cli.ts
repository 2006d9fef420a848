import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { faultyAnswerTrials, UPSTREAM_TIMEOUT } from '../fuzz/faulty-answers.ts';
import { malformedRequestTrials } from '../fuzz/malformed-requests.ts';
import { runTrials, type Trial } from '../fuzz/run-trials.ts';
import { startScriptedUpstream } from '../fuzz/scripted-upstream.ts';
import { ORDINARY, politeTrials } from './polite-trials.ts';
import { type ServerState, startWatched } from './watched-process.ts';

// Sends requests of all kinds through a proxy to a mock that often fails, in three equal rounds. Exits with 1 if an answer
// is wrong, if the servers keep connections or requests, or if the last round needs more memory or time than the first.

/** Maximum growth of a heap between the first and the last round, in bytes. */
const SPARE_HEAP = 16 * 1024 * 1024;

/** Maximum number of descriptors and requests that stay after a round. */
const SPARE_SOCKETS = 4;

/** An ordinary request of the last round may take this many times as long, and a tenth of a second. */
const SLOWER = 3;

/** Time for sockets to close, in milliseconds. */
const SETTLING = 20_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: 'Infinity' },
  },
});
const isShort = Number.isFinite(Number(values.count));

await using mock = await startWatched('mock/bin.js', '--log', 'silent');
await using upstream = await startScriptedUpstream(mock.url);
const silent = ['--log', 'silent', '--timeout', String(UPSTREAM_TIMEOUT)];
await using proxy = await startWatched('proxy/bin.js', upstream.url, ...silent);
let times: number[] = [];
const trials = fc.oneof(
  { weight: 8, arbitrary: politeTrials(upstream).map(measure) },
  { weight: 1, arbitrary: malformedRequestTrials('proxy') },
  { weight: 1, arbitrary: faultyAnswerTrials(upstream) },
);

const problems: string[] = [];
const atStart = await readStates(true);
const rounds: { states: States; slowest: number }[] = [];
for (const round of [1, 2, 3]) {
  times = [];
  const seed = Number(values.seed) * 3 + round;
  const bounds = { seed, count: Number(values.count) / 3, duration: Number(values.minutes) * 20_000 };
  const run = await runTrials(proxy.url, trials, bounds);
  const states = await settle();
  const [median = 0, slowest = 0] = [0.5, 0.99].map((part) => quantile(part));
  problems.push(...run.problems, ...findKept(states));
  rounds.push({ states, slowest });
  const held = Object.entries(states).map(([name, { heap }]) => `${name} ${toMib(heap)} MiB`);
  process.stdout.write(
    `round ${round}: ${run.done} requests, ${run.problems.length} problems; one animal in ${median.toFixed(1)} ms, p99 ${slowest.toFixed(1)} ms; ${held.join(', ')}\n`,
  );
}
if (!isShort) problems.push(...findGrowth());
for (const [name, server] of Object.entries({ proxy, mock })) {
  const code = await server.stop();
  if (code !== 0) problems.push(`the ${name} ended with ${code}.`);
}
for (const problem of problems) process.stdout.write(`FAILED: ${problem}\n`);
if (problems.length > 0) process.exitCode = 1;

type States = Readonly<Record<'mock' | 'proxy', ServerState>>;

async function readStates(isIdle: boolean): Promise<States> {
  const [ofMock, ofProxy] = await Promise.all([mock.readState(isIdle), proxy.readState(isIdle)]);
  return { mock: ofMock, proxy: ofProxy };
}

/** Measures the time of ordinary requests. */
function measure(trial: Trial): Trial {
  if (trial.kind !== ORDINARY) return trial;
  const run = async (url: string) => {
    const begin = performance.now();
    await trial.run(url);
    times.push(performance.now() - begin);
  };
  return { ...trial, run };
}

function quantile(part: number): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * part)] ?? 0;
}

/** Waits until the sockets of a round are closed, or for as long as they may take. */
async function settle(): Promise<States> {
  upstream.disconnect();
  const end = performance.now() + SETTLING;
  while (findKept(await readStates(false)).length > 0 && performance.now() < end) await delay(500);
  return readStates(true);
}

function findKept(states: States): string[] {
  return (['mock', 'proxy'] as const).flatMap((name) =>
    (['descriptors', 'exchanges'] as const).flatMap((what) => {
      const kept = states[name][what] - atStart[name][what];
      return kept > SPARE_SOCKETS ? [`the ${name} keeps ${kept} ${what}.`] : [];
    }),
  );
}

function findGrowth(): string[] {
  const [first, last] = [rounds[0], rounds.at(-1)];
  if (first === undefined || last === undefined) return [];
  const found = (['mock', 'proxy'] as const).flatMap((name) => {
    const grown = last.states[name].heap - first.states[name].heap;
    return grown > SPARE_HEAP ? [`the heap of the ${name} grew by ${toMib(grown)} MiB.`] : [];
  });
  const isSlower = last.slowest > first.slowest * SLOWER + 100;
  return isSlower ? [...found, 'the last round was slower than the first.'] : found;
}

function toMib(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
