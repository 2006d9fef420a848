import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { exchangeOnce, exchanges } from '../bench/measure.ts';
import { startMockProcess, startProxyProcess } from '../bench/server-process.ts';
import { measureCosts, startEcho } from './costs.ts';
import { faultyAnswerTrials, UPSTREAM_TIMEOUT } from './faulty-answers.ts';
import { malformedRequestTrials } from './malformed-requests.ts';
import { runTrials } from './run-trials.ts';
import { startScriptedUpstream } from './scripted-upstream.ts';

// Sends malformed requests to a mock and a proxy, and faulty answers to a proxy. Exits with 1 if a server answers what it
// must not, ends, keeps connections open, or computes too long for one request.

/** Maximum number of descriptors that stay open, beyond those before. */
const SPARE_DESCRIPTORS = 4;

/** Time for sockets to close, in milliseconds. A refused client has a second to read why. */
const SETTLING = 10_000;

/** Maximum time that a server may compute for one request, in milliseconds. */
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

await using mock = await startMockProcess('--log', 'silent');
await using upstream = await startMockProcess('--log', 'silent');
await using scripted = await startScriptedUpstream(upstream.url);
await using proxy = await startProxyProcess(upstream.url);
await using relay = await startProxyProcess(scripted.url, '--timeout', String(UPSTREAM_TIMEOUT));
const targets = [
  { name: 'mock', server: mock, trials: malformedRequestTrials('mock') },
  { name: 'proxy', server: proxy, trials: malformedRequestTrials('proxy') },
  { name: 'proxy before a faulty upstream', server: relay, trials: faultyAnswerTrials(scripted) },
].map((target) => ({ ...target, before: countDescriptors(target.server.pid) }));

const seed = Number(values.seed);
const bounds = {
  seed,
  count: Math.ceil(Number(values.count) / targets.length),
  duration: Number(values.minutes) * 60_000,
};
const runs = targets.map(async ({ name, server, trials }) => {
  const { problems, kinds, done } = await runTrials(server.url, trials, bounds);
  process.stdout.write(`the ${name}: ${done} requests of ${kinds.size} kinds, seed ${seed}\n`);
  return problems.map((problem) => `the ${name}: ${problem}`);
});
const problems = (await Promise.all(runs)).flat();
if (values.costs && existsSync('/proc/self/schedstat')) problems.push(...(await findCosts()));
for (const { name, server } of targets) {
  const answer = await exchangeOnce(server.url, exchanges.list).catch((error) => error);
  if (answer.status !== 200) problems.push(`the ${name} no longer answers: ${answer.body ?? answer}`);
}
// The proxy keeps connections to its upstream for a while.
await upstream.stop();
for (const { name, server, before } of targets) {
  const end = performance.now() + SETTLING;
  const countKept = () => (server.isAlive() ? countDescriptors(server.pid) - before : 0);
  while (countKept() > SPARE_DESCRIPTORS && performance.now() < end) await delay(100);
  if (countKept() > SPARE_DESCRIPTORS) problems.push(`the ${name} keeps ${countKept()} descriptors open.`);
}
for (const problem of problems) process.stdout.write(`FAILED: ${problem}\n`);
if (problems.length > 0) process.exitCode = 1;

async function findCosts(): Promise<string[]> {
  await using echo = await startEcho();
  await using judge = await startProxyProcess(echo.url);
  const costs = Object.entries({ mock, proxy: judge }).map(async ([name, server]) => {
    const { cost, bytes } = await measureCosts(server);
    const most = `the ${name} computes ${cost.toFixed(0)} ms for ${JSON.stringify(bytes.slice(60, 200))}…`;
    process.stdout.write(`${most}\n`);
    return cost > HIGHEST_COST ? [most] : [];
  });
  return (await Promise.all(costs)).flat();
}

/** Returns the number of open descriptors of a process; NaN on a system without /proc. */
function countDescriptors(pid: number): number {
  return existsSync(`/proc/${pid}/fd`) ? readdirSync(`/proc/${pid}/fd`).length : Number.NaN;
}
