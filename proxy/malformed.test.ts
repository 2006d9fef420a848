import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { HarRecorder } from '../common/har/har-recorder.ts';
import { createFolder } from '../tools/testing/create-folder.ts';
import { open, talk } from '../tools/testing/exchange-raw.ts';
import { checkRecording } from './check-recording.ts';
import { readVerdict } from './findings/verdict.ts';
import { startCheckedProxy } from './index.ts';
import { printRequest } from './testing/start-test-proxy.ts';
import { answerJson, startUpstream } from './testing/start-upstream.ts';

/** Starts a proxy that keeps its log and a recording. */
async function startLogging() {
  const file = join(createFolder(), 'traffic.har');
  const recorder = new HarRecorder(file, { name: 'test', version: '1' });
  const upstream = await startUpstream(answerJson('[]', { 'Content-Length': 2 }));
  const lines: string[] = [];
  const options = { upstream, log: 'pretty', write: (line: string) => void lines.push(line) } as const;
  const proxy = await startCheckedProxy(options, { recorder });
  onTestFinished(proxy.close);
  const checkAgain = async () => {
    recorder.end();
    return (await checkRecording({ file })).findings;
  };
  return { ...proxy, lines, checkAgain };
}

const key = ['Authorization: Bearer the-key-of-ann', 'Connection: close'];
const chunked = [...key, 'Transfer-Encoding: chunked'];
const good = printRequest('GET /v1/pets', ['Authorization: Bearer the-key-of-ann']);
const unknown = 'so its method and path could not be read';

/** Requests that are no HTTP, with the status of the response and a part of the line of the log. */
test.for<[title: string, bytes: string, status: number, logged: string]>([
  [
    'a value that is not escaped',
    printRequest('GET /v1/pets?status=verf\xc3\xbcgbar', key),
    400,
    'Invalid char in url query; received GET /v1/pets?status=verfügbar (1 so far, GET /v1/pets?status=verfügbar)',
  ],
  [
    'a key and a blank in its path',
    printRequest('GET /v1/pets?a=the-key-of-ann &api_key=other', key),
    400,
    'received GET /v1/pets?a=[key] &api_key=[key] (1 so far, ',
  ],
  [
    'a large cookie',
    printRequest('GET /v1/pets', [...key, `Cookie: ${'x'.repeat(17_000)}`]),
    431,
    'The headers are larger than 16 KiB; received GET /v1/pets (1 so far, ',
  ],
  [
    'chunks without a length',
    printRequest('POST /v1/pets', chunked, 'no chunk'),
    400,
    'received POST /v1/pets (1 so far, ',
  ],
  [
    'two Host headers',
    printRequest('GET /v1/pets', ['Host: localhost', ...key]),
    400,
    'more than one Host header. Send one; received GET /v1/pets (1 so far, ',
  ],
  [
    'a good one before it',
    `${good}GET /v1/x\xff HTTP/1.1\r\n\r\n`,
    400,
    'received GET /v1/x\ufffd (1 so far, ',
  ],
  ['TLS', '\x16\x03\x01\x02\x00\x01', 400, `Invalid method encountered, ${unknown} (1 so far, ? /v1/)`],
  ['a blank line and no method', '\r\n\r\nthe-key-of-ann\r\n\r\n', 400, unknown],
])(
  'a request with %s is refused, logged as an error, and fails the gate',
  async ([, bytes, status, logged]) => {
    const { url, lines, readFindings, checkAgain } = await startLogging();
    expect(await talk(url, bytes)).toContain(`HTTP/1.1 ${status} `);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(' proxy violation error - request unreadable: ');
    expect(lines[0]).toContain(logged);
    const findings = readFindings();
    expect(readVerdict(findings, { failOn: 'request-error' }).verdict).toBe('failed');
    expect(JSON.stringify(findings)).not.toContain('the-key-of');
    // The curl command has a body only if the request has one.
    expect(findings.violations[0]?.example.includes('@body')).toBe(bytes.includes('chunked'));
    const toComparable = {
      ...findings.violations[0],
      entry: expect.any(Number),
      example: expect.any(String),
    };
    expect((await checkAgain()).violations).toEqual([toComparable]);
  },
);

test('what follows a malformed request on its connection is no other one', async () => {
  const { url, readFindings } = await startLogging();
  const socket = await open(url, 'garbage\r\n\r\n');
  await once(socket, 'data');
  socket.end('garbage\r\n\r\n');
  await talk(url, printRequest('GET /v1/pets', key));
  expect(readFindings()).toMatchObject({ exchanges: 2, violations: [{ rule: 'unreadable', count: 1 }] });
});

test('a malformed request for what is a path of a mock only is an error too', async () => {
  const { url, lines } = await startLogging();
  await talk(url, 'GET /health?\xff HTTP/1.1\r\n\r\n');
  expect(lines).toEqual([expect.stringContaining('request unreadable')]);
});

test('a client that leaves or sends nothing breaks no rule, nor does a malformed request for the console', async () => {
  const { url, lines, readFindings } = await startLogging();
  for (const bytes of ['', 'GET /v1/pe', printRequest('POST /v1/pets', ['Content-Length: 9'], 'a')]) {
    (await open(url, bytes)).resetAndDestroy();
    const half = await open(url, '');
    half.end(bytes).resume();
    await new Promise((resolve) => half.once('close', resolve));
  }
  await talk(url, printRequest(`GET /__console/?x=${'x'.repeat(17_000)}`));
  await talk(url, printRequest('GET /v1/pets', key));
  expect(lines).toEqual([]);
  expect(readFindings()).toMatchObject({ exchanges: 1, violations: [] });
});
