import { expect, test } from 'vitest';
import { printReason } from '../reporters/print-summary.ts';
import { withoutDredd } from '../testing/run-suite.ts';
import { expectedOf, printVerdict, testVerdicts, verdicts, verify } from '../testing/test-verdicts.ts';
import { brokenDeployments } from './broken-deployments.ts';
import { combine } from './changes.ts';
import { conformingDeployments } from './conforming-deployments.ts';
import type { Deployment } from './deployment.ts';
import { transformations } from './transformations.ts';

const find = (name: string) => brokenDeployments.find((one) => one.name === name) as Deployment;

/** Changes of an error that the specification leaves open. */
const tolerated = ['answers an invalid limit with status 409', 'answers an unknown status with status 409'];

test('the table has each deployment once, each broken one fails, and more than one headline has a reason', () => {
  const all = [...brokenDeployments, ...conformingDeployments].map(({ name }) => name);
  expect(verdicts.flatMap(({ names }) => names).toSorted()).toEqual(all.toSorted());
  expect(new Set(all).size).toBe(all.length);
  const passed = brokenDeployments.filter(({ name }) => expectedOf(name).startsWith('conforms'));
  expect(passed.map(({ name }) => name)).toEqual(tolerated);
  const failed = verdicts.filter(({ verdict }) => !verdict.startsWith('conforms'));
  const broken = new Set(failed.flatMap(({ verdict }) => verdict.match(/[\w-]+\/[\w-]+/g)));
  // The transactions of Dredd and the quickstart have tests of their own.
  expect(withoutDredd.filter((id) => !broken.has(id))).toEqual([]);
  expect(failed.filter(({ verdict, reason }) => verdict.includes(' + ') !== Boolean(reason))).toEqual([]);
});

// transformations.test.ts has the others.
testVerdicts(brokenDeployments.filter(({ name }) => !(name in transformations)));

test.for([
  ['cuts names in lists', / in the list, .*255 characters/s],
  ['keeps lists without limit in a cache, and sends their age', /: stale: its Age is 60 s$/],
  ['keeps lists without limit for ever', /: stale: the same list as before an animal/],
  ['adds animals with any key', /201: any key may add animals$/],
  ['adds animals without a key', /201: no key is needed to add animals$/],
  ['refuses every third animal that is added at once', /400: .*: intermittent: /],
] as const)('the finding about a deployment that %s names the cause', async ([name, reason]) => {
  const results = await verify(find(name));
  const headline = results.find(({ verdict, follows }) => verdict === 'failed' && !follows);
  expect(headline && printReason(headline)).toMatch(reason);
});

/** Defects that have nothing to do with each other: each has its headline. */
const pairs = [
  ['adds animals with null for a name', 'ignores limit'],
  ['adds animals without a name', 'answers an unknown id with status 409'],
  ['accepts the key in X-API-Key', 'answers a categoryId exactly and keeps it as a double'],
  ['takes pending for sold', 'answers an unknown id with status 200'],
  ['looks at the status after the limit', 'keeps names in upper case'],
  ['answers that an animal is sold and keeps it as pending', 'cuts names in lists'],
  ['answers a list without a name', 'answers an animal by its id with another categoryId'],
  ['keeps categoryIds as doubles', 'answers a list as plain text'],
  ['mixes up the names of animals that are added at once', 'lists 21 animals without limit'],
] as const;

test.concurrent.for(pairs)('two defects have two headlines: %s, %s', async (names, { expect }) => {
  const parts = names.map(find);
  const createAnswer = combine(parts.flatMap((part) => part.createAnswer ?? []));
  const count = (verdict: string) => verdict.replace(/ \(.*/, '').split(' + ').length;
  const both = { ...Object.assign({}, ...parts), name: '', createAnswer };
  const [one, other] = names.map((name) => count(expectedOf(name)));
  expect(count(printVerdict(await verify(both)))).toBe(Number(one) + Number(other));
});
