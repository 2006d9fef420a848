import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { redact } from '../../common/text/redact.ts';
import { Exchange, type SuiteRequest, type SuiteResponse } from '../client/exchange.ts';
import { keysOf } from '../client/secrets.ts';
import { printExchange, printScript } from './printed-exchange.ts';

const apiKey = 'sEcret-Key-9xQz';
const secrets = { apiKey, headers: { 'X-Gateway': "it's-a-secret" } };
/** The shell replaces it with the key. */
const variable = '\u0024{ANIMAL_STORE_API_KEY}';

type TestTarget = Parameters<typeof printExchange>[1];

function createExchange(request: Partial<SuiteRequest>, target: TestTarget = secrets): Exchange {
  const base = 'http://127.0.0.1/v1';
  const whole = { method: 'GET', base, path: '/pets', headers: {}, body: undefined, ...request };
  const sent = { response: undefined, failure: { kind: 'other', reason: 'none' } } as const;
  return new Exchange(whole, sent, target, 0, 0, 1);
}

function printCurl(request: Partial<SuiteRequest>, target: TestTarget = secrets) {
  return printExchange(createExchange(request, target), target).curl;
}

test.for([
  ['Bearer sEcret-Key-9xQz', 'Bearer [key]', `"Bearer ${variable}"`],
  ['Bearer sEcret-Key-9xQzx', 'Bearer <the key with x after it>', `"Bearer ${variable}x"`],
  ['Bearer xsEcret-Key-9xQz', 'Bearer <the key with x before it>', `"Bearer x${variable}"`],
  ['Bearer sEcret-Key-9xQ', 'Bearer <the key without its last letter>'],
  ['Bearer sEcret-Key-9xQT', 'Bearer <the key with its last letter changed>'],
  ['Bearer sEcret-aey-9xQz', 'Bearer <the key with a letter in its middle changed>'],
  ['Bearer sEcretKey9xQz', 'Bearer <the key without its punctuation>'],
  ['Bearer SeCRET-kEY-9XqZ', 'Bearer <the key with its case swapped>'],
  ['Bearer sEcret-Key-9xQz\u0100', 'Bearer <the key with \u0100 after it>', `"Bearer ${variable}\u0100"`],
  ['Bearer sEcret-Key-9xQ\u017a', 'Bearer <the key with its last letter beyond Latin-1>'],
  ['Basic c0VjcmV0LUtleS05eFF6Og==', 'Basic <the key: in base64>'],
  ['Basic Y29udHJhY3QtdGVzdDpzRWNyZXQtS2V5LTl4UXo=', 'Basic <contract-test:the key in base64>'],
  ["it's-a-secret", '[key]'],
  ['Bearer another', 'Bearer another'],
] as const)('%s is described without the key', ([value, hidden, header]) => {
  expect(redact(value, keysOf(secrets))).toBe(hidden);
  const printed = header === undefined ? `'X: ${hidden}'` : header.replace('"', '"X: ');
  expect(printCurl({ headers: { X: value } })).toBe(`curl -i -H ${printed} 'http://127.0.0.1/v1/pets'`);
});

test('the value of a --header is a variable, which bash replaces', () => {
  const headers = { 'X-Gateway': 'it\'s "$x"', Cookie: 'Gateway', '1$`-A!': apiKey };
  const request = { headers: { Authorization: `Bearer ${apiKey}`, ...headers, Accept: 'text/plain' } };
  const curl = printCurl(request, { apiKey, headers });
  expect(curl).toContain('-H "X-Gateway: \u0024{X_GATEWAY}" -H "Cookie: \u0024{HEADER_COOKIE}"');
  const variables = { ANIMAL_STORE_API_KEY: apiKey, X_GATEWAY: headers['X-Gateway'] };
  const env = { ...process.env, ...variables, HEADER_COOKIE: headers.Cookie, HEADER_1___A_: apiKey };
  const script = `curl() { printf '%s\\n' "$@"; }; ${curl}`;
  const words = execFileSync('bash', ['-c', script], { encoding: 'utf8', env }).split('\n');
  const sent = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  expect(words.filter((word) => word.includes(': '))).toEqual(sent);
});

test('the options of curl that trust the same certificates are printed', () => {
  const curl = printCurl({ method: 'PUT', body: '{}' }, { ...secrets, curlOptions: ['--cacert', "'a b'"] });
  expect(curl).toBe(`curl -i --cacert 'a b' -X 'PUT' --data-raw '{}' 'http://127.0.0.1/v1/pets'`);
});

test.for([40, 3_000])('of a long body that repeats a key of %i characters no part is shown', (length) => {
  const alphabet = Array.from({ length }, (_, index) => (index % 36).toString(36)).join('');
  const long = { apiKey: `Start/"${alphabet}`, headers: {} };
  for (const spelled of [long.apiKey, encodeURIComponent(long.apiKey)]) {
    const body = Buffer.from(spelled.repeat(Math.ceil(300_000 / spelled.length)));
    const request = { method: 'GET', base: '', path: '/pets', headers: {}, body: undefined };
    const sent = { response: { status: 200, headers: {}, body }, failure: undefined };
    const { response } = printExchange(new Exchange(request, sent, long, 0, 0, 1), long);
    expect(response.replaceAll(/\[key\]|\[k?e?y?(?=…)/g, '')).toMatch(/^HTTP 200\n\n… \(\d+ more .*\)$/);
  }
});

test('the line of a request has its body exactly as it was sent, with what cannot be seen', () => {
  const body = '{"name":"  two\u00a0 \u0007",\n "categoryId":1}';
  const { line } = printExchange(createExchange({ method: 'POST', body }), secrets);
  expect(line).toBe(String.raw`POST /pets {"name":"  two\u00a0 \u0007",\n "categoryId":1}`);
});

/** Returns the exchange of a request that got this response. */
function answer(response: Pick<SuiteResponse, 'headers' | 'body'>, path = '/pets'): Exchange {
  const request = { method: 'GET', base: 'http://127.0.0.1/v1', path, headers: {}, body: undefined };
  return new Exchange(
    request,
    { response: { status: 200, ...response }, failure: undefined },
    secrets,
    0,
    0,
    1,
  );
}

test.for([
  [2_000, 'x'.repeat(2_000)],
  [2_001, `${'x'.repeat(2_000)}… (1 more characters)`],
  // Of a long body only the beginning was kept.
  [20_000, `${'x'.repeat(2_000)}… (18000 more characters)`],
] as const)('a response with a body of %i characters has the first 2,000', ([length, shown]) => {
  const { response } = printExchange(answer({ headers: {}, body: Buffer.alloc(length, 'x') }), secrets);
  expect(response).toBe(`HTTP 200\n\n${shown}`);
});

test.for([
  ...[
    'x-request-id',
    'request-id',
    'x-amzn-requestid',
    'x-amz-request-id',
    'x-goog-request-id',
    'x-correlation-id',
  ].map((name) => [name, 'abc'] as const),
  ...['x-request-id-source', 'x-my-request-id', 'x-request'].map((name) => [name, undefined] as const),
])('the id of a request in the header %s is %s', ([name, id]) => {
  const exchange = answer({ headers: { [name]: 'abc' }, body: Buffer.from('[]') });
  expect(printExchange(exchange, secrets).requestId).toBe(id);
});

test('a list shows how many animals it has, and those that a failure is about; another response shows its body', () => {
  const toExchange = (path: string, body: string) => answer({ headers: {}, body: Buffer.from(body) }, path);
  const list = toExchange('/pets', '[{"id":1},{"id":2,"name":"sEcret-Key-9xQz"},{"id":3}]');
  expect(printExchange(list, secrets, [2n, 3n])).toMatchObject({
    listed: 3,
    shows: '{"id":2,"name":"[key]"}, {"id":3}',
  });
  expect(printExchange(toExchange('/pets', '[]'), secrets, [2n])).toMatchObject({ listed: 0, shows: '' });
  expect(printExchange(toExchange('/pets/1', '{"id":1}'), secrets, [1n])).toMatchObject({
    shows: '{"id":1}',
  });
});

test.for([
  `{${' '.repeat(200_000)}}`,
  `{"it's":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
  `${'-'.repeat(300)}"a%sb\\n"`,
  '-'.repeat(300),
])('the shell creates a body that repeats a character', (body) => {
  const curl = printCurl({ method: 'POST', body });
  expect(curl.length).toBeLessThan(200);
  const [, made = ''] = /--data-binary @<\((.*)\) '/.exec(curl) ?? [];
  expect(made).not.toContain("printf %s ''");
  expect(execFileSync('bash', ['-c', made], { encoding: 'utf8', maxBuffer: 1e6 })).toBe(body);
});

test('of a long string no part of a key is kept at its cut', () => {
  const long = 'sk-live-4f9A7c2Q8zZ1xY';
  const body = Buffer.from(JSON.stringify({ name: `${'x'.repeat(985)}${long}${'x'.repeat(6_000)}` }));
  const sent = { response: { status: 201, headers: {}, body }, failure: undefined };
  const request = { method: 'POST', base: 'http://127.0.0.1/v1', path: '/pets', headers: {}, body: '{}' };
  const exchange = new Exchange(request, sent, { apiKey: long, headers: {} }, 0, 0, 1);
  expect(JSON.stringify(exchange.object)).not.toContain('sk-live');
});

const sold = { path: '/pets?status=sold' };
const pending = { path: '/pets?status=pending' };
const animal = { path: '/pets/7' };
const post = { method: 'POST', body: '{}' };

test.for([
  [
    'a list between two requests for another',
    [sold, pending, sold],
    ['/pets?status=pending', '/pets?status=sold'],
  ],
  ['one list twice, which differs', [sold, sold], ['/pets?status=sold', '/pets?status=sold']],
  ['an animal before and after a POST', [animal, post, animal], ['/pets/7', '/pets', '/pets/7']],
  ['two equal POSTs', [post, post, animal], ['/pets', '/pets', '/pets/7']],
] as const)('a script leaves out a read that it sends again later: %s', ([, requests, paths]) => {
  const script = printScript(
    requests.map((request) => createExchange({ ...request })),
    secrets,
  );
  const sent = [...script.matchAll(/127\.0\.0\.1\/v1(\S*)'/g)].map(([, path]) => path);
  expect(sent).toEqual(paths);
});

test('the shell creates a body in Latin-1 with its bytes', () => {
  const curl = printCurl({ method: 'POST', body: '{"name":"caf\u00e9 \\n"}', encoding: 'latin1' });
  const [, made = ''] = /--data-binary @<\((.*)\) '/.exec(curl) ?? [];
  expect(execFileSync('bash', ['-c', made], { encoding: 'latin1' })).toBe('{"name":"caf\u00e9 \\n"}');
});
