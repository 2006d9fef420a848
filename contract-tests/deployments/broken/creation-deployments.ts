import type { ExactJson, JsonObject } from '../../../common/json/exact-json.ts';
import { parseExactJson, printExactJson } from '../../../common/json/exact-json.ts';
import { isInt64 } from '../../../common/json/int64.ts';
import { answerOtherwise, answerSome, answerWith, cacheLists, change, mixUp } from '../changes.ts';
import { createStoreAnswer } from '../conforming/store-behaviour.ts';
import { type Answer, type CreateAnswer, type Deployment, deployments } from '../deployment.ts';
import type { IsMeant } from '../messages.ts';
import { hasHeader, hasKey, isAddition, isCreation, isList, sentBy } from '../messages.ts';
import { animalOf, createError, createReply } from '../replies.ts';
import { alter, asDouble, drop, isNewPet, set } from '../values.ts';

/** Answers an equal body with what was answered before, as to a request that is sent again. */
function replayEqual(): Answer {
  const answered = new Map<string, ReturnType<Answer>>();
  return (request, asMock) => {
    if (!isAddition(request)) return asMock(request);
    const reply = answered.get(request.body) ?? asMock(request);
    answered.set(request.body, reply);
    return reply;
  };
}

/** Answers what was sent, under the id of what was kept instead. */
function answerAsSent(keep: (sent: JsonObject) => JsonObject): CreateAnswer {
  return answerOtherwise(isCreation, async (request, asMock) => {
    const sent = sentBy(request);
    if (!isNewPet(sent) || !isInt64(sent.categoryId)) return asMock(request);
    const reply = await asMock({ ...request, body: printExactJson(keep(sent)) });
    return reply.status === 201 ? createReply(201, { ...sent, id: animalOf(reply).id ?? null }) : reply;
  });
}

/** Adds an animal of a body that it refuses. */
function addRefused(repair: (sent: JsonObject) => JsonObject): CreateAnswer {
  return answerOtherwise(isCreation, async (request, asMock) => {
    const reply = await asMock(request);
    const sent = sentBy(request);
    if (reply.status === 400 && Object.keys(sent).length > 1)
      await asMock({ ...request, body: printExactJson(repair(sent)) });
    return reply;
  });
}

const isSent = (isMeant: (sent: JsonObject) => boolean): IsMeant => {
  return (request) => isCreation(request) && isMeant(sentBy(request));
};

const isAtOnce: IsMeant = (one) => isAddition(one) && /at once/.test(String(sentBy(one).name));

/** Lists new animals only once so many lists were asked for since: a list that lags behind. */
function listLate(lists: number): CreateAnswer {
  return () => {
    const waiting = new Map<ExactJson | undefined, number>();
    return async (request, asMock) => {
      const reply = await asMock(request);
      if (reply.status === 201) waiting.set(animalOf(reply).id, lists);
      if (!isList(request) || reply.status !== 200) return reply;
      const all = parseExactJson(reply.body) as readonly JsonObject[];
      const shown = all.filter(({ id }) => (waiting.get(id) ?? 0) <= 0);
      for (const [id, left] of waiting) waiting.set(id, left - 1);
      return createReply(200, shown);
    };
  };
}

function forgetFirst(): Answer {
  let first: ExactJson | undefined;
  let isForgotten = false;
  return async (request, asMock) => {
    if (isForgotten && request.path === `/pets/${first}`) return createError(404);
    const reply = await asMock(request);
    if (reply.status === 201) first ??= animalOf(reply).id;
    isForgotten ||= first !== undefined && isCreation(request) && reply.status === 400;
    return reply;
  };
}

/** Hides an animal in lists once another was added. */
function hideOnceAdded(): Answer {
  let hasAdded = false;
  const hide = change.list((list) => list.filter(({ id }) => id !== 27n || list.length < 5))();
  return (request, asMock) => {
    hasAdded ||= isAddition(request);
    return hasAdded ? hide(request, asMock) : asMock(request);
  };
}

const ten = { options: { animals: 10 } };
const thirty = { options: { animals: 30 } };

/** Deployments that answer a creation in a wrong way, keep something else than was sent, lose it, or harm others for it. */
export const creationDeployments: readonly Deployment[] = deployments({
  'refuses an animal as JSON with a charset': answerWith(hasHeader('content-type', /charset/)),
  'refuses an animal as Application/JSON': answerWith(hasHeader('content-type', /^Application/), 415),
  'reads a body without a length as an empty one': answerWith(hasHeader('transfer-encoding', /./)),
  'requires the name of an animal before its category': answerWith(
    (request) => isCreation(request) && /"categoryId".*"(?:n|\\u006e)ame"/s.test(request.body),
  ),
  'refuses every third animal that is added at once': answerSome((count) => count % 3 === 2, 400, isAtOnce),
  'refuses new animals that are pending': answerWith(isSent(({ status }) => status === 'pending')),
  'refuses categories beyond 32 bits': answerWith(
    isSent(({ categoryId: id }) => isInt64(id) && BigInt.asIntN(32, id) !== id),
  ),
  'refuses categories below 1': answerWith(isSent(({ categoryId: id }) => isInt64(id) && id < 1n)),
  'takes an empty object for an animal where it is plain text': answerOtherwise(
    (request) => isCreation(request) && hasKey(request) && request.headers['content-type'] === 'text/plain',
    createReply(201, { id: 700_000n, name: '', categoryId: 1n }),
  ),
  'keeps an animal that it refuses for its status without one, among many': [
    addRefused((sent) => (sent.status === 'lost' ? drop('status')(sent) : sent)),
    { options: { animals: 400 } },
  ],
  'adds an animal without a name although it refuses it': addRefused((sent) => ({ name: '', ...sent })),

  'gives every new animal one id': change.created(set({ id: 121n })),
  'gives a new animal the id of one that it lists': change.created(alter('id', (id) => Number(id) - 120)),
  'mixes up the names of animals that are added at once': mixUp(isAddition, (request, other) => ({
    body: printExactJson({ ...sentBy(request), name: sentBy(other).name ?? null }),
  })),
  'answers an equal body with the animal of before': replayEqual,
  'takes an id that a client sends and that is free': change.created((animal, request) => {
    const { id } = sentBy(request);
    return typeof id === 'bigint' && id > 1_000_000n ? { ...animal, id } : animal;
  }),

  'answers a name as it was sent, and keeps it normalised to NFC': answerAsSent(
    alter('name', (name) => String(name).normalize('NFC')),
  ),
  'answers a categoryId exactly and keeps it as a double': answerAsSent(alter('categoryId', asDouble)),
  'answers that an animal is sold and keeps it as pending': answerAsSent(
    alter('status', (status) => (status === 'sold' ? 'pending' : status)),
  ),
  'adds a new animal twice': answerOtherwise(isCreation, async (request, asMock) => {
    await asMock(request);
    return asMock(request);
  }),
  'forgets the first animal that was added when it refuses a body': forgetFirst,
  'lists an animal no longer once another is added': [hideOnceAdded, thirty],
  'has room for 60 animals, and loses the oldest ones without a word': () =>
    createStoreAnswer({ disturb: (animals) => void animals.splice(0, animals.length - 60) }),

  'rounds categoryIds in lists by status': change.listed((animal, { query }) =>
    query.has('status') ? alter('categoryId', asDouble)(animal) : animal,
  ),
  'cuts names in lists': [change.listed(alter('name', (name) => String(name).slice(0, 255))), thirty],
  'keeps lists without limit in a cache, and sends their age': [cacheLists({ age: '60' }), ten],
  'keeps lists without limit for ever': [cacheLists({}), ten],
  'lists a new animal a little later': [listLate(3), { target: { settle: 5_000 } }],
  'lists a new animal very much later': listLate(400),
});
