import { exchanges } from './exchanges.ts';
import { measureRate } from './load.ts';
import { measureStart } from './measure-start.ts';
import {
  type ServerProcess,
  startMockProcess,
  startProxyProcess,
  startStockProcess,
} from './server-process.ts';
import type { Comparison } from './statistics.ts';
import { takeTurns } from './take-turns.ts';

const TURNS = 8;

/** How long one turn of one proxy takes, in milliseconds. */
const TURN = 1000;

/** Compares the checked proxy with the stock one, both before the same mock; `theirs` are options of the stock one. */
export async function compareProxyRates({ theirs }: { theirs: readonly string[] }): Promise<Comparison[]> {
  const mock = await startUpstream();
  const [checked, stock] = [await startProxyProcess(mock.url), await startStockProcess(mock.url, ...theirs)];
  const comparisons: Comparison[] = [];
  for (const exchange of [exchanges.list, exchanges.one]) {
    const measure = (url: string) => () => measureRate(url, exchange, TURN);
    comparisons.push(await takeTurns(exchange.title, TURNS, measure(checked.url), measure(stock.url)));
  }
  await Promise.all([checked.stop(), stock.stop()]);
  await mock.stop();
  return comparisons;
}

/** Compares the time until the first answer of the two proxies, before the same mock. */
export async function compareProxyStarts(): Promise<Comparison[]> {
  const mock = await startUpstream();
  const compared = await takeTurns(
    'every start but the first',
    TURNS,
    () => measureStart(() => startProxyProcess(mock.url)),
    () => measureStart(() => startStockProcess(mock.url)),
  );
  await mock.stop();
  return [compared];
}

function startUpstream(): Promise<ServerProcess> {
  return startMockProcess('--log', 'silent', '--no-checked-proxy');
}
