import { expect, test } from 'vitest';
import { resolveTarget } from './core/target.ts';
import type { Behaviour } from './deployments/deployment.ts';
import type { Result } from './report.ts';
import { runSuite } from './run.ts';
import { startForTest } from './testing/run-cli.ts';

/** Runs the suite against a deployment. @returns its results by their verdict. */
async function verify(behaviour: Behaviour): Promise<(verdict: Result['verdict']) => readonly Result[]> {
  const baseUrl = await startForTest({ createBehaviour: () => behaviour });
  const { outcomes } = await runSuite(resolveTarget({ baseUrl, apiKey: 'test-key' }));
  return (verdict) => outcomes.filter((result) => result.verdict === verdict);
}

test('a deployment that answers nothing any more is soon left alone, and has failed', async () => {
  let requests = 0;
  const of = await verify(async (request, asMock) => {
    requests += 1;
    return requests > 200 ? 'drop' : asMock(request);
  });
  expect(of('failed').map(({ clause }) => clause.id)).toContain('errors/no-server-fault');
  expect(of('error')).toEqual([]);
  // A connection that is cut when it is used again is tried once more.
  expect(requests).toBeLessThan(220);
  const reasons = of('skipped').map(({ reason }) => reason);
  expect(reasons).toContain('the deployment answers no more: socket hang up');
  // The clauses that met the end say so themselves.
  expect(reasons.filter((reason) => !reason?.includes('socket hang up'))).toEqual([]);
});

test('what is answered with a 5xx alone has not passed', async () => {
  const body = '{"code":"bad-gateway","message":"No upstream.","status":502}';
  const headers = { 'content-type': 'application/json' };
  const of = await verify(async () => ({ status: 502, headers, body }));
  const passed = of('passed').map(({ clause }) => clause.id);
  expect(passed.filter((id) => !id.startsWith('errors/'))).toEqual([]);
});

test('a run tries the clauses that are wanted, and reports them in the order of the specification', async () => {
  const baseUrl = await startForTest();
  const only = ['list-pets/pets', 'get-pet/unknown-is-404', 'create-pet/text-exact', 'list-pets/missing-key'];
  const tried: string[] = [];
  const report = await runSuite(resolveTarget({ baseUrl, apiKey: 'test-key' }), {
    only,
    onResult: ({ clause }) => tried.push(clause.id),
  });
  // Keys first, creations before lists, and at the end what looks at the whole journal.
  expect(tried).toEqual([...only.slice(1).toReversed(), 'list-pets/pets']);
  expect(report.outcomes.map(({ clause, verdict }) => `${clause.id} ${verdict}`)).toEqual([
    'list-pets/pets passed',
    'create-pet/text-exact passed',
    'get-pet/unknown-is-404 passed',
    'list-pets/missing-key passed',
  ]);
  expect(report).toMatchObject({
    baseUrl,
    requests: expect.any(Number),
    animalsAdded: expect.any(Number),
  });
});
