import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { HarError } from '../common/har/read-entries.ts';
import { createFolder } from '../tools/testing/create-folder.ts';
import { createEntry, printHar, type RecordedRow } from '../tools/testing/create-har.ts';
import { type CheckConfig, checkRecording } from './check-recording.ts';
import { printFindings } from './findings/print-run.ts';

/** Checks a HAR file in a folder with a file `a.json`. */
function checkFile(har: string, options: Partial<CheckConfig> = {}) {
  const folder = createFolder({ 'traffic.har': har, 'a.json': wrong });
  return checkRecording({ file: join(folder, 'traffic.har'), ...options });
}

/** Checks entries, and returns the violations and the counts. */
async function check(rows: readonly RecordedRow[], options?: Partial<CheckConfig>) {
  const { findings, recording } = await checkFile(printHar(rows.map(createEntry)), options);
  const violations = findings.violations.map(({ place, rule }) => `${place} ${rule}`);
  return { ...findings, ...recording, violations };
}

const wrong = '[{"id":"x","name":"Rex","categoryId":2}]';
const violations = ['response.body.*.id type'];
const zipped = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
const viaWorker = { _fetchedViaServiceWorker: true, _serviceWorkerResponseSource: 'network' };

test.for<[title: string, row: RecordedRow]>([
  ['in base64', { answered: Buffer.from(wrong) }],
  ['decoded, as Chrome has it of gzip', { answerHeaders: zipped }],
  ['as it was on the wire, in gzip', { answered: gzipSync(wrong), answerHeaders: zipped }],
  ['with its size on the wire, as mitmproxy has it', { content: { size: 70 } }],
  ['with no size, as Playwright has it', { content: { size: -1 }, request: { bodySize: -1 } }],
  ['in a file, as Playwright attaches it', { content: { size: -1, text: undefined, _file: 'a.json' } }],
  ['with headers in other letters', { answerHeaders: { 'CONTENT-TYPE': 'application/json' } }],
  ['with a fragment in the URL', { url: 'https://api.example.com/v1/pets#limit' }],
  ['by a service worker that asked the service', { response: viaWorker }],
])('a response is checked that was recorded %s', async ([, row]) => {
  const counts = { exchanges: 1, keysNotRecorded: 0 };
  expect(await check([{ answered: wrong, ...row }])).toMatchObject({ violations, ...counts });
});

test('what is printed of a HAR file has no control characters', async () => {
  const rows: RecordedRow[] = [
    { sent: '{"name":1,"\x1b[2J":"\x1b[2J"}', entry: { startedDateTime: '\x1b]0;title' } },
    { answerHeaders: { 'Content-Type': 'text/\x1b[2J\u202e' } },
  ];
  for (const log of ['pretty', 'json'] as const) {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const { findings } = await checkFile(printHar(rows.map(createEntry)), { log, write });
    const printed = lines.join('') + printFindings(findings, { failOn: 'warning' });
    expect(printed).toContain('[2J');
    expect(printed).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  }
});

const lostAnswer = ['response.body unchecked-body'];
const lost = { size: 512, text: undefined };
const unmodified = { status: 304, content: lost };
const json = { authorization: 'Bearer k', 'content-type': 'application/json' };
const answered = '{"id":1,"name":"Rex","categoryId":2}';
const forbidden = '{"code":"forbidden","message":"No.","status":403}';
const toCreate = { method: 'POST', headers: json, status: 201, answered };
const refused = { status: 401, answered: '{"code":"unauthorized","message":"No.","status":401}' };

/** Entries of which something is not in the file, with their violations and counts. */
test.for<[title: string, row: RecordedRow, violations: string[], keys?: number]>([
  ['a response that Playwright left out', { content: { size: -1, text: undefined } }, lostAnswer],
  ['a response that Firefox cut', { answered: '[{"id":', content: { size: 2_000_000 } }, lostAnswer],
  ['a response in another folder', { content: { ...lost, size: -1, _file: './a.json' } }, lostAnswer],
  ['the body of a 418', { status: 418, content: lost }, ['response undocumented-status', ...lostAnswer]],
  ['the body of a 304', { status: 304, content: lost }, ['response undocumented-status']],
  ['the body of a 304 to an ETag', { headers: { ...json, 'if-none-match': '"1"' }, ...unmodified }, []],
  ['the body of a 304 to a date', { headers: { ...json, 'if-modified-since': 'x' }, ...unmodified }, []],
  [
    'a request body, with its size',
    { ...toCreate, request: { bodySize: 25 } },
    ['request.body unchecked-body'],
  ],
  [
    'a request body',
    { ...toCreate, request: { bodySize: -1, postData: { text: '' } } },
    ['request.body unchecked-body'],
  ],
  [
    'a request body, with its Content-Length',
    { ...toCreate, headers: { ...json, 'content-length': '25' }, request: { bodySize: 0 } },
    ['request.body unchecked-body'],
  ],
  ['a request body that was not sent', toCreate, ['request missing-body']],
  ['a key', { headers: {}, answered: wrong }, violations, 1],
  ['a starred key', { headers: { Authorization: 'Bearer ********' }, answered: wrong }, violations, 1],
  ['a refused key', { headers: { Authorization: '[REDACTED]' }, ...refused }, [], 1],
  ['a key that was not sent', { headers: {}, ...refused }, ['request missing-key']],
  [
    'a key of another scheme',
    { headers: { Authorization: 'Basic dXNlcjpwYXNz' } },
    ['request missing-key', 'response not-refused'],
  ],
])('without %s the others are checked', async ([, row, violations, keys = 0]) => {
  expect(await check([row])).toMatchObject({ violations, keysNotRecorded: keys });
});

test('a recorded exchange is checked by the rules for one exchange too', async () => {
  const rows = [
    { url: 'https://api.example.com/v1/pets/2', answered },
    { status: 401, answered: forbidden },
  ];
  const { findings } = await checkFile(printHar(rows.map(createEntry)));
  expect(findings.violations).toMatchObject([
    { operationId: 'getPet', rule: 'get-pet/right-animal', received: '1', entry: 0 },
    { operationId: 'listPets', rule: 'errors/status', received: '403', entry: 1 },
  ]);
});

test('what the service did not answer is no exchange with it', async () => {
  const bad = 'https://api.example.com/v1/pets?limit=0';
  const preflight = { origin: 'https://app.example', 'access-control-request-method': 'GET' };
  const result = await check([
    {},
    { method: 'OPTIONS', headers: preflight, status: 204, answered: '', answerHeaders: {} },
    { url: bad, status: 0 },
    { url: bad, entry: { response: undefined } },
    { url: bad, entry: { _fromCache: 'disk' } },
    { url: bad, response: { _fetchedViaServiceWorker: true } },
    { url: 'data:image/png;base64,AAAA' },
    { url: 'https://api.example.com/v10/pets' },
  ]);
  const failures = [2, 3].map((entry) => ({ message: `log.entries[${entry}] has no response`, count: 1 }));
  const counts = { exchanges: 4, failures, otherAddresses: 2, fromCache: 2 };
  expect(result).toMatchObject({ ...counts, violations: [] });
});

test('a HAR file may begin with a byte order mark', async () => {
  const { findings } = await checkFile(`\ufeff${printHar([createEntry()])}`);
  expect(findings.exchanges).toBe(1);
});

test('--base-url names the service, wherever its paths begin', async () => {
  const urls = ['https://a.example/v1/pets', 'https://b.example/v1/pets'];
  const rows = [...urls, 'https://b.example/api/v1/pets?limit=0'].map((url) => ({ url }));
  expect(await check(rows)).toMatchObject({ exchanges: 2, violations: [] });
  const violations = ['request.query.limit minimum'];
  const ofOne = await check(rows, { baseUrl: new URL('https://b.example/api/v1/') });
  expect(ofOne).toMatchObject({ exchanges: 1, otherAddresses: 2, violations });
});

const one = JSON.stringify(createEntry());
const elsewhere = ['https://cdn.example.com/assets/a.js', 'http://b/bot42:key'];

test.for<[har: string, message: string]>([
  ['', 'is not a HAR file: it is not JSON, or only a part of it'],
  [`{"log":{"entries":[${one}, {"a":"`, 'it is not JSON, or only a part of it'],
  ['{"entries":[1],"log":{"entries":{}}}', 'it must have an array log.entries, and has none'],
  ['{"log":{"entries":[]}}', 'has 0 entries and no exchange to check'],
  [`{"log":{"entries":[${one},{"request":{}}]}}`, 'log.entries[1].request must have a url and a method'],
  [
    printHar(elsewhere.map((url) => createEntry({ url }))),
    'none is under /v1 of any host. Addresses in the file: https://cdn.example.com, http://b. Give the base URL',
  ],
  [
    printHar([
      createEntry({ entry: { _fromCache: 'memory' } }),
      ...elsewhere.map((url) => createEntry({ url })),
    ]),
    'Record again with the cache disabled',
  ],
])('a HAR file that cannot be checked has a message: %j', async ([har, message]) => {
  const failure = await checkFile(har).catch((error) => error);
  expect(failure).toBeInstanceOf(HarError);
  expect(failure.message).toContain(message);
});
