import { expect, test } from 'vitest';
import { loadContract } from '../../common/load-contract.ts';
import { Keys } from '../../common/text/redact.ts';
import { createExchange, down, findIn, printError } from '../testing/create-exchange.ts';
import { FindingsRecord } from './findings-record.ts';
import { printFindings, printForAgent, printMarkdown, printReport } from './print-run.ts';
import { summarize } from './redact-exchange.ts';

const upstream = 'https://staging.example/v1';
const twin = '{"id":5,"name":"the-key","categoryId":2}';
const wrong = Buffer.from(`{"id":"a&b the-key","name":"Rex","categoryId":2,"statu":"sold"}`);

const findings = findIn(
  createExchange('/pets/7', { body: wrong }),
  createExchange('/pets', { body: Buffer.from(`[${twin},${twin}]`) }),
  createExchange('/pets?limit=0', {}),
  createExchange('/pets?limit=00', { body: undefined }),
  createExchange('/pets', { status: 503, body: printError(503) }),
  createExchange('/pets/1'),
  createExchange('/pets/2', down),
  createExchange('/nothing', { status: 404 }),
);

const gate = { failOn: 'response-error', require: ['listPets', 'createPet:201'] } as const;
const startedAt = new Date('2026-05-04T09:30:00.123Z');
const run = { ...gate, upstream, startedAt, endedAt: new Date('2026-05-04T09:30:02.373Z') };
const curl = (target: string) =>
  `curl -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" '${upstream}${target}'`;

/** Leaves out the parts after the reached ones, which coverage.test.ts has. */
const shorten = (text: string) => text.replaceAll(/, without .*/g, '').split('\n');

test('an agent reads the verdict, then each violation as a line of JSON, then the counts', () => {
  const lines = printForAgent(findings, gate).trimEnd().split('\n');
  expect(lines.slice(0, 2)).toEqual([
    'Failed: not reached: createPet:201 (--require).',
    'Failed: violations found (--fail-on response-error).',
  ]);
  const violations = lines.slice(2, 8).map((line) => JSON.parse(line));
  expect(violations).toEqual(JSON.parse(printReport('report.json', findings, run)).violations);
  expect(lines[8]).toBe('7 violations in 8 exchanges');
});

test('exchanges without a response are counted, also where they have one reason', () => {
  const twice = findIn(createExchange('/pets', down), createExchange('/pets/2', down));
  expect(printFindings(twice, gate)).toContain('\nexchanges without a response: 2\n');
});

test('the table has what was received, the most frequent rule first, and the summary what was not checked', () => {
  expect(shorten(printFindings(findings, gate))).toEqual([
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
    'exchanges without a response: 2',
    '  The client did not wait for it, or the run ended before. (1)',
    '  It is down. (1)',
    'coverage: 4 of 33 parts of the contract',
    '  listPets: 4 (:200 3)',
    '  createPet: not reached',
    '  getPet: 1 (:200 1)',
    'Failed: not reached: createPet:201 (--require).',
    'Failed: violations found (--fail-on response-error).',
    '',
  ]);
});

test('the JSON report has the counts, and each finding with its first violation', () => {
  const { coverage, violations, ...report } = JSON.parse(printReport('report.json', findings, run));
  expect(report).toEqual({
    ...gate,
    ...{ upstream, startedAt: '2026-05-04T09:30:00.123Z', endedAt: '2026-05-04T09:30:02.373Z' },
    ...{ passed: false, exchanges: 8, answered: 5, succeeded: 4, faults: 0 },
    failures: ['The client did not wait for it, or the run ended before.', 'It is down.'].map((message) => ({
      message,
      count: 1,
    })),
    operations: [
      { operationId: 'listPets', exchanges: 4 },
      { operationId: 'createPet', exchanges: 0 },
      { operationId: 'getPet', exchanges: 3 },
      { operationId: null, exchanges: 1 },
    ],
  });
  expect(coverage).toMatchObject({ listPets: 4, 'listPets:200': 3, getPet: 1, createPet: 0 });
  expect(violations).toHaveLength(6);
  expect(violations[0]).toEqual({
    ...{ operationId: 'listPets', severity: 'error', count: 2, rule: 'minimum', expected: '1' },
    ...{ location: ['request', 'query', 'limit'], place: 'request.query.limit', received: '"0"' },
    message: 'Request query parameter limit must be >= 1',
    example: curl('/pets?limit=0'),
  });
  expect(violations[5]).toMatchObject({ operationId: null, rule: 'unknown-path' });
});

test('the JUnit report fails the rules that --fail-on counts, and skips what was not checked or not reached', async () => {
  const renew = 'Renew the file and read the difference: npm run test:update';
  await expect(printReport('report.XML', findings, run), renew).toMatchFileSnapshot('samples/junit.txt');
});

test('without a gate the JUnit report fails the errors, because a CI server would show them as green', () => {
  const report = printReport('report.xml', findings, { ...run, failOn: 'never', require: [] });
  const failed = [...report.matchAll(/name="([^"]+)">\n *<failure/g)].map(([, name]) => name);
  expect(failed).toEqual([
    ...['request.query.limit minimum', 'response.body.*.id list-pets/unique-ids'],
    ...['response server-error', 'response.body.id type'],
  ]);
});

test('in JUnit an operation that conforms passes, and a run without a verdict is an error', () => {
  const conforming = findIn(createExchange('/pets', {}), createExchange('/pets?limit=1', {}));
  expect(printReport('report.xml', conforming, { ...run, require: [] })).toContain(
    '<testcase classname="listPets" name="2 exchanges conform"/>',
  );
  const nothing = findIn();
  const ended = { ...run, failOn: 'error', require: [] } as const;
  const xml = printReport('report.xml', nothing, ended);
  expect(xml).toMatch(/<testsuites [^>]* failures="0" errors="1"/);
  expect(xml).toContain('<error message="No verdict: no exchange was checked, ');
  expect(JSON.parse(printReport('report.json', nothing, ended)).passed).toBe(false);
  expect(JSON.parse(printReport('report.json', nothing, { ...ended, failOn: 'never' })).passed).toBe(true);
});

test('the summary of a job has what the terminal shows, and no text ends its block of code', () => {
  const ticked = findIn(createExchange('/pets?limit=```', {}));
  const printed = printFindings(ticked, run);
  expect(printed).toContain('```');
  expect(printMarkdown(ticked, run)).toBe(`### Checked traffic\n\n\`\`\`\`text\n${printed}\`\`\`\`\n`);
});

test('what was read of a HAR file has lines before the table, and each rule its first entry', () => {
  const one = { ...createExchange('/pets?limit=0', {}), entry: 3 };
  const [base, other] = ['https://staging.example/v1', 'https://b.example/v1'];
  const none = { otherAddresses: 0, fromCache: 0, keysNotRecorded: 0 };
  const recording = { file: 'traffic.har', baseUrls: [base], entries: 1, ...none };
  const print = (changes: object) =>
    printFindings(findIn(one), { failOn: 'never', recording: { ...recording, ...changes } }).split('\n');
  expect(print({}).slice(0, 6)).toEqual([
    'entries in traffic.har: 1',
    `checked: ${base}`,
    'count  severity  operation  place                rule     received',
    '    1  error     listPets   request.query.limit  minimum  "0"',
    '       log.entries[3]',
    `       ${curl('/pets?limit=0')}`,
  ]);
  const lost = { entries: 9, otherAddresses: 3, fromCache: 2, keysNotRecorded: 1 };
  const printed = print({ ...lost, file: '-', baseUrls: [base, other] });
  expect(printed.slice(0, 3)).toEqual([
    'entries in stdin: 9, of other addresses: 3, answered by the cache or a service worker: 2',
    `checked: ${base}, ${other} (--base-url selects one)`,
    'requests without a key in the file, checked as if one was sent: 1',
  ]);
  const report = printReport('report.xml', findIn(one), { ...run, recording });
  expect(report).toContain('<testsuites name="recorded in traffic.har, of https://staging.example/v1" ');
  expect(report).toContain('\nfirst in log.entries[3]\n');
});

test('a key in the query is in no violation and in no example, decoded or too short to be searched for', () => {
  const query = 'limit=s3cr%2Bkey&access_token=s3cr%2Bkey&key=abc&status=s3cr-configured';
  // A response may repeat the key of the query.
  const echo = Buffer.from('{"id":"s3cr+key","name":"Rex","categoryId":2}');
  expect(createExchange('/pets/7?access_token=s3cr%2Bkey', { body: echo }).violations).toContainEqual(
    expect.objectContaining({ place: 'response.body.id', received: '"[key]"' }),
  );
  const keys = new Keys(['s3cr-configured']);
  const record = new FindingsRecord(loadContract(), keys);
  const exchange = createExchange(`/pets?${query}`, {});
  const target = '/v1/pets?limit=[key]&access_token=[key]&key=[key]&status=[key]';
  expect(summarize(exchange, keys)).toMatchObject({ method: 'GET', target, sessions: [], status: 200 });
  record.add(exchange, 'https://s3cr-configured.example');
  const [finding] = record.read().violations;
  expect(finding?.received).toBe('"[key]"');
  const authorization = '-H "Authorization: Bearer $ANIMAL_STORE_API_KEY"';
  expect(finding?.example).toBe(`curl ${authorization} --globoff 'https://[key].example${target}'`);
});

test('a key in the host of an upstream that is down is not in the reason', () => {
  const record = new FindingsRecord(loadContract(), new Keys(['s3cr-configured']));
  const origin = 'https://s3cr-configured.example';
  record.add(createExchange('/pets', { ...down, message: `The upstream ${origin} is down.` }), origin);
  expect(record.read().failures).toEqual([
    { message: 'The upstream https://[key].example is down.', count: 1 },
  ]);
});
