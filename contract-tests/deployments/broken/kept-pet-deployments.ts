import {
  type ExactJson,
  isJsonObject,
  type JsonObject,
  printExactJson,
} from '../../../common/json/exact-json.ts';
import { isInt64 } from '../../../common/json/int64.ts';
import { answerOtherwise, cacheLists, change, refuse } from '../changes.ts';
import { createStoreBehaviour } from '../conforming/store-behaviour.ts';
import { type Behaviour, type CreateBehaviour, type Deployment, deployments } from '../deployment.ts';
import { alter, asDouble, drop, isNewPet, readJson } from '../members.ts';
import { createReply } from '../replies.ts';
import { hasKey, isCreation, isList, sentBy } from '../requests.ts';

const statuses: readonly ExactJson[] = ['available', 'pending', 'sold'];

/** Answers what was sent, under the id of what was kept instead. */
function answerAsSent(keep: (sent: JsonObject) => JsonObject): CreateBehaviour {
  return answerOtherwise(isCreation, async (request, asMock) => {
    const sent = sentBy(request);
    if (!isNewPet(sent) || !isInt64(sent.categoryId)) return asMock(request);
    const reply = await asMock({ ...request, body: printExactJson(keep(sent)) });
    const kept = readJson(reply.body) as JsonObject;
    return reply.status === 201 ? createReply(201, { ...sent, id: kept.id ?? null }) : reply;
  });
}

function take(value: ExactJson, other: ExactJson): (sent: ExactJson) => ExactJson {
  return (sent) => (sent === value ? other : sent);
}

function changeName(toText: (name: string) => string) {
  return alter('name', (name) => (typeof name === 'string' ? toText(name) : name));
}

function listOnly(isListed: (animal: JsonObject, query: URLSearchParams) => boolean): CreateBehaviour {
  return change.list((list, { query }) => list.filter((animal) => isListed(animal, query)));
}

function refuseCategory(isRefused: (id: bigint) => boolean): CreateBehaviour {
  return refuse((request) => {
    const { categoryId } = sentBy(request);
    return isCreation(request) && typeof categoryId === 'bigint' && isRefused(categoryId);
  });
}

/** Lists new animals only once so many lists were asked for since: a list that lags behind. */
function listLate(lists: number): CreateBehaviour {
  return () => {
    const waiting = new Map<ExactJson, number>();
    return async (request, asMock) => {
      const reply = await asMock(request);
      if (reply.status === 201) waiting.set((readJson(reply.body) as JsonObject).id ?? null, lists);
      if (!isList(request) || reply.status !== 200) return reply;
      const listed = readJson(reply.body) as readonly JsonObject[];
      const isLate = ({ id = null }: JsonObject) => (waiting.get(id) ?? 0) > 0;
      const shown = listed.filter((animal) => !isLate(animal));
      for (const [id, left] of waiting) waiting.set(id, left - 1);
      return createReply(200, shown);
    };
  };
}

function addNothing(): Behaviour {
  let id = 5000n;
  return async (request, asMock) => {
    if (!isCreation(request) || !hasKey(request)) return asMock(request);
    const probe = await asMock(request);
    if (probe.status !== 201) return probe;
    id += 1n;
    return createReply(201, { ...(readJson(probe.body) as JsonObject), id });
  };
}

function forgetFirst(): Behaviour {
  let first: string | undefined;
  let isForgotten = false;
  return async (request, asMock) => {
    if (isForgotten && request.path === `/pets/${first}`) return asMock({ ...request, path: '/pets/999999' });
    const reply = await asMock(request);
    if (reply.status === 201) first ??= String((readJson(reply.body) as JsonObject).id);
    isForgotten ||= first !== undefined && request.method === 'POST' && reply.status === 400;
    return reply;
  };
}

function renameFetched(): Behaviour {
  const fetched = new Set<string>();
  const rename = change.listed((animal) =>
    fetched.has(String(animal.id)) ? { ...animal, name: 'x' } : animal,
  )();
  return (request, asMock) => {
    if (request.method === 'GET') fetched.add(request.path.slice('/pets/'.length));
    return request.query.has('status') ? rename(request, asMock) : asMock(request);
  };
}

/** Changes an animal that was there before, once one was added in a sequence. */
function overwriteOnceAdded(): Behaviour {
  let hasAdded = false;
  const toChanged = (value: ExactJson) =>
    isJsonObject(value) && value.id === 50n ? { ...value, categoryId: 4_711n } : value;
  const changeAll = change.json(
    (request) => hasAdded && request.method === 'GET',
    (value) => (Array.isArray(value) ? value.map(toChanged) : toChanged(value)),
  )();
  return (request, asMock) => {
    hasAdded ||= isCreation(request) && hasKey(request) && request.body.includes('sequence');
    return changeAll(request, asMock);
  };
}

function dropEachTenthStatus(): Behaviour {
  let added = 0;
  return async (request, asMock) => {
    const sent = sentBy(request);
    const isAddition =
      isCreation(request) && hasKey(request) && isNewPet(sent) && statuses.includes(sent.status ?? null);
    if (isAddition) added += 1;
    if (!isAddition || added % 10 !== 0) return asMock(request);
    return asMock({ ...request, body: printExactJson(drop('status')(sent)) });
  };
}

/** Hides an animal in lists once another was added. */
function hideOnceAdded(): Behaviour {
  let hasAdded = false;
  const hide = change.list((list) => list.filter(({ id }) => id !== 27n || list.length < 5))();
  return (request, asMock) => {
    hasAdded ||= isCreation(request) && hasKey(request) && isNewPet(sentBy(request));
    return hasAdded ? hide(request, asMock) : asMock(request);
  };
}

/** Deployments that keep or list something else of an animal than was sent, lose it, or harm others for it. */
export const keptPetDeployments: readonly Deployment[] = [
  ...deployments({
    'answers a name as it was sent, and keeps it normalised to NFC': answerAsSent(
      changeName((name) => name.normalize('NFC')),
    ),
  }),

  ...deployments({
    'answers a categoryId exactly and keeps it as a double': answerAsSent(alter('categoryId', asDouble)),
  }),

  ...deployments({
    'drops the status of every tenth animal that it adds': dropEachTenthStatus,
    'refuses new animals that are pending': refuse(
      (request) => isCreation(request) && sentBy(request).status === 'pending',
    ),
    'answers that an animal is sold and keeps it as pending': answerAsSent(
      alter('status', take('sold', 'pending')),
    ),
    'forgets the first animal that was added when it refuses a body': forgetFirst,
    'overwrites an animal in the middle when another is added': overwriteOnceAdded,
    'has room for 60 animals, and loses the oldest ones without a word': () =>
      createStoreBehaviour({ disturb: (animals) => void animals.splice(0, animals.length - 60) }),
  }),
  ...deployments(
    {
      'lists an animal no longer once another is added': hideOnceAdded,
    },
    {
      options: { animals: 30 },
    },
  ),
  ...deployments({
    'lists an animal by its status under another name once it has been fetched': renameFetched,
    'does not add what it says it adds': addNothing,
    'adds a new animal twice': answerOtherwise(isCreation, async (request, asMock) => {
      await asMock(request);
      return asMock(request);
    }),
    'rounds categoryIds in lists by status': change.listed((animal, { query }) =>
      query.has('status') ? alter('categoryId', asDouble)(animal) : animal,
    ),
  }),
  ...deployments(
    {
      'lists no animals of categories that it did not have before': listOnly(
        ({ categoryId }) => Number(categoryId) > 0 && Number(categoryId) < 1000,
      ),
    },
    { options: { animals: 30 } },
  ),
  ...deployments(
    {
      'keeps lists without limit in a cache, and sends their age': cacheLists({ age: '60' }),
      'keeps lists without limit for ever': cacheLists({}),
    },
    { options: { animals: 10 } },
  ),
  ...deployments(
    {
      'cuts names in lists': change.listed(alter('name', (name) => String(name).slice(0, 255))),
    },
    { options: { animals: 30 } },
  ),
  ...deployments({ 'lists a new animal a little later': listLate(3) }, { target: { settle: 5_000 } }),
  ...deployments({
    'lists a new animal very much later': listLate(400),

    'refuses categories beyond 32 bits': refuseCategory((id) => BigInt.asIntN(32, id) !== id),
    'refuses categories that a double cannot hold': refuseCategory(
      (id) => isInt64(id) && BigInt(Number(id)) !== id,
    ),
    'refuses categories below 1': refuseCategory((id) => id < 1n),
  }),
];
