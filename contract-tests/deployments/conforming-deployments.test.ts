import { expect, test } from 'vitest';
import { tolerances } from '../history/tolerances.ts';
import { clauses } from '../rules/clauses.ts';
import { isFailure, listFindings } from '../runner/report.ts';
import { testVerdicts, verify } from '../testing/test-verdicts.ts';
import { combine } from './changes.ts';
import { conformingDeployments, tolerated } from './conforming-deployments.ts';
import type { Deployment } from './deployment.ts';

test('each tolerance, and each point that a clause tolerates, has a conforming deployment', () => {
  const points = clauses.flatMap((clause) => Object.keys(clause.tolerated ?? {}));
  const untried = [...Object.keys(tolerances), ...points].filter((point) => !(point in tolerated));
  expect(untried, 'Add a row to `tolerated` in conforming-deployments.ts').toEqual([]);
  const names = conformingDeployments.map(({ name }) => name);
  expect(Object.values(tolerated).flatMap((some) => some.filter((name) => !names.includes(name)))).toEqual(
    [],
  );
});

const find = (name: string) => conformingDeployments.find((one) => one.name === name) as Deployment;

/** Differences in HTTP and JSON, which a deployment can have at once. */
const together = [
  'sends application/json in any case, with a charset and other parameters',
  'has more fields in its animals and errors, in another order',
  'has errors with an empty message, and codes of digits',
  'refuses every origin with 403 and plain text',
  'is behind a gateway that refuses a body over 1 MiB with a page',
  'refuses a header that is not ASCII, before all else, with a body of its server',
  'has a server that refuses a header over 4 kB with 400 and a page',
  'has a gateway that refuses each 20th request with the page of a 429',
];

/** Points that many clauses have to bear with. */
const ofAll = ['order of lists', 'what other clients do during a run', 'maximum number of animals of a list'];

const listTolerant = (point: string) =>
  clauses.filter((clause) => point in (clause.tolerated ?? {})).map(({ id }) => id);

const rows = [...new Set(Object.values(tolerated).flat())].map((name) => {
  const points = Object.keys(tolerated).filter((point) => tolerated[point]?.includes(name));
  const isOfAll = points.some((point) => ofAll.includes(point) || listTolerant(point).length === 0);
  return { name, points: points.join(', '), ids: points.flatMap(listTolerant), isOfAll };
});

const alone = Object.groupBy(
  rows.filter(({ name }) => !together.includes(name)),
  ({ isOfAll }) => (isOfAll ? 'whole' : 'part'),
);

test('a deployment that differs in all of HTTP and JSON at once conforms', async () => {
  const createAnswer = combine(together.flatMap((name) => find(name).createAnswer ?? []));
  const { name } = find('is the mock');
  expect((await verify({ name, createAnswer })).filter(isFailure)).toEqual([]);
});

// other-deployments.test.ts has the others.
testVerdicts((alone.whole ?? []).map(({ name }) => find(name)));

test.concurrent.for(alone.part ?? [])(
  'the clauses that tolerate it pass a deployment that $name: $points',
  async ({ name, ids }, { expect }) => {
    expect(listFindings({ outcomes: await verify(find(name), ids) }).filter(isFailure)).toEqual([]);
  },
);
