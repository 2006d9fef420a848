import { type Exchange, exchangeOnce } from './exchange.ts';
import { exchanges } from './exchanges.ts';
import { measureRate } from './load.ts';
import { startBareProcess, startMockProcess } from './server-process.ts';
import type { Comparison } from './statistics.ts';
import { takeTurns } from './take-turns.ts';

const TURNS = 8;

/** How long one turn of one server takes, in milliseconds. */
const TURN = 700;

/** What the mock is compared with, and how it logs meanwhile. */
export interface RateOptions {
  /** Whether the bare server has the option for requests without a body that the mock has. */
  readonly isBareTuned: boolean;
  readonly log: 'pretty' | 'silent';
}

/** Compares the mock with a bare server that writes the same bytes, made in advance. */
export async function compareRates({ isBareTuned, log }: RateOptions): Promise<Comparison[]> {
  const { list, one, refusal } = exchanges;
  const mock = await startMockProcess('--log', log);
  const comparisons: Comparison[] = [];
  for (const exchange of [list, one, refusal]) {
    const response = await exchangeOnce(mock.url, exchange);
    const bare = await startBareProcess(response, { optimizeEmptyRequests: isBareTuned });
    comparisons.push(await compare(exchange, mock.url, bare.url));
    await bare.stop();
  }
  await mock.stop();
  return comparisons;
}

/** Compares a store of 1,000,000 animals with one of 1,000. */
export async function compareSizes(): Promise<Comparison[]> {
  const { list, filtered, one, refusal } = exchanges;
  const [small, large] = [await startSmall(), await startLarge()];
  const comparisons: Comparison[] = [];
  for (const exchange of [list, filtered, one, refusal]) {
    comparisons.push(await compare(exchange, large.url, small.url));
  }
  await Promise.all([small.stop(), large.stop()]);
  return [...comparisons, await compareAdditions()];
}

const startSmall = () => startMockProcess('--log', 'silent', '--animals', '1000');
const startLarge = () => startMockProcess('--log', 'silent', '--animals', '1000000');

/** Each turn has a new store, since a small one would grow from turn to turn. */
function compareAdditions(): Promise<Comparison> {
  const { addition, refusal } = exchanges;
  const measure = async (start: typeof startSmall) => {
    const server = await start();
    // What is compiled for any request is compiled by now.
    await measureRate(server.url, refusal, TURN);
    const rate = await measureRate(server.url, addition, TURN);
    await server.stop();
    return rate;
  };
  return takeTurns(
    addition.title,
    TURNS,
    () => measure(startLarge),
    () => measure(startSmall),
  );
}

function compare(exchange: Exchange, ours: string, theirs: string): Promise<Comparison> {
  return takeTurns(
    exchange.title,
    TURNS,
    () => measureRate(ours, exchange, TURN),
    () => measureRate(theirs, exchange, TURN),
  );
}
