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

const rows = Object.entries(tolerated).flatMap(([point, names]) => {
  const ids = clauses.filter((clause) => point in (clause.tolerated ?? {})).map(({ id }) => id);
  const isOfAll = ids.length === 0 || ofAll.includes(point);
  return names.filter((name) => !together.includes(name)).map((name) => ({ name, point, ids, isOfAll }));
});

test('a deployment that differs in all of HTTP and JSON at once conforms', async () => {
  const createAnswer = combine(together.flatMap((name) => find(name).createAnswer ?? []));
  const { name } = find('is the mock');
  expect((await verify({ name, createAnswer })).filter(isFailure)).toEqual([]);
});

// other-deployments.test.ts has the others.
testVerdicts(rows.filter(({ isOfAll }) => isOfAll).map(({ name }) => find(name)));

test.concurrent.for(rows.filter(({ isOfAll }) => !isOfAll))(
  'a clause that tolerates $point passes a deployment that $name',
  async ({ name, ids }, { expect }) => {
    expect(listFindings({ outcomes: await verify(find(name), ids) }).filter(isFailure)).toEqual([]);
  },
);
