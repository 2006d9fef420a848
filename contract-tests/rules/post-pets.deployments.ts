import { setTimeout as delay } from 'node:timers/promises';
import {
  type ExactJson,
  isJsonObject,
  type JsonObject,
  parseExactJson,
  printExactJson,
} from '../../common/json/exact-json.ts';
import { isInt64, parseInt64 } from '../../common/json/int64.ts';
import {
  answerOtherwise,
  answerSome,
  answerWith,
  cacheLists,
  change,
  changeAnimal,
  combine,
  everySecond,
  listLate,
  mixUp,
} from '../deployments/changes.ts';
import { createStoreAnswer } from '../deployments/conforming/store-behaviour.ts';
import { type Answer, breaking, type CreateAnswer } from '../deployments/deployment.ts';
import { answering } from '../deployments/generated-deployments.ts';
import {
  always,
  hasBody,
  hasHeader,
  hasKey,
  type IsMeant,
  isAddition,
  isAt,
  isCreation,
  isFetch,
  isList,
  isMalformed,
  isSent,
  sentBy,
  withParameters,
} from '../deployments/messages.ts';
import { animalOf, answered, createError, createPage, createReply } from '../deployments/replies.ts';
import { alter, asDouble, drop, isNewPet, readJson, set, turnStatus } from '../deployments/values.ts';

const statuses: readonly (ExactJson | undefined)[] = ['available', 'pending', 'sold', undefined];

/** Accepts a body with a wrong value of a member, and keeps another value. */
function accept(member: string, isWrong: (value?: ExactJson) => boolean, kept: ExactJson): CreateAnswer {
  return change.sent((sent) => (isWrong(sent[member]) ? { ...sent, [member]: kept } : sent));
}

const isOther = (type: string) => (value?: ExactJson) => value !== undefined && typeof value !== type;

/** Takes a member of an object for the object. */
function unwrap(value: ExactJson, member: string): ExactJson {
  return (isJsonObject(value) && value[member]) || value;
}

const toObject = (value: ExactJson): JsonObject => (isJsonObject(value) ? value : {});

/** Returns the member of NewPet that a name is in another case. */
const toMemberName = (name: string) =>
  ['name', 'categoryId', 'status'].find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;

const isManyDigits = (value?: ExactJson) => typeof value === 'string' && /^\d{20,}$/.test(value);

const unwrapFirst = (value: ExactJson): ExactJson => {
  const [first = value, ...others] = Array.isArray(value) ? (value as readonly ExactJson[]) : [];
  return others.length === 0 ? first : value;
};

const keepName = (toKept: (name: string) => string) =>
  change.sent(alter('name', (name) => (typeof name === 'string' ? toKept(name) : name)));

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

/** Answers an equal body with what was answered before, as to a request that is sent again. */
function replayEqual(): Answer {
  const earlier = new Map<string, ReturnType<Answer>>();
  return (request, asMock) => {
    if (!isAddition(request)) return asMock(request);
    const reply = earlier.get(request.body) ?? asMock(request);
    earlier.set(request.body, reply);
    return reply;
  };
}

/** Returns the animal of before for another name that is the same to a store. */
function updateAlike(toKey: (name: string) => string): CreateAnswer {
  return () => {
    const known = new Map<string, JsonObject>();
    return async (request, asMock) => {
      const reply = await asMock(request);
      if (!isAddition(request) || reply.status !== 201) return reply;
      const added = animalOf(reply);
      const alike = known.get(toKey(`${added.name}`));
      known.set(toKey(`${added.name}`), alike ?? added);
      const isOther = alike !== undefined && alike.name !== added.name;
      return isOther ? createReply(201, { ...added, id: alike.id ?? null }) : reply;
    };
  };
}

const isValid: IsMeant = (one) => isAddition(one) && statuses.includes(sentBy(one).status);

/** How long a connection of a pool, or a lock, is held for an animal. */
const HELD_MS = 20;

/** Answers 500 where more POSTs are under way than a pool of connections has room for. */
function poolOf(most: number): CreateAnswer {
  return () => {
    let held = 0;
    return async (request, asMock) => {
      if (!isValid(request)) return asMock(request);
      if (held === most) return createError(500);
      held += 1;
      await delay(HELD_MS);
      held -= 1;
      return asMock(request);
    };
  };
}

/** How many animals wait at most for a lock. */
const MOST_WAITING = 4;

/** Adds animals one after the other. One that waits too long for its turn gets 500. */
function lockForAnimals(): Answer {
  let last = Promise.resolve();
  let waiting = 0;
  return async (request, asMock) => {
    if (!isValid(request)) return asMock(request);
    if (waiting > MOST_WAITING) return createError(500);
    waiting += 1;
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await before;
    await delay(HELD_MS);
    waiting -= 1;
    resolve();
    return asMock(request);
  };
}

/** Keeps a member of the last body in a variable that all requests share. */
function shareLast(member: string): CreateAnswer {
  return () => {
    let last: ExactJson | undefined;
    return async (request, asMock) => {
      if (!isValid(request)) return asMock(request);
      const sent = sentBy(request);
      last = sent[member];
      await delay(HELD_MS);
      const others = drop(member)(sent);
      return asMock({
        ...request,
        body: printExactJson(last === undefined ? others : { ...others, [member]: last }),
      });
    };
  };
}

/** Gives an animal the id that a client has sent, as a double can hold it. */
function takeClientId(): Answer {
  const ofMock = new Map<string, bigint>();
  const taken = new Map<ExactJson | undefined, bigint>();
  const rename = (animal: JsonObject) => ({ ...animal, id: taken.get(animal.id) ?? animal.id ?? null });
  return async (request, asMock) => {
    const own = ofMock.get(request.path);
    const reply = await asMock(own === undefined ? request : { ...request, path: `/pets/${own}` });
    const sent = asDouble(sentBy(request).id);
    if (reply.status === 201 && typeof sent === 'bigint' && sent > 1_000_000n) {
      const { id } = animalOf(reply);
      taken.set(id, sent);
      ofMock.set(`/pets/${sent}`, id as bigint);
    }
    if (reply.status > 201) return reply;
    const value = readJson(reply.body) as JsonObject | readonly JsonObject[];
    return createReply(reply.status, isJsonObject(value) ? rename(value) : value.map(rename));
  };
}

/** Finds an animal also by the id that the client has sent with it. */
function keepClientId(): Answer {
  const aliases = new Map<string, ExactJson | undefined>();
  return async (request, asMock) => {
    const alias = aliases.get(request.path);
    const reply = await asMock(alias === undefined ? request : { ...request, path: `/pets/${alias}` });
    const { id } = sentBy(request);
    const isFree = typeof id === 'bigint' && id > 1_000_000n;
    if (isFree && reply.status === 201) aliases.set(`/pets/${id}`, animalOf(reply).id);
    if (alias === undefined || reply.status !== 200) return reply;
    return createReply(200, { ...animalOf(reply), id: BigInt(request.path.slice('/pets/'.length)) });
  };
}

const isBeyond32Bits = (id: ExactJson | undefined) => typeof id === 'bigint' && BigInt.asIntN(32, id) !== id;
const isAtOnce: IsMeant = (one) => isAddition(one) && /at once/.test(String(sentBy(one).name));
const isNamedAddition: IsMeant = (one) => isAddition(one) && one.body.includes('contract-test');
const isNameFirst: IsMeant = (one) => isCreation(one) && /"categoryId".*"(?:n|\\u006E)ame"/s.test(one.body);
const isPlainText: IsMeant = (one) =>
  isCreation(one) && hasKey(one) && one.headers['content-type'] === 'text/plain';

const nullStatus = (animal: JsonObject) => ({ status: null, ...animal });

/** The length at which a list cuts a name, in characters. */
const LONGEST_NAME = 255;

/** After so many refused animals the next one is refused too. */
const MOST_REFUSALS = 5;

function refuseAfterRefusals(): Answer {
  let refusals = 0;
  return async (request, asMock) => {
    if (!isCreation(request)) return asMock(request);
    if (refusals === MOST_REFUSALS) {
      refusals = 0;
      return createError(400);
    }
    const reply = await asMock(request);
    if (reply.status === 400) refusals += 1;
    return reply;
  };
}

const ten = { options: { animals: 10 } };
/** Lists the animals that are added but for the newest ones. @param toCount how many, by how many there are */
const leaveOutNewest =
  (toCount: (added: number) => number): CreateAnswer =>
  () => {
    const added: ExactJson[] = [];
    return async (request, asMock) => {
      const reply = await asMock(request);
      if (reply.status === 201) added.push(animalOf(reply).id ?? null);
      if (!isList(request) || reply.status !== 200) return reply;
      const { query } = request;
      const whole = await asMock({ ...request, query: withParameters(query, { limit: '100' }) });
      const hidden = new Set(added.slice(added.length - toCount(added.length)));
      const others = (parseExactJson(whole.body) as JsonObject[]).filter(({ id = null }) => !hidden.has(id));
      return createReply(200, others.slice(0, Number(query.get('limit') ?? 20)));
    };
  };

const thirty = { options: { animals: 30 } };
const isOfStart = ({ id }: JsonObject) => typeof id === 'bigint' && id <= 30n;

export const postPetsDeployments = breaking({
  'create-pet/success': {
    'takes no animals, and refuses each with 400': () => createStoreAnswer({ refuse: () => 400 }),
    ...answering(['an added animal'], ['with status 203', 'with status 404', 'with status 500']),
    'refuses the valid key for the third animal': answerSome((count) => count === 3, 401, isNamedAddition),
    'refuses whatever follows five refused animals': refuseAfterRefusals,
    'refuses an animal as JSON with a charset': answerWith(hasHeader('content-type', /charset/)),
    'refuses an animal as JSON with a charset after no space': answerWith(
      hasHeader('content-type', /json;charset/),
    ),
    'knows no media type with a charset after a space': answerWith(
      hasHeader('content-type', /; charset=utf-8/),
      415,
    ),
    'refuses every third animal that is added at once': answerSome((count) => count % 3 === 2, 400, isAtOnce),
    'requires the name of an animal before its category': answerWith(isNameFirst),
    'has a firewall that answers every creation with a page and 403': answerWith(isCreation, createPage(403)),
    'requires a token against forged requests, with a page for each valid animal': answerWith(
      isValid,
      createPage(403, {}, '<!doctype html><title>CSRF verification failed</title>'),
    ),
    'has a pool of five connections, and answers 500 to the sixth animal at once': poolOf(5),
    'has a lock for animals, and answers 500 where five wait for it': lockForAnimals,
  },
  'create-pet/pet': {
    ...answering(['an added animal'], ['with an id beyond int64']),
    ...answering(
      ['an added animal'],
      [
        'with a page',
        'in an envelope',
        'without its end',
        'without an id',
        'without a name',
        'with a string for the id',
        'with a string for the categoryId',
        'with null for the status',
        'with the status in upper case',
      ],
    ),
    'has null for the status of animals that have none': change.json(always, (value) =>
      isJsonObject(value) ? nullStatus(value) : (value as readonly JsonObject[]).map(nullStatus),
    ),
  },
  'create-pet/echoes': {
    ...answering(['an added animal'], ['with another name', 'with another categoryId', 'without a status']),
    'keeps names in upper case': keepName((name) => name.toUpperCase()),
    'takes no names but those of its animals, and returns them in upper case': combine([
      () =>
        createStoreAnswer({
          refuse: ({ name }) => (typeof name === 'string' && /^Animal \d+$/.test(name) ? undefined : 400),
        }),
      change.created(alter('name', (name) => String(name).toUpperCase())),
    ]),
    'keeps no status': change.sent((sent) => (statuses.includes(sent.status) ? drop('status')(sent) : sent)),
    'returns another status in every second addition': everySecond(
      answered(201, isCreation),
      changeAnimal(turnStatus),
    ),
  },
  'create-pet/text-exact': {
    'reads a body with a charset as Latin-1': change.request(
      (one) => isCreation(one) && hasHeader('content-type', /charset/)(one),
      ({ body }) => ({ body: Buffer.from(body).toString('latin1') }),
    ),
    'keeps U+FFFD for letters that are not ASCII': keepName((name) =>
      name.replaceAll(/[\x80-\xff]/g, '\ufffd'),
    ),
    'answers 500 to half of a surrogate pair': answerWith(
      isSent(({ name }) => typeof name === 'string' && !name.isWellFormed()),
      500,
    ),
    'masks mail addresses and card numbers in names': keepName((name) =>
      name.replaceAll(/\S+@\S+\.\w+|\d{4} \d{4} \d{4} \d{4}/g, '***'),
    ),
    'keeps names without addresses of pages': keepName((name) => name.replaceAll(/https?:\/\/\S+/g, '')),
    'keeps a date in a name as a time, as another animal is called': keepName((name) =>
      /^\d{4}-\d\d-\d\d$/.test(name) ? `${name}T00:00:00Z` : name,
    ),
    'keeps names without dots at their end': keepName((name) => name.replace(/\.+ *$/, '')),
    'keeps names without space around': keepName((name) => name.trim()),
    'keeps names without quotes around': keepName((name) => name.replace(/^"(.*)"$/, '$1')),
    'keeps names without a line break at their end': keepName((name) => name.replace(/\n$/, '')),
    'keeps names up to a tag that does not end': keepName((name) => name.replace(/<[^>]*$/, '')),
    'keeps names up to a colon and a space': keepName((name) => name.replace(/: .*/s, '')),
    'keeps ? for a letter beyond 17 bits': keepName((name) =>
      name.replaceAll(/[\u{20000}-\u{10ffff}]/gu, '?'),
    ),
    'answers a name as it was sent, and keeps it normalised to NFC': answerAsSent(
      alter('name', (name) => String(name).normalize('NFC')),
    ),
  },
  'create-pet/int64-exact': {
    'answers a categoryId exactly and keeps it as a double': answerAsSent(alter('categoryId', asDouble)),
    'answers 500 to a categoryId beyond 32 bits': answerWith(
      isSent(({ categoryId }) => isBeyond32Bits(categoryId)),
      500,
    ),
    'rounds the categoryId in every second reply by id': everySecond(
      answered(200, isFetch),
      changeAnimal(alter('categoryId', asDouble)),
    ),
  },
  'create-pet/category-any': {
    'refuses categories beyond 32 bits': answerWith(
      isSent(({ categoryId }) => isInt64(categoryId) && isBeyond32Bits(categoryId)),
    ),
    'refuses categories beyond 32 bits as a conflict': answerWith(
      isSent(({ categoryId }) => isInt64(categoryId) && isBeyond32Bits(categoryId)),
      409,
    ),
  },
  'create-pet/status-kept': {
    'refuses new animals that are pending': answerWith(isSent(({ status }) => status === 'pending')),
    'answers that an animal is sold and keeps it as pending': answerAsSent(
      alter('status', (status) => (status === 'sold' ? 'pending' : status)),
    ),
    'answers that an animal without a status is available, and keeps it without one': change.reply(
      answered(201, isCreation),
      changeAnimal((animal) => ({ status: 'available', ...animal })),
    ),
  },
  'create-pet/unique-id': {
    'gives a new animal the id of one that it lists': change.created(alter('id', (id) => Number(id) - 120)),
    'gives every new animal one id': change.created(set({ id: 121n })),
    'mixes up the names of animals that are added at once': mixUp(isAddition, (request, other) => ({
      body: printExactJson({ ...sentBy(request), name: sentBy(other).name ?? null }),
    })),
    'answers an equal body with the animal of before': replayEqual,
    'updates the animal whose name begins with the same 255 letters': updateAlike((name) =>
      name.slice(0, 255),
    ),
    'updates the animal whose name differs in accents': updateAlike((name) =>
      name.normalize('NFD').replaceAll(/\p{M}/gu, ''),
    ),
    'updates the animal whose name differs in letters beyond 16 bits': updateAlike((name) =>
      name.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?'),
    ),
    'keeps the categoryId of a new animal where others at once change it': shareLast('categoryId'),
    'keeps the status of a new animal where others at once change it': shareLast('status'),
  },
  'create-pet/id-assigned': {
    'takes an id that a client sends and that is free': change.created((animal, request) => {
      const { id } = sentBy(request);
      return typeof id === 'bigint' && id > 1_000_000n ? { ...animal, id } : animal;
    }),
    'takes a free id of a client, as a double': takeClientId,
    'keeps a free id of a client, and returns another': keepClientId,
  },
  'create-pet/stored': {
    'adds a new animal twice': answerOtherwise(isCreation, async (request, asMock) => {
      await asMock(request);
      return asMock(request);
    }),
    'rounds categoryIds in lists by status': change.listed((animal, { query }) =>
      query.has('status') ? alter('categoryId', asDouble)(animal) : animal,
    ),
    'cuts names in lists': [
      change.listed(alter('name', (name) => String(name).slice(0, LONGEST_NAME))),
      thirty,
    ],
    'lists a new animal very much later': listLate(400),
    'keeps the longest list in a cache': [cacheLists({}, Infinity, (limit) => limit === '100'), thirty],
    'leaves the newest animal out of lists, which may be a second old': [
      combine([
        leaveOutNewest((added) => Math.min(1, added)),
        change.reply(isList, ({ headers }) => ({ headers: { ...headers, 'cache-control': 'max-age=1' } })),
      ]),
      { options: { animals: 10, behaviour: { order: 'newest' } } },
    ],
    'lists new animals in pairs': [leaveOutNewest((added) => added % 2), ten],
    'lists new animals in fours': [leaveOutNewest((added) => added % 4), ten],
    'lists no new animal': [change.list((list) => list.filter(isOfStart)), thirty],
    'lists no new animal without a status': [
      change.list((list) => list.filter((animal) => isOfStart(animal) || animal.status !== undefined)),
      thirty,
    ],
  },
  'create-pet/name-required': {
    ...answering(['an invalid body'], ['with status 409', 'with status 500']),
    'takes the members of __proto__ for those of an animal': change.body((body) =>
      body.replace(/^\{"__proto__":(.*)\}$/, '$1'),
    ),
    'reads the names of members in any case': change.sent((sent) =>
      Object.fromEntries(Object.entries(sent).map(([name, value]) => [toMemberName(name), value])),
    ),
    'takes the member pet of a body for the animal': change.sent((sent) => toObject(unwrap(sent, 'pet'))),
    'takes the member data of a body for the animal': change.sent((sent) => toObject(unwrap(sent, 'data'))),
    'adds animals without a name': accept('name', (name) => name === undefined, 'Rex'),
  },
  'create-pet/category-required': {
    'takes a categoryId from the query': change.request(isCreation, ({ body, query }) =>
      query.has('categoryId') ? { body: body.replace('}', `,"categoryId":${query.get('categoryId')}}`) } : {},
    ),
    'adds animals without a categoryId': accept('categoryId', (id) => id === undefined, 1n),
  },
  'create-pet/name-type': {
    'adds animals with null for a name': accept('name', (name) => name === null, ''),
    'adds animals with another type for a name': accept('name', isOther('string'), 'Rex'),
  },
  'create-pet/category-type': {
    // The run may add no more animals before it has sent the other bodies.
    ...answering(['an invalid body'], ['with status 200']),
    'validates no body that has a charset': answerOtherwise(
      (one) => isCreation(one) && hasHeader('content-type', /charset/)(one) && sentBy(one).categoryId === 'x',
      createReply(201, { id: 999_999n, name: 'Rex', categoryId: 1n }),
    ),
    'takes the id of an object for a categoryId': change.sent(
      alter('categoryId', (one) => unwrap(one, 'id')),
    ),
    'takes a string of 16 digits for a categoryId': change.sent(
      alter('categoryId', (one) => (typeof one === 'string' && /^\d{16}$/.test(one) ? BigInt(one) : one)),
    ),
    'takes a part of -1 for 0': change.sent(
      alter('categoryId', (one) => (typeof one === 'number' && one > -1 && one < 0 ? 0n : one)),
    ),
    'takes the one element of an array for a categoryId': change.sent(alter('categoryId', unwrapFirst)),
    'takes an empty object for the categoryId 0': change.sent(
      alter('categoryId', (one) => (isJsonObject(one) && Object.keys(one).length === 0 ? 0n : one)),
    ),
    'answers 500 to a categoryId that is a string of many digits': answerWith(
      isSent(({ categoryId }) => isManyDigits(categoryId)),
      500,
    ),
    'takes a string of digits for a categoryId': change.sent(
      alter('categoryId', (one) => (typeof one === 'string' ? (parseInt64(one) ?? one) : one)),
    ),
    'adds animals with another type for a categoryId': accept('categoryId', isOther('bigint'), 1n),
  },
  'create-pet/status-value': {
    'takes the value of an object for a status': change.sent(alter('status', (one) => unwrap(one, 'value'))),
    'answers 500 to a status that is a string of many digits': answerWith(
      isSent(({ status }) => isManyDigits(status)),
      500,
    ),
    'takes null for no status': change.sent((sent) => (sent.status === null ? drop('status')(sent) : sent)),
    'takes the first of several statuses': change.sent(
      alter('status', (status) => (typeof status === 'string' ? (status.split(',')[0] ?? '') : status)),
    ),
    'takes letters that look alike for those of a status': change.sent(
      alter('status', (status) => (typeof status === 'string' ? status.normalize('NFKC') : status)),
    ),
    'adds animals with any status': accept('status', (status) => !statuses.includes(status), 'sold'),
  },
  'create-pet/body-required': {
    'answers 500 to a body that counts as false': answerWith(
      hasBody((body) => ['0', 'false', '""'].includes(body)),
      500,
    ),
    'adds an animal for an empty body': change.body((body) => body || '{"name":"Rex","categoryId":1}'),
    'takes an empty object for an animal where it is plain text': answerOtherwise(
      isPlainText,
      createReply(201, { id: 700_000n, name: '', categoryId: 1n }),
    ),
  },
  'create-pet/malformed': {
    'adds an animal for what is nested deeply': answerOtherwise(
      (one) => isCreation(one) && hasKey(one) && hasBody((body) => body.startsWith('[[[[[['))(one),
      createReply(201, { id: 999_999n, name: 'Rex', categoryId: 1n }),
    ),
    'answers 500 to a byte order mark': answerWith(
      hasBody((body) => body.startsWith('\ufeff')),
      500,
    ),
    'answers 500 to bytes that are not UTF-8': answerWith(
      hasBody((body) => body.includes('\ufffd')),
      500,
    ),
    'has an error handler that answers 500 to malformed JSON, and to a path that is not UTF-8': combine([
      answerOtherwise(isMalformed, createPage(500)),
      answerOtherwise(isAt('%E0%A4'), createPage(500)),
    ]),
  },
  'create-pet/refused-adds-nothing': {
    'keeps an animal that it refuses for its status without one, among many': [
      addRefused((sent) => (sent.status === 'lost' ? drop('status')(sent) : sent)),
      { options: { animals: 400 } },
    ],
    'adds an animal without a name although it refuses it': addRefused((sent) => ({ name: '', ...sent })),
  },
  'list-pets/limit-default': {
    'keeps lists without limit in a cache, and sends their age': [cacheLists({ age: '60' }), ten],
    'keeps lists without limit for ever': [cacheLists({}), ten],
  },
});
