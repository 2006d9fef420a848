import { inject, test } from 'vitest';
import { expectedOf, printVerdict, testVerdicts, verify } from '../testing/test-verdicts.ts';
import { brokenDeployments } from './broken-deployments.ts';
import { combine } from './changes.ts';
import { conformingDeployments } from './conforming-deployments.ts';
import type { Deployment } from './deployment.ts';
import { wholeStoreDeployments } from './whole-store.deployments.ts';

const all = [...brokenDeployments, ...wholeStoreDeployments, ...conformingDeployments];

const isTried = (_: unknown, index: number) => index % inject('everyOther') === 0;

testVerdicts(all.filter(isTried));

/** Defects that have nothing to do with each other: each has its finding, also where the same requests show both. */
const pairs = [
  ['adds animals with null for a name', 'ignores limit'],
  ['accepts the key in X-API-Key', 'answers a categoryId exactly and keeps it as a double'],
  ['looks at the status after the limit', 'keeps names in upper case'],
  ['mixes up the names of animals that are added at once', 'lists 21 animals without limit'],
  ['lists 19 animals without limit', 'ignores status'],
] as const;

test.concurrent.for(pairs.filter(isTried))(
  'two defects have two findings: %s, %s',
  async (names, { expect }) => {
    const parts = names.map((name) => brokenDeployments.find((one) => one.name === name) as Deployment);
    const createAnswer = combine(parts.flatMap((part) => part.createAnswer ?? []));
    const count = (verdict: string) => verdict.split(' + ').length;
    const both = { ...Object.assign({}, ...parts), name: '', createAnswer };
    const [one, other] = parts.map((part) => count(expectedOf(part)));
    expect(count(printVerdict(await verify(both)))).toBe(Number(one) + Number(other));
  },
);
