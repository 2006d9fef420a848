import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { HarRecorder } from '../../common/har/har-recorder.ts';
import { printMessage } from '../../common/journal/violation.ts';
import { Keys } from '../../common/text/redact.ts';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { exchangeRaw } from '../../tools/testing/exchange-raw.ts';
import { checkRecording } from '../check-recording.ts';
import type { Exchange } from '../exchange.ts';
import type { Finding, Findings } from '../findings/findings-record.ts';
import { findKeys } from '../findings/redact-exchange.ts';
import { answerSample, corpus, sendSample } from '../testing/corpus/exchanges.ts';
import { startProxyBefore } from '../testing/start-test-proxy.ts';
import { toSentExchange } from './to-sent-exchange.ts';

const creator = { name: 'animal-store-proxy', version: '0.1.0' };

/** Writes exchanges to a HAR file, and returns its path. */
function record(upstream: string, exchanges: readonly Exchange[], apiKeys: readonly string[] = []): string {
  const file = join(createFolder(), 'traffic.har');
  const recorder = new HarRecorder(file, creator);
  for (const exchange of exchanges)
    recorder.add(
      toSentExchange(exchange, new URL(upstream).origin),
      findKeys(exchange.request, new Keys(apiKeys)),
    );
  expect(recorder.end()).toBe(undefined);
  return file;
}

async function check(file: string) {
  const { findings } = await checkRecording({ file });
  return findings;
}

/**
 * Leaves out what a recorded exchange has in addition, the curl commands, which have the headers of a request, and why a body was not
 * checked: a file does not have such a body.
 */
function toComparable({ violations, ...findings }: Findings) {
  const toOne = ({ entry: _, example: __, ...one }: Finding) =>
    one.rule === 'unchecked-body' ? { ...one, message: '', received: undefined } : one;
  return { ...findings, violations: violations.map(toOne) };
}

interface ReadEntry {
  readonly request: { readonly headers: readonly { readonly name: string; readonly value: string }[] };
  readonly response: { readonly content: { readonly text: string } };
}

const readEntries = (file: string): readonly [ReadEntry, ReadEntry, ReadEntry] =>
  JSON.parse(readFileSync(file, 'utf8')).log.entries;

interface Row {
  /** Method and target. @default 'GET /v1/pets' */
  readonly line?: string;
  /** In addition to a media type. @default a key */
  readonly headers?: Readonly<Record<string, string>>;
  readonly sent?: string | Buffer;
  /** @default 200 */
  readonly status?: number;
  /** Undefined breaks the connection. */
  readonly answered: string | Buffer | undefined;
  /** True if the connection breaks after `answered`. */
  readonly isCut?: boolean;
  readonly answerHeaders?: Readonly<Record<string, string>>;
}

/** Sends requests through a proxy whose upstream gives the response of each row. */
async function relay(rows: readonly Row[], block = false) {
  const proxy = await startProxyBefore(
    async (request, response) => {
      await buffer(request);
      const {
        status = 200,
        answered,
        answerHeaders,
        isCut,
      } = rows[Number(request.headers['x-exchange'])] ?? {};
      if (answered === undefined) response.destroy();
      else {
        response.writeHead(status, { 'Content-Type': 'application/json', ...answerHeaders });
        if (isCut) response.write(answered, () => response.destroy());
        else response.end(answered);
      }
    },
    { block },
  );
  for (const [
    index,
    { line = 'GET /v1/pets', headers = { Authorization: 'Bearer k-123' }, sent },
  ] of rows.entries()) {
    const [method = '', target = ''] = line.split(' ');
    const length = sent === undefined ? {} : { 'Content-Length': `${Buffer.byteLength(sent)}` };
    const all = { 'X-Exchange': `${index}`, 'Content-Type': 'application/json', ...length, ...headers };
    await exchangeRaw(proxy.url, method, target, Object.entries(all).flat(), sent).catch(() => {});
  }
  await expect.poll(() => proxy.exchanges.length).toBe(rows.length);
  return proxy;
}

const pet = (id: number, members = '') => `{"id":${id},"name":"Rex","categoryId":2${members}}`;
const newPet = '{"name":"Rex","categoryId":2}';
const gzip = { 'Content-Encoding': 'gzip' };
const noUtf8 = Buffer.from('[{"id":1,"name":"\xff","categoryId":2}]', 'latin1');

/** Bodies that a text cannot have as they are, and responses that are cut or have none. */
const unusual: readonly Row[] = [
  { line: 'POST /v1/pets', sent: Buffer.from(`{"name":"\xff","categoryId":2}`, 'latin1'), answered: '[]' },
  { line: 'POST /v1/pets', sent: newPet, headers: { 'Content-Encoding': 'gzip' }, answered: '[]' },
  { answered: noUtf8 },
  { answered: gzipSync(noUtf8), answerHeaders: gzip },
  { answered: gzipSync('[{}]'), answerHeaders: gzip },
  { answered: gzipSync(''), answerHeaders: gzip },
  { answered: 'not gzip', answerHeaders: gzip },
  { answered: '[{"id":1,"name":"\ufffd","categoryId":9223372036854775808}]' },
  { answered: '[{"id":1,"name":"\u0001","categoryId":2}]' },
  { answered: `\ufeff[]` },
  { line: 'HEAD /v1/pets', answered: '' },
  { answered: 'data: 1\n\n', answerHeaders: { 'Content-Type': 'text/event-stream' } },
  { status: 500, answered: '', answerHeaders: { 'Set-Cookie': 'session=1' } },
  { line: 'GET /v1/pets?limit=0', answered: undefined },
  { answered: '[', isCut: true },
  { headers: gzip, sent: gzipSync(''), answered: '[]' },
];

/** Prints what the proxy says of each exchange of the corpus, in their order. */
function printCorpus(exchanges: readonly Exchange[]): string {
  const numberOf = ({ request }: Exchange) => Number(request.headers['x-exchange']);
  const found = new Map(exchanges.map((one) => [numberOf(one), one.violations]));
  const lines = corpus.map(({ title }, index) => {
    const byPlace = Map.groupBy(found.get(index) ?? [], ({ place, location, rule }) =>
      // The rules for one exchange, such as `errors/status`, have no other sample of their exact places.
      [rule.includes('/') ? location.join('.') : place, rule].join(' '),
    );
    const lines = [...byPlace].map(
      ([where, [first]]) => first && `\n  ${first.severity} ${where}: ${printMessage(first)}`,
    );
    return `${title}${lines.join('')}\n`;
  });
  return lines.join('');
}

test('every exchange of the corpus has its violations, and a file has the findings that the proxy had', async () => {
  const { upstream, url, exchanges, readFindings } = await startProxyBefore(answerSample, { allPaths: true });
  for (const sample of corpus) await sendSample(url, sample);
  await expect.poll(() => exchanges.length).toBe(corpus.length);
  const renew = 'Renew the file and read the difference: npm run test:update';
  await expect(printCorpus(exchanges), renew).toMatchFileSnapshot('../testing/corpus/violations.txt');
  const expected = readFindings();
  expect(toComparable(await check(record(upstream, exchanges)))).toEqual(toComparable(expected));
  const other = await relay(unusual);
  const expectedOthers = other.readFindings();
  const file = record(other.upstream, other.exchanges);
  expect(toComparable(await check(file))).toEqual(toComparable(expectedOthers));
});

test('what was blocked, refused or left without a response has its findings too', async () => {
  const rows = [
    { answered: '[{"id":"x","name":"Rex","categoryId":2}]' },
    { line: 'GET /v1/pets?limit=0', answered: '[]' },
    { answered: undefined },
  ];
  const { upstream, exchanges, readFindings } = await relay(rows, true);
  const expected = readFindings();
  expect(expected).toMatchObject({
    exchanges: 3,
    failures: [{ count: 1 }],
    violations: [{ count: 1 }, { count: 1 }, { count: 1, rule: 'server-error' }],
  });
  const file = record(upstream, exchanges);
  expect(toComparable(await check(file))).toEqual(toComparable(expected));
  const [, , unanswered] = readEntries(file);
  expect(unanswered.response).toMatchObject({ status: 0, headers: [], bodySize: 0, content: { size: 0 } });
});

test('an entry has every digit, each header as it was sent, and bytes that are not text as base64', async () => {
  const large = '{"name":"Rex","categoryId":9223372036854775807}';
  const rows = [
    { line: 'POST /v1/pets?x=%20a', sent: large, status: 201, answered: pet(1), answerHeaders: gzip },
    { answered: noUtf8 },
  ];
  const { upstream, exchanges } = await relay([{ ...rows[0], answered: gzipSync(pet(1)) }, rows[1] as Row]);
  const [first, second] = readEntries(record(upstream, exchanges));
  const mimeType = 'application/json';
  const { origin } = new URL(upstream);
  expect(first).toMatchObject({
    startedDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    request: {
      method: 'POST',
      url: `${origin}/v1/pets?x=%20a`,
      httpVersion: 'HTTP/1.1',
      headers: expect.arrayContaining([{ name: 'X-Exchange', value: '0' }]),
      queryString: [{ name: 'x', value: ' a' }],
      postData: { mimeType, text: large },
      bodySize: large.length,
    },
    response: {
      status: 201,
      statusText: 'Created',
      content: { mimeType, text: pet(1), size: pet(1).length },
    },
  });
  expect(second.response.content).toEqual({
    mimeType,
    text: noUtf8.toString('base64'),
    encoding: 'base64',
    size: noUtf8.length,
  });
});

const secret = 'a-Secret+Key/9';

test('no key is in the file, wherever it was and however it was spelled', async () => {
  const base64 = Buffer.from(`user:${secret}`).toString('base64');
  const percent = encodeURIComponent(secret);
  const html = secret.replace('+', '&#43;');
  const rows: Row[] = [
    {
      line: `POST /v1/pets?api_key=other-key-1&x=${percent}&to=https%3A%2F%2Fy%2F%3Ftoken%3Dother-key-8`,
      headers: {
        Authorization: `Bearer ${secret}`,
        'X-Api-Key': 'other-key-2',
        Cookie: 'session=other-key-3-in-a-cookie',
        'Sec-WebSocket-Protocol': 'bearer, other-key-6',
        Referer: 'https://app/cb#access_token=other-key-7',
      },
      sent: `{"name":"${secret}","categoryId":2}`,
      status: 302,
      answered: `{"message":"${secret} ${base64} ${html} other-key-1 other-key-2 other-key-3-in-a-cookie other-key-6 other-key-8"}`,
      answerHeaders: {
        Location: `/v1/pets?token=other-key-4&x=${percent}#access_token=other-key-9`,
        'Set-Cookie': 'session=other-key-5',
        'X-Echo': secret,
      },
    },
    { headers: { Authorization: 'Bearer 123' }, answered: Buffer.from(`\xff${secret}`, 'latin1') },
    { headers: { Authorization: '12345' }, answered: '{"number":12345}' },
    // A key of three letters would be a part of many words, so that only the name of its parameter shows it.
    { line: 'GET /v1/pets?token=k~3', answered: '[]' },
  ];
  const { upstream, exchanges } = await relay(rows);
  const file = record(upstream, exchanges, [secret]);
  const text = readFileSync(file, 'utf8');
  const [, binary, number] = readEntries(file);
  for (const spelling of ['ecret', 'other-key', percent, base64, html, 'Bearer 123', '12345', 'k~3'])
    expect(text).not.toContain(spelling);
  expect(Buffer.from(binary.response.content.text, 'base64').toString('latin1')).toBe('\xff[key]');
  expect(text).toContain('"Bearer [key]"');
  expect(number.response.content).toEqual({
    mimeType: 'application/json',
    size: -1,
    comment: 'not recorded: it would not be JSON without the key in it',
  });
});

test('keys that were replaced can be told apart', async () => {
  const toRow = (key: string): Row => ({ headers: { Authorization: `Bearer ${key}` }, answered: '[]' });
  const { upstream, exchanges } = await relay(['first', 'second', 'first', 'x'].map(toRow));
  const keys = readEntries(record(upstream, exchanges)).flatMap(({ request }) =>
    request.headers.flatMap(({ name, value }) => (name === 'Authorization' ? [value] : [])),
  );
  expect(keys).toEqual(['Bearer [key]', 'Bearer [key-2]', 'Bearer [key]', 'Bearer [key-3]']);
});
