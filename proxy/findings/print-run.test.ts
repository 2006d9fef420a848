import { expect, test } from 'vitest';
import { loadContract } from '../../common/load-contract.ts';
import { Keys } from '../../common/text/redact.ts';
import type { Exchange, ExchangeRequest, ExchangeResponse, Refusal } from '../exchange.ts';
import { createCheck } from '../validate/create-check.ts';
import { listPoints } from './coverage.ts';
import { createLog } from './create-log.ts';
import type { Gate } from './fail-on.ts';
import { type Finding, FindingsRecord } from './findings-record.ts';
import { printFindings, printRecording, printReport } from './print-run.ts';
import { redactCheck, summarize } from './redact-exchange.ts';

const points = listPoints(loadContract());
const checkWithKeys = await createCheck(loadContract());
const check = redactCheck(checkWithKeys, new Keys());
const upstream = new URL('https://staging.example/v1');
const json = { 'content-type': 'application/json' };

/** Makes an exchange of a GET. Without a response it was cancelled, or refused. @param others of the request */
function exchange(
  target: string,
  response?: Partial<ExchangeResponse>,
  refusal?: Refusal,
  others: Partial<ExchangeRequest> = {},
): Exchange {
  const [path = '', query = ''] = target.split('?');
  const headers = { authorization: 'Bearer the-key' };
  const body = Buffer.of();
  const parts = { target: `/v1${target}`, path, query };
  const request: ExchangeRequest = { method: 'GET', ...parts, headers, body, ...others };
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
  const findings = new FindingsRecord(() => upstream.origin, new Keys());
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
    '    1  warning   -          request              unknown-path          GET /v1/nothing',
    `       ${curl('/nothing')}`,
    '',
    '7 violations in 8 exchanges',
    '1 exchange without a response from the upstream',
    '  It is down. (1)',
    '1 exchange given up by the client',
    `coverage: 4 of ${points.length} points of the contract`,
    `  listPets: 4 (:200 3), without ${listOthers('listPets', ':200')}`,
    '  createPet: not reached',
    `  getPet: 1 (:200 1), without ${listOthers('getPet', ':200')}`,
    'Failed: not reached: createPet:201 (--require).',
    'Failed: violations found (--fail-on response-error).',
    '',
  ]);
});

test('without an exchange the summary says why there is no verdict', () => {
  const findings = new FindingsRecord(() => upstream.origin, new Keys()).read();
  expect(printFindings(findings, { failOn: 'error' }).split('\n')).toEqual([
    '0 violations in 0 exchanges',
    'no exchange was checked: the proxy received no request',
    'No verdict: no request of the contract got a response.',
    '',
  ]);
});

test('a gate without a verdict has an error in JUnit, because a CI server shows what is skipped as green', () => {
  const findings = new FindingsRecord(() => upstream.origin, new Keys()).read();
  const xml = printReport('report.xml', findings, { ...subject, failOn: 'error', require: [] });
  expect(xml).toMatch(/<testsuites [^>]* failures="0" errors="1"/);
  expect(xml).toContain('<error message="No verdict: no request of the contract got a response."/>');
});

const error = (status: number) =>
  Buffer.from(JSON.stringify({ code: 'code', message: 'A message.', status }));

test('an operation that only a 401 answers is not reached, and each required point is named', () => {
  const findings = new FindingsRecord(() => upstream.origin, new Keys());
  for (const path of ['/pets', '/pets?status=sold', '/pets/1', '/pets/2'])
    findings.add(exchange(path, { status: 401, body: error(401) }));
  for (const path of ['/pets/3', '/pets/4']) findings.add(exchange(path));
  for (const path of ['/pets/5', '/pets/6']) findings.add(exchange(path, undefined, down));
  for (const path of ['/pets/7', '/pets/8']) {
    const other = exchange(path, { status: 401, body: error(401) });
    findings.add({ ...other, request: { ...other.request, body: undefined } });
  }
  const gate: Gate = { failOn: 'error', require: ['listPets', 'listPets:200', 'listPets?status=sold'] };
  expect(printFindings(findings.read(), gate).split('\n')).toEqual([
    '0 violations in 10 exchanges',
    'no request of the contract succeeded',
    '2 exchanges without a response from the upstream',
    '  It is down. (2)',
    '2 exchanges given up by the client',
    `coverage: 6 of ${points.length} points of the contract`,
    '  listPets: 2 (?status 1, ?status=sold 1, :401 2), without ?limit ?status=available ?status=pending :200 :200.status :400',
    '  createPet: not reached',
    '  getPet: 4 (:401 4), without :200 :200.status :404',
    'Failed: not reached: listPets, listPets:200 (--require).',
    '',
  ]);
});

test('the coverage has the members and values of each request and response', () => {
  const findings = new FindingsRecord(() => upstream.origin, new Keys());
  const pet = (status?: unknown) => ({ id: 1, name: 'Rex', categoryId: 2, status });
  const asBody = (json: unknown) => Buffer.from(JSON.stringify(json));
  const list = asBody([pet('sold'), pet('sold'), pet(5), pet(), null]);
  findings.add(exchange('/pets?limit=3', { body: list }));
  const sent = { headers: { ...json, authorization: 'Bearer the-key' }, method: 'POST' };
  const body = asBody(pet('pending'));
  findings.add(exchange('/pets', { status: 201, body: asBody(pet('gone')) }, undefined, { ...sent, body }));
  for (const status of ['available', 'pending', 'sold'])
    findings.add(exchange('/pets/1', { body: asBody(pet(status)) }));
  for (const status of [401, 404]) findings.add(exchange('/pets/1', { status, body: error(status) }));
  expect(printFindings(findings.read(), { failOn: 'never' }).split('\n').slice(-5)).toEqual([
    `coverage: 18 of ${points.length} points of the contract`,
    '  listPets: 1 (?limit 1, :200 1, :200.status 1, :200.status=sold 1), without ?status :200.status=available :200.status=pending :400 :401',
    '  createPet: 1 (.status 1, .status=pending 1, :201 1, :201.status 1), without .status=available .status=sold :201.status=available :201.status=pending :201.status=sold :400 :401',
    '  getPet: 5 (:200 3, :200.status 3, :200.status=available 1, :200.status=pending 1, :200.status=sold 1, :401 1, :404 1), all points',
    '',
  ]);
});

test('the points of the contract are its operations, parameters, statuses, optional members and their values', () => {
  const withValues = (point: string) =>
    ['', '=available', '=pending', '=sold'].map((end) => `${point}${end}`);
  const ofList = ['listPets', 'listPets?limit', ...withValues('listPets?status')];
  const ofCreation = ['createPet', ...withValues('createPet.status')];
  expect(points).toEqual([
    ...[...ofList, 'listPets:200', ...withValues('listPets:200.status'), 'listPets:400', 'listPets:401'],
    ...[...ofCreation, 'createPet:201', ...withValues('createPet:201.status')],
    ...['createPet:400', 'createPet:401'],
    ...['getPet', 'getPet:200', ...withValues('getPet:200.status'), 'getPet:401', 'getPet:404'],
  ]);
});

const refusedByProxy: Refusal = { code: 'request_violation', message: 'The request is wrong.' };

test.for<[title: string, one: Exchange, counts: object]>([
  ['a response', exchange('/pets', {}), { answered: 1, succeeded: 1 }],
  ['a response of no operation', exchange('/nothing', {}), {}],
  ['a 400', exchange('/pets', { status: 400, body: error(400) }), { answered: 1 }],
  ['a 401', exchange('/pets', { status: 401, body: error(401) }), { answered: 1, refused: 1 }],
  ['a 404 of an animal', exchange('/pets/1', { status: 404, body: error(404) }), { answered: 1 }],
  [
    'a 404 of an animal with another violation',
    exchange('/pets/1?x=1', { status: 404, body: error(404) }),
    { answered: 1 },
  ],
  ['a 404 of the list', exchange('/pets', { status: 404, body: error(404) }), { answered: 1, refused: 1 }],
  [
    'a 404 of the list with another violation',
    exchange('/pets?limit=0', { status: 404, body: error(404) }),
    { answered: 1, refused: 1 },
  ],
  ['a failure of the upstream', exchange('/pets', undefined, down), { unanswered: 1 }],
  ['a refusal of the proxy', exchange('/pets', undefined, refusedByProxy), {}],
  ['a client that gave up', exchange('/pets'), { abandoned: 1 }],
])('%s counts as %o', ([, one, counts]) => {
  const findings = new FindingsRecord(() => upstream.origin, new Keys());
  findings.add(one);
  const { byOperation, coverage, violations, failures, ...sums } = findings.read();
  const none = {
    answered: 0,
    succeeded: 0,
    refused: 0,
    faults: 0,
    unanswered: 0,
    abandoned: 0,
  };
  expect(sums).toEqual({ ...none, exchanges: 1, ...counts });
});

test('a key in the query is in no violation and in no example, decoded or too short to be searched for', () => {
  const keys = new Keys(['s3cr-configured']);
  const redacted = redactCheck(checkWithKeys, keys);
  const query = 'limit=s3cr%2Bkey&access_token=s3cr%2Bkey&key=abc&status=s3cr-configured';
  const request = exchange(`/pets?${query}`, {}).request;
  const { violations, operationId, sent } = redacted(request);
  const received = violations.map((one) => one.received);
  expect(received.slice(0, 2)).toEqual(['"[key]"', '"[key]"']);
  // A response may repeat the key of the query.
  const echo = Buffer.from('{"id":"s3cr+key","name":"Rex","categoryId":2}');
  const { violations: ofResponse } = exchange('/pets/7?access_token=s3cr%2Bkey&limit=7', { body: echo });
  expect(ofResponse).toContainEqual(
    expect.objectContaining({ place: 'response.body.id', received: '"[key]"' }),
  );
  const ofPage = exchange('/pets?page=abcd+efgh', { body: Buffer.from('"abcd efgh"') }).violations;
  expect(ofPage).toContainEqual(expect.objectContaining({ received: '"abcd efgh"' }));
  const findings = new FindingsRecord(() => 'https://s3cr-configured.example', keys);
  const whole = { request, violations, operationId, sent, response: undefined, answered: undefined };
  findings.add({ ...whole, refusal: undefined });
  const target = '/v1/pets?limit=[key]&access_token=[key]&key=[key]&status=[key]';
  expect(summarize({ ...whole, refusal: undefined }, keys)).toEqual({
    method: 'GET',
    target,
    sessions: [],
    isMadeByFault: false,
  });
  const [finding] = findings.read().violations;
  const authorization = '-H "Authorization: Bearer $ANIMAL_STORE_API_KEY"';
  expect(finding?.example).toBe(`curl ${authorization} --globoff 'https://[key].example${target}'`);
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
    faults: 0,
    failures: [{ message: 'It is down.', count: 1 }],
    unanswered: 1,
    abandoned: 1,
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
      rule: 'unknown-path',
      message: 'The contract has no such path, only /pets and /pets/{petId} under the base URL',
      received: 'GET /v1/nothing',
      count: 1,
      example: curl('/nothing'),
    },
  ]);
});

/** Returns the lines of a JUnit report, without its suite of the coverage. */
function withoutCoverage(report: string): string[] {
  return report.replace(/ {2}<testsuite name="coverage".*?<\/testsuite>\n/s, '').split('\n');
}

test('the JUnit report has the coverage: an operation that was not reached is skipped', () => {
  const findings = new FindingsRecord(() => upstream.origin, new Keys());
  findings.add(exchange('/pets?limit=5'));
  const [, suite = ''] =
    /(<testsuite name="coverage".*?<\/testsuite>)/s.exec(printReport('a.xml', findings.read(), subject)) ??
    [];
  const lines = suite.split('\n').map((line) => line.trim());
  expect(lines).toEqual([
    '<testsuite name="coverage" tests="3" failures="0" errors="0" skipped="3" timestamp="2026-05-04T09:30:00">',
    ...['listPets', 'createPet', 'getPet'].flatMap((name) => [
      `<testcase classname="coverage" name="${name}">`,
      '<skipped message="not reached"/>',
      '</testcase>',
    ]),
    `<system-out>0 of ${points.length} points of the contract</system-out>`,
    '</testsuite>',
  ]);
  findings.add(exchange('/pets?limit=5', {}));
  const reached = `<system-out>exchanges 1 (?limit 1, :200 1), without ${listOthers('listPets', '?limit', ':200')}</system-out>`;
  expect(printReport('a.xml', findings.read(), subject)).toContain(reached);
});

test('the JUnit report fails the rules that --fail-on counts, and says what was received', () => {
  const quoted = (target: string) => curl(target).replaceAll('"', '&quot;');
  const at = 'timestamp="2026-05-04T09:30:00"';
  expect(withoutCoverage(printReport('report.XML', record().read(), subject))).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="checked proxy for https://staging.example/v1" tests="12" failures="4" errors="0" time="2.250">',
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
    '    <testcase classname="no operation of the contract" name="request unknown-path">',
    '      <system-out>The contract has no such path, only /pets and /pets/{petId} under the base URL; received GET /v1/nothing',
    'warning, count 1, exchanges 1',
    `${quoted('/nothing')}</system-out>`,
    '    </testcase>',
    '  </testsuite>',
    `  <testsuite name="not checked" tests="2" failures="0" errors="0" skipped="2" ${at}>`,
    '    <testcase classname="not checked" name="exchanges without a response from the upstream">',
    '      <skipped message="1 exchanges without a response from the upstream">It is down. (1)</skipped>',
    '    </testcase>',
    '    <testcase classname="not checked" name="exchanges given up by the client">',
    '      <skipped message="1 exchanges given up by the client"/>',
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

test('without a gate the JUnit report fails the errors, because a CI server would show them as green', () => {
  const report = printReport('report.xml', record().read(), { ...subject, failOn: 'never', require: [] });
  const failed = [...report.matchAll(/name="([^"]+)">\n *<failure/g)].map(([, name]) => name);
  expect(failed).toEqual([
    'response.body.id type',
    'request.query.limit minimum',
    'response.body.*.id list-pets/unique-ids',
    'response server-error',
  ]);
});

test('the JUnit report of a run that conforms has a case for each operation', () => {
  const findings = new FindingsRecord(() => upstream.origin, new Keys());
  for (const path of ['/pets', '/pets?limit=1']) findings.add(exchange(path, {}));
  const at = 'timestamp="2026-05-04T09:30:00"';
  expect(withoutCoverage(printReport('report.xml', findings.read(), { ...subject, require: [] }))).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="checked proxy for https://staging.example/v1" tests="4" failures="0" errors="0" time="2.250">',
    `  <testsuite name="listPets" tests="1" failures="0" errors="0" skipped="0" ${at}>`,
    '    <testcase classname="listPets" name="2 exchanges conform"/>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ]);
  expect(JSON.parse(printReport('report.xml.json', findings.read(), subject))).toMatchObject({
    exchanges: 2,
  });
});

test('the JUnit report of a HAR file names the first entry of each broken rule, and what was not checked', () => {
  const findings = new FindingsRecord(() => undefined, new Keys());
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
  expect(withoutCoverage(report)).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="recorded in traffic.har, of https://api.example/v1" tests="5" failures="1" errors="0" time="2.250">',
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
    'stdin: 9 entries; left out: 3 of other addresses',
    `checked: ${one}, ${other} (--base-url selects one)`,
    '2 bodies not in the file',
    '1 request without a key in the file, checked as if one was sent',
    '',
  ]);
});

test('a violation is one line of the log, as JSON or for people, of the proxy or of a HAR file', () => {
  const findings = new FindingsRecord(() => upstream.origin, new Keys());
  const {
    found: [found],
  } = findings.add(exchange(`/pets?limit=0&name=${'x'.repeat(300)}`, {}));
  if (found === undefined) throw new Error('There is no violation.');
  const target = `/v1/pets?limit=0&name=${'x'.repeat(300)}`;
  const summary = {
    method: 'GET',
    target,
    sessions: [],
    status: 200,
    startedAt: startedAt.getTime(),
    sentAs: undefined,
    isMadeByFault: false,
    recorded: undefined,
  };
  const recorded = { index: 3, startedDateTime: '2026-05-04T09:30:00.123Z', origin: 'https://api.example' };
  const mark = (colour: string, text: string) => `<${colour}>${text}`;
  const printOne = (log: 'json' | 'pretty', one: Finding, ofExchange: object) => {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line.trimEnd());
    const writeLog = createLog({ log, paint: mark, write, repeats: 'all' });
    writeLog(startedAt, { ...summary, ...ofExchange }, [one], undefined);
    return lines.join('\n');
  };
  const print = (log: 'json' | 'pretty', ofFile: object = {}) => printOne(log, found, ofFile);
  const rest =
    'listPets request.query.limit minimum: Request query parameter limit must be >= 1; received "0"';
  const url = target.slice(0, 200);
  expect(print('pretty')).toBe(`09:30:00 proxy violation <red>error ${rest} (1 so far, GET ${url})`);
  expect(print('pretty', { recorded })).toBe(
    `09:30:00 violation <red>error ${rest} (1 so far, log.entries[3] GET ${url})`,
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
  const {
    found: [warning],
  } = findings.add(exchange('/nothing', { status: 404 }));
  if (warning === undefined) throw new Error('There is no warning.');
  const text =
    'The contract has no such path, only /pets and /pets/{petId} under the base URL; received GET /v1/nothing';
  expect(printOne('pretty', warning, { target: '/v1/nothing' })).toBe(
    `09:30:00 proxy violation <yellow>warning - request unknown-path: ${text} (1 so far, GET /v1/nothing)`,
  );
});

test('a run without a verdict has not passed, in the report either', () => {
  const nothing = new FindingsRecord(() => upstream.origin, new Keys()).read();
  const run = { ...subject, failOn: 'error', require: [] } as const;
  expect(JSON.parse(printReport('report.json', nothing, run)).passed).toBe(false);
  expect(JSON.parse(printReport('report.json', nothing, { ...run, failOn: 'never' })).passed).toBe(true);
});
