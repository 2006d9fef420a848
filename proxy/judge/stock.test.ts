import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { differences } from '../testing/corpus/differences.ts';
import { requestExchanges } from '../testing/corpus/request-exchanges.ts';
import { responseExchanges } from '../testing/corpus/response-exchanges.ts';
import type { Outcome, SampleExchange } from '../testing/corpus/sample-exchange.ts';
import { type StockProxy, startStockProxy } from '../testing/start-stock-proxy.ts';
import { startTestProxy } from '../testing/start-test-proxy.ts';

/** Exchanges of every operation and status of the contract, conforming ones and one for each rule that can be broken. */
const corpus: readonly SampleExchange[] = [...requestExchanges, ...responseExchanges];

/** How long to wait for an answer that is not to come, in milliseconds. */
const PATIENCE = 1_000;

let upstream: string;
let stock: StockProxy;

beforeAll(async () => {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      if (request.url === '/v1/landing') {
        response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]');
        return;
      }
      const answer = corpus[Number(request.headers['x-exchange'])]?.response;
      response.writeHead(answer?.status ?? 500, answer?.headers).end(answer?.body);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  stock = await startStockProxy(upstream);
  return () => {
    stock.kill();
    server.closeAllConnections();
    server.close();
  };
});

interface PrintedViolation {
  readonly location: readonly string[];
  readonly severity: string;
  readonly code?: string | number;
}

function readViolations(header: string | string[] | undefined = '[]'): string[] {
  const text = String(header);
  if (!text.startsWith('[')) return ['cut off'];
  return (JSON.parse(text) as PrintedViolation[])
    .map(({ location, severity, code = '' }) => `${severity} ${location.join('.')} ${code}`.trim())
    .sort();
}

/** Makes an exchange through a proxy and reads its verdict. */
async function judgeThrough(
  url: string,
  exchange: SampleExchange,
  signal?: AbortSignal,
): Promise<Exclude<Outcome, string>> {
  const { method, path, headers, body } = exchange.request;
  const { origin, pathname } = new URL(url);
  const target = `${pathname.replace(/\/$/, '')}${path}`;
  const outgoing = httpRequest(origin, { method, path: target, agent: false, ...(signal && { signal }) });
  const isChunked = headers?.['Transfer-Encoding'] !== undefined;
  const all = {
    Authorization: 'Bearer test-key',
    'X-Exchange': String(corpus.indexOf(exchange)),
    'Content-Length': body === undefined || isChunked ? undefined : String(Buffer.byteLength(body)),
    ...headers,
  };
  for (const [name, value] of Object.entries(all)) if (value !== undefined) outgoing.setHeader(name, value);
  outgoing.end(body);
  const [answer] = await once(outgoing, 'response');
  await once(answer.resume(), 'end');
  return { status: answer.statusCode, violations: readViolations(answer.headers['sl-violations']) };
}

/** As `judgeThrough`, of the stock proxy; where that ends, another is started in its place. */
async function judgeThroughStock(exchange: SampleExchange): Promise<Outcome> {
  const isToHang = exchange.difference?.outcome === 'hangs';
  try {
    return await judgeThrough(stock.url, exchange, isToHang ? AbortSignal.timeout(PATIENCE) : undefined);
  } catch (error) {
    if ((error as Error).name === 'AbortError') return 'hangs';
    await stock.ended;
    stock = await startStockProxy(upstream);
    return 'ends';
  }
}

test.for(corpus)('$title', { timeout: 20_000 }, async (exchange) => {
  const { url } = await startTestProxy(upstream);
  const ours = await judgeThrough(url, exchange);
  expect(ours.status).toBe(exchange.response.status);
  if (exchange.isConforming) expect(ours.violations.filter((text) => text.startsWith('Error'))).toEqual([]);
  else expect(ours.violations).not.toEqual([]);

  const stocks = await judgeThroughStock(exchange);
  expect(stocks).toEqual(exchange.difference?.outcome ?? ours);
  if (exchange.difference !== undefined) expect(stocks).not.toEqual(ours);
});

test('every difference is named once and seen', () => {
  const seen = corpus.flatMap(({ difference }) => difference?.name ?? []);
  expect([...new Set(seen)].sort()).toEqual(Object.keys(differences).sort());
});

test('every exchange has a title of its own', () => {
  expect(new Set(corpus.map(({ title }) => title)).size).toBe(corpus.length);
});
