import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { exchangeRaw } from '../testing/exchange-raw.ts';
import { findSpellings, spellKey } from '../testing/key-spellings.ts';
import { startCli } from '../testing/run-cli.ts';
import { runInTurn } from '../testing/run-in-turn.ts';
import { answerJson, startUpstream } from './testing/start-upstream.ts';

const bin = join(import.meta.dirname, 'bin.js');
const listening = /^checked proxy listening on (\S+)\n/;

const ownKey = `s3cr/t?+"\\=%,&<'>`;
const otherKey = 's3cr-Configured/+8';
const wideKey = 's3cr-Schlüssel-ключ-鍵';
const environment = { ANIMAL_STORE_API_KEY: `another-key ${otherKey} ${wideKey}` };

test.for([
  ['pretty', 'report.json', []],
  ['json', 'report.xml', ['--errors']],
] as const)('with --log %s no key is in any output, %s or sl-violations', async ([log, name, options]) => {
  const folder = mkdtempSync(join(tmpdir(), 'checked-proxy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const report = join(folder, name);
  // It echoes a media type, and puts a key where the contract has a number.
  const upstream = await startUpstream((request, response) => {
    const mediaType = request.headers['x-echo'] ?? 'application/json';
    answerJson('[{"id":"x"}]', { 'Content-Type': String(mediaType) })(request, response);
  });
  const args = [upstream, '--port', '0', '--log', log, '--report', report, ...options];
  const { child, ended, waitFor } = startCli(args, { bin, environment });
  const [, url = ''] = listening.exec(await waitFor(listening)) ?? [];
  const told: string[] = [];
  const exchange = async (method: string, target: string, headers: readonly string[], body?: string) => {
    const answer = await exchangeRaw(url, method, target, headers, body);
    told.push(answer.headers.join('\n'), String(answer.body));
  };
  for (const [key, authorization] of [
    [ownKey, ['Authorization', `Bearer ${ownKey}`]],
    [ownKey, ['Authorization', `ApiKey ${ownKey}, Bearer other`]],
    [ownKey, ['Authorization', 'Bearer other', 'X-API-Key', ownKey]],
    [otherKey, []],
    [wideKey, []],
    [wideKey, ['Authorization', `Bearer ${Buffer.from(wideKey).toString('latin1')}`]],
  ] as const) {
    for (const written of Object.values(spellKey(key))) {
      // Heads are bytes.
      const spelling = Buffer.from(written).toString('latin1');
      await exchange('GET', `/v1/pets?status=${spelling}&limit=${spelling}`, authorization);
      await exchange('GET', `/v1/pets/${spelling}`, authorization);
      await exchange('GET', `/v1/nothing/${spelling}`, authorization);
      await exchange('GET', '/v1/pets', [...authorization, 'X-Echo', `text/${spelling}`]);
      for (const type of ['application/json', `text/${spelling}`, spelling]) {
        const headers = [...authorization, 'Content-Type', type];
        await exchange('POST', '/v1/pets', headers, `{"name":1,"${written}":"${written}"}`);
      }
    }
  }
  child.kill('SIGINT');
  const { stdout, stderr } = await ended;
  // The upstream's own bytes are as they are.
  const headers = told
    .filter((text) => text.includes('sl-violations'))
    .map((text) => text.replaceAll(/^(?:text\/.*|Content-Type)$/gim, ''));
  const bodies = told.filter((text) => text.includes('_violation'));
  expect(headers.length).toBeGreaterThan(100);
  if (options.length > 0) expect(bodies.length).toBeGreaterThan(100);
  const printed = [stdout, stderr, readFileSync(report, 'utf8'), ...headers, ...bodies].join('\n');
  expect([ownKey, otherKey, wideKey].flatMap((key) => findSpellings(printed, key))).toEqual([]);
  expect(printed).not.toMatch(/s3cr|%73/i);
  expect(printed).toContain('[key]');
});

const upstream = 'http://127.0.0.1:9/v1';

const ended = await runInTurn(
  join(import.meta.dirname, 'cli.ts'),
  [
    [upstream, '--port', otherKey],
    [upstream, '--fail-on', otherKey],
    [upstream, '--report', `/nowhere/${otherKey}`],
    [upstream, '--host', `${otherKey}.invalid`],
    [upstream, '--ca', otherKey],
    [upstream, `--${otherKey}`],
    [upstream, '--api-key:s3cr-Glued77'],
    [upstream, '--keys3cr-Glued77'],
    [upstream, '--xS3cr-Glued77'],
    [upstream, '--host', 'http://user:s3cr-Glued77@localhost'],
    [upstream, otherKey],
    [otherKey],
  ].map((args) => ({ args: ['--api-key', otherKey, ...args] })),
  environment,
);

test.for(ended)('of $args no key is repeated', ({ stdout, stderr, exitCode }) => {
  expect(exitCode).not.toBe(0);
  expect(stderr).toMatch(/^animal-store-proxy: [^\n]+\n$/);
  expect(stdout + stderr).not.toMatch(/s3cr|configured/i);
});
