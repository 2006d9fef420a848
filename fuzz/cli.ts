import { Console } from 'node:console';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { exchangeOnce, exchanges } from '../bench/measure.ts';
import { startMockProcess, startProxyProcess } from '../bench/server-process.ts';
import { costlyRequests } from './costly-requests.ts';
import { malformedRequestTrials } from './malformed-request.ts';
import { measureCost, startEcho } from './measure-cost.ts';
import { runFuzz } from './run-fuzz.ts';
import { startScriptedUpstream } from './scripted-upstream.ts';
import { faultyAnswerTrials, UPSTREAM_TIMEOUT } from './try-faulty-answer.ts';

/** How many descriptors more than before may stay open. */
const SPARE_DESCRIPTORS = 4;

/** How long sockets may take to be closed, in milliseconds: a refused client has a second to read why. */
const SETTLING = 10_000;

/** How long a server may compute for one request, in milliseconds; on a busy machine it is several times as long. */
const HIGHEST_COST = 300;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100000' },
    minutes: { type: 'string', default: '60' },
    costs: { type: 'boolean', default: true },
  },
  allowNegative: true,
});
const [seed, count, minutes] = [Number(values.seed), Number(values.count), Number(values.minutes)];
if (!Number.isInteger(seed) || !Number.isInteger(count)) throw new Error('--seed and --count are integers.');
if (!(minutes > 0)) throw new Error('--minutes is a number above 0.');

await using mock = await startMockProcess('--log', 'silent');
await using upstream = await startMockProcess('--log', 'silent');
await using scripted = await startScriptedUpstream(upstream.url);
await using proxy = await startProxyProcess(upstream.url);
await using relay = await startProxyProcess(scripted.url, '--timeout', String(UPSTREAM_TIMEOUT));
const targets = [
  { name: 'mock', trials: malformedRequestTrials('mock'), ...mock, before: readResources(mock.pid) },
  { name: 'proxy', trials: malformedRequestTrials('proxy'), ...proxy, before: readResources(proxy.pid) },
  {
    name: 'proxy before a faulty upstream',
    trials: faultyAnswerTrials(scripted.url),
    ...relay,
    before: readResources(relay.pid),
  },
] as const;
type Target = (typeof targets)[number];

const start = performance.now();
const { problems, answers, done } = await runFuzz(targets, seed, count, minutes * 60_000);
const seconds = (performance.now() - start) / 1_000;
new Console(process.stdout).table(Object.fromEntries(Object.entries(answers).toSorted()));
const rate = `${done} requests in ${seconds.toFixed(1)} s, ${Math.round(done / seconds)} requests/s`;
process.stdout.write(`\nseed ${seed}: ${rate}\n`);
if (values.costs && existsSync('/proc/self/schedstat')) problems.push(...(await findCosts()));
for (const target of targets) problems.push(...(await findFailures(target)));
// The proxy keeps connections to its upstream for a while.
await upstream.stop();
for (const target of targets) problems.push(...(await findLeaks(target)));
for (const problem of problems) process.stdout.write(`FAILED: ${problem}\n`);
if (problems.length > 0) process.exitCode = 1;

/** Prints what the most costly request costs, of those that take long to read for their size. */
async function findCosts(): Promise<string[]> {
  await using echo = await startEcho();
  await using judge = await startProxyProcess(echo.url);
  const costs = Object.entries({ mock, proxy: judge }).map(async ([name, server]) => {
    const { cost, bytes } = await measureCost(server, costlyRequests);
    const told = `the ${name} computes ${cost.toFixed(0)} ms for ${JSON.stringify(bytes.slice(60, 200))}…`;
    process.stdout.write(`${told}\n`);
    return cost > HIGHEST_COST ? [told] : [];
  });
  return (await Promise.all(costs)).flat();
}

/** Tries an ordinary request. */
async function findFailures({ name, url, isAlive }: Target): Promise<string[]> {
  if (!isAlive()) return [`the ${name} has ended.`];
  const { status, body } = await exchangeOnce(url, exchanges.list);
  if (status === 200 && JSON.parse(body).length === 20) return [];
  return [`the ${name} answers an ordinary request with ${status} and ${body}.`];
}

/** Prints what a server holds once the sockets of the run are closed, or for as long as they may take. */
async function findLeaks({ name, pid, before, isAlive }: Target): Promise<string[]> {
  if (!isAlive()) return [];
  const end = performance.now() + SETTLING;
  let after = readResources(pid);
  while (after.descriptors > before.descriptors + SPARE_DESCRIPTORS && performance.now() < end) {
    await delay(100);
    after = readResources(pid);
  }
  const descriptors = `${before.descriptors} descriptors before, ${after.descriptors} after`;
  const memory = `${before.memory} MiB before, ${after.memory} MiB after, ${after.peak} MiB at most`;
  process.stdout.write(`the ${name}: ${descriptors}; ${memory}\n`);
  const kept = after.descriptors - before.descriptors;
  return kept > SPARE_DESCRIPTORS ? [`the ${name} keeps ${kept} descriptors open.`] : [];
}

/** Reads what a process holds of the system, memory in MiB; on a system without /proc, numbers that are NaN. */
function readResources(pid: number) {
  const isThere = existsSync(`/proc/${pid}/status`);
  const status = isThere ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
  const read = (name: string) =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024);
  const descriptors = isThere ? readdirSync(`/proc/${pid}/fd`).length : Number.NaN;
  return { descriptors, memory: read('VmRSS'), peak: read('VmHWM') };
}
