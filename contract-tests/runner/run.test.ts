import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../common/json/exact-json.ts';
import { Client } from '../client/client.ts';
import { MOST_ADDED } from '../client/run-limits.ts';
import type { SendRequest } from '../client/send-request.ts';
import { suiteVersion, type TargetOptions } from '../client/target.ts';
import { brokenDeployments } from '../deployments/broken-deployments.ts';
import { change, combine, replace } from '../deployments/changes.ts';
import { createAnimals, createStoreAnswer } from '../deployments/conforming/store-behaviour.ts';
import type { Answer, CreateAnswer } from '../deployments/deployment.ts';
import { hasKey, isAddition, isCreation, isFetch, withKey } from '../deployments/messages.ts';
import { answered, createError, createReply } from '../deployments/replies.ts';
import { askDeployment } from '../deployments/run-deployment.ts';
import { printReason } from '../reporters/print-summary.ts';
import { reporters } from '../reporters/reporters.ts';
import { clauses } from '../rules/clauses.ts';
import { clauseIds, createTarget, idsOf, runInProcess, runWith } from '../testing/run-suite.ts';
import { isFailure, listFindings } from './report.ts';
import { reportUntried } from './report-untried.ts';
import { runSuite } from './run.ts';

test.concurrent('a run has the same findings whichever response comes first, and keeps to the concurrency', async () => {
  const run = async (isSlow: (count: number) => boolean) => {
    const mock = await askDeployment({});
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
    const { outcomes } = await runWith(sendRequest, { allowsWrites: false, concurrency: 6 });
    const results = outcomes.map(({ clause, verdict, follows }) => [clause.id, verdict, follows]);
    return { results, most };
  };
  const [one, other] = [await run((count) => count % 2 === 0), await run((count) => count % 3 === 0)];
  expect(one.results).toEqual(other.results);
  expect(one.results.map(([, verdict]) => verdict)).toContain('failed');
  expect([one.most, other.most]).toEqual([6, 6]);
});

test.concurrent('a report has what the run was asked for, and what it sent', async () => {
  const told: unknown[] = [];
  const target = createTarget({ allowsWrites: false, concurrency: 5, settle: 100 });
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
    run: expect.stringMatching(/^[0-9a-f]{8}$/),
    version: 3,
    suite: suiteVersion,
    contract: '1.0.0',
    node: process.versions.node,
    options: {
      allowsWrites: false,
      timeout: 10_000,
      deadline: 900_000,
      settle: 100,
      concurrency: 5,
      only,
    },
    baseUrl: 'http://127.0.0.1:9/v1',
    animalsAdded: 0,
    added: [],
    excused: {},
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

test.concurrent('a run that could not begin has a report with its reason, without any key', () => {
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

test.concurrent('a run that only reads tests each clause that needs no POST', async () => {
  const { outcomes } = await runInProcess((request, asMock) => asMock(request), { allowsWrites: false });
  const others = outcomes.filter(({ verdict, cause }) => verdict !== 'passed' && cause !== 'read-only');
  expect(others.map(({ clause, reason }) => [clause.id, reason])).toEqual([]);
});

test.concurrent('what cannot be tested after a 200 in place of a 201 names the 200 as its reason', async () => {
  const isAdded = answered(201, isCreation);
  const report = await runInProcess(change.reply(isAdded, () => ({ status: 200 }))());
  expect(idsOf(report, 'failed')).toEqual(['create-pet/success']);
  const untested = report.outcomes.filter(({ verdict }) => verdict === 'not tested');
  expect(untested.length).toBeGreaterThan(10);
  expect(untested.map(({ reason }) => reason)).toContain(
    'POST /pets returns 200 instead of 201: see create-pet/success',
  );
});

test.concurrent('clauses about filters are not tested where all animals have the same status', async () => {
  const animals = createAnimals(9, () => ({ status: 'sold' }));
  const sendRequest = await askDeployment({ createAnswer: () => createStoreAnswer({ animals }) });
  const ids = ['list-pets/filters', 'list-pets/filter-before-limit'];
  const { outcomes } = await runWith(sendRequest, { allowsWrites: false }, ids);
  const reason = 'no responses have shown animals of two values of status';
  const untested = { verdict: 'not tested', cause: 'too little to compare', reason };
  expect(outcomes).toMatchObject(ids.map((id) => ({ clause: { id }, ...untested })));
});

const ofPost = clauseIds.filter((id) => id.startsWith('create-pet/'));

test.concurrent('animals are listed that a 200 has added, and by their body if they have no int64 as id', async () => {
  const asOk: Answer = async (request, asMock) => {
    const reply = await asMock(request);
    return reply.status === 201 ? { ...reply, status: 200, body: '{"id":"a-1"}' } : reply;
  };
  const { animalsAdded, added } = await runInProcess(asOk, {}, ofPost);
  expect(animalsAdded).toBeGreaterThan(10);
  expect(added).toHaveLength(animalsAdded);
  expect(added[0]).toMatch(/^\{"name":"/);
});

test.concurrent('a deployment that adds an animal for each POST gets no more of them than the suite says, and a verdict', async () => {
  let added = 0;
  const answer: Answer = async (request, asMock) => {
    if (!isCreation(request)) return asMock(request);
    added += 1;
    return createReply(201, { id: 7_000_000n + BigInt(added), name: 'Rex', categoryId: 1n });
  };
  const report = await runInProcess(answer);
  expect([added, report.animalsAdded, report.verdict]).toEqual([MOST_ADDED, MOST_ADDED, 'does not conform']);
});

test.concurrent('an error with a wrong body is shown for an id that no animal is assigned later, and late is not its cause', async () => {
  const withoutCode = answered(404, isFetch);
  const behave = change.reply(withoutCode, () => createReply(404, { status: 404, message: 'none' }))();
  const { outcomes, added } = await runInProcess(behave);
  const findings = listFindings({ outcomes }).filter(isFailure);
  expect(findings.map(({ clause, probably }) => [clause.id, probably])).toEqual([['errors/body', undefined]]);
  const [, id = ''] = /^GET \/pets\/(-?\d+)$/.exec(findings[0]?.evidence?.line ?? '') ?? [];
  expect(id).not.toBe('');
  expect(added).not.toContain(id);
});

test.concurrent('a finding quotes the message of a 4xx, cut and without the key', async () => {
  const message = `Refused for test-key: ${'x'.repeat(200)}`;
  const removed = createReply(410, { code: 'gone', message, status: 410n });
  const behave = replace(answered(404), removed)();
  const { outcomes } = await runInProcess(behave, {}, ['get-pet/unknown-is-404']);
  expect(outcomes.map(printReason).join()).toMatch(/received 410: "Refused for \[key\]: x{50,100}…"$/);
});

const named = (name: string) => brokenDeployments.find((one) => one.name === name)?.createAnswer ?? [];
const asAvailable = change.json<JsonObject>(isFetch, (animal) =>
  animal.status === 'sold' ? { ...animal, status: 'available' } : animal,
);

test.concurrent.for<[what: string, id: string, createAnswer: CreateAnswer]>([
  [
    'lists 10 animals without limit',
    'list-pets/limit-default',
    change.query((limit) => limit === null, { limit: '10' }),
  ],
  [
    'shows sold animals as available by their ids, and looks at the status after the limit',
    'get-pet/same-as-listed',
    combine([asAvailable, ...[named('looks at the status after the limit')].flat()]),
  ],
])(
  'a finding about a deployment that always %s has no count of right responses',
  async ([, id, createAnswer]) => {
    const { outcomes } = await runInProcess(createAnswer());
    const failed = outcomes.filter(({ verdict }) => verdict === 'failed');
    expect(failed.map(({ clause }) => clause.id)).toContain(id);
    expect(failed.map(({ times }) => times).filter((times) => times && times.of > times.wrong)).toEqual([]);
  },
);

test.for([
  ['keeps no status', 'create-pet/echoes'],
  ['looks at the status after the limit', 'list-pets/filter-complete'],
  ['looks at the status after the limit', 'list-pets/filter-before-limit'],
] as const)(
  'where one of two instances %s, a run of %s alone says in how many responses',
  async ([name, only]) => {
    const { createAnswer = () => expect.fail() } = brokenDeployments.find((one) => one.name === name) ?? {};
    const broken = createAnswer();
    let count = 0;
    const behave: Answer = (request, asMock) => {
      count += 1;
      return count % 2 === 0 ? broken(request, asMock) : asMock(request);
    };
    const { outcomes } = await runInProcess(behave, {}, [only]);
    const counts = outcomes.map(({ times = { wrong: 0, of: 0 } }) => times.of > times.wrong && times.of > 3);
    expect([idsOf({ outcomes }, 'failed'), counts]).toEqual([[only], [true]]);
  },
);

test.concurrent.for([
  ['list-pets/success', ['list-pets/success', 'recommended/right-each-time']],
  ['recommended/right-each-time', ['recommended/right-each-time']],
  ['get-pet/success', ['get-pet/success']],
] as const)(
  'a list that is wrong once is a finding of a run of %s alone if that looks at lists',
  async ([only, ids]) => {
    const once = brokenDeployments.find(
      ({ name }) => name === 'lists nothing once, and otherwise what it has',
    );
    const report = await runWith(await askDeployment({ ...once }), {}, [only]);
    expect(report.outcomes.map(({ clause }) => clause.id)).toEqual(ids);
    expect(idsOf(report, 'failed')).toEqual(ids.filter((id) => id === 'recommended/right-each-time'));
  },
);

test.concurrent('no key is in a report: neither one in the base URL nor one that a response repeats', async () => {
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

test.concurrent('a finding about an animal of an earlier run says so, and one about an animal of this run does not', async () => {
  const isOfSuite = ({ name }: JsonObject) => String(name).startsWith('contract-test');
  const createAnswer = change.listed((pet) => (isOfSuite(pet) ? { ...pet, categoryId: 7n } : pet));
  const sendRequest = await askDeployment({ createAnswer });
  const isOfEarlier = async (target: Partial<TargetOptions>) => {
    const findings = listFindings(await runWith(sendRequest, target));
    return findings.map(({ ofEarlierRun }) => ofEarlierRun);
  };
  expect(await isOfEarlier({})).toContain(undefined);
  expect(await isOfEarlier({ allowsWrites: false })).toEqual([true]);
});

test.concurrent('what failed is asked again on connections of its own, which another instance may get', async () => {
  const mock = await askDeployment({});
  let ownConnections = 0;
  const sendRequest: SendRequest = async (request) => {
    if (request.hasOwnConnection === true) ownConnections += 1;
    const isOfBroken = request.hasOwnConnection !== true || ownConnections % 2 === 0;
    const { response, ...sent } = await mock(request);
    const isChanged = isOfBroken && response?.status === 404;
    return { ...sent, response: isChanged ? { ...response, status: 400 } : response };
  };
  const report = await runWith(sendRequest, { allowsWrites: false });
  const { times } = report.outcomes.find(({ clause }) => clause.id === 'get-pet/unknown-is-404') ?? {};
  expect(times?.wrong).toBeLessThan(times?.of ?? 0);
});

test.concurrent('what may be late is looked at once more when the time to settle is over', async () => {
  const isOfRun = ({ name }: JsonObject) => String(name).startsWith('contract-test');
  const createAnswer = change.list((list) => list.filter((animal) => !isOfRun(animal)));
  const sendRequest = await askDeployment({ createAnswer, options: { animals: 10 } });
  const report = await runWith(sendRequest, { settle: 500 }, ['create-pet/stored']);
  expect(idsOf(report, 'failed')).toEqual(['create-pet/stored']);
});

test.concurrent.for<[what: string, ofInvalid: number, most: number, verdict: string]>([
  ['all bodies get 403', 403, 25, 'conforms in part'],
  // Its refusals of invalid bodies are of interest, since they are wrong.
  ['invalid bodies get 422', 422, 180, 'does not conform'],
])(
  'a key that may not add animals sends few of them where %s, and no clause passes for it',
  async ([, ofInvalid, most, verdict]) => {
    let posts = 0;
    const report = await runInProcess(async (request, asMock) => {
      if (!isCreation(request) || !hasKey(request)) return asMock(request);
      posts += 1;
      return createError(isAddition(request) ? 403 : ofInvalid);
    });
    expect([report.verdict, posts <= most]).toEqual([verdict, true]);
    expect(idsOf(report, 'failed').includes('create-pet/name-required')).toBe(ofInvalid !== 403);
    expect(idsOf(report, 'passed').filter((id) => id.startsWith('create-pet/'))).toEqual([
      'create-pet/unauthorized-adds-nothing',
      ...['create-pet/missing-key', 'create-pet/invalid-key', 'create-pet/bearer-form'],
      'create-pet/key-before-body',
    ]);
    const success = report.outcomes.find(({ clause }) => clause.id === 'create-pet/success');
    const reason = 'POST /pets returned 403: the key may not add animals, or the store is full';
    expect(success).toMatchObject({ verdict: 'not tested', reason });
  },
);

test.concurrent('a service that refuses each invalid body as if its store were full fails each clause about one', async () => {
  const report = await runInProcess(async (request, asMock) => {
    const isInvalid = isCreation(request) && hasKey(request) && !isAddition(request);
    return isInvalid ? createError(403) : asMock(request);
  });
  const failed = idsOf(report, 'failed');
  const ofBodies = clauses.filter(({ needs }) => needs.includes('invalid bodies') && needs.length === 1);
  const others = ofBodies.map(({ id }) => id).filter((id) => !failed.includes(id));
  // An addition may have any status.
  expect(others).toEqual(['create-pet/status-value']);
});

test.concurrent('a malformed body that is not refused as such is a finding, also where the key may not add animals', async () => {
  const isMalformed = ({ body }: { readonly body: string }) =>
    /^\{"name":"[^"]*","categoryId":\d+$/.test(body);
  const report = await runInProcess(async (request, asMock) => {
    if (!isCreation(request) || !hasKey(request)) return asMock(request);
    return createError(isMalformed(request) ? 422 : 403);
  });
  expect(idsOf(report, 'failed')).toEqual(['create-pet/malformed']);
});
