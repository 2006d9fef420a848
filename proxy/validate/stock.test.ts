import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { afterAll, expect, test } from 'vitest';
import { contractFile } from '../../common/contract-file.ts';
import { loadContract } from '../../common/load-contract.ts';
import { type Server, startServer, stockPrism } from '../../tools/bench/start-server.ts';
import { pairsOf } from '../bytes/raw-headers.ts';
import { differences } from '../testing/corpus/differences.ts';
import { answerSample, corpus, type SampleExchange, sendSample } from '../testing/corpus/exchanges.ts';
import { startTestProxy } from '../testing/start-test-proxy.ts';
import { exchangeRules } from './exchange-rules.ts';
import { readOperations } from './read-operations.ts';

/** Time to wait for an answer that never arrives, in milliseconds. */
const PATIENCE = 1_000;

// In production it starts more than one process, and fails.
delete process.env.NODE_ENV;

const server = createServer(answerSample).listen(0, '127.0.0.1');
await once(server, 'listening');
const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
let stock: Server | undefined;
afterAll(() => {
  void stock?.stop();
  server.closeAllConnections();
  server.close();
});

const ownRules = exchangeRules.map(({ id }) => id);

/** An entry of the header `sl-violations` of stock Prism. */
interface HeaderEntry {
  readonly location: readonly string[];
  readonly severity: string;
  readonly code?: string | number;
}

/** Codes of Prism that are statuses, by the words that ours has for them. */
const codesOfPrism: Readonly<Record<string, string>> = {
  'missing-key': '401',
  'empty-key': '401',
  'unexpected-body': '415',
  'missing-body': 'required',
};

/** Rules for which Prism has no code. */
const withoutCode = /^(?:unknown-path|unknown-method|undocumented-status|media-type)$/;

const printEntry = ({ location, severity, code = '' }: HeaderEntry) =>
  `${severity} ${location.join('.')} ${code}`.trim();

/** Makes an exchange through our proxy, and prints its violations with the names of Prism. */
async function checkThroughOurs(exchange: SampleExchange) {
  const { url, exchanges } = await startTestProxy(upstream, { allPaths: true });
  const { status } = await sendSample(url, exchange);
  const violations = (exchanges[0]?.violations ?? [])
    // The corpus is about openapi.yaml: most of its responses do not fit their requests.
    .filter(({ rule }) => !ownRules.includes(rule))
    .map(({ location: [side = '', ...place], severity, rule }) => {
      // Prism has no place for a media type.
      const isOfType = rule === 'media-type';
      const location = isOfType ? [side] : [side, ...place];
      const code =
        isOfType && side === 'request' ? '415' : (codesOfPrism[rule] ?? rule.replace(withoutCode, ''));
      return printEntry({ location, severity: severity === 'error' ? 'Error' : 'Warning', code });
    })
    .sort();
  return { status, violations };
}

/** Makes an exchange through the stock proxy, and reads its violations in the response. */
async function checkThrough(url: string, exchange: SampleExchange, signal?: AbortSignal) {
  const answer = await sendSample(url, exchange, signal);
  const { 'sl-violations': header = '[]' } = Object.fromEntries(pairsOf(answer.headers));
  if (!header.startsWith('[')) return { status: answer.status, violations: ['cut off'] };
  const violations = (JSON.parse(header) as HeaderEntry[]).map(printEntry).sort();
  return { status: answer.status, violations };
}

/** Makes an exchange through the stock proxy, and starts it again if it has ended. */
async function checkThroughStock(exchange: SampleExchange) {
  stock ??= await startServer([stockPrism, 'proxy', contractFile, upstream, '--port', '0'], 'ignore');
  const signal = exchange.stock?.[1] === 'hangs' ? AbortSignal.timeout(PATIENCE) : undefined;
  try {
    return await checkThrough(stock.url, exchange, signal);
  } catch (error) {
    if ((error as Error).name === 'AbortError') return 'hangs';
    await stock.exited;
    stock = undefined;
    return 'ends';
  }
}

// Exchanges that end the stock proxy come last: it takes a second to start.
const endsStock = ({ stock }: SampleExchange) => stock?.[1] === 'ends';
const inOrder = [...corpus.filter((one) => !endsStock(one)), ...corpus.filter(endsStock)];

test.for(inOrder)('$title', { timeout: 20_000 }, async (exchange) => {
  const ours = await checkThroughOurs(exchange);
  expect(ours.status).toBe(exchange.status);
  if (exchange.isConforming) expect(ours.violations.filter((text) => text.startsWith('Error'))).toEqual([]);
  else expect(ours.violations).not.toEqual([]);
  if (exchange.ours !== undefined) expect(ours.violations).toEqual([exchange.ours]);

  const [, outcome = ours, ...violations] = exchange.stock ?? [];
  const stocks = await checkThroughStock(exchange);
  expect(stocks).toEqual(typeof outcome === 'number' ? { status: outcome, violations } : outcome);
  if (exchange.stock !== undefined) expect(stocks).not.toEqual(ours);
});

test('the operations are the same as Prism reads, and every difference is seen', async () => {
  const [ours, prisms] = [
    await readOperations(loadContract()),
    await getHttpOperationsFromSpec(contractFile),
  ];
  expect(ours.map(({ iid }) => iid)).toEqual(['listPets', 'createPet', 'getPet']);
  expect(JSON.stringify(ours)).toBe(JSON.stringify(prisms));
  const seen = corpus.flatMap((exchange) => exchange.stock?.[0] ?? []);
  expect([...new Set(seen)].sort()).toEqual(Object.keys(differences).sort());
});
