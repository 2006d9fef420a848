import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Keys, redact } from '../common/text/redact.ts';
import { createFolder } from '../tools/testing/create-folder.ts';
import { createEntry, printHar } from '../tools/testing/create-har.ts';
import { exchangeRaw } from '../tools/testing/exchange-raw.ts';
import { startForwardProxy } from '../tools/testing/start-forward-proxy.ts';
import { checkRecording } from './check-recording.ts';
import { printFindings } from './findings/print-run.ts';
import { createKeyMemory } from './findings/redact-exchange.ts';
import { startCheckedProxy } from './index.ts';

/** Starts a proxy in front of a service. @returns how to send requests, and what was printed of them */
async function startPrinting(service: RequestListener) {
  const server = createServer(service).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const printed: string[] = [];
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const proxy = await startCheckedProxy({ upstream, log: 'json', write: (line) => void printed.push(line) });
  onTestFinished(proxy.close);
  return {
    send: (method: string, headers: readonly string[], body?: string, query = '') =>
      exchangeRaw(proxy.url, method, `/v1/pets${query}`, headers, body),
    print: () => printed.join('\n') + printFindings(proxy.readFindings(), { failOn: 'warning' }),
    printFindings: () => printFindings(proxy.readFindings(), { failOn: 'warning' }),
  };
}

test('keys that the service has accepted one after the other are redacted also where a later response repeats them', async () => {
  const { send, print } = await startPrinting(({ headers }, response) => {
    const isKnown = ['Bearer the-key-of-ann', 'Bearer the-key-of-ben'].includes(`${headers.authorization}`);
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
    const status = headers.authorization === undefined ? 'the-key-of-ann or the-key-of-ben, not sold' : 401;
    const error = { code: 'unauthorized', message: 'No.', status };
    response.end(JSON.stringify(isKnown ? [] : error));
  });
  for (const key of ['the-key-of-ann', 'the-key-of-ben', 'sold'])
    await send('GET', ['Authorization', `Bearer ${key}`]);
  await send('GET', []);
  expect(print()).toContain('"[key] or [key], not sold"');
  expect(print()).not.toContain('the-key-of-');
});

test('thousands of accepted keys are redacted in other exchanges, but no text that stands for a key', () => {
  const keys = new Keys();
  const remember = createKeyMemory(keys);
  const all = Array.from({ length: 3_000 }, (_, index) => `the-key-of-${index}`);
  for (const key of [...all, '<name>', '{{name}}']) remember({ authorization: `Bearer ${key}` }, 200);
  expect(redact(`${all.at(-1)} has a name`, keys)).toBe('[key] has a name');
});

test('a key that an app sends as a name is redacted where the response has another name', async () => {
  const { send, print } = await startPrinting((_, response) => {
    response.writeHead(201, { 'content-type': 'application/json' });
    response.end('{"id":1,"name":"Rex","categoryId":1}');
  });
  const headers = ['Authorization', 'Bearer the-key-of-ann', 'Content-Type', 'application/json'];
  await send('POST', headers, '{"name":"the-key-of-ann","categoryId":1}');
  expect(print()).toContain('echoes');
  expect(print()).not.toContain('the-key-of-');
});

/** Accepts any key but these. */
const refuseKeys: (...keys: string[]) => RequestListener =
  (...keys) =>
  ({ headers: { authorization = '' } }, response) => {
    const isRefused = keys.some((key) => authorization === `Bearer ${key}`);
    response.writeHead(isRefused ? 401 : 200, { 'content-type': 'application/json' });
    response.end(isRefused ? '{"code":"unauthorized","message":"No.","status":401}' : '[]');
  };

test('a key that the service has refused is redacted later too, unless it may be a word', async () => {
  const { send, print } = await startPrinting(refuseKeys('the-key-of-production', 'sold'));
  for (const key of ['the-key-of-production', 'sold']) await send('GET', ['Authorization', `Bearer ${key}`]);
  await send('GET', ['Authorization', 'Bearer other'], undefined, '?k=the-key-of-production&limit=sold');
  expect(print()).toContain('?k=[key]&limit=sold');
  expect(print()).not.toContain('the-key-of-');
});

test('a key that is a word of ours, and text that stands for a key, leave the findings as they are', async () => {
  const { send, printFindings } = await startPrinting(refuseKeys());
  await send('GET', []);
  for (const key of ['request', '$ANIMAL_STORE_API_KEY', 'ANIMAL_STORE_API_KEY', '<key>'])
    await send('GET', ['Authorization', `Bearer ${key}`], undefined, '?limit=0');
  const text = printFindings();
  expect(text).toContain(' error     listPets   request              missing-key ');
  expect(text).toContain('-H "Authorization: Bearer $ANIMAL_STORE_API_KEY"');
});

test('a key that was in a query before the service accepted it is in no report', async () => {
  const { send, printFindings } = await startPrinting(refuseKeys());
  await send('GET', ['Authorization', 'Bearer other'], undefined, '?k=the-key-of-ann&limit=0');
  await send('GET', ['Authorization', 'Bearer the-key-of-ann']);
  const text = printFindings();
  expect(text).toMatch(/ request\.query\.k +unknown-parameter +"\[key\]"\n.*\?k=\[key\]&limit=0/);
  expect(text).not.toContain('the-key-of-');
});

test('a key that a HAR file has in one entry is redacted in all of them', async () => {
  const url = 'https://api.example.com/v1/pets';
  const rows = [
    { url: `${url}?k=the-key-of-ann`, headers: { Authorization: 'Bearer other' } },
    { url, headers: { Authorization: 'Bearer the-key-of-ann' } },
  ];
  const folder = createFolder({ 'traffic.har': printHar(rows.map(createEntry)) });
  const printed: string[] = [];
  const write = (line: string) => void printed.push(line);
  const { findings } = await checkRecording({ file: join(folder, 'traffic.har'), log: 'json', write });
  const text = printed.join('\n') + printFindings(findings, { failOn: 'warning' });
  expect(text).toContain('?k=[key]');
  expect(text).not.toContain('the-key-of-');
});

test('credentials that a forward proxy repeats in a page are redacted in the log and the findings', async () => {
  const forward = await startForwardProxy();
  forward.use('ann:wr%40ng-pass@');
  const printed: string[] = [];
  const write = (line: string) => void printed.push(line);
  const proxy = await startCheckedProxy({ upstream: 'http://staging.test/v1', log: 'json', write });
  onTestFinished(proxy.close);
  await exchangeRaw(proxy.url, 'GET', '/v1/pets', ['Authorization', 'Bearer test-key']);
  const text = printed.join('\n') + printFindings(proxy.readFindings(), { failOn: 'warning' });
  expect(text).toContain('No access for [key] [key] [key] [key]');
  expect(text).not.toMatch(/wr(?:@|%40)ng-pass/);
});
