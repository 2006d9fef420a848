import { type Exchange, exchangeOnce } from './exchange.ts';
import { measureRate } from './load.ts';
import { type ServerProcess, startBareProcess, startMockProcess } from './server-process.ts';
import type { Comparison } from './statistics.ts';

const TURNS = 9;

/** How long one turn of one server takes, in milliseconds. */
const TURN = 700;

const headers = { Authorization: 'Bearer test-key' };
const list: Exchange = { title: 'a list of 20', method: 'GET', path: '/pets', headers };
const one: Exchange = { title: 'one animal', method: 'GET', path: '/pets/7', headers };
const refusal: Exchange = { title: 'a 401', method: 'GET', path: '/pets', headers: {} };
const filtered: Exchange = { ...list, title: 'a list of 100 by status', path: '/pets?limit=100&status=sold' };
const addition: Exchange = {
  title: 'adding an animal',
  method: 'POST',
  path: '/pets',
  headers: { ...headers, 'Content-Type': 'application/json' },
  body: '{"name":"Rex","categoryId":9007199254740993,"status":"sold"}',
};

/** Compares the mock with a bare server that writes the same bytes, made in advance. */
export async function compareRates(): Promise<Comparison[]> {
  const mock = await startMockProcess('--log', 'silent');
  const logging = await startMockProcess('--log', 'pretty');
  const comparisons: Comparison[] = [];
  for (const exchange of [list, one, refusal]) {
    const bare = await startBareProcess(await exchangeOnce(mock.url, exchange));
    comparisons.push(await compare(exchange.title, exchange, mock, bare));
    if (exchange === list) {
      comparisons.push(await compare(`${exchange.title}, with a log line each`, exchange, logging, bare));
    }
    await bare.stop();
  }
  await Promise.all([mock.stop(), logging.stop()]);
  return comparisons;
}

/** Compares a large store with a small one. */
export async function compareSizes(): Promise<Comparison[]> {
  const small = await startMockProcess('--log', 'silent', '--animals', '1000');
  const large = await startMockProcess('--log', 'silent', '--animals', '1000000');
  const comparisons: Comparison[] = [];
  for (const exchange of [list, filtered, one, addition]) {
    comparisons.push(await compare(exchange.title, exchange, large, small));
  }
  await Promise.all([small.stop(), large.stop()]);
  return comparisons;
}

/** Measures the two servers turn by turn, after a turn each that does not count. */
async function compare(
  title: string,
  exchange: Exchange,
  ours: ServerProcess,
  theirs: ServerProcess,
): Promise<Comparison> {
  const rates: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  for (let turn = 0; turn <= TURNS; turn += 1) {
    const theirRate = await measureRate(theirs.url, exchange, TURN);
    const ourRate = await measureRate(ours.url, exchange, TURN);
    if (turn === 0) continue;
    rates.theirs.push(theirRate);
    rates.ours.push(ourRate);
  }
  return { title, ...rates };
}
