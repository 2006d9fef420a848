import { expect, test } from 'vitest';
import { resolveTarget } from '../core/target.ts';
import { runSuite } from '../run.ts';
import { startForTest } from '../testing/run-cli.ts';
import { quickstartClauses } from './quickstart.ts';

// That the mock passes is a test of the command.
test.for([
  '{"id":1,"message":"x","status":"queued","createdAt":"2026-01-01T00:00:00Z"}',
  '{"id":"1","message":"x","status":"queued","createdAt":"yesterday"}',
  '{"id":"1","message":"x","status":"queued"}',
  'queued',
])('who answers %s to everything fails', async (body) => {
  const answer = async () => ({ status: 200, headers: {}, body });
  const baseUrl = await startForTest({ createBehaviour: () => answer });
  const target = resolveTarget({ baseUrl, apiKey: 'test-key', quickstart: new URL(baseUrl).origin });
  const only = quickstartClauses.map(({ id }) => id);
  const { outcomes } = await runSuite(target, { only });
  expect(outcomes.map(({ clause, verdict }) => `${clause.id} ${verdict}`)).toEqual(
    only.map((id) => `${id} failed`),
  );
});
