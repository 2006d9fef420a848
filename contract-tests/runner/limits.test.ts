import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { toOperation } from '../client/exchange.ts';
import type { SendRequest } from '../client/send-request.ts';
import { findBehind, listBehind } from '../deployments/changes.ts';
import type { Answer } from '../deployments/deployment.ts';
import { isAddition, isCreation, isList } from '../deployments/messages.ts';
import { createError, createPage } from '../deployments/replies.ts';
import { askDeployment } from '../deployments/run-deployment.ts';
import { printSummary } from '../reporters/print-summary.ts';
import { clauseIds, idsOf, refuseSome, runInProcess, runWith } from '../testing/run-suite.ts';

test('after the deployment stops to answer, the run soon ends, and has a failure', async () => {
  let requests = 0;
  const mock = await askDeployment({});
  const failure = { kind: 'other', reason: 'connect EHOSTUNREACH' } as const;
  const report = await runWith(async (request) => {
    requests += 1;
    return requests > 210 ? { response: undefined, failure } : mock(request);
  });
  expect(idsOf(report, 'failed')).toContain('errors/no-server-fault');
  // Eight are sent at once.
  expect([requests < 240, idsOf(report, 'error')]).toEqual([true, []]);
  const untested = report.outcomes.filter(({ verdict }) => /^not /.test(verdict));
  const reasons = untested.map(({ reason }) => reason);
  expect(reasons).toContain('the deployment stopped responding: connect EHOSTUNREACH');
  // The clauses that saw the end name it too.
  expect(reasons.filter((reason) => !reason?.includes('EHOSTUNREACH'))).toEqual([]);
});

test('the reason why a run ended early has no key', async () => {
  const failure = { kind: 'other', reason: 'getaddrinfo ENOTFOUND test-key.example' } as const;
  const report = await runWith(async () => ({ response: undefined, failure }));
  expect(report.reason).toBe('the deployment stopped responding: getaddrinfo ENOTFOUND [key].example');
  expect(JSON.stringify(report)).not.toContain('test-key');
});

test('if only POST /pets is silent, one clause fails', async () => {
  const operation = 'POST /pets';
  const mock = await askDeployment({});
  let unanswered = 0;
  const sendRequest: SendRequest = async (request) => {
    if (toOperation(request) !== operation) return mock(request);
    unanswered += 1;
    // All requests that are sent at once are open by then.
    await delay(1);
    return { response: undefined, failure: { kind: 'timeout', reason: 'no answer within 1000 ms' } };
  };
  const report = await runWith(sendRequest);
  expect(idsOf(report, 'failed', 'error')).toEqual(['errors/no-server-fault']);
  expect(report.outcomes.find(({ verdict }) => verdict === 'failed')).toMatchObject({
    received: expect.stringMatching(
      /^no answer \(no answer within 1000 ms\) for \S+ \S+ in \d+ of \d+ requests$/,
    ),
    evidence: { curl: expect.stringContaining('/v1/pets') },
  });
  // The open requests, and then three one at a time.
  expect(unanswered).toBeLessThanOrEqual(8 + 3);
  expect(report.outcomes.map(({ reason }) => reason).join('\n')).toContain(`${operation} left`);
  expect(idsOf(report, 'passed')).toContain('list-pets/pets');
});

test('at the deadline the other clauses are not tested, and the run has no verdict', async () => {
  const behave = refuseSome((count) => count % 400 === 0, 429, { 'retry-after': '30' });
  const report = await runInProcess(behave, { deadline: 1_000 });
  expect([report.verdict, idsOf(report, 'failed', 'error')]).toEqual(['no verdict', []]);
  const late = report.outcomes.filter(({ cause }) => cause === 'deadline').map(({ reason }) => reason);
  expect([...new Set(late)]).toEqual(['the deadline of 1000 ms passed (--deadline)']);
  expect(idsOf(report, 'passed').length).toBeGreaterThan(0);
  expect(report.tested).toBeLessThan(report.required);
});

test('a deadline during the look for an animal that came late leaves the failure as it is', async () => {
  const added = new Set<string>();
  const behave: Answer = async (request, asMock) => {
    const reply = await asMock(request);
    if (reply.status === 201) added.add(`/pets/${/"id":(\d+)/.exec(String(reply.body))?.[1]}`);
    return added.has(request.path) ? createError(404) : reply;
  };
  const report = await runInProcess(behave, { settle: 100, deadline: 2_000 });
  expect([idsOf(report, 'failed').length > 0, idsOf(report, 'error')]).toEqual([true, []]);
});

test('a run that a limited rate has slowed down says so at its end', async () => {
  const behave = refuseSome((count) => count % 100 === 0, 429, { 'retry-after': '0' });
  const report = await runInProcess(behave);
  const { refused = 0, ms = 0 } = report.slowed ?? {};
  expect([report.verdict, refused > 5]).toEqual(['conforms', true]);
  expect(printSummary(report).split('\n')).toContain(
    `Slowed down: ${refused} requests were refused with 429 or 503, for which the run waited ${(ms / 1_000).toFixed(1)} s. If it is a limit of the rate, --max-rate keeps to it`,
  );
});

test.concurrent('lists and animals that lag behind conform, and the report counts them', async () => {
  const reports = [listBehind(isList, 200), findBehind(200)].map((createAnswer) =>
    runInProcess(createAnswer(), { settle: 1_000 }),
  );
  for (const report of await Promise.all(reports)) {
    expect([report.verdict, idsOf(report, 'failed')]).toEqual(['conforms', []]);
    expect(report.excused?.late).toBeGreaterThan(0);
  }
});

test.concurrent('a gateway that passes a request on to no service now and then conforms, and the report counts its responses', async () => {
  let requests = 0;
  const lost = new Set<string>();
  const report = await runInProcess(async (request, asMock) => {
    const key = JSON.stringify(request);
    requests += 1;
    if (requests % 300 !== 0 || lost.has(key)) return asMock(request);
    lost.add(key);
    return createPage(502);
  });
  expect([report.verdict, idsOf(report, 'failed')]).toEqual(['conforms', []]);
  expect(report.interrupted).toMatchObject({ count: lost.size, statuses: [502] });
});

test.concurrent('a load balancer without a backend for a while conforms, and no animal counts as added twice', async () => {
  let requests = 0;
  let closed = 0;
  let isDown = false;
  const report = await runInProcess(async (request, asMock) => {
    requests += 1;
    // The service receives the animal and adds it, but its response is lost.
    if (requests > 300 && closed === 0 && isAddition(request))
      isDown = (await asMock(request)).status === 201;
    isDown &&= closed < 5;
    if (!isDown) return asMock(request);
    closed += 1;
    return 'drop';
  });
  expect([report.verdict, idsOf(report, 'failed')]).toEqual(['conforms', []]);
  expect(report.interrupted).toMatchObject({ count: 5, statuses: [] });
  expect(report.perhapsAdded).toBeGreaterThan(0);
});

test.concurrent('a gateway that loses the response to a POST, which added the animal, does not make it count as added twice', async () => {
  let additions = 0;
  const report = await runInProcess(async (request, asMock) => {
    const reply = await asMock(request);
    if (reply.status !== 201) return reply;
    additions += 1;
    return additions % 20 === 5 ? createPage(502) : reply;
  });
  expect([report.verdict, idsOf(report, 'failed')]).toEqual(['conforms', []]);
  expect(report.interrupted).toMatchObject({ statuses: [502] });
});

test.concurrent('a gateway with one of two backends away for a while fails no required clause', async () => {
  let requests = 0;
  let away = 0;
  const report = await runInProcess(async (request, asMock) => {
    requests += 1;
    const isAway = requests > 200 && away < 12 && requests % 2 === 0;
    if (!isAway) return asMock(request);
    away += 1;
    return createPage(502);
  });
  expect([report.verdict, idsOf(report, 'failed')]).toEqual(['conforms', []]);
  expect(report.interrupted).toMatchObject({ count: 12, statuses: [502] });
});

test.concurrent('a body that ends the service behind a gateway is a finding', async () => {
  let lost = 0;
  const report = await runInProcess(async (request, asMock) => {
    const isFatal = isCreation(request) && request.body === 'null';
    // The gateway loses those that are under way with it, too.
    if (!isFatal && lost === 0) return asMock(request);
    lost = isFatal ? 7 : lost - 1;
    return createPage(502);
  });
  expect(idsOf(report, 'failed', 'not tested')).toEqual(['errors/no-server-fault']);
});

test.concurrent('what is not tested since too many responses to a POST were lost says how many animals were perhaps added', async () => {
  let additions = 0;
  const report = await runInProcess(async (request, asMock) => {
    const reply = await asMock(request);
    if (reply.status === 201) additions += 1;
    return reply.status === 201 && additions % 2 === 0 ? createPage(502) : reply;
  });
  expect([report.verdict, idsOf(report, 'failed')]).toEqual(['conforms in part', []]);
  const reason = 'the run has added 40 animals and perhaps 40 more, its limit';
  expect(report.outcomes.map((one) => one.reason)).toContain(reason);
});

test.concurrent('a POST that is lost once and then refused has perhaps added nothing', async () => {
  const lost = new Set<string>();
  const report = await runInProcess(async (request, asMock) => {
    const reply = await asMock(request);
    if (reply.status !== 400 || lost.has(`${request.body}`)) return reply;
    lost.add(`${request.body}`);
    return createPage(502);
  });
  expect([report.verdict, report.perhapsAdded, lost.size > 20]).toEqual(['conforms', undefined, true]);
});

test.concurrent('a gateway that does not pass on one request in three is a finding', async () => {
  let requests = 0;
  let pages = 0;
  const report = await runInProcess(
    async (request, asMock) => {
      requests += 1;
      if (requests % 3 !== 0) return asMock(request);
      pages += 1;
      return createPage(502);
    },
    { allowsWrites: false },
    ['list-pets/limit-bounds', 'list-pets/filters', 'errors/no-server-fault', 'get-pet/unknown-is-404'],
  );
  const { failures = [] } =
    report.outcomes.find(({ clause }) => clause.id === 'errors/no-server-fault') ?? {};
  const count = failures.reduce((sum, one) => sum + (one.kind === 'server fault' ? one.count : 0), 0);
  // Those of the look for the service, and of a few requests that got an answer at last, belong to no clause.
  for (const counted of [count, report.interrupted?.count]) expect(counted).toBeGreaterThan(0.95 * pages);
});

test.concurrent('a gateway that always answers an operation with the page of a 503 is a finding', async () => {
  const behave: Answer = async (request, asMock) =>
    request.path.startsWith('/pets/') ? createPage(503) : asMock(request);
  const report = await runInProcess(behave, { allowsWrites: false }, [
    'get-pet/success',
    'get-pet/unknown-is-404',
    'errors/no-server-fault',
  ]);
  expect(idsOf(report, 'failed')).toContain('errors/no-server-fault');
  expect(idsOf(report, 'passed')).toEqual([]);
});

test.concurrent('who cuts the connections of more than three requests at once is told so', async () => {
  let [open, refused] = [0, 0];
  const report = await runInProcess(async (request, asMock) => {
    open += 1;
    try {
      // All requests that are sent at once are open by then.
      await delay(1);
      if (open <= 3) return await asMock(request);
      refused += 1;
      return 'drop';
    } finally {
      open -= 1;
    }
  });
  expect(refused).toBeLessThanOrEqual(8);
  expect(idsOf(report, 'passed')).toEqual(clauseIds);
  expect(report.interrupted).toMatchObject({ count: refused, statuses: [] });
});
