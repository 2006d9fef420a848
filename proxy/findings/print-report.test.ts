import { expect, test } from 'vitest';
import { contractFile } from '../../common/contract-file.ts';
import type { Exchange, ExchangeRequest, ExchangeResponse, Refusal } from '../exchange.ts';
import { createCheck } from '../validate/create-check.ts';
import { points } from './coverage.ts';
import type { Gate } from './fail-on.ts';
import { FindingsRecord } from './findings-record.ts';
import { printFindings, printRecording, printViolation } from './print-findings.ts';
import { printReport } from './print-report.ts';
import { redactCheck } from './redact-check.ts';

const check = redactCheck(await createCheck(contractFile), []);
const upstream = new URL('https://staging.example/v1');
const json = { 'content-type': 'application/json' };

/** Makes an exchange of a GET. Without a response it was cancelled, or refused. */
function exchange(target: string, response?: Partial<ExchangeResponse>, refusal?: Refusal): Exchange {
  const [path = '', query = ''] = target.split('?');
  const headers = { authorization: 'Bearer the-key' };
  const body = Buffer.of();
  const request: ExchangeRequest = { method: 'GET', target: `/v1${target}`, path, query, headers, body };
  const { operationId, violations, sent, checkResponse } = check(request);
  const common = { request, operationId, sent, refusal };
  if (response === undefined) return { ...common, response, violations, answered: undefined };
  const whole = { status: 200, headers: json, body: Buffer.from('[]'), ...response };
  const found = checkResponse(whole);
  const all = [...violations, ...found.violations, ...found.brokenRules];
  return { ...common, response: whole, violations: all, answered: found.answered };
}

const twin = '{"id":5,"name":"the-key","categoryId":2}';
const wrong = Buffer.from(`{"id":"a&b the-key","name":"Rex","categoryId":2,"statu":"sold"}`);
const down: Refusal = { code: 'upstream_failed', message: 'It is down.' };

function record(): FindingsRecord {
  const findings = new FindingsRecord(upstream, []);
  findings.add(exchange('/pets/7', { body: wrong }));
  findings.add(exchange('/pets', { body: Buffer.from(`[${twin},${twin}]`) }));
  findings.add(exchange('/pets?limit=0', {}));
  findings.add(exchange('/pets?limit=00', { body: undefined }));
  findings.add(
    exchange('/pets', { status: 503, body: Buffer.from('{"code":"c","message":"m","status":503}') }),
  );
  findings.add(exchange('/pets/1'));
  findings.add(exchange('/pets/2', undefined, down));
  findings.add(exchange('/nothing', { status: 404 }));
  return findings;
}

const gate: Gate = { failOn: 'response-error', require: ['listPets', 'createPet:201'] };
const startedAt = new Date('2026-05-04T09:30:00.123Z');
const endedAt = new Date('2026-05-04T09:30:02.373Z');
const subject = { ...gate, upstream: upstream.href, startedAt, endedAt };
const curl = (target: string) =>
  `curl -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" 'https://staging.example/v1${target}'`;

/** Lists the points of an operation that were not reached; a parameter or a member stands for its values. */
function listOthers(operation: string, ...reached: readonly string[]): string {
  const own = points.filter((point) => point.startsWith(operation) && !point.includes('='));
  const ends = own.map((point) => point.slice(operation.length));
  return ends.filter((end) => end !== '' && !reached.includes(end)).join(' ');
}

test('the table has what was received, the most frequent rule first, and the summary what was not checked', () => {
  expect(printFindings(record().read(), gate).split('\n')).toEqual([
    'count  severity  operation  place                rule                  received',
    '    2  error     listPets   request.query.limit  minimum               "0"',
    `       ${curl('/pets?limit=0')}`,
    '    1  error     getPet     response.body.id     type                  "a&b [key]"',
    `       ${curl('/pets/7')}`,
    '    1  warning   getPet     response.body.statu  unknown-member        "sold"',
    `       ${curl('/pets/7')}`,
    '    1  error     listPets   response.body.*.id   list-pets/unique-ids  5',
    `       ${curl('/pets')}`,
    '    1  error     listPets   response             server-error          503',
    `       ${curl('/pets')}`,
    '    1  warning   -          request              unknown-route         GET /v1/nothing',
    `       ${curl('/nothing')}`,
    '',
    '7 violations in 8 exchanges',
    '1 exchange got no response from the upstream',
    '1 exchange given up by the client',
    '1 body could not be checked',
    `coverage: 5 of ${points.length} points of the contract`,
    `  listPets: 4 (?limit 2, :200 3), without ${listOthers('listPets', '?limit', ':200')}`,
    '  createPet: not reached',
    `  getPet: 1 (:200 1), without ${listOthers('getPet', ':200')}`,
    'Failed: not reached: createPet:201 (--require).',
    'Failed: violations found (--fail-on response-error).',
    '',
  ]);
});

test('the JSON report has each finding with its first violation', () => {
  const { coverage, violations, ...report } = JSON.parse(
    printReport('report.json', record().read(), subject),
  );
  expect(report).toEqual({
    failOn: 'response-error',
    require: ['listPets', 'createPet:201'],
    upstream: 'https://staging.example/v1',
    startedAt: '2026-05-04T09:30:00.123Z',
    endedAt: '2026-05-04T09:30:02.373Z',
    passed: false,
    exchanges: 8,
    answered: 5,
    succeeded: 4,
    refused: 0,
    unanswered: 1,
    abandoned: 1,
    uncheckedBodies: 1,
    operations: [
      { operationId: 'getPet', exchanges: 3 },
      { operationId: 'listPets', exchanges: 4 },
      { operationId: null, exchanges: 1 },
    ],
  });
  expect(coverage).toMatchObject({ listPets: 4, 'listPets:200': 3, getPet: 1, createPet: 0 });
  const ofList = { operationId: 'listPets', severity: 'error', count: 1 };
  const ofAnimal = { operationId: 'getPet', count: 1, example: curl('/pets/7') };
  expect(violations).toEqual([
    {
      ...ofList,
      location: ['request', 'query', 'limit'],
      place: 'request.query.limit',
      rule: 'minimum',
      expected: '1',
      message: 'Request query parameter limit must be >= 1',
      received: '"0"',
      count: 2,
      example: curl('/pets?limit=0'),
    },
    {
      ...ofAnimal,
      severity: 'error',
      location: ['response', 'body', 'id'],
      place: 'response.body.id',
      rule: 'type',
      expected: 'integer',
      message: 'Response body property id must be integer',
      received: '"a&b [key]"',
    },
    {
      ...ofAnimal,
      severity: 'warning',
      location: ['response', 'body', 'statu'],
      place: 'response.body.statu',
      rule: 'unknown-member',
      message: 'statu is not a member of the response body of getPet. Did you mean status?',
      received: '"sold"',
    },
    {
      ...ofList,
      location: ['response', 'body', '1', 'id'],
      place: 'response.body.*.id',
      rule: 'list-pets/unique-ids',
      message: 'No two animals in a list have the same id',
      received: '5',
      example: curl('/pets'),
    },
    {
      ...ofList,
      location: ['response'],
      place: 'response',
      rule: 'server-error',
      message: 'The service failed. The status is not among the statuses of listPets: 200, 400, 401',
      received: '503',
      example: curl('/pets'),
    },
    {
      operationId: null,
      severity: 'warning',
      location: ['request'],
      place: 'request',
      rule: 'unknown-route',
      message: 'The contract has no such path and method',
      received: 'GET /v1/nothing',
      count: 1,
      example: curl('/nothing'),
    },
  ]);
});

test('the JUnit report fails the rules that --fail-on counts, and says what was received', () => {
  const quoted = (target: string) => curl(target).replaceAll('"', '&quot;');
  const at = 'timestamp="2026-05-04T09:30:00"';
  expect(printReport('report.XML', record().read(), subject).split('\n')).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="checked proxy for https://staging.example/v1" tests="10" failures="4" errors="0" time="2.250">',
    `  <testsuite name="getPet" tests="2" failures="1" errors="0" skipped="0" ${at}>`,
    '    <testcase classname="getPet" name="response.body.id type">',
    '      <failure message="Response body property id must be integer; received &quot;a&amp;b [key]&quot;">error, count 1, exchanges 3',
    `${quoted('/pets/7')}</failure>`,
    '    </testcase>',
    '    <testcase classname="getPet" name="response.body.statu unknown-member">',
    '      <system-out>statu is not a member of the response body of getPet. Did you mean status? Received &quot;sold&quot;',
    'warning, count 1, exchanges 3',
    `${quoted('/pets/7')}</system-out>`,
    '    </testcase>',
    '  </testsuite>',
    `  <testsuite name="listPets" tests="3" failures="2" errors="0" skipped="0" ${at}>`,
    '    <testcase classname="listPets" name="request.query.limit minimum">',
    '      <system-out>Request query parameter limit must be &gt;= 1; received &quot;0&quot;',
    'error, count 2, exchanges 4',
    `${quoted('/pets?limit=0')}</system-out>`,
    '    </testcase>',
    '    <testcase classname="listPets" name="response.body.*.id list-pets/unique-ids">',
    '      <failure message="No two animals in a list have the same id; received 5">error, count 1, exchanges 4',
    `${quoted('/pets')}</failure>`,
    '    </testcase>',
    '    <testcase classname="listPets" name="response server-error">',
    '      <failure message="The service failed. The status is not among the statuses of listPets: 200, 400, 401; received 503">error, count 1, exchanges 4',
    `${quoted('/pets')}</failure>`,
    '    </testcase>',
    '  </testsuite>',
    `  <testsuite name="no operation of the contract" tests="1" failures="0" errors="0" skipped="0" ${at}>`,
    '    <testcase classname="no operation of the contract" name="request unknown-route">',
    '      <system-out>The contract has no such path and method; received GET /v1/nothing',
    'warning, count 1, exchanges 1',
    `${quoted('/nothing')}</system-out>`,
    '    </testcase>',
    '  </testsuite>',
    `  <testsuite name="not checked" tests="3" failures="0" errors="0" skipped="3" ${at}>`,
    '    <testcase classname="not checked" name="exchanges without a response from the upstream">',
    '      <skipped message="1 exchanges without a response from the upstream"/>',
    '    </testcase>',
    '    <testcase classname="not checked" name="exchanges given up by the client">',
    '      <skipped message="1 exchanges given up by the client"/>',
    '    </testcase>',
    '    <testcase classname="not checked" name="bodies that could not be checked">',
    '      <skipped message="1 bodies that could not be checked"/>',
    '    </testcase>',
    '  </testsuite>',
    `  <testsuite name="required" tests="1" failures="1" errors="0" skipped="0" ${at}>`,
    '    <testcase classname="required" name="createPet:201">',
    '      <failure message="not reached (--require)"/>',
    '    </testcase>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ]);
});

test('the response to HEAD has no body that could be checked', () => {
  const findings = new FindingsRecord(upstream, []);
  const { request, ...others } = exchange('/pets', { body: undefined });
  findings.add({ ...others, request: { ...request, method: 'HEAD' } });
  expect(findings.read()).toMatchObject({ exchanges: 1, uncheckedBodies: 0 });
});

test('the JUnit report of a HAR file names the first entry of each broken rule, and what was not checked', () => {
  const findings = new FindingsRecord(undefined, []);
  const recorded = {
    index: 3,
    startedDateTime: '2026-05-04T09:30:00.123Z',
    origin: 'https://api.example',
  };
  findings.add({ ...exchange('/pets?limit=0', {}), recorded });
  const recording = {
    file: 'traffic.har',
    baseUrls: ['https://api.example/v1'],
    entries: 9,
    otherAddresses: 0,
    fromCache: 2,
    bodiesNotRecorded: 0,
    keysNotRecorded: 0,
  };
  const report = printReport('report.xml', findings.read(), {
    failOn: 'error',
    upstream: 'https://api.example/v1',
    startedAt,
    endedAt,
    recording,
  });
  const at = 'timestamp="2026-05-04T09:30:00"';
  expect(report.split('\n')).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="recorded in traffic.har, of https://api.example/v1" tests="2" failures="1" errors="0" time="2.250">',
    `  <testsuite name="listPets" tests="1" failures="1" errors="0" skipped="0" ${at}>`,
    '    <testcase classname="listPets" name="request.query.limit minimum">',
    '      <failure message="Request query parameter limit must be &gt;= 1; received &quot;0&quot;">error, count 1, exchanges 1',
    'first in log.entries[3], 2026-05-04T09:30:00.123Z',
    `${curl('/pets?limit=0').replace('staging', 'api').replaceAll('"', '&quot;')}</failure>`,
    '    </testcase>',
    '  </testsuite>',
    `  <testsuite name="not checked" tests="1" failures="0" errors="0" skipped="1" ${at}>`,
    '    <testcase classname="not checked" name="entries answered by the cache or a service worker">',
    '      <skipped message="2 entries answered by the cache or a service worker"/>',
    '    </testcase>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ]);
});

test('what was read of a HAR file is printed in lines, and nothing that did not occur', () => {
  const none = { otherAddresses: 0, fromCache: 0, bodiesNotRecorded: 0, keysNotRecorded: 0 };
  const [one, other] = ['https://a.example/v1', 'https://b.example/v1'];
  const recording = { file: 'traffic.har', baseUrls: [one], entries: 1, ...none };
  expect(printRecording(recording)).toBe(`traffic.har: 1 entry\nchecked: ${one}\n`);
  const counts = { otherAddresses: 3, fromCache: 2, bodiesNotRecorded: 2, keysNotRecorded: 1 };
  expect(printRecording({ ...counts, file: '-', baseUrls: [one, other], entries: 9 }).split('\n')).toEqual([
    "stdin: 9 entries; left out: 3 of other addresses, 2 from the browser's cache or a service worker",
    `checked: ${one}, ${other} (--base-url selects one)`,
    '2 bodies not in the file',
    '1 request without a key in the file, checked as if one was sent',
    '',
  ]);
});

test('a violation is one line of the log, as JSON or for people, of the proxy or of a HAR file', () => {
  const findings = new FindingsRecord(upstream, []);
  const [found] = findings.add(exchange(`/pets?limit=0&name=${'x'.repeat(300)}`, {}));
  if (found === undefined) throw new Error('There is no violation.');
  const target = `/v1/pets?limit=0&name=${'x'.repeat(300)}`;
  const summary = {
    method: 'GET',
    target,
    status: 200,
    startedAt: startedAt.getTime(),
    sentAs: undefined,
    isMadeByFault: false,
    recorded: undefined,
  };
  const recorded = { index: 3, startedDateTime: '2026-05-04T09:30:00.123Z', origin: 'https://api.example' };
  const plain = (_: unknown, text: string) => text;
  const print = (log: 'json' | 'pretty', ofFile: object = {}) =>
    printViolation(log, startedAt, found, { ...summary, ...ofFile }, plain);
  const rest =
    'listPets request.query.limit minimum: Request query parameter limit must be >= 1; received "0"';
  const url = target.slice(0, 200);
  expect(print('pretty')).toBe(`09:30:00 proxy violation error ${rest} (1 so far, GET ${url})`);
  expect(print('pretty', { recorded })).toBe(
    `09:30:00 violation error ${rest} (1 so far, log.entries[3] GET ${url})`,
  );
  const line = {
    time: '2026-05-04T09:30:00.123Z',
    violation: 'error',
    operation: 'listPets',
    place: 'request.query.limit',
    rule: 'minimum',
    message: 'Request query parameter limit must be >= 1',
    received: '"0"',
    count: 1,
    method: 'GET',
    url,
  };
  expect(JSON.parse(print('json'))).toEqual({ ...line, from: 'proxy' });
  expect(JSON.parse(print('json', { recorded }))).toEqual({ ...line, recorded });
});

test('a run without a verdict has not passed, in the report either', () => {
  const nothing = new FindingsRecord(upstream, []).read();
  const run = { ...subject, failOn: 'error', require: [] } as const;
  expect(JSON.parse(printReport('report.json', nothing, run)).passed).toBe(false);
  expect(JSON.parse(printReport('report.json', nothing, { ...run, failOn: 'never' })).passed).toBe(true);
});
