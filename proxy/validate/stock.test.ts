import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { beforeAll, expect, test } from 'vitest';
import { contractFile } from '../../common/contract-file.ts';
import { exchangeRaw, toRawHeaders } from '../../testing/exchange-raw.ts';
import { pairsOf } from '../bytes/raw-headers.ts';
import type { Violation } from '../exchange.ts';
import { differences } from '../testing/corpus/differences.ts';
import { requestExchanges } from '../testing/corpus/request-exchanges.ts';
import { responseExchanges } from '../testing/corpus/response-exchanges.ts';
import type { SampleExchange } from '../testing/corpus/sample-exchange.ts';
import { startTestProxy } from '../testing/start-test-proxy.ts';
import { readOperations } from './read-operations.ts';

/** Exchanges of every operation and status of the contract, conforming ones and one for each rule that can be broken. */
const corpus: readonly SampleExchange[] = [...requestExchanges, ...responseExchanges];

/** Time to wait for an answer that never arrives, in milliseconds. */
const PATIENCE = 1_000;

const command = createRequire(import.meta.url).resolve('@stoplight/prism-cli/dist/index.js');

/** Starts the stock `prism proxy` in a separate process, and waits until it listens. Its base URL has no path. */
async function startStockProxy(upstream: string) {
  // In production it starts more than one process, and fails.
  const { NODE_ENV: _, ...env } = process.env;
  const args = ['--no-deprecation', command, 'proxy', contractFile, upstream, '--port', '0'];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  for await (const line of createInterface(child.stdout)) {
    const [, url] = /Prism is listening on (http:\S+)/.exec(stripVTControlCharacters(line)) ?? [];
    if (url !== undefined) return { url, ended, kill: () => void child.kill() };
  }
  throw new Error('The stock proxy ended before it listened.');
}

let upstream: string;
let stock: Awaited<ReturnType<typeof startStockProxy>> | undefined;

beforeAll(async () => {
  const server = createServer((request, response) => {
    const landing = { status: 200, answerHeaders: { 'Content-Type': 'application/json' }, answered: '[]' };
    const chosen = corpus[Number(request.headers['x-exchange'])] as SampleExchange;
    const { status, answerHeaders, answered } = request.url === '/v1/landing' ? landing : chosen;
    request.resume().once('end', () => response.writeHead(status, toRawHeaders(answerHeaders)).end(answered));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return () => {
    stock?.kill();
    server.closeAllConnections();
    server.close();
  };
});

function readViolations(header = '[]'): string[] {
  if (!header.startsWith('[')) return ['cut off'];
  return (JSON.parse(header) as Violation[])
    .map(({ location, severity, code = '' }) => `${severity} ${location.join('.')} ${code}`.trim())
    .sort();
}

/** Makes an exchange through a proxy and reads its verdict. */
async function checkThrough(url: string, exchange: SampleExchange, signal?: AbortSignal) {
  const { method, headers, sent } = exchange;
  const hasLength = headers['Transfer-Encoding'] === undefined && (sent !== undefined || /^P/.test(method));
  const length = hasLength ? String(Buffer.byteLength(sent ?? '')) : undefined;
  const all = { 'X-Exchange': String(corpus.indexOf(exchange)), 'Content-Length': length, ...headers };
  const target = `${new URL(url).pathname.replace(/\/$/, '')}${exchange.path}`;
  const answer = await exchangeRaw(url, method, target, toRawHeaders(all), sent, signal);
  const { 'sl-violations': violations } = Object.fromEntries(pairsOf(answer.headers));
  return { status: answer.status, violations: readViolations(violations) };
}

/** Makes an exchange through the stock proxy, and starts it again if it has ended. */
async function checkThroughStock(exchange: SampleExchange) {
  stock ??= await startStockProxy(upstream);
  const signal = exchange.stock?.[1] === 'hangs' ? AbortSignal.timeout(PATIENCE) : undefined;
  try {
    return await checkThrough(stock.url, exchange, signal);
  } catch (error) {
    if ((error as Error).name === 'AbortError') return 'hangs';
    await stock.ended;
    stock = undefined;
    return 'ends';
  }
}

/** Violations that our proxy reports where the stock proxy cannot be compared. */
const reportedAlone: Readonly<Record<string, string>> = {
  'a path with dot segments is reported': 'Warning request',
  'GET with a body is reported': 'Error request 415',
  'HEAD /pets/abc is reported': 'Error request.path.petid type',
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

// Those that end the stock proxy come last: it takes a second to start.
const inOrder = [false, true].flatMap((isEnd) =>
  corpus.filter((exchange) => (exchange.stock?.[1] === 'ends') === isEnd),
);

test.for(inOrder)('$title', { timeout: 20_000 }, async (exchange) => {
  const { url } = await startTestProxy(upstream, { allPaths: true });
  const ours = await checkThrough(url, exchange);
  expect(ours.status).toBe(exchange.status);
  if (exchange.isConforming) expect(ours.violations.filter((text) => text.startsWith('Error'))).toEqual([]);
  else expect(ours.violations).not.toEqual([]);
  const expected = reportedAlone[exchange.title];
  if (expected !== undefined) expect(ours.violations).toEqual([expected]);

  const [, outcome = ours, ...violations] = exchange.stock ?? [];
  const stocks = await checkThroughStock(exchange);
  expect(stocks).toEqual(typeof outcome === 'number' ? { status: outcome, violations } : outcome);
  if (exchange.stock !== undefined) expect(stocks).not.toEqual(ours);
});

test('the operations are those that Prism itself reads', async () => {
  const [ours, prisms] = [await readOperations(contractFile), await getHttpOperationsFromSpec(contractFile)];
  expect(ours.map(({ iid }) => iid)).toEqual(['listPets', 'createPet', 'getPet']);
  expect(JSON.stringify(ours)).toBe(JSON.stringify(prisms));
});

test('every difference is named once and seen', () => {
  const seen = corpus.flatMap(({ stock }) => stock?.[0] ?? []);
  expect([...new Set(seen)].sort()).toEqual(Object.keys(differences).sort());
});

test('every exchange has a title of its own, and every title is of an exchange', () => {
  const titles = new Set(corpus.map(({ title }) => title));
  expect(titles.size).toBe(corpus.length);
  expect(Object.keys(reportedAlone).filter((title) => !titles.has(title))).toEqual([]);
});
