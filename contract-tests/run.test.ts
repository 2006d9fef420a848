import { expect, onTestFinished, test } from 'vitest';
import { resolveTarget } from './core/target.ts';
import type { Behaviour } from './deployments/deployment.ts';
import { startDeployment } from './deployments/start-deployment.ts';
import { runSuite } from './run.ts';

test('a deployment that answers nothing any more is soon left alone, and has failed', async () => {
  let requests = 0;
  const createBehaviour = (): Behaviour => async (request, asMock) => {
    requests += 1;
    return requests > 200 ? 'drop' : asMock(request);
  };
  const { url, close } = await startDeployment({ name: 'ends', breaks: [], createBehaviour });
  onTestFinished(close);
  const { outcomes } = await runSuite(resolveTarget({ baseUrl: url, apiKey: 'test-key' }));
  const of = (wanted: string) => outcomes.filter(({ verdict }) => verdict === wanted);
  expect(of('failed').map(({ clause }) => clause.id)).toContain('errors/no-server-fault');
  expect(of('error')).toEqual([]);
  // A connection that is cut when it is used again is tried once more.
  expect(requests).toBeLessThan(220);
  const reasons = of('skipped').map(({ reason }) => reason);
  const told = 'the deployment answers no more: socket hang up';
  expect(reasons).toContain(told);
  // The clause that met the end may say so itself.
  expect(reasons.filter((reason) => reason !== told && !reason?.includes('no-server-fault'))).toEqual([]);
});

test('what is answered with a 5xx alone has not passed', async () => {
  const body = '{"code":"bad-gateway","message":"There is nobody.","status":502}';
  const reply = { status: 502, headers: { 'content-type': 'application/json' }, body };
  const createBehaviour = (): Behaviour => async () => reply;
  const { url, close } = await startDeployment({ name: 'is down', breaks: [], createBehaviour });
  onTestFinished(close);
  const { outcomes } = await runSuite(resolveTarget({ baseUrl: url, apiKey: 'test-key' }));
  const passed = outcomes.filter(({ verdict }) => verdict === 'passed').map(({ clause }) => clause.id);
  expect(passed.filter((id) => !id.startsWith('errors/'))).toEqual([]);
});
