import { expect, test } from 'vitest';
import { isFailure } from '../runner/report.ts';
import { expectedOf, verify } from '../testing/test-verdicts.ts';
import { brokenDeployments } from './broken-deployments.ts';
import { lateDeployments, unevenDeployments } from './conforming/transport-deployments.ts';
import { conformingDeployments } from './conforming-deployments.ts';
import type { Deployment } from './deployment.ts';
import { withBusyClient, withNewestFirst, withOtherClient, withShortLists } from './disturbances.ts';

/** With 5 ms for a request, another client adds an animal every 50 ms. */
const EVERY_NTH_REQUEST = 10;

const LONGEST_LIST = 10;

/** A recommendation. Short lists of the newest animals are too few to wait for, which is a failure. */
const late = ['lists a new animal a little later'];

/** Other recommendations, which never fail a run, and what the specification leaves open. */
const recommended = brokenDeployments
  .filter((one) => one.breaks?.startsWith('recommended/') || expectedOf(one) === 'conforms')
  .map(({ name }) => name)
  .filter((name) => !late.includes(name));

/** The animal that is forgotten is that of the other client, and one animal may be removed by others. */
const ofOthers = ['forgets the first animal that was added when it refuses a body'];

/** What a list of ten animals cannot show, since any page may be short. */
const offThePage = [
  'lists 19 animals without limit',
  'lists 21 animals without limit',
  'lists all animals for a parameter that it does not know',
  'keeps a large limit for the next list without one',
  'lists 30 animals without limit right after an animal was added',
];

/** New animals are on no page of ten where the oldest are listed first, and the last one of a status neither. */
const neverListed = [
  'rounds categoryIds in lists by status',
  'cuts names in lists',
  'lists a new animal very much later',
  'lists no new animal without a status',
  'leaves out the last animal of a status',
];

/** It is the last of a page that others fill. */
const lastOfPage = ['lists an animal no longer once another is added'];

/** The large ids are those of the oldest animals. */
const oldestOnly = ['rounds ids that it looks for'];

type Disturb = (deployment: Deployment) => Deployment;

const addOthers: Disturb = (one) => withOtherClient(withNewestFirst(one), EVERY_NTH_REQUEST);
const shorten: Disturb = (one) => withShortLists(one, LONGEST_LIST);

const disturbances: readonly (readonly [name: string, disturb: Disturb, hidden: readonly string[]])[] = [
  ['another client', addOthers, [...recommended, ...late, ...ofOthers]],
  ['short lists', shorten, [...recommended, ...late, ...offThePage, ...neverListed]],
  [
    'another client and short lists',
    (one) => addOthers(shorten(one)),
    [...recommended, ...ofOthers, ...offThePage, ...oldestOnly, ...lastOfPage],
  ],
];

async function isAccused(deployment: Deployment): Promise<boolean> {
  return (await verify(deployment)).some(isFailure);
}

test.for(disturbances)(
  'with %s each broken deployment fails that can be seen',
  { timeout: 600_000 },
  async ([, disturb, hidden]) => {
    const missed: string[] = [];
    for (const one of brokenDeployments) if (!(await isAccused(disturb(one)))) missed.push(one.name);
    expect(missed.toSorted()).toEqual(hidden.toSorted());
  },
);

test.for(disturbances)(
  'with %s no conforming deployment fails',
  { timeout: 600_000 },
  async ([, disturb]) => {
    const accused: string[] = [];
    for (const one of conformingDeployments) if (await isAccused(disturb(one))) accused.push(one.name);
    expect(accused).toEqual([]);
  },
);

const MS_BETWEEN_ADDITIONS = 200;

test.for([...lateDeployments, ...unevenDeployments])(
  'with another client that adds an animal every 200 ms, a deployment that $name does not fail',
  { timeout: 60_000 },
  async (one) => {
    expect(await isAccused(withBusyClient(one, MS_BETWEEN_ADDITIONS))).toBe(false);
  },
);
