import { expect, test } from 'vitest';
import type { Sent, SuiteResponse } from './client/exchange.ts';
import type { SendRequest } from './client/send-request.ts';
import type { Answer } from './deployments/deployment.ts';
import { type DeployedRequest, hasKey } from './deployments/messages.ts';
import { createError } from './deployments/replies.ts';
import { askDeployment } from './deployments/run-deployment.ts';
import { verifyDeployment } from './index.ts';
import { runKeyCommand } from './run-key-command.ts';
import { exitCodes, isFailure, listFindings } from './runner/report.ts';
import { idsOf, refuseSome, runInProcess, runWith, startForTest, withoutDredd } from './testing/run-suite.ts';

const refused: Sent = {
  response: undefined,
  failure: { kind: 'refused', reason: 'connect ECONNREFUSED 127.0.0.1:9' },
};
const page: SuiteResponse = { status: 502, headers: {}, body: Buffer.from('<html>Bad Gateway</html>') };
/** How a deployment is absent, directly and behind a gateway. */
const absences = { 'refused connections': refused, 'pages with 502': { response: page, failure: undefined } };

test('a key that is refused during a run gives no verdict, and fails no clause', async () => {
  const report = await runInProcess(refuseSome((count) => count > 300, 401));
  expect(report.reason).toMatch(/^the key was accepted until request (?:29\d|300) and then refused$/);
  expect([idsOf(report, 'failed'), exitCodes[report.verdict]]).toEqual([[], 2]);
  let keys = 0;
  const renewKey = async () => `key-${++keys}`;
  const refuse = refuseSome((count) => count > 300, 401);
  const { reason } = await runInProcess(refuse, { renewKey });
  expect([keys, reason]).toEqual([2, expect.stringContaining('prints no key that is accepted')]);
  const baseUrl = await startForTest({ createAnswer: () => refuseSome((count) => count > 1, 401) });
  expect(await verifyDeployment({ baseUrl, apiKey: 'test-key', allowWrites: false })).toMatchObject({
    verdict: 'no verdict',
    reason: 'the key was accepted until request 1 and then refused',
  });
});

test('a request that was refused for its rate does not show that the key was accepted', async () => {
  let requests = 0;
  let withKey = 0;
  let lastAccepted = 0;
  const answer: Answer = async (request, asMock) => {
    requests += 1;
    if (!hasKey(request)) return asMock(request);
    withKey += 1;
    if (withKey > 20) return withKey > 22 ? createError(401) : createError(429, { 'retry-after': '0' });
    lastAccepted = requests;
    return asMock(request);
  };
  const { reason } = await runInProcess(answer, { concurrency: 1 });
  expect(reason).toBe(`the key was accepted until request ${lastAccepted} and then refused`);
});

test('a command for the key that never ends ends with the run', async () => {
  let runs = 0;
  const renewKey = (signal: AbortSignal) => {
    runs += 1;
    return runKeyCommand('sleep 600; echo a-key', signal);
  };
  const refuse = refuseSome((count) => count > 50, 401);
  const report = await runInProcess(refuse, { renewKey, deadline: 4_000 });
  const reason = 'the deadline of 4000 ms passed (--deadline)';
  expect(report.outcomes).toContainEqual(expect.objectContaining({ verdict: 'not tested', reason }));
  expect(runs).toBe(1);
});

test('a clause that failed before the key was refused is still a finding', async () => {
  const expire = refuseSome((count) => count > 300, 401);
  const report = await runInProcess((request, asMock) => {
    const isKeyless = request.headers.authorization === undefined;
    return expire(request, isKeyless ? async () => createError(403) : asMock);
  });
  const failed = idsOf(report, 'failed');
  expect(failed).toContain('list-pets/missing-key');
  expect(failed.filter((id) => !id.endsWith('/missing-key'))).toEqual(['create-pet/key-before-body']);
  expect([report.reason, exitCodes[report.verdict]]).toEqual([expect.stringContaining('then refused'), 1]);
});

test('a 401 that is cached for the valid key is a finding, with the request whose 401 was cached', async () => {
  const cached = new Set<string>();
  const report = await runInProcess(async (request, asMock) => {
    const isAvailable = request.query.get('status') === 'available';
    if (isAvailable && !hasKey(request)) cached.add(String(request.query));
    return cached.has(String(request.query)) ? createError(401) : asMock(request);
  });
  const finding = report.outcomes.find(({ clause }) => clause.id === 'list-pets/success');
  expect([report.reason, finding]).toMatchObject([
    undefined,
    {
      verdict: 'failed',
      suspected: { cause: 'cached without the key' },
      evidence: { request: expect.stringContaining('Authorization: Bearer [key]') },
    },
  ]);
  expect(finding?.before?.at(-1)?.request).toMatch(/\/pets\?status=available(?!.*\[key\])/s);
});

test('no clause about keys fails because of no response', async () => {
  const drop: Answer = async (request, asMock) => (hasKey(request) ? asMock(request) : 'drop');
  const only = ['list-pets/missing-key', 'create-pet/missing-key', 'get-pet/invalid-key'];
  const report = await runInProcess(drop, {}, [...only, 'errors/no-server-fault']);
  expect(idsOf(report, 'failed')).toEqual(['errors/no-server-fault']);
});

test('a 502 in place of a 401 is a finding about keys', async () => {
  const fail: Answer = async (request, asMock) => (hasKey(request) ? asMock(request) : createError(502));
  const { outcomes } = await runInProcess(fail);
  const findings = listFindings({ outcomes }).filter(isFailure);
  expect(findings.map(({ clause }) => clause.id)).toEqual(['list-pets/missing-key']);
});

const LOST = 'the deployment restarted and lost its data';

/** Chooses requests. @param count the number of the request. */
type Chooses = (request: DeployedRequest, count: number) => boolean;
const never: Chooses = () => false;

/**
 * Runs the suite against a deployment that stops at some requests, is then absent, and cuts the connection at others.
 *
 * @returns the report, the bodies of the requests, and the bodies of the requests without a response.
 */
async function runStopped(
  stops: Chooses,
  { keepsData = true, refusals = 3, cuts = never, absent = refused, absence = 404 } = {},
) {
  let hasRestarted = false;
  let [count, left] = [0, 0];
  const [received, unanswered]: [string[], string[]] = [[], []];
  const createAnswer = (): Answer => async (request, asMock) => {
    count += 1;
    received.push(request.body);
    // The request is carried out, but has no response.
    const asked = await asMock(request);
    const reply = hasRestarted && asked.status === 404 ? createError(absence) : asked;
    const isLast = stops(request, count);
    if (!isLast && !cuts(request, count)) return reply;
    unanswered.push(request.body);
    if (isLast) left = refusals;
    if (isLast && !keepsData) mock = await askDeployment({ createAnswer });
    hasRestarted ||= isLast;
    return 'drop';
  };
  let mock = await askDeployment({ createAnswer });
  const report = await runWith(async (request) => {
    if (left === 0) return mock(request);
    left -= 1;
    return absent;
  });
  return { ...report, received, unanswered };
}

test.concurrent.for(Object.entries(absences))(
  'a deployment that restarts with %s and keeps its animals conforms, and no addition is sent again',
  async ([, absent], { expect }) => {
    let additions = 0;
    const stops: Chooses = (request, count) => {
      const isAddition = hasKey(request) && request.body.includes('contract-test');
      additions += isAddition ? 1 : 0;
      return [20, 450].includes(count) || (isAddition && additions === 25);
    };
    // Requests that are cut shortly before a refused connection are part of the restart.
    const report = await runStopped(stops, { absent, cuts: (_, count) => [19, 449].includes(count) });
    expect(report.unanswered).toHaveLength(5);
    const [body] = report.unanswered.filter((one) => one.includes('contract-test'));
    expect(report.received.filter((one) => one === body)).toHaveLength(1);
    expect(idsOf(report, 'passed')).toEqual(withoutDredd);
  },
);

test.concurrent.for([
  // The first clauses are about keys and add nothing.
  [5, refused, undefined, 0],
  [300, refused, LOST, 2],
  [300, absences['pages with 502'], LOST, 2],
  [300, refused, LOST, 2, 410],
] as const)(
  'a restart at request %i without data fails nothing',
  async ([at, absent, reason, code, absence], { expect }) => {
    const isLast: Chooses = (_, count) => count === at;
    const report = await runStopped(isLast, { absent, absence, keepsData: false });
    expect(idsOf(report, 'failed', 'error')).toEqual([]);
    expect([report.reason, exitCodes[report.verdict]]).toEqual([reason, code]);
  },
);

test.concurrent('a request that stops the deployment each time is a finding', async () => {
  const isFatal: Chooses = (request) => request.path === '/pets/abc' && hasKey(request);
  const report = await runStopped(isFatal, { refusals: 1 });
  expect(idsOf(report, 'failed')).toEqual(['errors/no-server-fault']);
});

test.concurrent('a deployment that restarts again and again gives no verdict, and fails no clause', async () => {
  let additions = 0;
  const stops: Chooses = (request) => {
    const isAddition = hasKey(request) && request.body.includes('contract-test');
    additions += isAddition ? 1 : 0;
    return isAddition && [10, 13, 17, 19, 23, 29, 31, 37, 41, 43].includes(additions);
  };
  const report = await runStopped(stops, { refusals: 1 });
  expect(idsOf(report, 'failed', 'error')).toEqual([]);
  expect(report.reason).toMatch(/^the deployment restarted \d+ times$/);
});

test('a deployment that refuses connections for good ends the run with no verdict', async () => {
  const mock = await askDeployment({});
  let count = 0;
  const refuse: SendRequest = async (request) => (++count > 300 ? refused : mock(request));
  expect(await runWith(refuse, { deadline: 2_000 })).toMatchObject({
    verdict: 'no verdict',
    reason: 'the deployment refused connections until the run ended',
  });
});
