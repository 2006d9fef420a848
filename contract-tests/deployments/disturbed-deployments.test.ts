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

/** Recommendations, which never fail a run, and what the specification leaves open. */
const recommended = brokenDeployments
  .filter((one) => one.breaks?.startsWith('recommended/') || expectedOf(one) === 'conforms')
  .map(({ name }) => name);

/**
 * One animal may be removed or changed by others, one list may be old, the newest animal is one of the other client, and where those vanish
 * too, all may be removed by others.
 */
const ofOthers = [
  'lists an animal by status only when there is a newer one',
  'forgets the first animal that was added when it refuses a body',
  'forgets each animal some requests after it was added',
  'has room for 60 animals, and loses the oldest ones without a word',
  'shows another status of one animal in every second list of all',
  'lists nothing once by each of two statuses',
  'never finds one of 140 animals by its id',
];

/** What a list of ten animals cannot show, since any page may be short. */
const offThePage = [
  'lists 19 animals without limit',
  'lists 21 animals without limit',
  'lists all animals for a parameter that it does not know',
  'keeps a large limit for the next list without one',
  'lists 30 animals without limit right after an animal was added',
];

/** New animals are on no page of ten where the oldest are listed first, and what only such animals show is not seen. */
const neverListed = [
  'lists an animal by status only when there is a newer one',
  'gives each list one ETag, also when it has changed',
  'adds an animal without the right key, and answers 401',
  'answers an added animal with status 404',
  'forgets the first animal that was added when it refuses a body',
  'gives every animal another status a while after it was added',
  'keeps a small limit for the next list without one',
  'keeps the status of a list for the next one with the same limit',
  'rounds categoryIds in lists by status',
  'cuts names in lists',
  'lists a new animal very much later',
  'lists no new animal without a status',
];

/** It is the last of a page that others fill, or the page may be short, or may begin with another animal. */
const ofOnePage = [
  'gives each list one ETag, also when it has changed',
  'lists an animal no longer once another is added',
  'keeps every list of the newest of many animals for a minute',
];

/** The animals of the other client are refused too, so that the run has seen too few. */
const refused = ['refuses whatever follows five refused animals'];

/** The large ids are those of the oldest animals. */
const oldestOnly = ['rounds ids that it looks for'];

type Disturb = (deployment: Deployment) => Deployment;

const addOthers: Disturb = (one) => withOtherClient(withNewestFirst(one), EVERY_NTH_REQUEST);
const shorten: Disturb = (one) => withShortLists(one, LONGEST_LIST);

const disturbances: readonly (readonly [name: string, disturb: Disturb, hidden: readonly string[]])[] = [
  ['another client', addOthers, [...recommended, ...ofOthers]],
  ['short lists', shorten, [...recommended, ...offThePage, ...neverListed]],
  [
    'another client and short lists',
    (one) => addOthers(shorten(one)),
    [...recommended, ...ofOthers, ...offThePage, ...oldestOnly, ...ofOnePage, ...refused],
  ],
];

async function isAccused(deployment: Deployment): Promise<boolean> {
  return (await verify(deployment)).some(isFailure);
}

for (const [name, disturb, hidden] of disturbances) {
  // What a run draws decides about some of the hidden ones.
  const shown = brokenDeployments.filter((one) => !hidden.includes(one.name));
  test.concurrent.for(shown)(`with ${name}, a deployment that $name fails`, async (one, { expect }) => {
    expect(await isAccused(disturb(one))).toBe(true);
  });

  test.concurrent.for(conformingDeployments)(
    `with ${name}, a deployment that $name does not fail`,
    async (one, { expect }) => {
      expect(await isAccused(disturb(one))).toBe(false);
    },
  );
}

const MS_BETWEEN_ADDITIONS = 200;

test.for([...lateDeployments, ...unevenDeployments])(
  'with another client that adds an animal every 200 ms, a deployment that $name does not fail',
  { timeout: 60_000 },
  async (one) => {
    expect(await isAccused(withBusyClient(one, MS_BETWEEN_ADDITIONS))).toBe(false);
  },
);
