import { writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { cpus, platform, release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Comparison, printTable, type TableOptions, takeTurns } from './comparison.ts';
import { type Exchange, exchangeOnce, exchanges, measureRate, measureStart } from './measure.ts';
import {
  type ServerProcess,
  startBareProcess,
  startMockProcess,
  startProxyProcess,
  startStockProcess,
} from './server-process.ts';

const mockAndBare = { theirs: 'bare', ours: 'mock' };
const proxies = { theirs: 'stock', ours: 'checked proxy' };
const rate = 'Requests a second, 32 connections:';

const tables: readonly (TableOptions & { compare: () => Promise<Comparison[]> })[] = [
  {
    title: `${rate} the mock without a log, and a bare node:http server with the same bytes ready`,
    ...mockAndBare,
    goal: ['at least', 0.93],
    compare: () => compareWithBare('silent'),
  },
  {
    title: `${rate} the same with a log line for each request, as by default`,
    ...mockAndBare,
    goal: ['at least', 0.88],
    compare: () => compareWithBare('pretty'),
  },
  {
    title: 'Milliseconds from the start of the process to the first answer',
    ...mockAndBare,
    goal: ['at most', 2.2],
    compare: compareStarts,
  },
  {
    title: `${rate} a mock of 1,000,000 animals, and one of 1,000`,
    theirs: '1,000',
    ours: '1,000,000',
    compare: compareSizes,
  },
  {
    title: `${rate} the checked proxy and the stock \`prism proxy\`, both as they start by default, before the same mock`,
    ...proxies,
    goal: ['at least', 3],
    compare: () => compareProxyRates(),
  },
  {
    title: `${rate} the same, the stock one without its log`,
    ...proxies,
    goal: ['at least', 3.5],
    compare: () => compareProxyRates('--verboseLevel', 'silent'),
  },
  {
    title: 'Milliseconds from the start of the process to the first answer, of either proxy',
    ...proxies,
    goal: ['at most', 0.5],
    compare: compareProxyStarts,
  },
];

const { values, positionals } = parseArgs({ options: { save: { type: 'boolean' } }, allowPositionals: true });
const [wanted = ''] = positionals;
const printed: string[] = [];

for (const { compare, ...options } of tables.filter(({ title }) => title.includes(wanted))) {
  const table = printTable(options, await compare());
  printed.push(table);
  process.stdout.write(`${table}\n`);
}
if (values.save) {
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${cpus().length} × ${cpus()[0]?.model}, ${platform()} ${release()}, Node ${process.version}`;
  const text = `Measured on ${date}: ${machine}.\n\n${printed.join('\n')}`;
  writeFileSync(join(import.meta.dirname, 'results/bench.md'), text);
}

/** Compares the mock with a bare server that writes the same bytes, made in advance. */
async function compareWithBare(log: 'pretty' | 'silent') {
  const { list, one, refusal, addition } = exchanges;
  await using mock = await startMockProcess('--log', log);
  return await Array.fromAsync([list, one, refusal, addition], async (exchange): Promise<Comparison> => {
    await using bare = await startBareProcess(await exchangeOnce(mock.url, exchange));
    const comparison = await compareRates(exchange, mock, bare, 700);
    return exchange === addition && log === 'silent'
      ? { ...comparison, goal: ['at least', 0.8] }
      : comparison;
  });
}

/** Compares the requests a second of two servers; `turn` is how long one of them is measured at once, in milliseconds. */
function compareRates(exchange: Exchange, ours: ServerProcess, theirs: ServerProcess, turn: number) {
  return takeTurns(exchange.title, 8, [ours, theirs], ({ url }) => measureRate(url, exchange, turn));
}

/** Compares a store of 1,000,000 animals with one of 1,000. */
async function compareSizes(): Promise<Comparison[]> {
  const { list, filtered, one, refusal } = exchanges;
  const start = (animals: number) => startMockProcess('--log', 'silent', '--animals', String(animals));
  await using small = await start(1_000);
  await using large = await start(1_000_000);
  const compare = (exchange: Exchange) => compareRates(exchange, large, small, 700);
  return await Array.fromAsync([list, filtered, one, refusal], compare);
}

/** Compares the time until the first answer, with Node's compile cache as a start leaves it, and without one. */
async function compareStarts(): Promise<Comparison[]> {
  await using cache = await mkdtempDisposable(join(tmpdir(), 'bench-compile-cache-'));
  process.env.NODE_COMPILE_CACHE = cache.path;
  const mock = await startMockProcess();
  const answer = await exchangeOnce(mock.url, exchanges.list);
  await mock.stop();
  const starts = [() => startMockProcess(), () => startBareProcess(answer)] as const;
  const later = await takeTurns('every start but the first', 16, starts, measureStart);
  process.env.NODE_DISABLE_COMPILE_CACHE = '1';
  const first = await takeTurns('the first start on a machine', 16, starts, measureStart);
  delete process.env.NODE_DISABLE_COMPILE_CACHE;
  delete process.env.NODE_COMPILE_CACHE;
  return [later, first];
}

/** Compares the checked proxy with the stock one, both before the same mock; `options` are those of the stock one. */
async function compareProxyRates(...options: string[]): Promise<Comparison[]> {
  await using mock = await startUpstream();
  await using checked = await startProxyProcess(mock.url);
  await using stock = await startStockProcess(mock.url, ...options);
  const compare = (exchange: Exchange) => compareRates(exchange, checked, stock, 1_000);
  return await Array.fromAsync([exchanges.lists, exchanges.ones, exchanges.additions], compare);
}

/** Compares the time until the first answer of the two proxies, before the same mock. */
async function compareProxyStarts(): Promise<Comparison[]> {
  await using mock = await startUpstream();
  const starts = [() => startProxyProcess(mock.url), () => startStockProcess(mock.url)] as const;
  return [await takeTurns('every start but the first', 8, starts, measureStart)];
}

function startUpstream(): Promise<ServerProcess> {
  return startMockProcess('--log', 'silent', '--no-checked-proxy', '--animals', '1000');
}
