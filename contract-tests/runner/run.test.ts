import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { clauses } from '../clauses/clauses.ts';
import { Client } from '../client/client.ts';
import { MOST_ADDED } from '../client/run-limits.ts';
import type { SendRequest } from '../client/send-request.ts';
import { suiteVersion } from '../client/target.ts';
import { answerSome, answerWith, change, combine, replace } from '../deployments/changes.ts';
import type { Answer } from '../deployments/deployment.ts';
import { type IsMeant, isCreation, isFetch, isList, withKey } from '../deployments/messages.ts';
import { answered, createError, createPage, createReply } from '../deployments/replies.ts';
import { askDeployment } from '../deployments/run-deployment.ts';
import { printReason } from '../reporters/print-summary.ts';
import { reporters } from '../reporters/reporters.ts';
import { createTarget, idsOf, refuseSome, runInProcess, runWith } from '../testing/run-suite.ts';
import { isFailure, listFindings } from './report.ts';
import { listEarlier, reportUntried, runSuite } from './run.ts';

test('a run reports the same evidence whichever response comes first, and keeps to the concurrency', async () => {
  const run = async (isSlow: (count: number) => boolean) => {
    const [mock, unique] = [await askDeployment({}), /contract-test [^"]*/g];
    let [count, open, most] = [0, 0, 0];
    const sendRequest: SendRequest = async (request) => {
      count += 1;
      open += 1;
      most = Math.max(most, open);
      if (isSlow(count)) await delay(2);
      const sent = await mock(request);
      open -= 1;
      const status = sent.response?.status === 401 || sent.response?.status === 400 ? 500 : undefined;
      return { ...sent, response: sent.response && { ...sent.response, ...(status && { status }) } };
    };
    const { outcomes } = await runWith(sendRequest, { concurrency: 6 });
    const results = outcomes.map(({ evidence, ms: _, more: __, ...one }) => [one, evidence?.request]);
    return { results: JSON.stringify(results, null, 1).replaceAll(unique, ''), most };
  };
  const [one, other] = [await run((count) => count % 2 === 0), await run((count) => count % 3 === 0)];
  expect(one.results).toBe(other.results);
  expect(one.results).toContain('"verdict": "failed"');
  expect([one.most, other.most]).toEqual([6, 6]);
});

test('a report has what the run was asked for, and what it sent', async () => {
  const told: unknown[] = [];
  const target = createTarget({ allowsWrites: false, concurrency: 5 });
  const only = ['list-pets/success', 'get-pet/unknown-is-404'];
  const report = await runSuite(target, {
    only,
    sendRequest: await askDeployment({}),
    onResult: ({ clause }, traffic) => told.push([clause.id, traffic]),
  });
  const { startedAt, ms, outcomes, requests, leftOut, required, ...others } = report;
  expect(others).toEqual({
    verdict: 'conforms in part',
    tested: 2,
    version: 3,
    suite: suiteVersion,
    node: process.versions.node,
    options: {
      allowsWrites: false,
      timeout: 10_000,
      deadline: 900_000,
      settle: 2_000,
      concurrency: 5,
      only,
    },
    baseUrl: 'http://127.0.0.1:9/v1',
    animalsAdded: 0,
    added: [],
  });
  expect(outcomes.map(({ clause }) => clause.id)).toEqual(only);
  const requiredClauses = clauses.filter(({ level }) => level === 'required');
  expect(leftOut).toEqual(
    expect.arrayContaining(requiredClauses.map(({ id }) => id).filter((id) => !only.includes(id))),
  );
  expect([leftOut.length, required]).toEqual([requiredClauses.length - 2, requiredClauses.length]);
  expect(told.at(-1)).toEqual([expect.any(String), { requests, animalsAdded: 0 }]);
  expect(told).toHaveLength(2);
  expect(Date.now() - Date.parse(startedAt)).toBeGreaterThanOrEqual(Math.floor(ms));
});

test('a run that could not begin has a report with its reason, without any key', () => {
  const target = createTarget();
  const client = new Client(target, { accepted: 4 });
  const startedAt = new Date('2026-11-23T10:00:00Z');
  const report = reportUntried(client, ['errors/body'], startedAt, 'test-key was refused');
  expect(report).toMatchObject({
    verdict: 'no verdict',
    reason: '[key] was refused',
    options: { only: ['errors/body'] },
    startedAt: '2026-11-23T10:00:00.000Z',
    requests: 4,
    tested: 0,
    animalsAdded: 0,
    added: [],
    leftOut: [],
    outcomes: [],
  });
  expect(report.required).toBeGreaterThan(50);
});

test('the clauses before a clause that reads their responses are listed, and no other ones', () => {
  const target = createTarget();
  expect(listEarlier([], target)).toEqual([]);
  expect(listEarlier(['list-pets/missing-key'], target)).toEqual([]);
  const earlier = listEarlier(['errors/body'], target);
  expect(earlier).toEqual(expect.arrayContaining(['create-pet/success', 'list-pets/success']));
  expect(earlier).not.toContain('errors/body');
  expect(new Set(earlier).size).toBe(earlier.length);
});

test('in a read-only run no clause is listed that needs POST, and none for such a clause', () => {
  const target = createTarget({ allowsWrites: false });
  expect(listEarlier(['errors/body'], target)).toContain('list-pets/missing-key');
  expect(listEarlier(['errors/body'], target)).not.toContain('create-pet/success');
  expect(listEarlier(['create-pet/stored'], target)).toEqual([]);
});

test('a response with a 5xx passes no clause but those about errors', async () => {
  const report = await runInProcess(async () => createError(502));
  expect(idsOf(report, 'passed').filter((id) => !id.startsWith('errors/'))).toEqual([]);
});

test.each([
  ['the animal', {}],
  ['an empty body', { body: '' }],
  ['another object', { body: '{"ok":true}' }],
])('what cannot be tested after a 200 with %s names the 200 as its reason', async (_, changes) => {
  const isAdded = answered(201, isCreation);
  const report = await runInProcess(change.reply(isAdded, () => ({ status: 200, ...changes }))());
  expect(idsOf(report, 'failed')).toEqual(['create-pet/success']);
  const untested = report.outcomes.filter(({ verdict }) => /^not /.test(verdict));
  expect(untested.length).toBeGreaterThan(10);
  const reasons = new Set(untested.map(({ reason }) => reason));
  expect([...reasons]).toEqual(['POST /pets returns 200 instead of 201: see create-pet/success']);
});

test('animals are listed that a 200 has added, and by their body if they have no int64 as id', async () => {
  const asOk: Answer = async (request, asMock) => {
    const reply = await asMock(request);
    return reply.status === 201 ? { ...reply, status: 200, body: '{"id":"a-1"}' } : reply;
  };
  const { animalsAdded, added } = await runInProcess(asOk);
  expect(animalsAdded).toBeGreaterThan(10);
  expect(added).toHaveLength(animalsAdded);
  expect(added[0]).toMatch(/^\{"name":"/);
});

test('a rate of 5xx is one finding with the rate, other responses to the same request, and each request', async () => {
  const report = await runInProcess(refuseSome((count) => count % 97 === 0, 502));
  const [finding, ...others] = listFindings(report).filter(isFailure);
  expect([finding?.clause.id, others]).toEqual(['errors/no-server-fault', []]);
  expect(finding?.received).toMatch(
    /^502: "It is refused\." in \d+ of \d+ requests, and the same request got [\d, ]+ at other/,
  );
  const [, count] = /in (\d+) of/.exec(finding?.received ?? '') ?? [];
  expect(1 + (finding?.more?.length ?? 0)).toBe(Number(count));
});

test('a deployment that adds an animal for each POST gets no more of them than the suite says, and a verdict', async () => {
  let added = 0;
  const answer: Answer = async (request, asMock) => {
    if (!isCreation(request)) return asMock(request);
    added += 1;
    return createReply(201, { id: 7_000_000n + BigInt(added), name: 'Rex', categoryId: 1n });
  };
  const report = await runInProcess(answer);
  expect([added, report.animalsAdded, report.verdict]).toEqual([MOST_ADDED, MOST_ADDED, 'does not conform']);
  const untested = report.outcomes.filter(({ cause }) => cause === 'limit of animals');
  expect(untested.length).toBeGreaterThan(0);
  const reason = `the run has added ${MOST_ADDED} animals, its limit`;
  expect(new Set(untested.map((result) => result.reason))).toEqual(new Set([reason]));
  expect(reporters.terminal?.print(report, {})).toMatch(/ Limit of animals: \d+ not tested\n/);
});

/** Creates a 500 with this message, which has another id in each response. */
const failWith = (message: string, isMeant: IsMeant) => {
  let count = 0;
  return answerWith(isMeant, async () => {
    count += 1;
    const body = { code: 'internal_error', message: `${message} (request id: ${count}ab)`, status: 500 };
    return { status: 500, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  });
};

const isByStatus: IsMeant = (request) => isList(request) && request.query.get('status') === 'sold';
const isByLimit: IsMeant = (request) => isList(request) && request.query.get('limit') === '5';
const isMalformedPost: IsMeant = (request) => isCreation(request) && request.body.startsWith('[');
const isFetched: IsMeant = (request) => isFetch(request);

test.for<[what: string, failures: readonly (readonly [string, IsMeant])[], findings: number]>([
  [
    'two causes at two operations',
    [
      ['No index', isByStatus],
      ['No connection', isFetched],
    ],
    2,
  ],
  [
    'one cause at two operations',
    [
      ['No index', isByStatus],
      ['No index', isFetched],
    ],
    1,
  ],
  [
    'two causes at one operation',
    [
      ['No index', isByStatus],
      ['No such sort', isByLimit],
    ],
    2,
  ],
  [
    'three causes, one of them at two operations',
    [
      ['No index', isByStatus],
      ['No connection', isFetched],
      ['No index', isMalformedPost],
    ],
    2,
  ],
])('of %s each is a finding', async ([, failures, count]) => {
  const answers = failures.map(([message, isMeant]) => failWith(message, isMeant));
  const report = await runInProcess(combine(answers.toReversed())());
  const findings = listFindings(report).filter(isFailure);
  expect(
    findings.map(({ clause, received, evidence }) => [clause.id, received, evidence?.line]),
  ).toHaveLength(count);
  const texts = findings.map(({ received = '' }) => received).join('\n');
  for (const [message] of failures) expect(texts).toContain(`500: "${message}`);
});

test('a cause that only the clause about server faults has met is a finding next to another one', async () => {
  const isCompressed: IsMeant = ({ headers }) => headers['content-encoding'] === 'gzip';
  const answers = [failWith('No index', isByStatus), failWith('Cannot inflate', isCompressed)];
  const report = await runInProcess(combine(answers)());
  const findings = listFindings(report).filter(isFailure);
  expect(findings.map(({ clause }) => clause.id)).toContain('errors/no-server-fault');
  expect(
    findings.map(({ clause, received, evidence }) => [clause.id, received, evidence?.line]),
  ).toHaveLength(2);
  const [ofClause] = findings.filter(({ clause }) => clause.id === 'errors/no-server-fault');
  expect(ofClause?.received).toContain('500: "Cannot inflate');
});

test('errors whose words change with each response are one cause', async () => {
  const isFetchedOrListed: IsMeant = (request) => isFetch(request) || isByStatus(request);
  const word = () => Array.from({ length: 12 }, () => String.fromCharCode(97 + randomInt(26))).join('');
  const page = answerWith(isFetchedOrListed, async () => ({
    ...createPage(500),
    body: `<h1>${word()}</h1>`,
  }));
  const report = await runInProcess(page());
  expect(
    listFindings(report)
      .filter(isFailure)
      .map(({ clause }) => clause.id),
  ).toEqual(['errors/no-server-fault']);
});

test('an error with a wrong body is shown for an id that no animal is assigned later, and late is not its cause', async () => {
  const withoutCode = answered(404, isFetch);
  const behave = change.reply(withoutCode, () => createReply(404, { status: 404, message: 'none' }))();
  const { outcomes, added } = await runInProcess(behave);
  const findings = listFindings({ outcomes }).filter(isFailure);
  expect(findings.map(({ clause, probably }) => [clause.id, probably])).toEqual([['errors/body', undefined]]);
  const [, id = ''] = /^GET \/pets\/(-?\d+)$/.exec(findings[0]?.evidence?.line ?? '') ?? [];
  expect(id).not.toBe('');
  expect(added).not.toContain(id);
});

test.for<[string, IsMeant, number, number]>([
  ['lists', ({ path }) => path === '/pets', 30, 403],
  ['additions', ({ method }) => method === 'POST', 20, 400],
  ['requests', () => true, 45, 200],
])('a page for some %s is one finding, which is intermittent', async ([, isMeant, each, status]) => {
  const answer = answerSome((count) => count % each === 0, createPage(status), isMeant);
  const [finding, ...others] = listFindings(await runInProcess(answer()));
  expect(others.map(({ clause }) => clause.id)).toEqual([]);
  expect(finding?.probably).toMatch(/^intermittent: an HTML page, and \d+ of \d+ times the same request /);
});

test('a finding quotes the message of a 4xx, cut and without the key', async () => {
  const message = `Refused for test-key: ${'x'.repeat(200)}`;
  const removed = createReply(410, { code: 'gone', message, status: 410n });
  const behave = replace(answered(404), removed)();
  const { outcomes } = await runInProcess(behave, {}, ['get-pet/unknown-is-404']);
  expect(outcomes.map(printReason).join()).toMatch(/received 410: "Refused for \[key\]: x{50,100}…"$/);
});

test('no key is in a report: neither one in the base URL nor one that a response repeats', async () => {
  const answer: Answer = async (request, asMock) => {
    const isKnown = request.headers.authorization === 'Bearer a-first-key';
    const reply = isKnown ? await asMock(withKey(request)) : createError(401);
    return reply.status < 400 ? reply : { ...reply, body: JSON.stringify({ key: 'a-first-key' }) };
  };
  const baseUrl = 'http://127.0.0.1:9/a-first-key/v1';
  const report = await runInProcess(answer, { baseUrl, apiKey: 'a-first-key' });
  expect(report.baseUrl).toBe('http://127.0.0.1:9/[key]/v1');
  expect(idsOf(report, 'failed')).toContain('errors/body');
  expect(reporters.json?.print(report, {})).not.toContain('a-first-key');
});
