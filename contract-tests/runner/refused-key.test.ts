import { expect, test } from 'vitest';
import type { Answer } from '../deployments/deployment.ts';
import { hasKey } from '../deployments/messages.ts';
import { createError } from '../deployments/replies.ts';
import { idsOf, refuseSome, runInProcess } from '../testing/run-suite.ts';
import { exitCodes, isFailure, listFindings } from './report.ts';

test.concurrent('a key that is refused during a run gives no verdict, and fails no clause', async () => {
  const report = await runInProcess(refuseSome((count) => count > 300, 401));
  expect(report.reason).toMatch(/^the key was accepted until request (?:29\d|300) and then refused$/);
  expect([idsOf(report, 'failed'), exitCodes[report.verdict]]).toEqual([[], 2]);
});

test.concurrent('a request that was refused for its rate does not show that the key was accepted', async () => {
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

test.concurrent('a clause that failed before the key was refused is still a finding', async () => {
  const expire = refuseSome((count) => count > 640, 401);
  const report = await runInProcess((request, asMock) => {
    const isKeyless = request.headers.authorization === undefined;
    return expire(request, isKeyless ? async () => createError(403) : asMock);
  });
  expect(idsOf(report, 'failed')).toContain('list-pets/missing-key');
  const headings = report.outcomes.flatMap(({ clause, verdict }) =>
    verdict === 'failed' ? [clause.heading] : [],
  );
  expect([...new Set(headings)]).toEqual(['Authentication']);
  expect([report.reason, exitCodes[report.verdict]]).toEqual([expect.stringContaining('then refused'), 1]);
});

test.concurrent('a 401 that is cached for the valid key is a finding, with the request whose 401 was cached', async () => {
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

test.concurrent('no clause about keys fails because of no response', async () => {
  const drop: Answer = async (request, asMock) => (hasKey(request) ? asMock(request) : 'drop');
  const only = ['list-pets/missing-key', 'create-pet/missing-key', 'get-pet/invalid-key'];
  const report = await runInProcess(drop, {}, [...only, 'errors/no-server-fault']);
  expect(idsOf(report, 'failed')).toEqual(['errors/no-server-fault']);
});

test.concurrent('a 502 in place of a 401 is a finding about keys', async () => {
  const fail: Answer = async (request, asMock) => (hasKey(request) ? asMock(request) : createError(502));
  const { outcomes } = await runInProcess(fail);
  const findings = listFindings({ outcomes }).filter(isFailure);
  expect(findings.map(({ clause }) => clause.id)).toEqual(['list-pets/missing-key']);
});
