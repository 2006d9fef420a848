import { expect, test } from 'vitest';
import { exchangeRaw } from '../../tools/testing/exchange-raw.ts';
import { startProxyBefore } from '../testing/start-test-proxy.ts';
import { answerJson } from '../testing/start-upstream.ts';
import { printFindings } from './print-run.ts';

const long = 'n'.repeat(1024 * 1024);
const many = Array.from({ length: 1_000 }, (_, index) => `"m${index}":1`).join();

test.for([
  ['a very long name next to many others', `{"${long}":1,${many}}`],
  ['many repeated members under a very long name', `{"${long}":{${many},${many}}}`],
  [
    'many repeated members below 1,000 others',
    `${'{"nnnnnnnnnn":'.repeat(1_000)}{${many},${many}}${'}'.repeat(1_000)}`,
  ],
])('of %s, findings and their table stay small', async ([, body]) => {
  const { url, readFindings } = await startProxyBefore(answerJson());
  const headers = ['Authorization', 'Bearer x', 'Content-Type', 'application/json'];
  await exchangeRaw(url, 'POST', '/v1/pets', headers, body);
  const findings = readFindings();
  expect(JSON.stringify(findings).length).toBeLessThan(1_500_000);
  const lines = printFindings(findings, { failOn: 'never' }).split('\n');
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(400);
});
