import type { JsonObject } from '../../common/json/exact-json.ts';
import { createRandom } from '../../mock/session/create-random.ts';
import { cacheEveryList, combine, findBehind, listBehind } from './changes.ts';
import {
  createAnimals,
  createStoreAnswer,
  cutBytes,
  type StorePolicy,
  statuses,
  stores,
} from './conforming/store-behaviour.ts';
import { type CreateAnswer, type Deployment, deployments } from './deployment.ts';
import { type IsMeant, isList } from './messages.ts';
import { type CreateStoredAnswer, inFrontOfStore, listFrom } from './stored-lists.ts';

type Disturb = NonNullable<StorePolicy['disturb']>;

/** Creates a store whose animals others change every so many ms. @param createPolicy creates what is remembered for each start */
function storeOf(createPolicy: () => StorePolicy): CreateAnswer {
  return () => createStoreAnswer({ animals: createAnimals(60), ...createPolicy() });
}

/** Lets others do something every so many ms, as often as it was due since the last request. */
function every(ms: number, act: (animals: JsonObject[], takeId: () => bigint, count: number) => void) {
  return (): Disturb => {
    let last = performance.now();
    let count = 0;
    return (animals, takeId) => {
      for (; performance.now() - last >= ms; last += ms) act(animals, takeId, count++);
    };
  };
}

const addEvery = (ms: number) =>
  every(ms, (animals, takeId, count) => {
    const status = statuses[count % (statuses.length + 1)];
    const animal = { id: takeId(), name: `Of others ${count}`, categoryId: 7n };
    animals.push(status === undefined ? animal : { ...animal, status });
  });

/** Sells the next animal that is available, wherever it is. */
const sellEvery = (ms: number) =>
  every(ms, (animals) => {
    const index = animals.findIndex(({ status }) => status === 'available');
    const animal = animals[index];
    if (animal !== undefined) animals[index] = { ...animal, status: 'sold' };
  });

/** Removes an animal from anywhere among those of the start and of this client. */
const removeEvery = (ms: number) =>
  every(ms, (animals, _, count) => {
    animals.splice((count * 7919) % Math.max(1, animals.length), 1);
  });

const withTen = { pageSize: 10 };

/** Names of many lengths, so that pages of as many bytes have other numbers of animals. */
const ofManyLengths = createAnimals(50, (index) => ({ name: 'x'.repeat((index * 37) % 300) }));

const ofBytes = (most: number): StorePolicy => ({
  animals: ofManyLengths,
  cut: (list) => cutBytes(list, most),
});

/** Lists its animals in another order each time. */
function shuffle(): Disturb {
  const random = createRandom(11);
  return (animals) => {
    for (let last = animals.length - 1; last > 0; last -= 1) {
      const other = Math.floor(random() * (last + 1));
      [animals[last], animals[other]] = [animals[other] as JsonObject, animals[last] as JsonObject];
    }
  };
}

/** Cuts each list to a length by chance. */
function cutByChance(): NonNullable<StorePolicy['cut']> {
  const random = createRandom(13);
  return (list) => list.slice(0, 1 + Math.floor(random() * list.length));
}

/** More animals than any list of the window has. */
const ROOM_AFTER_WINDOW = 500;

/** Begins each list anywhere in the order of the ids, at a place by chance, and goes on in that order. */
const beginAnywhere: CreateStoredAnswer = (readRows) => {
  const random = createRandom(17);
  return listFrom((rows) => rows.slice(Math.floor(random() * (rows.length - ROOM_AFTER_WINDOW))))(readRows);
};

/** Nearly all the time that a deployment has until it shows what is new, in ms. */
const MOST_LATE = 25;
const settled = { settle: 30 };

/** The age of a list is in whole seconds, so that a cache without other headers shows none in the first second. */
const withAge = { target: { settle: 2_000 } };
const toAge = (age: number) => ({ age: String(age) });

const isSecond = (): IsMeant => {
  let lists = 0;
  return (request) => isList(request) && ++lists % 2 === 0;
};

/** Puts an answer in front of a store of 60 animals. */
const over = (answer: CreateAnswer): CreateAnswer => combine([storeOf(() => ({})), answer]);

/**
 * Conforming deployments whose lists are as a broken one's may be: no rule may accuse them. What a run can test depends on chance and on
 * time, so that they have no verdict of their own.
 */
export const hardCases: readonly Deployment[] = [
  ...stores({
    ...Object.fromEntries(
      [7, 10, 12, 30, 50].map((most) => [
        `lists no more than ${most} of its 60 animals`,
        { animals: createAnimals(60), pageSize: most },
      ]),
    ),
    'lists no more than 12 of its 12 animals': { animals: createAnimals(12), pageSize: 12 },
    'has no animals': { animals: [] },
    'has one animal': { animals: createAnimals(1) },
    'has three animals': { animals: createAnimals(3) },
    'has five thousand animals': { animals: createAnimals(5_000) },
    'lists as many animals as have room in 700 bytes': ofBytes(700),
    'lists as many animals as have room in 1,500 bytes': ofBytes(1_500),
  }),
  ...deployments({
    'lists its animals in another order each time': storeOf(() => ({ disturb: shuffle() })),
    'lists its 5,000 animals in another order each time': storeOf(() => ({
      animals: createAnimals(5_000),
      disturb: shuffle(),
    })),
    'lists ten of its animals in another order each time': storeOf(() => ({
      ...withTen,
      disturb: shuffle(),
    })),
    'begins each list anywhere among its 5,000 animals': inFrontOfStore(beginAnywhere, createAnimals(5_000)),
    'lists as many animals as chance has it': storeOf(() => ({ cut: cutByChance() })),
    'lists a new animal as late as it may': [over(listBehind(isList, MOST_LATE)), { target: settled }],
    'lists a new animal as late as it may in every second list': [
      over(() => listBehind(isSecond(), MOST_LATE)()),
      { target: settled },
    ],
    'finds a new animal by its id as late as it may': [over(findBehind(MOST_LATE)), { target: settled }],
    'lists a new animal by its status as late as it may': [
      over(listBehind((request) => isList(request) && request.query.has('status'), MOST_LATE)),
      { target: settled },
    ],
    'keeps every list for 8 s in a cache, which says no more than its age': [
      over(cacheEveryList(8_000, toAge)),
      withAge,
    ],
    'keeps every list for 2 s in a cache, which says no more than its age': [
      over(cacheEveryList(2_000, toAge)),
      withAge,
    ],
    'has others that add an animal every 10 ms': storeOf(() => ({ disturb: addEvery(10)() })),
    'has others that sell an animal every 5 ms': storeOf(() => ({
      animals: createAnimals(2_000),
      disturb: sellEvery(5)(),
    })),
    'has others that sell an animal every 5 ms, and lists ten': storeOf(() => ({
      ...withTen,
      animals: createAnimals(2_000),
      disturb: sellEvery(5)(),
    })),
    'has others that add an animal every 10 ms, and lists ten': storeOf(() => ({
      ...withTen,
      disturb: addEvery(10)(),
    })),
    'has others that remove an animal every 30 ms': storeOf(() => ({
      animals: createAnimals(200),
      disturb: removeEvery(30)(),
    })),
    'has others that remove an animal every 100 ms': storeOf(() => ({ disturb: removeEvery(100)() })),
  }),
];
