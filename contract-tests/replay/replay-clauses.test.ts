import { expect, onTestFinished, test } from 'vitest';
import { resolveTarget } from '../core/target.ts';
import { conformingDeployments } from '../deployments/conforming-deployments.ts';
import { startDeployment } from '../deployments/start-deployment.ts';
import { runSuite } from '../run.ts';
import { replayClauses } from './replay-clauses.ts';

/** Conforming deployments that Dredd would accuse if it were left to itself. */
const hard = [
  'refuses unknown categories with 422 and has no animals',
  'refuses names of more than 20 characters with 400',
  'has a key that may only read, and answers 403 to every creation',
  'has removed GET /pets/{petId} after its day and answers 405 also without a key',
  'has removed GET /pets/{petId} as soon as its day began anywhere',
  'refuses each third request with 429 and Retry-After: 0',
  'lives behind a longer path',
  'has 0 animals',
  'has ids above 2^53',
];

const deployments = conformingDeployments.filter(
  ({ name }) => hard.includes(name) || /gzip|closes|mark|charset/.test(name),
);

test('all of them are there', () => {
  expect(deployments.map(({ name }) => name)).toEqual(expect.arrayContaining(hard));
});

test.for(deployments)('a deployment that $name passes', { timeout: 30_000 }, async (deployment) => {
  const { url, close } = await startDeployment(deployment);
  onTestFinished(close);
  const target = resolveTarget({ apiKey: 'test-key', ...deployment.target, baseUrl: url });
  const { outcomes } = await runSuite(target, { only: replayClauses.map(({ id }) => id) });
  expect(outcomes.filter(({ verdict }) => verdict !== 'passed' && verdict !== 'skipped')).toEqual([]);
});
