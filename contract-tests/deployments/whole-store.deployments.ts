import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '../../common/json/exact-json.ts';
import { createRandom } from '../../mock/session/create-random.ts';
import { answerWith, change, changeAnimal, changeListed, combine } from './changes.ts';
import { createAnimals, createStoreAnswer } from './conforming/store-behaviour.ts';
import { breaking, type CreateAnswer, type DeploymentRows } from './deployment.ts';
import {
  type DeployedRequest,
  hasKey,
  idOf,
  isAddition,
  isFetch,
  isList,
  isListOf,
  sentBy,
  withParameters,
} from './messages.ts';
import { animalOf, answered, createError, createReply } from './replies.ts';
import { type CreateStoredAnswer, inFrontOfStore, limitOf, listFrom } from './stored-lists.ts';
import { alter, asDouble } from './values.ts';

/** The animals at the start: what is added later has a higher id. */
const start = createAnimals(60);
const highest = BigInt(start.length);
const isOfStart = ({ id }: JsonObject) => (id as bigint) <= highest;

/** Number of the rows that a filter looks at. */
const WINDOW = 20;

/** Filters only the rows that were added last. */
const filterNewest = listFrom((rows, status) => (status === null ? rows : rows.slice(-WINDOW).toReversed()));

const leaveOutSold = listFrom((rows, asked) =>
  asked === null ? rows.filter(({ status }) => status !== 'sold') : rows,
);

const hideEveryFifth = listFrom((rows) => rows.filter(({ id }) => (id as bigint) % 5n !== 0n));

/** Lists an animal without a status by each status, where it shows none. */
const listWithoutStatus: CreateStoredAnswer = (readRows) => async (request, asStore) => {
  const reply = await asStore(request);
  const asked = request.query.get('status');
  if (!isList(request) || reply.status !== 200 || asked === null) return reply;
  const wanted = readRows().filter(({ status = asked }) => status === asked);
  return createReply(200, wanted.slice(0, limitOf(request)));
};

const addToLimit = change.request(
  isListOf((limit) => /^[1-9]\d?$/.test(limit ?? '')),
  ({ query }) => ({ query: withParameters(query, { limit: `${Number(query.get('limit')) + 1}` }) }),
);

const addToName = (animal: JsonObject) =>
  isOfStart(animal) ? animal : alter('name', (name) => `${name}!`)(animal);

/** Defects that one of two versions of a service may have, by their names and by the clauses that they break. */
const defects = {
  'lists ten animals without limit': [
    'list-pets/limit-default',
    change.query((limit) => limit === null, { limit: '10' }),
  ],
  'lists animals without a status by each status': ['list-pets/filters', listWithoutStatus],
  'takes each status for none': [
    'list-pets/filters',
    change.query((_, status) => status !== null, { status: null }),
  ],
  'lists one animal more than limit': ['list-pets/limit-is-a-maximum', addToLimit],
  'leaves sold animals out of lists without a status': ['store/kept', leaveOutSold],
  'filters only its newest 20 animals': ['list-pets/filter-complete', filterNewest],
  'hides every fifth animal in lists': ['store/kept', hideEveryFifth],
  'shows other names of new animals in lists': [
    'create-pet/stored',
    change.reply(answered(200, isList), changeListed(addToName)),
  ],
} as const satisfies Record<string, readonly [breaks: string, version: CreateStoredAnswer]>;

/** Answers some requests in another version. @param createChoice creates a function that returns whether the next one is meant */
function inVersions(version: CreateStoredAnswer, createChoice: () => () => boolean): CreateStoredAnswer {
  return (readRows) => {
    const answer = version(readRows);
    const isOther = createChoice();
    return (request, asStore) => (isOther() ? answer(request, asStore) : asStore(request));
  };
}

function inTurns(): () => boolean {
  let requests = 0;
  return () => ++requests % 2 === 0;
}

function atRandom(): () => boolean {
  const random = createRandom(7);
  return () => random() < 0.5;
}

/** Creates the rows of a defect: alone, and in one of two versions. */
const rowsOfDefects = Object.entries(defects).map(
  ([name, [breaks, version]]): Record<string, DeploymentRows> => ({
    [breaks]: {
      [name]: inFrontOfStore(version),
      [`has two versions in turns, of which one ${name}`]: inFrontOfStore(inVersions(version, inTurns)),
      [`has two versions at random, of which one ${name}`]: inFrontOfStore(inVersions(version, atRandom)),
    },
  }),
);

/** Takes every third list from a replica that gets nothing new. */
const listFromReplica: CreateStoredAnswer = (readRows) => {
  const answer = listFrom((rows) => rows.filter(isOfStart))(readRows);
  let lists = 0;
  return (request, asStore) =>
    isList(request) && ++lists % 3 === 0 ? answer(request, asStore) : asStore(request);
};

/** Lists what this client has added only on its first connection, and on every second one after it. */
const listByConnection: CreateStoredAnswer = (readRows) => {
  const answer = listFrom((rows) => rows.filter(isOfStart))(readRows);
  return (request, asStore) =>
    (request.connection ?? 1) % 2 === 0 ? answer(request, asStore) : asStore(request);
};

const joinCategories = listFrom((rows) => {
  const known = new Set(start.map(({ categoryId }) => categoryId));
  return rows.filter(({ categoryId }) => known.has(categoryId));
});

/** Lists in an order that is always the same, and that no member shows. */
const joinStatuses = listFrom((rows) => {
  const toPlace = ({ id }: JsonObject) => (Number(id) * 37) % 101;
  const joined = rows.filter(({ status }) => status !== undefined);
  return joined.toSorted((one, other) => toPlace(one) - toPlace(other));
});

const groupByName = listFrom((rows) => [
  ...new Map(rows.toReversed().map((animal) => [animal.name, animal])).values(),
]);

/** How long it takes to add an animal, in ms. */
const MS_OF_ADDITION = 2;

/** Leaves out of its lists by status the animals that were added while another addition was under way. */
const loseTogether: CreateStoredAnswer = (readRows) => {
  const lost = new Set<unknown>();
  const answer = listFrom((rows, status) =>
    status === null ? rows : rows.filter(({ id }) => !lost.has(id)),
  )(readRows);
  let underWay = 0;
  return async (request, asStore) => {
    if (!isAddition(request)) return answer(request, asStore);
    underWay += 1;
    const isTogether = underWay > 1;
    await delay(MS_OF_ADDITION);
    const reply = await asStore(request);
    underWay -= 1;
    if (isTogether && reply.status === 201) lost.add(animalOf(reply).id);
    return reply;
  };
};

/** Lists the newest animals first, without the very newest: it may be the one that is being added. */
const leaveOutNewest: CreateStoredAnswer = (readRows) => {
  // Of those of the start it leaves out none, so that the lists lack only what was added.
  const answer = listFrom((rows) => rows.toReversed().slice(rows.length > manyAnimals.length ? 1 : 0))(
    readRows,
  );
  return async (request, asStore) => {
    if (isAddition(request)) await delay(MS_OF_ADDITION);
    return answer(request, asStore);
  };
};

/** More animals than a list has. */
const ROOM_FOR_ANIMALS = 140;

/** Has room for some animals, and lists the newest of them first. */
const loseOldest: CreateStoredAnswer = (readRows) => {
  const listNewest = listFrom((rows) => rows.slice(-ROOM_FOR_ANIMALS).toReversed())(readRows);
  const isLost = (request: DeployedRequest) =>
    hasKey(request) && isFetch(request) && Number(idOf(request)) <= readRows().length - ROOM_FOR_ANIMALS;
  return async (request, asStore) => (isLost(request) ? createError(404) : listNewest(request, asStore));
};

const leaveOutUndecided = listFrom((rows) => rows.filter(({ status }) => status !== undefined).toReversed());

/** Two have a category that a double cannot hold. */
const withTwoLarge = createAnimals(90, (index) =>
  index === 50 || index === 58 ? { categoryId: 9_007_199_254_740_993n } : {},
);

const readOnly = { target: { allowsWrites: false } };

const manyAnimals = createAnimals(123);

const listAllForTwoLimits: CreateAnswer = combine([
  () => createStoreAnswer({ animals: manyAnimals }),
  answerWith(
    isListOf((_, __, query) => query.getAll('limit').includes('500') && query.getAll('limit').length > 1),
    createReply(200, manyAnimals),
  ),
]);

/** Deployments that lists of the whole store show, or lists over a whole run: each breaks one clause. */
export const wholeStoreDeployments = [
  ...rowsOfDefects.flatMap(breaking),
  ...breaking({
    'create-pet/stored': {
      'takes every third list from a replica that gets nothing new': inFrontOfStore(listFromReplica, start),
      'lists what was added only on every second connection': [
        inFrontOfStore(listByConnection, start),
        { overHttp: true },
      ],
      'joins its lists with the categories that it knew': inFrontOfStore(joinCategories, start),
      'lists its many animals without the newest one': inFrontOfStore(leaveOutNewest, manyAnimals),
      'lists one animal of each name': inFrontOfStore(groupByName),
      'lists animals that are added at once by no status': inFrontOfStore(loseTogether),
    },
    'store/kept': {
      'joins the lists of its few animals with their statuses': [
        inFrontOfStore(joinStatuses, createAnimals(15)),
        { target: { settle: 500 } },
      ],
      'lists no animal without a status': [inFrontOfStore(leaveOutUndecided, createAnimals(140)), readOnly],
      'has room for 140 animals, and loses the oldest': inFrontOfStore(loseOldest, createAnimals(138)),
    },
    'get-pet/same-as-listed': {
      'rounds the categories of two animals in lists': [
        combine([
          () => createStoreAnswer({ animals: withTwoLarge }),
          change.listed(alter('categoryId', asDouble)),
        ]),
        readOnly,
      ],
    },
    'list-pets/pets': {
      'shows animals without a status as available by their ids': [
        combine([
          () => createStoreAnswer({ animals: start }),
          change.reply(
            answered(200, isFetch),
            changeAnimal((animal) => ({ status: 'available', ...animal })),
          ),
        ]),
        readOnly,
      ],
    },
    'list-pets/limit-most-100': {
      'lists all of its 123 animals for a limit of 1 and one of 500': listAllForTwoLimits,
    },
    'create-pet/success': {
      'refuses every animal without a category_id': answerWith(
        (request) => isAddition(request) && sentBy(request).category_id === undefined,
        400,
      ),
    },
  }),
];
