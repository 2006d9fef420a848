import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exchangeRaw } from '../testing/exchange-raw.ts';
import { get, send } from '../testing/http-case.ts';
import { findSpellings, spellKey } from '../testing/key-spellings.ts';
import { startMockCli } from '../testing/run-cli.ts';
import { runInTurn } from '../testing/run-in-turn.ts';

const keys = [`s3cr/t?+"\\=%,&<'>`, `s3cr-${'x'.repeat(60)}`];

test.for(['pretty', 'json', 'silent'])(
  'with --log %s no key is printed, wherever it was put',
  async (log) => {
    const options = ['--log', log, ...keys.flatMap((key) => ['--api-key', key])];
    const { announcement, child, ended, url } = await startMockCli(options);
    expect(announcement).toMatch(
      /\nAPI key: as you set it \(not shown\)\n.*\n.*Bearer \$ANIMAL_STORE_API_KEY"/,
    );
    for (const key of keys) {
      const headers = ['Authorization', `Bearer ${key}`, 'Content-Type', 'application/json'];
      expect((await exchangeRaw(url, 'GET', '/v1/pets', headers)).status).toBe(200);
      for (const spelling of Object.values(spellKey(key))) {
        for (const target of [
          `/v1/pets?key=${spelling}`,
          `/v1/pets?status=${spelling}`,
          `/v1/pets/${spelling}`,
        ]) {
          await exchangeRaw(url, 'GET', target, headers);
        }
        for (const body of [
          `{"name":1,"${spelling}":"${spelling}"}`,
          `{"name":"","categoryId":"${spelling}"}`,
          `{"name":${spelling}`,
        ]) {
          await exchangeRaw(url, 'POST', '/v1/pets', headers, body);
        }
        const type = headers.with(3, `application/${spelling}`);
        await exchangeRaw(url, 'POST', '/v1/pets', type, '{}');
        await exchangeRaw(url, 'GET', '/v1/pets', [...headers, 'Prefer', `code=${spelling}`]);
        await exchangeRaw(url, 'GET', '/v1/pets', ['Authorization', `Basic ${spelling}`]);
      }
    }
    child.kill('SIGTERM');
    const { stdout, stderr } = await ended;
    const printed = stdout + stderr;
    expect(keys.flatMap((key) => findSpellings(printed, key))).toEqual([]);
    expect(printed).not.toMatch(/s3cr|%73/i);
    if (log !== 'silent') expect(printed).toContain('/v1/pets?key=[key]');
  },
);

test('a message that quotes a key is not logged, however its URL spells the key', async () => {
  const { child, ended, url } = await startMockCli(['--log', 'json']);
  expect((await send(url, get('/v1/pets?limit=test%2Dkey'))).status).toBe(400);
  child.kill('SIGTERM');
  const [line = ''] = /\{.*\}/.exec((await ended).stdout) ?? [];
  expect(JSON.parse(line)).toMatchObject({ status: 400, error: 'invalid_request' });
  expect(line).not.toContain('test-key');
});

const ended = await runInTurn(
  join(import.meta.dirname, 'cli.ts'),
  [
    ['--port', 'MyOwnKey99'],
    ['--checked-port=MyOwnKey99'],
    ['--profile', 'MyOwnKey99'],
    ['--now', 'MyOwnKey99'],
    ['--host', 'MyOwnKey99.invalid'],
    ['--data', 'MyOwnKey99'],
    ['--MyOwnKey99'],
    ['--prot=MyOwnKey99'],
    ['-MyOwnKey99'],
    ['MyOwnKey99'],
    ['--api-key:GluedKey77'],
    ['--keyGluedKey77'],
    ['--api-keyGluedKey77'],
    ['--bearer=GluedKey77'],
    ['--xGluedKey77'],
    ['http://user:GluedKey77@127.0.0.1:9/v1'],
    ['http://127.0.0.1:9/v1?key=GluedKey77'],
    ['--host', 'http://u:GluedKey77@127.0.0.1'],
  ].map((args) => ({ args })),
  { ANIMAL_STORE_API_KEY: 'another MyOwnKey99' },
);

test.for(ended)('of $args no key is repeated', ({ stdout, stderr, exitCode }) => {
  expect(exitCode).not.toBe(0);
  expect(stderr).toMatch(/^animal-store-mock: [^\n]+\n$/);
  expect(stdout + stderr).not.toMatch(/MyOwnKey|wnKey99|GluedKey|luedKey77/i);
});

test('a key that was refused is not in the log either', async () => {
  const { url, waitFor } = await startMockCli();
  const headers = { Authorization: 'Bearer key-of-another-service' };
  await send(url, get('/v1/pets?key-of-another-service', headers));
  expect(await waitFor(/ 401 .*\n/)).not.toContain('key-of-another-service');
});
