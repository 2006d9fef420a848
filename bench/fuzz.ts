import { setTimeout as delay } from 'node:timers/promises';
import { exchangeOnce } from './exchange.ts';
import { exchanges } from './exchanges.ts';
import { type ProcessResources, readResources } from './process-resources.ts';
import { type RunOutcome, sendMany } from './send-many.ts';
import { type ServerProcess, startMockProcess, startProxyProcess } from './server-process.ts';
import { createTally } from './tally.ts';

/** How many sockets more than before may stay open. */
const SPARE_SOCKETS = 4;

/** How long sockets may take to be closed, in milliseconds: those between proxy and mock are kept for 5 seconds. */
const SETTLING = 15_000;

/** How many of the problems are printed. */
const MOST_PRINTED = 20;

const [count = 100_000, seed = 1] = process.argv.slice(2).map(Number);
const mock = await startMockProcess('--log', 'silent');
const proxy = await startProxyProcess(mock.url);
const servers = new Map([
  ['mock', mock],
  ['proxy', proxy],
]);

const before = new Map([...servers.values()].map((server) => [server, readResources(server.pid)]));
const problems = await fuzz();
for (const [name, server] of servers) problems.push(...(await inspect(name, server)));
await proxy.stop();
await mock.stop();

for (const problem of problems.slice(0, MOST_PRINTED)) process.stdout.write(`FAILED: ${problem}\n`);
if (problems.length > MOST_PRINTED)
  process.stdout.write(`and ${problems.length - MOST_PRINTED} more problems\n`);
if (problems.length > 0) process.exitCode = 1;

/** Sends all requests, prints what came of them, and returns what went wrong. */
async function fuzz(): Promise<string[]> {
  const found: string[] = [];
  const names = new Map([...servers].map(([name, { url }]) => [url, name]));
  const tally = createTally(names);
  const onOutcome = (outcome: RunOutcome) => {
    tally.add(outcome);
    if (outcome.problem !== undefined) found.push(describe(outcome, names.get(outcome.server)));
  };
  const isOver = () => ![...servers.values()].every((server) => server.isAlive());
  const start = performance.now();
  await sendMany({ servers: [mock.url, proxy.url], count, seed, onOutcome, isOver });
  const seconds = (performance.now() - start) / 1_000;
  process.stdout.write(`${tally.print()}\n\nseed ${seed}: ${count} requests in ${seconds.toFixed(1)} s, `);
  process.stdout.write(`${Math.round(count / seconds)} requests/s\n`);
  return found;
}

function describe({ request, index, problem }: RunOutcome, server: string | undefined): string {
  return `the ${server}, seed ${seed}, index ${index}, ${request.kind} (${request.ending}): ${problem}.`;
}

/** Prints what a server holds after the run, and returns what is wrong with it. */
async function inspect(name: string, server: ServerProcess): Promise<string[]> {
  if (!server.isAlive()) return [`the ${name} has ended; the problems above it name the last requests.`];
  const found: string[] = [];
  const answer = await exchangeOnce(server.url, exchanges.list);
  if (answer.status !== 200 || JSON.parse(answer.body).length !== 20) {
    found.push(`the ${name} answers an ordinary request with ${answer.status} and ${answer.body}.`);
  }
  const earlier = before.get(server);
  const later = await settle(server, earlier);
  process.stdout.write(`the ${name}: ${printChange(earlier, later)}\n`);
  if (earlier !== undefined && later !== undefined && later.sockets > earlier.sockets + SPARE_SOCKETS) {
    found.push(`the ${name} keeps ${later.sockets - earlier.sockets} sockets open.`);
  }
  return found;
}

/** Waits until the sockets of the run are closed, or for as long as they may take. */
async function settle({ pid }: ServerProcess, earlier: ProcessResources | undefined) {
  const end = performance.now() + SETTLING;
  let now = readResources(pid);
  while (earlier && now && now.sockets > earlier.sockets && performance.now() < end) {
    await delay(100);
    now = readResources(pid);
  }
  return now;
}

function printChange(earlier: ProcessResources | undefined, later: ProcessResources | undefined): string {
  if (earlier === undefined || later === undefined)
    return 'sockets and memory not checked, there is no /proc';
  const sockets = `${earlier.sockets} sockets before, ${later.sockets} after`;
  return `${sockets}; ${earlier.memory} MiB before, ${later.memory} MiB after`;
}
