import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createFolder } from '../testing/create-folder.ts';
import { createEntry, printHar, type RecordedRow } from '../testing/create-har.ts';
import { exchangeRaw, toRawHeaders } from '../testing/exchange-raw.ts';
import { type CheckConfig, checkRecording } from './check-recording.ts';
import { FindingsRecord } from './findings/findings-record.ts';
import { HarError } from './har/read-entries.ts';
import { requestExchanges } from './testing/corpus/request-exchanges.ts';
import { responseExchanges } from './testing/corpus/response-exchanges.ts';
import type { SampleExchange } from './testing/corpus/sample-exchange.ts';
import { startProxyBefore } from './testing/start-test-proxy.ts';

/** Checks a HAR file in a folder with other files. */
function checkFile(har: string, options: Partial<CheckConfig> = {}, beside = {}) {
  const quiet = { apiKeys: [], log: 'silent', write: () => {} } as const;
  const folder = createFolder({ 'traffic.har': har, ...beside });
  return checkRecording({ file: join(folder, 'traffic.har'), ...quiet, ...options });
}

/** Checks entries, and returns the violations and the counts. */
async function check(rows: readonly RecordedRow[], options?: Partial<CheckConfig>, beside?: object) {
  const { findings, recording } = await checkFile(printHar(rows.map(createEntry)), options, beside);
  const { exchanges, unanswered, unjudgedBodies, violations } = findings;
  const { bodiesNotRecorded, keysNotRecorded, otherAddresses, fromCache } = recording;
  return {
    violations: violations.map(({ place, rule }) => `${place} ${rule}`),
    ...{ exchanges, unanswered, unjudgedBodies, bodiesNotRecorded, keysNotRecorded },
    ...{ otherAddresses, fromCache },
  };
}

/** What a HAR file can hold of an exchange: no bytes of a request that are no text, and not that a key was missing. */
function canBeRecorded({ headers, sent, status }: SampleExchange): boolean {
  return ((headers.Authorization ?? '') !== '' || status === 401) && !(sent instanceof Buffer);
}

test('what was recorded has the findings that the proxy had when it passed through', async () => {
  const corpus = [...requestExchanges, ...responseExchanges].filter(canBeRecorded);
  const { url, exchanges } = await startProxyBefore(
    (request, response) => {
      const { status, answerHeaders, answered } = corpus[
        Number(request.headers['x-exchange'])
      ] as SampleExchange;
      request
        .resume()
        .once('end', () => response.writeHead(status, toRawHeaders(answerHeaders)).end(answered));
    },
    { allPaths: true },
  );
  const { origin } = new URL(url);
  for (const [index, { method, path, headers, sent }] of corpus.entries()) {
    const isSized = sent !== undefined && headers['Transfer-Encoding'] === undefined;
    const length = isSized ? String(Buffer.byteLength(sent)) : undefined;
    const raw = toRawHeaders({ 'Content-Length': length, 'X-Exchange': String(index), ...headers });
    await exchangeRaw(url, method, `/v1${path}`, raw, sent);
  }
  const record = new FindingsRecord(new URL(origin), []);
  for (const exchange of exchanges) record.add(exchange);
  const expected = record.read();
  expect(expected.violations.length).toBeGreaterThan(60);
  const rows = corpus.map(({ path, ...row }) => ({ ...row, url: `${origin}/v1${path}` }));
  const { findings } = await checkFile(printHar(rows.map(createEntry)));
  const violations = findings.violations.map(({ recorded, ...finding }) => finding);
  expect({ ...findings, violations }).toEqual(expected);
});

const wrong = '[{"id":"x","name":"Rex","categoryId":2}]';
const violated = ['response.body.*.id type'];
const gzip = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
const br = { ...gzip, 'content-encoding': 'br' };

test.for<[title: string, row: RecordedRow]>([
  ['as text', { answered: wrong }],
  ['in base64', { answered: Buffer.from(wrong) }],
  ['decoded, as Chrome has it of gzip', { answered: wrong, answerHeaders: gzip }],
  ['as it was on the wire, in gzip', { answered: gzipSync(wrong), answerHeaders: gzip }],
  ['as it was on the wire, in br', { answered: brotliCompressSync(wrong), answerHeaders: br }],
  ['with the size of what was on the wire, as mitmproxy has it', { answered: wrong, content: { size: 70 } }],
  [
    'with no size, as Playwright has it',
    { answered: wrong, content: { size: -1 }, request: { bodySize: -1 } },
  ],
  [
    'in a file of its folder, as Playwright attaches it',
    { content: { size: -1, text: undefined, _file: 'a.json' } },
  ],
  [
    'with headers in other letters',
    { answered: wrong, answerHeaders: { 'CONTENT-TYPE': 'application/json' } },
  ],
  ['with a fragment in the URL', { answered: wrong, url: 'https://api.example.com/v1/pets#limit' }],
  [
    'by a service worker that asked the service',
    {
      answered: wrong,
      response: { _fetchedViaServiceWorker: true, _serviceWorkerResponseSource: 'network' },
    },
  ],
])('a response is checked that was recorded %s', async ([, row]) => {
  expect(await check([row], {}, { 'a.json': wrong })).toMatchObject({
    ...{ violations: violated, exchanges: 1, unjudgedBodies: 0, bodiesNotRecorded: 0, keysNotRecorded: 0 },
  });
});

const lost = { size: 512, text: undefined };

test.for<[title: string, row: RecordedRow]>([
  ['Playwright left out', { content: { size: -1, text: undefined } }],
  ['Firefox cut', { answered: '[{"id":', content: { size: 2_000_000 } }],
  ['is in a file that does not exist', { content: { ...lost, _file: 'b.json' } }],
  ['is in another folder', { content: { ...lost, _file: '../traffic.har' } }],
])('of a response that %s only the headers are checked, and it is counted', async ([, row]) => {
  const har = printHar([createEntry(row), createEntry({ ...row, status: 418 })]);
  const { findings, recording } = await checkFile(har);
  expect(findings.violations.map(({ rule }) => rule)).toEqual(['undocumented-status']);
  expect([findings.unjudgedBodies, recording.bodiesNotRecorded]).toEqual([2, 2]);
});

test.for<[title: string, row: RecordedRow, bodies: readonly number[], ...violations: string[]]>([
  ['of GET', {}, [0, 0]],
  ['that is there', { sent: '{"name":5,"categoryId":2}' }, [0, 0], 'request.body.name type'],
  ['that is left out, with its size', { method: 'POST', request: { bodySize: 25 } }, [1, 1]],
  [
    'that is left out, by Playwright',
    { method: 'POST', request: { bodySize: -1, postData: { text: '' } } },
    [1, 1],
  ],
  ['that is empty', { method: 'POST' }, [0, 0], 'request required'],
])('a request body %s', async ([, row, [unjudgedBodies, bodiesNotRecorded], ...violations]) => {
  const answer =
    row.method || row.sent ? { status: 201, answered: wrong.slice(1, -1).replace('"x"', '1') } : {};
  const json = { authorization: 'Bearer test-key', 'content-type': 'application/json' };
  const headers = row.method || row.sent ? { headers: json } : {};
  expect(await check([{ ...answer, ...headers, ...row }])).toMatchObject({
    unjudgedBodies,
    bodiesNotRecorded,
    violations,
  });
});

test('integers of 64 bits are exact, and too many values or bytes are not checked', async () => {
  const list = (id: string) => `[{"id":${id},"name":"Rex","categoryId":2}]`;
  const rows = [
    ...[list('9223372036854775807'), list('9223372036854775808')],
    ...[`[${'1,'.repeat(20_000)}1]`, ' '.repeat(2 ** 20 + 1)],
  ].map((answered) => ({ answered }));
  const result = await check(rows);
  expect(result).toMatchObject({
    violations: ['response.body.*.id maximum'],
    unjudgedBodies: 2,
    bodiesNotRecorded: 0,
  });
});

const refused = { status: 401, answered: '{"code":"unauthorized","message":"No.","status":401}' };
const sanitized = { headers: {}, answered: wrong };

test.for<[title: string, row: RecordedRow, keysNotRecorded: number, ...violations: string[]]>([
  ['left out', sanitized, 1, ...violated],
  ['starred', { ...sanitized, headers: { Authorization: 'Bearer ********' } }, 1, ...violated],
  ['redacted, and refused', { headers: { Authorization: '[REDACTED]' }, ...refused }, 1],
  ['missing, and asked for', { headers: {}, ...refused }, 0, 'request 401'],
  ['of another scheme', { headers: { Authorization: 'Basic dXNlcjpwYXNz' } }, 0, 'request 401'],
])('a key that is %s', async ([, row, keysNotRecorded, ...violations]) => {
  expect(await check([row])).toMatchObject({ keysNotRecorded, violations });
});

test('what the service did not answer is no exchange with it', async () => {
  const bad = 'https://api.example.com/v1/pets?limit=0';
  const preflight = { origin: 'https://app.example', 'access-control-request-method': 'GET' };
  const result = await check([
    {},
    { method: 'OPTIONS', headers: preflight, status: 204, answered: '', answerHeaders: {} },
    { url: bad, status: 0 },
    { url: bad, status: -1 },
    { url: bad, entry: { response: undefined } },
    { url: bad, entry: { _fromCache: 'disk' } },
    { url: bad, response: { _fetchedViaServiceWorker: true } },
    ...[
      'https://cdn.example.com/logo.png',
      'data:image/png;base64,AAAA',
      'https://api.example.com/v10/pets',
    ].map((url) => ({ url })),
  ]);
  const counts = { exchanges: 5, unanswered: 3, otherAddresses: 3, fromCache: 2 };
  expect(result).toMatchObject({ ...counts, violations: [] });
});

test('a 304 has no body, so that none is missing', async () => {
  const result = await check([{ status: 304, content: lost, answerHeaders: {} }]);
  expect(result).toMatchObject({ violations: ['response undocumented-status'], bodiesNotRecorded: 0 });
});

test('--base-url names the service, wherever its paths begin', async () => {
  const urls = [
    'https://a.example/v1/pets',
    'https://b.example/v1/pets',
    'https://b.example/api/v1/pets?limit=0',
  ];
  const rows = urls.map((url) => ({ url }));
  expect(await check(rows)).toMatchObject({ exchanges: 2, violations: [] });
  expect(await check(rows, { baseUrl: new URL('https://b.example/api/v1/') })).toMatchObject({
    ...{ exchanges: 1, otherAddresses: 2, violations: ['request.query.limit minimum'] },
  });
});

const one = JSON.stringify(createEntry());

test.for<[har: string, message: string]>([
  ['', 'is not a whole HAR file: it ends after 0 entries'],
  ['PK\x03\x04', 'is not JSON: Unexpected "P"'],
  ['{"entries":[1],"log":{"pages":[],"entries":{}}}', 'it must have an array log.entries, and has none'],
  ['{"log":{"entries":[]}}', 'holds no exchange to check among its 0 entries'],
  ['{"log":{"entries":[1]}}', 'is not a HAR file: log.entries[0].request must have a url and a method'],
  [
    `{"log":{"entries":[${one},{"request":{"url":"http://a/v1"}}]}}`,
    'log.entries[1].request must have a url and a method',
  ],
  [
    `{"log":{"entries":[${one}, {"a":\n}]}}`,
    '.har is not JSON: Unexpected RIGHT_BRACE ("}") after 1 entries',
  ],
  [`{"log":{"entries":[${one}, {"a":"`, 'is not a whole HAR file: it ends after 1 entries'],
  [
    printHar([
      createEntry({ url: 'https://cdn.example.com/assets/a.js' }),
      createEntry({ url: 'http://b/bot42:key' }),
    ]),
    'none is of any host under /v1; there are https://cdn.example.com, http://b; --base-url <url> names',
  ],
  [printHar([createEntry({ entry: { _fromCache: 'memory' } })]), 'record with the cache disabled'],
])('of %j it is said what is wrong', async ([har, message]) => {
  const failure = await checkFile(har).catch((error) => error);
  expect(failure).toBeInstanceOf(HarError);
  expect(failure.message).toContain(message);
});
