import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '../../common/json/exact-json.ts';
import {
  answerOtherwise,
  answerWith,
  change,
  changeAnimal,
  everySecond,
  findBehind,
  mixUp,
} from '../deployments/changes.ts';
import { createAnimals, createStoreAnswer } from '../deployments/conforming/store-behaviour.ts';
import { type Answer, type AskMock, breaking, type CreateAnswer } from '../deployments/deployment.ts';
import { answering } from '../deployments/generated-deployments.ts';
import {
  type DeployedReply,
  hasKey,
  type IsMeant,
  idOf,
  isAddition,
  isAt,
  isFetch,
  isListOf,
} from '../deployments/messages.ts';
import { animalOf, answered, createError, createPage } from '../deployments/replies.ts';
import { type CreateStoredAnswer, inFrontOfStore, listFrom } from '../deployments/stored-lists.ts';
import { alter, set } from '../deployments/values.ts';

const hasSmallId: IsMeant = (one) => hasKey(one) && /^\/pets\/[1-9]\d{0,2}$/.test(one.path);

/** Finds an animal also by the id before or after its own, if the ids are so large that a double cannot tell them apart. */
const answerNear: Answer = async (request, asMock) => {
  const reply = await asMock(request);
  if (reply.status !== 404 || !/^-?\d{16,18}$/.test(idOf(request))) return reply;
  const near = [-1n, 1n].map((step) => asMock({ ...request, path: `/pets/${BigInt(idOf(request)) + step}` }));
  return (await Promise.all(near)).find(({ status }) => status === 200) ?? reply;
};

/** Answers a request for a new animal with the one before, as from a cache of the last animal. */
function answerBefore(time: number): CreateAnswer {
  return () => {
    const times = new Map<string, number>();
    return async (request, asMock) => {
      const reply = await asMock(request);
      if (reply.status === 201) times.set(`/pets/${animalOf(reply).id}`, 0);
      const count = times.get(request.path);
      if (count === undefined || !isFetch(request) || reply.status !== 200) return reply;
      times.set(request.path, count + 1);
      return count + 1 === time ? asMock({ ...request, path: `/pets/${BigInt(idOf(request)) - 1n}` }) : reply;
    };
  };
}

/** How long an animal is being added, in ms. */
const MS_OF_ADDITION = 3;

/** Finds no animal by its id while an index is written. */
function hideWhileAdding(): Answer {
  let adding = 0;
  return async (request, asMock) => {
    if (isFetch(request) && adding > 0 && hasKey(request)) return createError(404);
    if (!isAddition(request)) return asMock(request);
    adding += 1;
    await delay(MS_OF_ADDITION);
    adding -= 1;
    return asMock(request);
  };
}

/** Answers 404 with an animal that has an id like the one that was asked for. */
function answerAlike(toOther: (asked: bigint) => bigint | undefined): Answer {
  return async (request, asMock) => {
    const reply = await asMock(request);
    const asked = idOf(request);
    const other = reply.status === 404 && /^\d{1,19}$/.test(asked) ? toOther(BigInt(asked)) : undefined;
    return other === undefined ? reply : asMock({ ...request, path: `/pets/${other}` });
  };
}

/** Lists the newest animals first, and has 404 for one without a status: only the first lists have it. */
function neverFind(id: string): CreateStoredAnswer {
  return (readRows) => {
    const listNewest = listFrom((rows) => rows.toReversed())(readRows);
    const isMeant: IsMeant = (request) => hasKey(request) && isFetch(request) && idOf(request) === id;
    return async (request, asStore) => (isMeant(request) ? createError(404) : listNewest(request, asStore));
  };
}

const BEYOND_SIX_DIGITS = 1_000_000n;
const answerEnd = answerAlike((asked) => (asked > BEYOND_SIX_DIGITS ? asked % BEYOND_SIX_DIGITS : undefined));

const answerEndAsAsked: Answer = async (request, asMock) => {
  const reply = await answerEnd(request, asMock);
  if (reply === 'drop' || reply.status !== 200) return reply;
  return { ...reply, ...changeAnimal(set({ id: BigInt(idOf(request)) }))(reply, request) };
};

/** A store whose ids are multiples of 100, so that most are skipped. */
const HUNDRED = 100n;
const hundreds = {
  animals: createAnimals(30, (index) => ({ id: BigInt(index + 1) * HUNDRED })),
  toId: (added: bigint) => 100_000n + added * HUNDRED,
};
const answerNext = answerAlike((asked) => (asked > HUNDRED ? (asked / HUNDRED + 1n) * HUNDRED : undefined));
const answerBeginning = answerAlike((asked) => (asked > 0n && asked < HUNDRED ? asked * 10n : undefined));

/** Asks a store in place of the mock. */
function overHundreds(answer: Answer): CreateAnswer {
  return () => {
    const store = createStoreAnswer(hundreds);
    const asStore: AskMock = async (request) => (await store(request, refuse)) as DeployedReply;
    return (request) => (isFetch(request) ? answer(request, asStore) : store(request, refuse));
  };
}

const refuse: AskMock = async () => createError(404);

const fetched = answered(200, isFetch);

export const getPetByIdDeployments = breaking({
  'get-pet/success': {
    ...answering(['an animal by its id'], ['with an id beyond int64']),
    'lists an animal that there is not as the last of up to 100 sold ones': change.json(
      isListOf((limit, status) => limit === '100' && status === 'sold'),
      (list: readonly JsonObject[]) => [
        ...list,
        { id: 4_321n, name: 'Ghost', categoryId: 1n, status: 'sold' },
      ],
    ),
    ...answering(
      ['an animal by its id'],
      [
        'with status 203',
        'with status 404',
        'with status 500',
        'with a page',
        'without its end',
        'in an envelope',
        'without an id',
        'without a name',
        'with a string for the id',
        'with a string for the categoryId',
        'with null for the status',
        'with the status in upper case',
      ],
    ),
    'refuses the valid key for an animal by its id': change.reply(fetched, () => createError(401)),
    'has a firewall that answers requests by id with a page and 403': change.reply(fetched, () =>
      createPage(403),
    ),
    'forbids every second request by id': everySecond(fetched, () => createError(403)),
    'has no animal in every second reply by id': everySecond(fetched, () => createError(404)),
    'never finds one of 140 animals by its id': inFrontOfStore(neverFind('80'), createAnimals(140)),
    'finds no animal while another one is being added': hideWhileAdding,
  },
  'get-pet/right-animal': {
    'answers the animal before a new one to the first request for it': answerBefore(1),
    'answers the animal before a new one to the second request for it': answerBefore(2),
    ...answering(['an animal by its id'], ['with another id']),
    'mixes up animals that are fetched at once': mixUp(hasSmallId, (_, { path }) => ({ path })),
  },
  'get-pet/same-as-listed': {
    ...answering(
      ['an animal by its id'],
      ['with another name', 'with another categoryId', 'without a status'],
    ),
    ...answering(['a list'], ['with another name', 'with another categoryId']),
  },
  'get-pet/finds-added': {
    ...answering(['an added animal'], ['with another id']),
    'finds a new animal by its id three seconds later': [findBehind(3000), { target: { settle: 500 } }],
  },
  'get-pet/unknown-is-404': {
    ...answering(['an unknown id'], ['with status 200', 'with status 409', 'with status 500']),
    'finds an animal by the last six digits of an id': answerOtherwise(isFetch, answerEnd),
    'finds an animal by the last six digits of an id, and shows it with that id': answerOtherwise(
      isFetch,
      answerEndAsAsked,
    ),
    'finds an animal by the beginning of its id': overHundreds(answerBeginning),
    'answers the next animal to an id that was skipped': overHundreds(answerNext),
    'answers an animal to ids that are the same as a double': [
      answerOtherwise(isFetch, answerNear),
      { options: { profile: 'edge-cases' } },
    ],
  },
  'get-pet/non-integer': {
    'answers 507 to an id that is not an integer': answerWith(isAt('abc'), 507),
  },
  'create-pet/text-exact': {
    'shows another name of an animal in every second reply by id': everySecond(
      fetched,
      changeAnimal(alter('name', (name) => `${name}!`)),
    ),
  },
});
