import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { exchangeRaw } from '../tools/testing/exchange-raw.ts';
import { startForwardProxy } from '../tools/testing/start-forward-proxy.ts';
import { printFindings } from './findings/print-run.ts';
import { startCheckedProxy } from './index.ts';

test('keys that the service has accepted one after the other are redacted also where a later response repeats them', async () => {
  const service = createServer(({ headers, url }, response) => {
    const isKnown = ['Bearer the-key-of-ann', 'Bearer the-key-of-ben'].includes(`${headers.authorization}`);
    response.writeHead(url === '/v1/pets' && isKnown ? 200 : 401, { 'content-type': 'application/json' });
    const status = headers.authorization === undefined ? 'the-key-of-ann or the-key-of-ben, not sold' : 401;
    const error = { code: 'unauthorized', message: 'No.', status };
    response.end(JSON.stringify(isKnown ? [] : error));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void service.close());
  await once(service, 'listening');
  const printed: string[] = [];
  const upstream = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`;
  const proxy = await startCheckedProxy({ upstream, log: 'json', write: (line) => void printed.push(line) });
  onTestFinished(proxy.close);
  for (const key of ['the-key-of-ann', 'the-key-of-ben', 'sold'])
    await exchangeRaw(proxy.url, 'GET', '/v1/pets', ['Authorization', `Bearer ${key}`]);
  await exchangeRaw(proxy.url, 'GET', '/v1/pets', []);
  const text = printed.join('\n') + printFindings(proxy.readFindings(), { failOn: 'warning' });
  expect(text).toContain('"[key] or [key], not sold"');
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
