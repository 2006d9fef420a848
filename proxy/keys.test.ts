import { expect, onTestFinished, test } from 'vitest';
import { exchangeRaw } from '../tools/testing/exchange-raw.ts';
import { startForwardProxy } from '../tools/testing/start-forward-proxy.ts';
import { printFindings } from './findings/print-run.ts';
import { startCheckedProxy } from './index.ts';

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
