import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { beforeAll, expect, test } from 'vitest';
import { contractFile } from '../../common/contract-file.ts';
import { differences } from '../testing/corpus/differences.ts';
import { requestExchanges } from '../testing/corpus/request-exchanges.ts';
import { responseExchanges } from '../testing/corpus/response-exchanges.ts';
import type { Outcome, SampleExchange } from '../testing/corpus/sample-exchange.ts';
import { startTestProxy } from '../testing/start-test-proxy.ts';
import { readOperations } from './read-operations.ts';

/** Exchanges of every operation and status of the contract, conforming ones and one for each rule that can be broken. */
const corpus: readonly SampleExchange[] = [...requestExchanges, ...responseExchanges];

/** How long to wait for an answer that is not to come, in milliseconds. */
const PATIENCE = 1_000;

/** The stock `prism proxy`, in a process of its own. */
interface StockProxy {
  /** Its base URL; it has no base path. */
  readonly url: string;
  /** Resolves when the process has ended. */
  readonly ended: Promise<unknown>;
  kill(): void;
}

const command = createRequire(import.meta.url).resolve('@stoplight/prism-cli/dist/index.js');

/** Starts the stock proxy on a free port and waits until it listens; whoever starts it kills it. */
async function startStockProxy(upstream: string): Promise<StockProxy> {
  // In production it starts more than one process, and fails.
  const { NODE_ENV: _, ...env } = process.env;
  const args = ['--no-deprecation', command, 'proxy', contractFile, upstream, '--port', '0'];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  const { promise: url, resolve, reject } = Promise.withResolvers<string>();
  createInterface(child.stdout)
    .on('line', (line) => {
      const found = /Prism is listening on (http:\S+)/.exec(stripVTControlCharacters(line))?.[1];
      if (found !== undefined) resolve(found);
    })
    .on('close', () => reject(new Error('The stock proxy ended before it listened.')));
  return { url: await url, ended, kill: () => void child.kill() };
}

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

/** What ours reports where the stock proxy is no measure. */
const reportedAlone: Readonly<Record<string, string>> = {
  'a path with dot segments is reported': 'Warning request',
  'GET with a body is reported': 'Error request 415',
  'HEAD /pets/abc is reported': 'Error request.path.petid type',
  'a preflight request is reported': 'Warning request',
  'a path that cannot be decoded is reported': 'Error request unreadable',
  'a creation with two media types is reported': 'Error request unreadable',
  'malformed JSON from a client is reported': 'Error request.body json',
  'a creation with bytes that are not UTF-8 is reported': 'Error request.body json',
  'a creation in chunks of another media type is reported': 'Error request 415',
  'a redirect is reported': 'Warning response',
  '501 is reported': 'Warning response',
  'a malformed media type is reported': 'Error response unreadable',
  'the malformed response [ is reported': 'Error response.body json',
  'an empty response is reported': 'Error response.body type',
  'bytes that are not UTF-8 is reported': 'Error response.body json',
};

test.for(corpus)('$title', { timeout: 20_000 }, async (exchange) => {
  const { url } = await startTestProxy(upstream);
  const { status, violations } = await judgeThrough(url, exchange);
  expect(status).toBe(exchange.response.status);
  if (exchange.isConforming) expect(violations.filter((text) => text.startsWith('Error'))).toEqual([]);
  else expect(violations).not.toEqual([]);
  const expected = reportedAlone[exchange.title];
  if (expected !== undefined) expect(violations).toEqual([expected]);

  const stocks = await judgeThroughStock(exchange);
  expect(stocks).toEqual(exchange.difference?.outcome ?? { status, violations });
  if (exchange.difference !== undefined) expect(stocks).not.toEqual({ status, violations });
});

test('the operations are those that Prism itself reads', async () => {
  const [ours, prisms] = [await readOperations(contractFile), await getHttpOperationsFromSpec(contractFile)];
  expect(ours.map(({ iid }) => iid)).toEqual(['listPets', 'createPet', 'getPet']);
  expect(JSON.stringify(ours)).toBe(JSON.stringify(prisms));
});

test('every difference is named once and seen', () => {
  const seen = corpus.flatMap(({ difference }) => difference?.name ?? []);
  expect([...new Set(seen)].sort()).toEqual(Object.keys(differences).sort());
});

test('every exchange has a title of its own, and every title is of an exchange', () => {
  const titles = new Set(corpus.map(({ title }) => title));
  expect(titles.size).toBe(corpus.length);
  expect(Object.keys(reportedAlone).filter((title) => !titles.has(title))).toEqual([]);
});
