import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { exchangeOnce, exchanges } from '../bench/measure.ts';
import { type ServerProcess, startMockProcess, startProxyProcess } from '../bench/server-process.ts';
import { runFuzz, type Tried } from './run-fuzz.ts';

/** How many descriptors more than before may stay open. */
const SPARE_DESCRIPTORS = 4;

/** How long sockets may take to be closed, in milliseconds: a refused client has a second to read why. */
const SETTLING = 10_000;

/** How many of the problems are printed. */
const MOST_PRINTED = 100;

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '100000' } },
});
const [seed, count] = [Number(values.seed), Number(values.count)];
if (!Number.isInteger(seed) || !Number.isInteger(count)) throw new Error('--seed and --count are integers.');

const startMock = () => startMockProcess('--log', 'silent');
const [mock, upstream] = await Promise.all([startMock(), startMock()]);
const proxy = await startProxyProcess(upstream.url);
const targets = [
  { name: 'mock', ...mock, before: readResources(mock) },
  { name: 'proxy', ...proxy, before: readResources(proxy) },
] as const;
type Target = (typeof targets)[number];

const start = performance.now();
const { problems, tried } = await runFuzz(targets, seed, count);
const seconds = (performance.now() - start) / 1_000;
process.stdout.write(`${printTable(tried)}\n\nseed ${seed}: ${count} requests in ${seconds.toFixed(1)} s, `);
process.stdout.write(`${Math.round(count / seconds)} requests/s\n`);
const found = [...problems];
for (const target of targets) found.push(...(await findFailures(target)));
// The proxy keeps connections to its upstream for a while.
await upstream.stop();
for (const target of targets) found.push(...(await findLeaks(target)));
await Promise.all([proxy.stop(), mock.stop()]);

for (const problem of found.slice(0, MOST_PRINTED)) process.stdout.write(`FAILED: ${problem}\n`);
if (found.length > MOST_PRINTED) process.stdout.write(`and ${found.length - MOST_PRINTED} more problems\n`);
if (found.length > 0) process.exitCode = 1;

/** Tries an ordinary request. */
async function findFailures({ name, url, isAlive }: Target): Promise<string[]> {
  if (!isAlive()) return [`the ${name} has ended.`];
  const { status, body } = await exchangeOnce(url, exchanges.list);
  if (status === 200 && JSON.parse(body).length === 20) return [];
  return [`the ${name} answers an ordinary request with ${status} and ${body}.`];
}

/** Prints what a server holds once the sockets of the run are closed, or for as long as they may take. */
async function findLeaks({ name, before, ...server }: Target): Promise<string[]> {
  if (!server.isAlive()) return [];
  const end = performance.now() + SETTLING;
  let after = readResources(server);
  while (after.descriptors > before.descriptors + SPARE_DESCRIPTORS && performance.now() < end) {
    await delay(100);
    after = readResources(server);
  }
  const descriptors = `${before.descriptors} descriptors before, ${after.descriptors} after`;
  process.stdout.write(
    `the ${name}: ${descriptors}; ${before.memory} MiB before, ${after.memory} MiB after\n`,
  );
  const kept = after.descriptors - before.descriptors;
  return kept > SPARE_DESCRIPTORS ? [`the ${name} keeps ${kept} descriptors open.`] : [];
}

/** Reads what a process holds of the system; on a system without /proc, numbers that are NaN. */
function readResources({ pid }: Pick<ServerProcess, 'pid'>) {
  if (!existsSync(`/proc/${pid}`)) return { descriptors: Number.NaN, memory: Number.NaN };
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  const descriptors = readdirSync(`/proc/${pid}/fd`).length;
  return { descriptors, memory: Math.round(Number(kilobytes) / 1024) };
}

/** Prints the answers of each server and to each kind of request as a Markdown table. */
function printTable(tried: readonly Tried[]): string {
  const groups = [...group(tried, (one) => `all to the ${one.target}`), ...group(tried, (one) => one.kind)];
  const rows = groups.map(([name, list]) => {
    const answers = group(list, (one) => one.answer).map(([answer, { length }]) => `${answer}: ${length}`);
    return `| ${name} | ${list.length} | ${answers.join(', ')} |`;
  });
  return ['| | requests | answers |', '| --- | --- | --- |', ...rows].join('\n');
}

function group(tried: readonly Tried[], keyOf: (one: Tried) => string): [string, Tried[]][] {
  return [...Map.groupBy(tried, keyOf)].toSorted(([one], [other]) => (one < other ? -1 : 1));
}
