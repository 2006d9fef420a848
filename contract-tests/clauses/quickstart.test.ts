import { expect, test } from 'vitest';
import type { Answer } from '../deployments/deployment.ts';
import { hasKey, sentBy } from '../deployments/messages.ts';
import { createError, createReply } from '../deployments/replies.ts';
import { runInProcess } from '../testing/run-suite.ts';
import { quickstartClauses } from './quickstart.ts';

const only = quickstartClauses.map(({ id }) => id);

/** Tests the clauses of the quickstart. @returns each with its verdict. */
async function tryQuickstart(behave: Answer): Promise<string[]> {
  const { outcomes } = await runInProcess(behave, { quickstart: 'http://127.0.0.1:9' }, only);
  return outcomes.map(({ clause, verdict }) => `${clause.id} ${verdict}`);
}

const message = { id: '1', message: 'x', status: 'queued', createdAt: '2026-01-01T00:00:00Z' };
const { createdAt: _, ...undated } = message;

const wrong = [{ ...message, id: 1 }, { ...message, createdAt: 'yesterday' }, undated, 'queued'];

test.for(wrong)('who answers %j to everything fails', async (body) => {
  const reply = { status: 200, headers: {}, body: JSON.stringify(body) };
  expect(await tryQuickstart(async () => reply)).toEqual(only.map((id) => `${id} failed`));
});

test.for([
  [/^application\/json$/, 'passed'],
  [/^(?:application\/json)?$/, 'failed'],
] as const)('who takes the media types %s and no others has %s', async ([accepted, verdict]) => {
  const verdicts = await tryQuickstart(async (request) => {
    if (!hasKey(request)) return createError(401);
    const isValid = typeof sentBy(request).message === 'string';
    const isAccepted = accepted.test(request.headers['content-type'] ?? '');
    return isValid && isAccepted ? createReply(202, message) : createError(400);
  });
  for (const one of [`invalid ${verdict}`, 'success passed']) expect(verdicts).toContain(`quickstart/${one}`);
});
