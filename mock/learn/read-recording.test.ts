import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseExactJson } from '../../common/json/exact-json.ts';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { createEntry, printHar, type RecordedRow } from '../../tools/testing/create-har.ts';
import { expectNoRecording, isRecording, readRecording } from './read-recording.ts';

const base = 'https://api.example.com/v1';

/** Reads a HAR file with these entries. */
function read(...rows: readonly RecordedRow[]) {
  const folder = createFolder({ 'recorded.har': printHar(rows.map(createEntry)) });
  return readRecording(join(folder, 'recorded.har'));
}

const at = (...urls: string[]) => urls.map((url): RecordedRow => ({ url }));
const page = { answerHeaders: { 'content-type': 'text/html' }, answered: '<!doctype html>' };

test.for<[title: string, rows: readonly RecordedRow[], baseUrl: string, paths: readonly string[]]>([
  ['a list', at(`${base}/pets`), base, ['/pets']],
  ['a list with a query', at(`${base}/pets?limit=1`), base, ['/pets?limit=1']],
  ['an empty query', at(`${base}/pets?`), base, ['/pets?']],
  ['an animal', at(`${base}/pets/7`), base, ['/pets/7']],
  ['a path in another case', at('HTTPS://api.example.com/v1/PETS'), base, ['/PETS']],
  ['a base of no path', at('https://api.example.com/pets'), 'https://api.example.com', ['/pets']],
  [
    'another base that answers more often, with its other paths',
    [...at(`${base}/pets`), ...at('http://b/x/pets', 'http://b/x/pets/7', 'http://b/x/owners')],
    'http://b/x',
    ['/pets', '/pets/7', '/owners'],
  ],
  [
    'a base that answers before another one that answers as often',
    at(`${base}/pets`, 'http://b/pets'),
    base,
    ['/pets'],
  ],
  [
    'JSON of other paths, which is more',
    at('http://b/owners', 'http://b/owners', `${base}/pets`),
    base,
    ['/pets'],
  ],
  [
    'pages of the app, which are more',
    [{ url: 'http://b/pets', ...page }, { url: 'http://b/pets/7', ...page }, ...at(`${base}/pets`)],
    base,
    ['/pets'],
  ],
  [
    'a problem in JSON',
    [{ url: `${base}/pets`, answerHeaders: { 'content-type': 'application/problem+JSON' } }],
    base,
    ['/pets'],
  ],
  [
    'a URL of the service in another one',
    at('http://b/?to=https://c/v1/pets', `${base}/pets`),
    base,
    ['/pets'],
  ],
  [
    'files of an app at the same origin',
    ['pets', 'main.js', 'petshop', 'assets/pets'].map((path) => ({ url: `https://api.example.com/${path}` })),
    'https://api.example.com',
    ['/pets'],
  ],
  [
    'requests without a response, and preflights',
    [
      ...at(`${base}/pets`),
      { url: `${base}/pets/1`, response: { status: 0 } },
      { url: `${base}/pets/2`, entry: { response: undefined } },
      {
        url: `${base}/pets/3`,
        method: 'OPTIONS',
        headers: { origin: 'http://app.test', 'access-control-request-method': 'GET' },
        status: 204,
      },
    ],
    base,
    ['/pets'],
  ],
  [
    'what the browser had kept, and bodies that were too large',
    [
      ...at(`${base}/pets`),
      { url: `${base}/pets/1`, entry: { _fromCache: 'disk' } },
      { url: `${base}/pets/2`, status: 304, answered: '' },
      { url: `${base}/pets/3`, headers: { 'if-none-match': '"a"' }, status: 304, answered: '' },
      { url: `${base}/pets`, sent: '{}', status: 413 },
    ],
    base,
    ['/pets', '/pets/3'],
  ],
])('a recording with %s has its base URL and requests', async ([, rows, baseUrl, paths]) => {
  const recording = await read(...rows);
  expect(recording.baseUrl).toBe(baseUrl);
  expect(recording.exchanges.map(({ path }) => path)).toEqual(paths);
});

test.for<[title: string, rows: readonly RecordedRow[], message: RegExp]>([
  [
    'no URL of HTTP',
    at('data:,a'),
    /recorded\.har has 1 entry, and none is a JSON response at an address .*\/pets\/\{petId\}\.$/,
  ],
  [
    'six other origins',
    at(...['a', 'b', 'a', 'c', 'd', 'e', 'f'].map((host) => `http://${host}/x`), 'data:,a'),
    / has 8 entries, .* Addresses in the file: http:\/\/a, http:\/\/b, http:\/\/c, http:\/\/d, http:\/\/e\.$/,
  ],
  [
    'nothing but what the browser had kept',
    [{ url: `${base}/pets`, entry: { _fromCache: 'disk' } }],
    /recorded\.har has no response of https:\/\/api\.example\.com\/v1$/,
  ],
])('a recording with %s is refused with the reason', async ([, rows, message]) => {
  await expect(read(...rows)).rejects.toThrow(
    expect.objectContaining({ message: expect.stringMatching(message) }),
  );
});

const unauthorized = { status: 401, answered: '{"code":"unauthorized","message":"No.","status":401}' };
const withKey = (key: string) => ({ headers: { authorization: key } });

test.for<[title: string, row: RecordedRow, key: string | undefined, isUnknown: boolean, accepted: string[]]>([
  ['a key', withKey('Bearer sesame'), 'Bearer sesame', false, ['sesame']],
  ['a key in another case', withKey('bearer  sesame'), 'bearer  sesame', false, ['sesame']],
  ['a key of another scheme', withKey('Basic c2VzYW1l'), 'Basic c2VzYW1l', false, []],
  ['a key that was left out', { headers: {} }, 'Bearer key', false, ['key']],
  ['a wrong key', { ...withKey('Bearer x'), ...unauthorized }, 'Bearer x', true, []],
  ['a wrong key that was left out', { ...withKey('[REDACTED]'), ...unauthorized }, 'Bearer wrong', true, []],
  ['no key that was missing', { headers: {}, ...unauthorized }, undefined, true, []],
  [
    'no key that was missing, in a whole recording',
    { headers: {}, ...unauthorized, entry: { _isWhole: true } },
    undefined,
    false,
    [],
  ],
  [
    'a key with which nothing was found',
    { ...withKey('Bearer sesame'), url: `${base}/pets/7`, status: 404, answered: '{}' },
    'Bearer sesame',
    false,
    [],
  ],
])('a request with %s', async ([, row, key, isUnknown, accepted]) => {
  const { exchanges, apiKeys } = await read({ url: `${base}/pets`, ...row });
  expect(exchanges.map(({ headers, isKeyUnknown }) => [headers.authorization, isKeyUnknown])).toEqual([
    [key, isUnknown],
  ]);
  expect(apiKeys).toEqual(accepted);
});

const began = Date.UTC(2026, 4, 4);
const startedDateTime = new Date(began).toISOString();

test.for<[title: string, entry: object, at: number, end: number]>([
  ['with its time', { startedDateTime, time: 50 }, began, began + 50],
  ['that took no time', { startedDateTime, time: 0 }, began, began],
  ['of an unknown duration', { startedDateTime, time: -1 }, began, Infinity],
  ['without a duration', { startedDateTime, time: null }, began, Infinity],
  ['without a time', { startedDateTime: 'today', time: 50 }, 0, Infinity],
])('an exchange %s was sent and read then', async ([, entry, at, end]) => {
  expect((await read({ url: `${base}/pets`, entry })).exchanges).toMatchObject([{ at, end }]);
});

test('bodies are objects where they are JSON', async () => {
  const { exchanges } = await read(
    { url: `${base}/pets`, sent: '{"id":9007199254740993}', answered: '[]' },
    { url: `${base}/pets`, sent: '[1]', answered: 'Hello' },
    { url: `${base}/pets`, sent: '{', content: { text: undefined, size: 9 } },
  );
  expect(exchanges.map(({ method, sent, text, json }) => [method, sent, text, json])).toEqual([
    ['POST', { id: 9007199254740993n }, '[]', []],
    ['POST', {}, 'Hello', undefined],
    ['POST', {}, undefined, undefined],
  ]);
});

test.for([
  ['staging.har', true],
  ['STAGING.HAR', true],
  ['staging.har.json', false],
  ['har', false],
] as const)('%s is the name of a recording: %j', ([path, isOne]) => {
  expect(isRecording(path)).toBe(isOne);
});

test('only what has entries is a recording with the wrong name', () => {
  const check = (text: string) => () => expectNoRecording(parseExactJson(text), 'a.json');
  for (const text of [
    'null',
    '5',
    '[]',
    '{}',
    '{"log":null}',
    '{"log":5}',
    '{"log":{}}',
    '{"log":{"entries":{}}}',
  ])
    expect(check(text)).not.toThrow();
  expect(check('{"log":{"entries":[]}}')).toThrow(
    'a.json is a HAR file. Give it a name that ends with .har.',
  );
});
