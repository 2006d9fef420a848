import { setTimeout as delay } from 'node:timers/promises';
import type { ExactJson, JsonObject } from '../../common/json/exact-json.ts';
import {
  answerOtherwise,
  answerWith,
  cacheEveryList,
  change,
  changeAnimal,
  changeJson,
  changeListed,
  combine,
  everySecond,
} from '../deployments/changes.ts';
import {
  createAnimals,
  createStoreAnswer,
  cutBytes,
  statuses,
} from '../deployments/conforming/store-behaviour.ts';
import { type Answer, breaking } from '../deployments/deployment.ts';
import { answering, listKinds } from '../deployments/generated-deployments.ts';
import {
  always,
  type DeployedReply,
  hasHeader,
  hasKey,
  isAddition,
  isCreation,
  isFetch,
  isList,
  isListOf,
  withParameters,
} from '../deployments/messages.ts';
import { animalOf, answered, createEmpty, createReply } from '../deployments/replies.ts';
import { alter, drop, readJson, turnStatus } from '../deployments/values.ts';

/** Keeps a parameter of a list for the next list without it, and asks the mock for that. */
function keepForNext(
  name: 'limit' | 'status',
  isKept: (before: URLSearchParams, own: URLSearchParams) => boolean,
) {
  return (): Answer => {
    let before = new URLSearchParams();
    return async (request, asMock) => {
      if (!isList(request)) return asMock(request);
      const { query: own } = request;
      const kept = own.has(name) || !isKept(before, own) ? null : before.get(name);
      before = own;
      return asMock(kept === null ? request : { ...request, query: withParameters(own, { [name]: kept }) });
    };
  };
}

function isOfStart(id: ExactJson | undefined): boolean {
  return typeof id === 'bigint' && id < 7_000_000n;
}

/** Names of many lengths, so that pages of as many bytes have other numbers of animals. */
const ofManyLengths = createAnimals(50, (index) => ({ name: 'x'.repeat((index * 37) % 300) }));

/** How long the check of a key takes, in ms. */
const MS_OF_CHECK = 5;

/** Keeps the key of a request while it is checked, where the next request replaces it. */
function shareKey(): Answer {
  let key: string | undefined;
  return async (request, asMock) => {
    key = request.headers.authorization;
    await delay(MS_OF_CHECK);
    const { authorization: _, ...headers } = request.headers;
    return asMock({ ...request, headers: { ...headers, ...(key !== undefined && { authorization: key }) } });
  };
}

/** How many requests at once a service answers that gives up under load. */
const MOST_AT_ONCE = 5;

/** Lists nothing while more than a few requests are under way. */
function listNothingUnderLoad(): Answer {
  let underWay = 0;
  return async (request, asMock) => {
    underWay += 1;
    const isTooMuch = underWay > MOST_AT_ONCE;
    await delay(MS_OF_CHECK);
    underWay -= 1;
    const reply = await asMock(request);
    return isTooMuch && answered(200, isList)(request, reply) ? createReply(200, []) : reply;
  };
}

const MINUTE = 60_000;

/** A cache that says nothing of itself. */
const keepForAMinute = cacheEveryList(MINUTE, () => ({}));

/** The id of an animal that is hidden, but not on a page that has fewer animals. */
const HIDDEN_ID = 27n;
const SHORT_PAGE = 5;

/** Hides an animal in lists once another was added. */
function hideOnceAdded(): Answer {
  let hasAdded = false;
  const hide = change.list((list) => list.filter(({ id }) => id !== HIDDEN_ID || list.length < SHORT_PAGE))();
  return (request, asMock) => {
    hasAdded ||= isAddition(request);
    return hasAdded ? hide(request, asMock) : asMock(request);
  };
}

/** Number of requests after which an animal has another status. */
const REQUESTS_TO_SETTLE = 20;

/** Gives every animal another status after a while, whatever was sent. */
function settleLater(): Answer {
  const addedAt = new Map<unknown, number>();
  let requests = 0;
  const settle = (animal: JsonObject) => {
    const at = addedAt.get(animal.id);
    if (at === undefined || requests - at < REQUESTS_TO_SETTLE || animal.status === undefined) return animal;
    return turnStatus(animal);
  };
  return async (request, asMock) => {
    requests += 1;
    const reply = await asMock(request);
    if (answered(201, isCreation)(request, reply))
      changeJson<JsonObject>((animal) => {
        addedAt.set(animal.id, requests);
        return animal;
      })(reply, request);
    if (answered(200, isFetch)(request, reply)) return { ...reply, ...changeAnimal(settle)(reply, request) };
    return answered(200, isList)(request, reply)
      ? { ...reply, ...changeListed(settle)(reply, request) }
      : reply;
  };
}

const hasSameLimit = (one: URLSearchParams, other: URLSearchParams) =>
  one.get('limit') === other.get('limit') && one.get('status') === 'sold';
/** Lists more animals without limit, once after each animal that was added. */
function listMoreOnceAdded(): Answer {
  let isAfter = false;
  return async (request, asMock) => {
    const isWithoutLimit = isList(request) && hasKey(request) && request.query.size === 0;
    const isMore = isAfter && isWithoutLimit;
    if (isWithoutLimit) isAfter = false;
    const reply = await asMock(isMore ? { ...request, query: new URLSearchParams('limit=30') } : request);
    isAfter ||= reply.status === 201;
    return reply;
  };
}

const isLong = (before: URLSearchParams, own: URLSearchParams) =>
  before.get('limit') === '100' && own.size === 0;
const isShort = (before: URLSearchParams) => before.get('limit') === '3';

/** Keeps a short list for the next one, and cuts it to the limit of that one. */
function keepShortList(): Answer {
  let kept: { readonly reply: DeployedReply; readonly status: string | null } | undefined;
  return async (request, asMock) => {
    const { query } = request;
    const limit = query.get('limit');
    if (!isList(request) || !hasKey(request) || limit === null) return asMock(request);
    const status = query.get('status');
    if (kept?.status === status) {
      const list = readJson(kept.reply.body) as readonly JsonObject[];
      kept = undefined;
      return createReply(200, list.slice(0, Number(limit)));
    }
    const reply = await asMock(request);
    const isPlain = reply.status === 200 && limit === '3';
    kept = isPlain ? { reply, status } : undefined;
    return reply;
  };
}

/** Lists nothing once by each of two statuses, long after the first lists by them. */
function leaveOutOnceEach(): Answer {
  const lists = new Map<string | null, number>();
  const isNext = isListOf((limit, status) => {
    if (limit !== '100' || !['available', 'pending'].includes(status ?? '')) return false;
    const number = (lists.get(status) ?? 0) + 1;
    lists.set(status, number);
    return number === WRONG_LIST;
  });
  return answerWith(isNext, createReply(200, []))();
}

const WRONG_LIST = 4;

const emptyLists = change.reply(answered(200, isList), ({ body }) => (body === '[]' ? createEmpty(204) : {}));
const withBoth = ({ headers, body }: DeployedReply) => ({
  headers: { ...headers, 'content-length': String(Buffer.byteLength(body)), 'transfer-encoding': 'chunked' },
});
const padded = ({ body }: DeployedReply) => ({ body: `${body}${'\0'.repeat(12)}` });

const read1000 = (limit: string) => (limit === '1000' ? 1000 : undefined);

/** Number of animals that the mock starts with, where new ones are hidden. */
const OLD_ANIMALS = 30;

const isOld = ({ id }: JsonObject) => typeof id === 'bigint' && id <= OLD_ANIMALS;

/** Filters a page of all animals. */
const filterLast = [
  change.query((_, status) => statuses.includes(status ?? ''), { status: null }),
  change.list((list, { query }) => list.filter(({ status }) => status === (query.get('status') ?? status))),
];

/** Lists an animal by its status only when another one was added after it. */
function hideNewest(): Answer {
  let newest: ExactJson | undefined;
  const isShown = ({ id }: JsonObject) => id !== newest;
  const answer = change.list((list, { query }) => (query.has('status') ? list.filter(isShown) : list))();
  return async (request, asMock) => {
    const reply = await answer(request, asMock);
    if (reply !== 'drop' && reply.status === 201) newest = animalOf(reply).id;
    return reply;
  };
}

/** Takes a list for the one that has its ETag, although animals were added. */
const keepTag: Answer = async (request, asMock) => {
  const reply = await asMock(request);
  if (!isList(request) || reply.status !== 200) return reply;
  const etag = `"${request.query}"`;
  return request.headers['if-none-match'] === etag
    ? createEmpty(304)
    : { ...reply, headers: { ...reply.headers, etag } };
};

export const getPetsDeployments = breaking({
  'list-pets/filter-before-limit': {
    'looks at the status after the limit': combine(filterLast),
    'looks at the status after the limit, in a store of few animals': [
      combine(filterLast),
      { options: { animals: 24 } },
    ],
  },
  'list-pets/success': {
    ...answering(['a list without limit'], ['empty']),
    ...answering(listKinds, ['with a page', 'without its end', 'in an envelope']),
    ...answering(
      ['a list without limit', 'a list by status'],
      ['with status 203', 'with status 404', 'with status 500'],
    ),
    ...answering(['a list'], ['without its first animal']),
    'takes the animals that the key may not see out of a list after its limit': () =>
      createStoreAnswer({ hides: ({ id }) => isOfStart(id) && Number(id) % 3 === 1 }),
    'shows one in five of its 140 animals, and takes the others out of a list after its limit': () =>
      createStoreAnswer({
        animals: createAnimals(140),
        hides: ({ id }) => isOfStart(id) && Number(id) % 5 !== 3,
      }),
    'checks the key of another request at the same time': shareKey,
    'lists nothing under load': listNothingUnderLoad,
    'sends lists with a Content-Length and in chunks': [change.reply(isList, withBoth), { overHttp: true }],
    'sends everything with a Content-Length and in chunks': [
      change.reply(always, withBoth),
      { overHttp: true },
    ],
    'pads lists with NUL': change.reply(isList, padded),
    'pads every body with NUL': change.reply(always, padded),
    ...answering(['a list'], ['empty']),
    'looks at the status after the limit, and takes other animals out of the list': combine([
      () => createStoreAnswer({ hides: ({ id }) => typeof id === 'bigint' && id < 46n && id % 3n === 1n }),
      ...filterLast,
    ]),
  },
  'list-pets/limit-bounds': {
    ...answering(['a list'], ['with status 203', 'with status 404', 'with status 500']),
    'redirects every path to the same with a slash': answerOtherwise(
      ({ path }) => !path.endsWith('/'),
      async ({ path }) => createEmpty(301, { location: `/v1${path}/` }),
    ),
    'answers an empty list 204': [emptyLists, { options: { profile: 'empty' } }],
  },
  'list-pets/limit-is-a-maximum': {
    'ignores limit': change.query((limit) => limit !== null, { limit: null }),
    'ignores limit next to a status': change.query((limit, status) => limit && status, { limit: null }),
  },
  'list-pets/limit-most-100': {
    'lists all of its 123 animals for a limit of 1000': () =>
      createStoreAnswer({ animals: createAnimals(123), pageSize: 300, readInvalidLimit: read1000 }),
    'lists all animals for a limit of 1000, which are more than 100 at the end of a run': () =>
      createStoreAnswer({ animals: createAnimals(48), pageSize: 300, readInvalidLimit: read1000 }),
  },
  'list-pets/limit-omitted': {
    'lists all animals for a parameter that it does not know': change.query(
      (_, __, query) => query.has('contract-test'),
      { limit: '100' },
    ),
  },
  'list-pets/limit-default': {
    ...answering(['a list without limit'], ['without its first animal']),
    'lists 19 animals without limit': change.query((limit) => limit === null, { limit: '19' }),
    'lists 21 animals without limit': change.query((limit) => limit === null, { limit: '21' }),
    'keeps a large limit for the next list without one': keepForNext('limit', isLong),
    'keeps a small limit for the next list without one': keepForNext('limit', isShort),
    'lists 30 animals without limit right after an animal was added': listMoreOnceAdded,
  },
  'list-pets/limit-invalid': answering(['an invalid limit'], ['with status 200', 'with status 500']),
  'list-pets/filter-invalid': {
    ...answering(['an unknown status'], ['with status 200', 'with status 500']),
    'answers 500 to a long status': answerWith(
      isListOf((_, status) => Number(status?.length) > 500),
      500,
    ),
  },
  'list-pets/filters': {
    'ignores a status in front of the limit': change.request(
      ({ query }) => /^status=\w+&limit=/.test(`${query}`),
      ({ query }) => ({ query: new URLSearchParams({ limit: query.get('limit') ?? '' }) }),
    ),
    'ignores the status for a page of a browser': change.request(
      (one) => isList(one) && hasHeader('sec-fetch-mode', /./)(one),
      ({ query }) => ({ query: withParameters(query, { status: null }) }),
    ),
    'ignores status': change.query((_, status) => status !== null, { status: null }),
    'ignores the status sold': change.query((_, status) => status === 'sold', { status: null }),
    'takes pending for sold': change.query((_, status) => status === 'pending', { status: 'sold' }),
    'gives every animal another status a while after it was added': settleLater,
    'shows other statuses in every second list': everySecond(answered(200, isList), changeListed(turnStatus)),
    'lists animals without a status by every status': () =>
      createStoreAnswer({ animals: createAnimals(30), unshown: statuses }),
  },
  'list-pets/filter-complete': {
    ...answering(['a list by status'], ['empty', 'without its first animal']),
    'leaves out the last animal of a status': [
      change.list((list, { query }) =>
        query.has('status') && list.length > 4 ? list.toSpliced(-2, 1) : list,
      ),
      { options: { animals: 60 } },
    ],
    'lists nothing once by each of two statuses': leaveOutOnceEach,
  },
  'list-pets/pets': {
    ...answering(listKinds, ['with null for its first animal']),
    'shows no statuses in every second list': everySecond(
      answered(200, isList),
      changeListed(drop('status')),
    ),
    ...answering(
      ['a list'],
      ['without an id', 'without a name', 'with a string for the categoryId', 'with null for the status'],
    ),
    ...answering(
      ['a list'],
      ['with the status in upper case', 'with a string for the id', 'with an id beyond int64'],
    ),
    ...answering(listKinds, ['without a status']),
  },
  'list-pets/unique-ids': {
    ...answering(listKinds, ['with its first animal twice']),
    ...answering(['a list', 'a list without limit'], ['with another id']),
  },
  'create-pet/stored': {
    'shows other names in every second list': everySecond(
      answered(200, isList),
      changeListed(alter('name', (name) => `${name}!`)),
    ),
    // Lists of all are longer, and show what these lack.
    'lists no more than 12 animals of a status': () =>
      createStoreAnswer({ cut: (list, isByStatus) => list.slice(0, isByStatus ? 12 : 100) }),
    'lists no more than 30 animals of a status': () =>
      createStoreAnswer({ cut: (list, isByStatus) => list.slice(0, isByStatus ? 30 : 100) }),
    'lists as many animals of a status as have room in 4 kB': () =>
      createStoreAnswer({
        animals: ofManyLengths,
        cut: (list, isByStatus) => cutBytes(list, isByStatus ? 4_000 : Number.POSITIVE_INFINITY),
      }),
    'keeps every list for a minute': [keepForAMinute, { options: { animals: 10 } }],
    'keeps every list of the newest of many animals for a minute': [
      keepForAMinute,
      { options: { animals: 500, behaviour: { order: 'newest' } } },
    ],
    'gives each list one ETag, also when it has changed': () => keepTag,
    'lists an animal by status only when there is a newer one': hideNewest,
    'lists no new animal by status': [
      change.list((list, { query }) => (query.has('status') ? list.filter(isOld) : list)),
      { options: { animals: OLD_ANIMALS } },
    ],
  },
  'store/kept': {
    'shows some of its 500 animals, more sold ones than others, and takes the others out of a list after its limit':
      () =>
        createStoreAnswer({
          animals: createAnimals(500),
          hides: ({ id, status }) => isOfStart(id) && Number(id) % (status === 'sold' ? 3 : 7) !== 1,
        }),
    'keeps the status of a list for the next one with the same limit': keepForNext('status', hasSameLimit),
    'keeps a short list for the next one': keepShortList,
    'lists an animal no longer once another is added': [hideOnceAdded, { options: { animals: 30 } }],
    'leaves the first of 100 animals out of its longest lists': change.json(
      isListOf((limit, status) => limit === '100' && status === null),
      (list: readonly JsonObject[]) => list.slice(1),
    ),
  },
});
