import { expect, test } from 'vitest';
import { balance, cacheEveryList, listBehind } from '../deployments/changes.ts';
import {
  createAnimals,
  createStoreAnswer,
  type StorePolicy,
} from '../deployments/conforming/store-behaviour.ts';
import type { Answer, CreateAnswer, Deployment } from '../deployments/deployment.ts';
import { isList } from '../deployments/messages.ts';
import { identifyFailure } from '../failures/identify-failure.ts';
import type { Result } from '../runner/report.ts';
import { verify } from '../testing/test-verdicts.ts';

const store =
  (policy: StorePolicy = {}): CreateAnswer =>
  () =>
    createStoreAnswer(policy);

/** A store with animals of its own, which counts its new ones from another number. */
const otherStore = store({
  animals: createAnimals(30).map((animal, index) => ({ ...animal, id: BigInt(1000 + index) })),
  toId: (added) => 8_000_000n + added,
});

/** More than a list has, so that it never shows a new animal, unless by its status. */
const manyAnimals = createAnimals(480);

const inTurns = (count: number) => count;

/** A xorshift generator: at random, but the same in each run. */
function createChoice(seed: number) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0 > 2 ** 31 ? 1 : 0;
  };
}

const withTwoSets: readonly (readonly [what: string, answer: CreateAnswer])[] = [
  ['two memories in turns, which count alike', balance([store(), store()], inTurns)],
  ['two memories at random, which count alike', () => balance([store(), store()], createChoice(7))()],
  ['two memories in turns, with animals of their own', balance([store(), otherStore], inTurns)],
  [
    'two memories at random, with animals of their own',
    () => balance([store(), otherStore], createChoice(11))(),
  ],
  [
    'two memories in turns, whose lists show no new animal',
    balance([store({ animals: manyAnimals }), store({ animals: manyAnimals })], inTurns),
  ],
];

const isFinding = ({ verdict, follows, clause }: Result) =>
  verdict === 'failed' && follows === undefined && clause.level === 'required';

test.for(withTwoSets)(
  'a deployment that answers from %s has one finding, which says so',
  async ([name, createAnswer]) => {
    const results = await verify({ name, createAnswer });
    const identities = results.filter(isFinding).map(({ failures = [] }) => failures.map(identifyFailure));
    // It is the same in each run, whatever the animals.
    expect(identities).toEqual([[{ kind: 'two sets', operation: 'any', received: 200 }]]);
  },
);

const noHeaders = () => ({});
const keepForever = cacheEveryList(Number.POSITIVE_INFINITY, noHeaders);

/** Lists new animals so many ms later in every second list: those of a replica. */
const followBehind = (ms: number) => (): Answer => {
  let lists = 0;
  return listBehind((request) => isList(request) && ++lists % 2 === 0, ms)();
};

/** Few animals, so that each list has room for new ones. */
const few = { options: { animals: 10 } };
const newest = { options: { animals: 10, behaviour: { order: 'newest' } } } as const;
const newestOfMany = { options: { behaviour: { order: 'newest' } } } as const;
const random = { options: { animals: 10, behaviour: { order: 'random' } } } as const;

/** Deployments of one set of data whose lists alternate, or lack animals, for another reason. */
const withOneSet: readonly (readonly [what: string, answer: CreateAnswer, more: Partial<Deployment>])[] = [
  ['two caches, which keep lists for ever', balance([keepForever, keepForever], inTurns), few],
  ['two caches of the newest animals', balance([keepForever, keepForever], inTurns), newestOfMany],
  ['a replica of the newest animals that gets none', followBehind(Number.POSITIVE_INFINITY), newest],
  ['a replica that follows a second later', followBehind(1000), newest],
  ['a list in random order that lacks new animals', listBehind(isList, Number.POSITIVE_INFINITY), random],
];

test.for(withOneSet)(
  'a deployment that answers from %s is not said to have two sets of data',
  async ([name, createAnswer, more]) => {
    const results = await verify({ name, createAnswer, ...more });
    const kinds = results.flatMap(({ failures = [] }) => failures.map(({ kind }) => kind));
    expect(kinds.length).toBeGreaterThan(0);
    expect(kinds).not.toContain('two sets');
  },
);
