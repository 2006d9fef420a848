import { expect, test } from 'vitest';
import { failOnLevels } from '../../common/cli/fail-on-levels.ts';
import type { Exchange } from '../exchange.ts';
import { createExchange, down, findIn, printError } from '../testing/create-exchange.ts';
import { printFindings } from './print-run.ts';
import { exitCodes, type Gate, readVerdict } from './verdict.ts';

const answerError = (status: number, target = '/pets') =>
  createExchange(target, { status, body: printError(status) });
const answerPage = (status: number, method = 'GET') =>
  createExchange(
    '/pets',
    { status, headers: { 'content-type': 'text/html' }, body: Buffer.from('<h1>It is down.</h1>') },
    { method },
  );
const answerHead = (target: string) => createExchange(target, { body: undefined }, { method: 'HEAD' });
const twin = '{"id":1,"name":"Rex","categoryId":2}';
const fault = createExchange('/pets', { isMadeByFault: true });
const preflight = {
  method: 'OPTIONS',
  headers: { origin: 'http://app.test', 'access-control-request-method': 'GET' },
};

const silent = 'no request of the contract got a response';
const failure =
  'no GET or POST of the contract succeeded. Check the API key and the base URL, which ends with /v1';

/** Exchanges with the exit code of each level: error, warning, the same of requests, of responses, and never; and what is noted. */
test.for<[title: string, exchanges: Exchange[], codes: number[], note?: string]>([
  ['a conforming exchange', [createExchange('/pets', {})], [0, 0, 0, 0, 0, 0, 0]],
  ['an error in a request', [createExchange('/pets?limit=0', {})], [1, 1, 1, 1, 0, 0, 0]],
  ['a warning of a request', [createExchange('/pets?staus=sold', {})], [0, 1, 0, 1, 0, 0, 0]],
  ['an error in a response', [createExchange('/pets', { body: Buffer.from('{}') })], [1, 1, 0, 0, 1, 1, 0]],
  [
    'a broken rule for one exchange',
    [createExchange('/pets', { body: Buffer.from(`[${twin},${twin}]`) })],
    [1, 1, 0, 0, 1, 1, 0],
  ],
  ['only an animal that does not exist', [answerError(404, '/pets/9')], [2, 2, 2, 2, 2, 2, 0], failure],
  ['only a page with 500', [answerPage(500)], [1, 1, 2, 2, 1, 1, 0], failure],
  ['only a page with 500 to HEAD', [answerPage(500, 'HEAD')], [1, 1, 2, 2, 1, 1, 0], failure],
  [
    'only a HEAD that succeeded, as of a probe that waits for the upstream',
    [answerHead('/pets')],
    [2, 2, 2, 2, 2, 2, 0],
    failure,
  ],
  ['only a HEAD with an error in it', [answerHead('/pets?limit=0')], [1, 1, 1, 1, 2, 2, 0], failure],
  ['only a page with 403', [answerPage(403)], [1, 1, 2, 2, 1, 1, 0], failure],
  ['only an Error with 503', [answerError(503)], [1, 1, 2, 2, 1, 1, 0], failure],
  ['only an Error with 429', [answerError(429)], [2, 1, 2, 2, 2, 1, 0], failure],
  ['only a wrong key', [answerError(401)], [2, 2, 2, 2, 2, 2, 0], failure],
  ['only the page of a login', [createExchange('/pets', { status: 302 })], [2, 1, 2, 2, 2, 1, 0], failure],
  ['only a wrong base URL', [answerPage(404)], [1, 1, 2, 2, 1, 1, 0], failure],
  ['only a wrong base URL of another service', [answerError(404)], [2, 1, 2, 2, 2, 1, 0], failure],
  [
    'no exchange',
    [],
    [2, 2, 2, 2, 2, 2, 0],
    'no exchange was checked, because no request came to the proxy. A command has its URL in ANIMAL_STORE_URL, and tests that start a mock call mock.expectNoViolations()',
  ],
  ['only a path that is not in the contract', [createExchange('/x', {})], [2, 1, 2, 1, 2, 2, 0], silent],
  ['only a preflight', [createExchange('/pets', { status: 204 }, preflight)], [2, 2, 2, 2, 2, 2, 0], silent],
  ['only an upstream that is down', [createExchange('/pets', down)], [2, 2, 2, 2, 2, 2, 0], silent],
  ['only a client that gave up', [createExchange('/pets')], [2, 2, 2, 2, 2, 2, 0], silent],
  ['only a fault of the mock', [fault], [2, 2, 2, 2, 2, 2, 0], `${silent}, except by faults of the mock`],
])('the gate after %s', ([, exchanges, codes, note]) => {
  const findings = findIn(...exchanges);
  expect(failOnLevels.map((level) => exitCodes[readVerdict(findings, { failOn: level }).verdict])).toEqual(
    codes,
  );
  const passed =
    findings.violations.length === 0 ? 'Passed.' : 'Passed: --fail-on error does not count the violation.';
  const sentences = [passed, 'Failed: violations found (--fail-on error).', `No verdict: ${note}.`];
  const gated = printFindings(findings, { failOn: 'error' });
  expect(gated.endsWith(`\n${sentences[codes[0] ?? -1]}\n`)).toBe(true);
  const ungated = printFindings(findings, { failOn: 'never' });
  expect(ungated).not.toMatch(/Passed|Failed|No verdict/);
  for (const printed of [gated, ungated])
    expect(/^(?:No verdict: )?(no (?:request|exchange|GET) .*?|every .*?)\.?$/m.exec(printed)?.[1]).toBe(
      note,
    );
});

test('each required part that was not reached fails the run, and a 401 does not reach an operation', () => {
  const findings = findIn(
    ...['/pets', '/pets?status=sold', '/pets/1'].map((target) => answerError(401, target)),
    createExchange('/pets/3'),
    createExchange('/pets/4', down),
  );
  const require = ['listPets', 'listPets:200', 'listPets?status=sold', 'getPet', 'getPet:401'];
  const printed = printFindings(findings, { failOn: 'never', require });
  expect(printed).toMatch(
    /\nFailed: not reached: listPets, listPets:200, listPets\?status=sold, getPet \(--require\)\.\n$/,
  );
  expect(readVerdict(findings, { failOn: 'never', require: ['getPet:401'] }).verdict).toBe('passed');
  const both = printFindings(findIn(createExchange('/pets?limit=0', {})), {
    failOn: 'error',
    require: ['getPet'],
  });
  expect(both.split('\n').slice(-3, -1)).toEqual([
    'Failed: not reached: getPet (--require).',
    'Failed: violations found (--fail-on error).',
  ]);
});

test('a 404 at a wrong base URL, and a redirection to a login, reach no operation', () => {
  const login = createExchange('/pets', { status: 302 });
  const findings = findIn(login, answerError(404), answerError(404, '/pets/3'), createExchange('/pets/4'));
  const require = ['listPets', 'getPet'];
  expect(readVerdict(findings, { failOn: 'never', require }).missing).toEqual(['listPets']);
});

test.for<[what: string, gate: Partial<Gate>, sentence: string]>([
  [
    'recording is incomplete',
    { unrecorded: 'the HAR file could not be written' },
    'No verdict: the HAR file could not be written.',
  ],
  [
    'command a signal cut short',
    { interruption: 'SIGTERM' },
    'No verdict: SIGTERM ended the run before its command had ended.',
  ],
])('a run whose %s has no verdict, unless it has failed already', ([, gate, sentence]) => {
  const judge = (target: string) =>
    readVerdict(findIn(createExchange(target, {})), { failOn: 'error', ...gate });
  expect(judge('/pets')).toMatchObject({ verdict: 'no verdict', sentences: [sentence] });
  expect(judge('/pets?limit=0').verdict).toBe('failed');
});

test('a run that passes says that its command has failed, which is the end of the log of a job', () => {
  const findings = findIn(createExchange('/pets', {}));
  expect(readVerdict(findings, { failOn: 'error', commandCode: 7 }).sentences).toEqual([
    'Passed.',
    'The run fails all the same: its command ended with exit code 7.',
  ]);
  expect(readVerdict(findings, { failOn: 'error', commandCode: 0 }).sentences).toEqual(['Passed.']);
});

test('after a thousand places, a further error still fails the run', () => {
  const warnings = Array.from({ length: 1_000 }, (_, index) => createExchange(`/pets?x${index}=1`, {}));
  const findings = findIn(...warnings, createExchange('/pets?y=1', {}), createExchange('/pets?limit=0', {}));
  expect(findings.violations.reduce((sum, { count }) => sum + count, 0)).toBe(1_002);
  expect(readVerdict(findings, { failOn: 'error' }).verdict).toBe('failed');
});
