import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFolder } from '../tools/testing/create-folder.ts';
import { createEntry, printHar } from '../tools/testing/create-har.ts';
import { exchangeRaw } from '../tools/testing/exchange-raw.ts';
import { findSpellings, spellKey } from '../tools/testing/key-spellings.ts';
import { startForwardProxy } from '../tools/testing/start-forward-proxy.ts';
import { checkRecording } from './check-recording.ts';
import { printFindings } from './findings/print-findings.ts';
import { printReport } from './findings/print-report.ts';
import { type Findings, startCheckedProxy } from './index.ts';
import { answerJson, startUpstream } from './testing/start-upstream.ts';

const ownKey = `s3cr/t?+"\\=%,&<'>`;
const otherKey = 's3cr-Configured/+8';
const wideKey = 's3cr-Schlüssel-ключ-鍵';

/** The keys, each with the headers that send it. The others are configured. */
const keys: readonly (readonly [key: string, headers: readonly string[]])[] = [
  [ownKey, ['Authorization', ownKey]],
  [ownKey, ['Authorization', `Bearer ${ownKey}`]],
  [ownKey, ['Authorization', `ApiKey ${ownKey}, Bearer other`]],
  [ownKey, ['Authorization', 'Bearer other', 'X-API-Key', ownKey]],
  [otherKey, []],
  [wideKey, []],
  [wideKey, ['Authorization', `Bearer ${Buffer.from(wideKey).toString('latin1')}`]],
];

/** Prints findings in every way. */
function printAll(findings: Findings): string {
  const [startedAt, endedAt] = [new Date(), new Date()];
  const subject = { upstream: 'http://127.0.0.1:9/v1', startedAt, endedAt, failOn: 'warning' } as const;
  const reports = ['report.json', 'report.xml'].map((file) => printReport(file, findings, subject));
  return [printFindings(findings, { failOn: 'warning' }), ...reports].join('\n');
}

function expectNoKeys(printed: string): void {
  expect(keys.flatMap(([key]) => findSpellings(printed, key))).toEqual([]);
  expect(printed).not.toMatch(/s3cr|%73/i);
  expect(printed).toContain('[key]');
}

const logs = ['pretty', 'json'] as const;

test.for(logs)('in the log (%s), findings, reports and refusals is no key', async (log) => {
  const block = log === 'json';
  // It echoes a media type, and puts a key where the contract has a number.
  const upstream = await startUpstream((request, response) => {
    const mediaType = String(request.headers['x-echo'] ?? 'application/json');
    answerJson('[{"id":"x"}]', { 'Content-Type': mediaType })(request, response);
  });
  const printed: string[] = [];
  const write = (line: string) => void printed.push(line);
  // A file has a line break at its end.
  const apiKeys = ['another-key', `${otherKey}\n`, wideKey];
  const proxy = await startCheckedProxy({ upstream, log, write, apiKeys, block });
  onTestFinished(proxy.close);
  const exchange = async (method: string, target: string, headers: readonly string[], body?: string) => {
    const answer = await exchangeRaw(proxy.url, method, target, headers, body);
    if (String(answer.body).includes('_violation')) printed.push(String(answer.body));
  };
  for (const [key, sent] of keys) {
    for (const written of Object.values(spellKey(key))) {
      // Headers are bytes.
      const spelling = Buffer.from(written).toString('latin1');
      await exchange('GET', `/v1/pets?status=${spelling}&limit=${spelling}`, sent);
      await exchange('GET', `/v1/pets/${spelling}`, sent);
      await exchange('GET', '/v1/pets', [...sent, 'X-Echo', `text/${spelling}`]);
      const headers = [...sent, 'Content-Type', 'application/json'];
      await exchange('POST', '/v1/pets', headers, `{"name":1,"${written}":"${written}"}`);
      await exchange('POST', '/v1/pets', [...sent, 'Content-Type', `text/${spelling}`], '{}');
    }
  }
  expectNoKeys(printed.join('\n') + printAll(proxy.readFindings()));
  if (block) expect(printed.filter((text) => text.includes('_violation')).length).toBeGreaterThan(100);
});

test('credentials that a forward proxy repeats in a page are redacted in the log and the findings', async () => {
  const forward = await startForwardProxy();
  forward.use('ann:wr%40ng-pass@');
  const printed: string[] = [];
  const write = (line: string) => void printed.push(line);
  const proxy = await startCheckedProxy({ upstream: 'http://staging.test/v1', log: 'json', write });
  onTestFinished(proxy.close);
  await exchangeRaw(proxy.url, 'GET', '/v1/pets', ['Authorization', 'Bearer test-key']);
  const text = printed.join('\n') + printAll(proxy.readFindings());
  expect(text).toContain('No access for [key] [key] [key] [key]');
  expect(text).not.toMatch(/wr(?:@|%40)ng-pass/);
});

test('what is printed of a HAR file has no key and no control characters', async () => {
  const pets = 'https://api.example.com/v1/pets';
  const rows = keys.flatMap(([key]) =>
    Object.values(spellKey(key)).flatMap((spelling) => {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Cookie: key };
      // What follows a number sign is not sent.
      const inUrl = spelling.replaceAll('#', '%23');
      return [
        { url: `${pets}?limit=${inUrl}&status=${inUrl}`, headers },
        { url: `${pets}/${inUrl}`, headers, status: 418 },
        { headers, sent: `{"name":1,"${spelling}":"\x1b[2J"}`, entry: { startedDateTime: `\x1b]${key}` } },
        { headers, answerHeaders: { 'Content-Type': `text/${spelling}\x1b[2J\u202e` } },
      ];
    }),
  );
  const file = join(createFolder({ 'traffic.har': printHar(rows.map(createEntry)) }), 'traffic.har');
  for (const log of logs) {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const { findings } = await checkRecording({ file, apiKeys: [otherKey, wideKey], log, write });
    const printed = lines.join('') + printAll(findings);
    expectNoKeys(printed);
    expect(printed).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  }
});
