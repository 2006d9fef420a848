import { Console } from 'node:console';
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { malformedRequestTrials } from '../fuzz/malformed-request.ts';
import { startScriptedUpstream } from '../fuzz/scripted-upstream.ts';
import { faultyAnswerTrials } from '../fuzz/try-faulty-answer.ts';
import { ORDINARY, politeTrials } from './polite-trials.ts';
import { runLoad, type Sample } from './run-load.ts';
import { type ServerState, startWatched } from './watched-process.ts';

/** How long the proxy waits for the upstream, in milliseconds: a busy machine may keep it waiting too. */
const UPSTREAM_TIMEOUT = 10_000;

/** How much more may be held at the end than after the first third: bytes of each server, and what stays of sockets. */
const [SPARE_HEAP, SPARE_SOCKETS] = [16 * 1024 * 1024, 4];

/** How many times as slow the last third may be, beside a tenth of a second. */
const SLOWER = 3;

/** How long sockets may take to be closed, in milliseconds. */
const SETTLING = 20_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    rate: { type: 'string', default: '1000' },
    count: { type: 'string' },
  },
});
const [minutes, seed, rate] = [Number(values.minutes), Number(values.seed), Number(values.rate)];
const count = Number(values.count ?? Number.MAX_SAFE_INTEGER);
if (!(minutes > 0 && rate > 0 && count > 0))
  throw new Error('--minutes, --rate and --count are numbers above 0.');
if (!Number.isInteger(seed)) throw new Error('--seed is an integer.');

await using mock = await startWatched('mock/bin.js', '--log', 'silent');
await using upstream = await startScriptedUpstream(mock.url);
const silent = ['--log', 'silent', '--timeout', String(UPSTREAM_TIMEOUT)];
await using proxy = await startWatched('proxy/bin.js', upstream.url, ...silent);
const servers = { mock, proxy };
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const trials = fc.oneof(
  { weight: 8, arbitrary: politeTrials(agent) },
  { weight: 1, arbitrary: malformedRequestTrials('proxy') },
  { weight: 1, arbitrary: faultyAnswerTrials(upstream.url) },
);

const readStates = async (isIdle: boolean) => {
  const [ofMock, ofProxy] = await Promise.all([mock.readState(isIdle), proxy.readState(isIdle)]);
  return { mock: ofMock, proxy: ofProxy };
};
const duration = minutes * 60_000;
const states = [await readStates(true)];
const watching = new AbortController();
const watched = watch(watching.signal);
const load = await runLoad({ url: proxy.url, trials, seed, rate, count, duration }, ORDINARY);
watching.abort();
await watched;
agent.destroy();
await upstream[Symbol.asyncDispose]();
states.push(await settle());
const problems = [...load.problems, ...findGrowth()];
for (const [name, server] of Object.entries(servers).reverse()) {
  const code = await server.stop();
  if (code !== 0) problems.push(`the ${name} ended with ${code}, not with 0.`);
}
print();
for (const problem of problems.slice(0, 20)) process.stdout.write(`FAILED: ${problem}\n`);
if (problems.length > 20) process.stdout.write(`FAILED: and ${problems.length - 20} more\n`);
if (problems.length > 0) process.exitCode = 1;

/** Takes a sample of both servers twelve times. */
async function watch(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const isOver = await delay(duration / 12, false, { signal }).catch(() => true);
    if (!isOver) states.push(await readStates(false));
  }
}

/** Waits until the sockets of the load are closed, or for as long as they may take. */
async function settle() {
  const end = performance.now() + SETTLING;
  // To count exchanges takes most of a second, so it is done once the sockets are closed.
  let isIdle = false;
  for (;;) {
    const now = await readStates(isIdle);
    const isOver = findKept(now).length === 0 || performance.now() > end;
    if (isIdle && isOver) return now;
    isIdle = isOver;
    if (!isOver) await delay(500);
  }
}

function findKept(now: Record<keyof typeof servers, ServerState>): string[] {
  return (['mock', 'proxy'] as const).flatMap((name) =>
    (['descriptors', 'exchanges'] as const).flatMap((what) => {
      const kept = (now[name][what] ?? 0) - (states[0]?.[name][what] ?? 0);
      return kept > SPARE_SOCKETS ? [`the ${name} keeps ${kept} ${what} more than before.`] : [];
    }),
  );
}

/** What is held, or takes, more than before. A run that is bounded by its count is too short for heap and times. */
function findGrowth(): string[] {
  const found = findKept(states.at(-1) as (typeof states)[number]);
  if (values.count !== undefined) return found;
  for (const name of ['mock', 'proxy'] as const) {
    const [early, late] = [states[Math.floor(states.length / 3)], states.at(-1)].map(
      (one) => one?.[name].heap ?? 0,
    );
    const grown = (late ?? 0) - (early ?? 0);
    if (grown > SPARE_HEAP)
      found.push(`the heap of the ${name} grew by ${toMib(grown)} MiB after the first third.`);
  }
  const [first = 0, , last = 0] = quantiles(0.99);
  if (last > first * SLOWER + 100)
    found.push(`the p99 was ${first.toFixed(0)} ms, and in the end ${last.toFixed(0)} ms.`);
  return found;
}

/** A quantile of the time that an ordinary request took, in milliseconds, for each third of the load. */
function quantiles(part: number): number[] {
  const length = (load.seconds * 1_000) / 3;
  return [0, 1, 2].map((third) => {
    const isIn = ({ begun }: Sample) => begun >= third * length && begun < (third + 1) * length;
    const times = load.samples.filter(isIn).map(({ begun, ended }) => ended - begun);
    return times.sort((one, other) => one - other)[Math.floor(times.length * part)] ?? 0;
  });
}

function toMib(bytes: number): number {
  return Math.round(bytes / 1024 / 102.4) / 10;
}

function print(): void {
  const console = new Console(process.stdout);
  const { requests, seconds, counts } = load;
  const reached = `${requests} requests in ${seconds.toFixed(1)} s, ${Math.round(requests / seconds)} requests/s`;
  process.stdout.write(`seed ${seed}: ${reached}, ${problems.length} problems\n`);
  const kinds = Object.entries(counts).toSorted(([, one], [, other]) => other - one);
  process.stdout.write(
    `${kinds
      .slice(0, 12)
      .map(([kind, times]) => `${kind} ${times}`)
      .join(', ')} …\n`,
  );
  const toText = (times: readonly number[]) => times.map((time) => time.toFixed(1)).join(', ');
  process.stdout.write(
    `an ordinary request, ms in each third: p50 ${toText(quantiles(0.5))}; p99 ${toText(quantiles(0.99))}\n`,
  );
  const third = Math.floor(states.length / 3);
  const points = {
    'at the start': 0,
    'after a third': third,
    'after two': 2 * third,
    'at the end': states.length - 1,
  };
  const rows = (['mock', 'proxy'] as const).flatMap((name) =>
    Object.entries(points).map(([when, index]) => {
      const { heap, rss, descriptors, exchanges } = (states[index] as (typeof states)[number])[name];
      return [
        `the ${name} ${when}`,
        { 'heap MiB': toMib(heap), 'rss MiB': toMib(rss), descriptors, exchanges: exchanges ?? '' },
      ];
    }),
  );
  console.table(Object.fromEntries(rows));
}
