import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { printFramed, printGet } from '../../bench/print-request.ts';
import { sendRaw } from '../../bench/send-raw.ts';
import { exchangeRaw, open } from '../../testing/exchange-raw.ts';
import { get, type HttpRequest, post, send } from '../../testing/http-case.ts';
import { findSpellings, spellKey } from '../../testing/key-spellings.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';
import type { MockOptions } from '../index.ts';

/** Starts a mock that logs; `read` returns the lines of the log as soon as the log matches. */
async function startLogging(options: MockOptions = {}) {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const mock = await startTestMock({ log: 'pretty', ...options });
  const printed = () => write.mock.calls.map(([text]) => text).join('');
  const read = async (pattern: RegExp) => {
    await expect.poll(printed).toMatch(pattern);
    return printed().trim().split('\n');
  };
  return { ...mock, read };
}

const options = { method: 'OPTIONS', path: '/v1/pets' };
const preflight = { 'Access-Control-Request-Method': 'POST' };
const rex = '{"name":"Rex","categoryId":1}';

/** Requests, and their lines in the log. */
const rows: readonly (readonly [request: HttpRequest, line?: RegExp])[] = [
  [get('/v1/pets?token=abc'), /^\d\d:\d\d:\d\d mock GET \/v1\/pets\?token=\[key\] 200 [\d.]+ ms$/],
  [get('/v1/pets?limit=0'), / GET \/v1\/pets\?limit=0 400 [\d.]+ ms invalid_request: limit must be .*"0"\.$/],
  [post('/v1/pets', '{\n"a\n12:00 GET /forged'), /POST \/v1\/pets 400 .* The body could not be read as .+$/],
  [post('/v1/pets', rex.replace('}', ',"status":"##[x]"}')), /400 [\d.]+ ms .*, not "#\\u0023\[x\]"\.$/],
  // This body is larger than the 64 KiB that the journal keeps.
  [post('/v1/pets', `{"name":"${'x'.repeat(70_000)}"}`), / ms invalid_request: categoryId is required .*\.$/],
  [post('/v1/pets', rex.padEnd(1024 * 1024 + 1)), / 413 .* payload_too_large: The body is larger than 1/],
  [get('/health')],
  [{ ...options, headers: { ...preflight, Origin: 'http://localhost:5173' } }],
  [{ ...options, headers: preflight }, / OPTIONS \/v1\/pets 405 /],
];

test('the log has a line for each request, with the message of its Error', async () => {
  const { url, read, faults } = await startLogging();
  for (const [request] of rows) await send(url, request);
  faults.add({ drop: true });
  await sendRaw(url, { bytes: printGet('/v1/pets') });
  const lines = await read(/GET \/v1\/pets connection reset [\d.]+ ms\n$/);
  const expected = rows.flatMap(([, line]) => (line ? [expect.stringMatching(line)] : []));
  expect(lines.slice(0, -1)).toEqual(expected);
  const socket = await open(url, printFramed('', 'Content-Length: 5', 'Expect: 100-continue'));
  await once(socket, 'data');
  socket.destroy();
  await read(/POST \/v1\/pets aborted by the client [\d.]+ ms\n$/);
});

const keys = [`s3cr/t?+"\\=%,&<'>`, `s3cr-${'x'.repeat(60)}`];

test.for(['pretty', 'json'] as const)('with log %s no key is printed, wherever it was sent', async (log) => {
  const secrets = { apiKeys: keys.slice(0, 1), adminToken: 's3cr-token' };
  const { url, read, configure } = await startLogging({ log, ...secrets });
  configure({ apiKeys: keys });
  await send(url, get('/__admin/animals?s3cr-token', { Authorization: 'Bearer s3cr-token' }));
  for (const key of keys) {
    const headers = ['Authorization', `Bearer ${key}`, 'Content-Type', 'application/json'];
    for (const spelling of Object.values(spellKey(key))) {
      for (const target of [`/v1/pets?key=${spelling}`, `/v1/pets?limit=${spelling}`, `/v1/pets/${spelling}`])
        await exchangeRaw(url, 'GET', target, headers);
      await exchangeRaw(url, 'POST', '/v1/pets', headers, `{"name":1,"categoryId":"${spelling}"}`);
      await exchangeRaw(url, 'GET', '/v1/pets', ['Authorization', `Basic ${spelling}`]);
    }
  }
  await send(url, get('/nothing'));
  const printed = (await read(/\/nothing.*\n$/)).join('\n');
  expect(keys.flatMap((key) => findSpellings(printed, key))).toEqual([]);
  expect(printed).not.toMatch(/s3cr|%73/i);
  expect(printed).toContain('/__admin/animals?[key]');
  expect(printed).toContain('/v1/pets?key=[key]');
});

test('as JSON, a line is an object; it leaves out a message that may quote a part of a key', async () => {
  const { url, read } = await startLogging({ log: 'json' });
  for (const limit of ['test-key', 'test%2Dkey']) await send(url, get(`/v1/pets?limit=${limit}`));
  const lines = await read(/\n.*\n$/);
  const line = { from: 'mock', method: 'GET', url: '/v1/pets?limit=[key]', status: 400 };
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const entry = { ...line, time, ms: expect.any(Number), error: 'invalid_request' };
  const message = expect.stringContaining('not "[key]"');
  const second = { ...entry, url: '/v1/pets?limit=test%2Dkey', message };
  expect(lines.map((line) => JSON.parse(line))).toEqual([entry, second]);
});
