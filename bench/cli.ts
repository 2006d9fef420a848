import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerOptions } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
    goal: { least: 0.8 },
    compare: () => compareWithBare('silent', { optimizeEmptyRequests: false }),
  },
  {
    title: `${rate} the same with a log line for each request, as by default`,
    ...mockAndBare,
    compare: () => compareWithBare('pretty', { optimizeEmptyRequests: false }),
  },
  {
    title: `${rate} without a log, the bare server having optimizeEmptyRequests as the mock has`,
    ...mockAndBare,
    compare: () => compareWithBare('silent', { optimizeEmptyRequests: true }),
  },
  {
    title: 'Milliseconds from the start of the process to the first answer',
    ...mockAndBare,
    goal: { most: 2.5 },
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
    goal: { least: 3 },
    compare: () => compareProxyRates(),
  },
  {
    title: `${rate} the same, the stock one without its log`,
    ...proxies,
    compare: () => compareProxyRates('--verboseLevel', 'silent'),
  },
  {
    title: 'Milliseconds from the start of the process to the first answer, of either proxy',
    ...proxies,
    goal: { most: 0.5 },
    compare: compareProxyStarts,
  },
];

const [wanted = ''] = process.argv.slice(2);

for (const { compare, ...options } of tables.filter(({ title }) => title.includes(wanted))) {
  process.stdout.write(`${printTable(options, await compare())}\n`);
}

/** Compares the mock with a bare server that writes the same bytes, made in advance. */
async function compareWithBare(log: 'pretty' | 'silent', options: ServerOptions): Promise<Comparison[]> {
  const mock = await startMockProcess('--log', log);
  const comparisons: Comparison[] = [];
  for (const exchange of [exchanges.list, exchanges.one, exchanges.refusal]) {
    const bare = await startBareProcess(await exchangeOnce(mock.url, exchange), options);
    comparisons.push(...(await compareRates([exchange], mock, bare, 700)));
    await bare.stop();
  }
  await mock.stop();
  return comparisons;
}

/** Compares the requests a second of two servers; `turn` is how long one of them is measured at once, in milliseconds. */
async function compareRates(
  all: readonly Exchange[],
  ours: ServerProcess,
  theirs: ServerProcess,
  turn: number,
) {
  const comparisons: Comparison[] = [];
  for (const exchange of all) {
    const measure =
      ({ url }: ServerProcess) =>
      () =>
        measureRate(url, exchange, turn);
    comparisons.push(await takeTurns(exchange.title, 8, measure(ours), measure(theirs)));
  }
  return comparisons;
}

/** Compares a store of 1,000,000 animals with one of 1,000. */
async function compareSizes(): Promise<Comparison[]> {
  const { list, filtered, one, refusal, addition } = exchanges;
  const start = (animals: number) => startMockProcess('--log', 'silent', '--animals', String(animals));
  const [small, large] = [await start(1_000), await start(1_000_000)];
  const comparisons = await compareRates([list, filtered, one, refusal], large, small, 700);
  await Promise.all([small.stop(), large.stop()]);
  // Each turn has a new store, since a small one would grow from turn to turn.
  const measureAddition = (animals: number) => async () => {
    const server = await start(animals);
    // What is compiled for any request is compiled by now.
    await measureRate(server.url, refusal, 700);
    const result = await measureRate(server.url, addition, 700);
    await server.stop();
    return result;
  };
  const added = await takeTurns(addition.title, 8, measureAddition(1_000_000), measureAddition(1_000));
  return [...comparisons, added];
}

/** Compares the time until the first answer, with Node's compile cache as a start leaves it, and without one. */
async function compareStarts(): Promise<Comparison[]> {
  const cache = await mkdtemp(join(tmpdir(), 'bench-compile-cache-'));
  process.env.NODE_COMPILE_CACHE = cache;
  const mock = await startMockProcess();
  const answer = await exchangeOnce(mock.url, exchanges.list);
  await mock.stop();
  const measureBare = () => measureStart(() => startBareProcess(answer));
  const compare = (title: string) => takeTurns(title, 16, () => measureStart(startMockProcess), measureBare);
  const later = await compare('every start but the first');
  delete process.env.NODE_COMPILE_CACHE;
  process.env.NODE_DISABLE_COMPILE_CACHE = '1';
  const first = await compare('the first start on a machine');
  delete process.env.NODE_DISABLE_COMPILE_CACHE;
  await rm(cache, { recursive: true });
  return [later, first];
}

/** Compares the checked proxy with the stock one, both before the same mock; `options` are those of the stock one. */
async function compareProxyRates(...options: string[]): Promise<Comparison[]> {
  const mock = await startUpstream();
  const [checked, stock] = [await startProxyProcess(mock.url), await startStockProcess(mock.url, ...options)];
  const comparisons = await compareRates([exchanges.list, exchanges.one], checked, stock, 1_000);
  await Promise.all([checked.stop(), stock.stop()]);
  await mock.stop();
  return comparisons;
}

/** Compares the time until the first answer of the two proxies, before the same mock. */
async function compareProxyStarts(): Promise<Comparison[]> {
  const mock = await startUpstream();
  const compared = await takeTurns(
    'every start but the first',
    8,
    () => measureStart(() => startProxyProcess(mock.url)),
    () => measureStart(() => startStockProcess(mock.url)),
  );
  await mock.stop();
  return [compared];
}

function startUpstream(): Promise<ServerProcess> {
  return startMockProcess('--log', 'silent', '--no-checked-proxy');
}
