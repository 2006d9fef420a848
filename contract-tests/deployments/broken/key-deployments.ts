import { type Accepted, answerOtherwise, change, createMeeting, replace } from '../changes.ts';
import type { Behaviour, CreateBehaviour, DeployedReply, Deployment } from '../deployment.ts';
import { isNewPet, readJson, without } from '../members.ts';
import { createError } from '../replies.ts';
import {
  always,
  answered,
  hasHeader,
  hasKey,
  type IsMeant,
  idOf,
  isCreation,
  isFetch,
  isList,
  isListOf,
  isListWith,
  sentBy,
  withKey,
} from '../requests.ts';
import { broken, brokenWith } from '../rows.ts';

/** What an operation does, and which requests are of it. */
const operations: Readonly<Record<string, readonly [string, IsMeant]>> = {
  'list-pets': ['lists', isList],
  'create-pet': ['adds an animal', isCreation],
  'get-pet': ['answers an animal', isFetch],
};

/** The key as the password of Basic. */
const isPassword: Accepted = {
  test: (value) => /^.*:test-key$/.test(Buffer.from(value.split(' ')[1] ?? '', 'base64').toString()),
};

/** A key of which characters are cut to bytes. */
const isCutToBytes: Accepted = {
  test: (value) => {
    const text = Buffer.from(value, 'latin1').toString('utf8');
    return Buffer.from(text, 'latin1').toString() === 'Bearer test-key';
  },
};

const padded = 'c2VjcmV0LWtleQ==';

const everywhere = (clause: string) => Object.keys(operations).map((id) => `${id}/${clause}`);

const laxCreations = ['create-pet/key-before-body', 'create-pet/unauthorized-adds-nothing'];
const ofLists = ['list-pets/missing-key', 'list-pets/invalid-key', 'list-pets/bearer-form'];
const ofFetches = ['get-pet/missing-key', 'get-pet/invalid-key', 'get-pet/bearer-form'];
const ofCreations = ['create-pet/missing-key', 'create-pet/invalid-key', 'create-pet/bearer-form'];

function cache(isMeant: IsMeant): CreateBehaviour {
  return () => {
    const replies = new Map<string, DeployedReply>();
    return async (request, asMock) => {
      const reply = await asMock(request);
      if (!isMeant(request)) return reply;
      const key = `${request.path}?${request.query}`;
      if (hasKey(request)) replies.set(key, reply);
      return reply.status === 401 ? (replies.get(key) ?? reply) : reply;
    };
  };
}

/** Returns the 401 of a request without the right key to the next requests with that key. */
function cacheRefusals(isMeant: IsMeant): CreateBehaviour {
  return () => {
    const refusals = new Map<string, DeployedReply>();
    return async (request, asMock) => {
      const key = `${request.path}?${request.query}`;
      const reply = refusals.get(key) ?? (await asMock(request));
      if (isMeant(request) && reply.status === 401) refusals.set(key, reply);
      return reply;
    };
  };
}

/** Takes a request without the right key for that of another client who is asking at the same time. */
function mixUpClients(): Behaviour {
  let known = 0;
  const meet = createMeeting();
  return async (request, asMock) => {
    if (request.method !== 'GET' || request.query.has('limit')) return asMock(request);
    if (!hasKey(request) && known === 0) return asMock(request);
    const own = hasKey(request) ? 1 : 0;
    known += own;
    await meet();
    known -= own;
    return asMock(withKey(request));
  };
}

const isValid: IsMeant = (request) => isCreation(request) && request.body.includes('contract-test');

const isWrongAndNoObject: IsMeant = (request) =>
  isCreation(request) && request.headers.authorization !== undefined && !/^\{.*\}$/s.test(request.body);

/** Deployments that let requests pass without the key, refuse them in a wrong way, or look at the key too late. */
export const keyDeployments: readonly Deployment[] = [
  ...Object.entries(operations).flatMap(([id, [does, isMeant]]) => {
    const besides = id === 'create-pet' ? laxCreations : [];
    const refusals = ['missing-key', 'invalid-key', 'bearer-form'].map((clause) => `${id}/${clause}`);
    return [
      ...broken([`${id}/missing-key`, ...besides], {
        [`${does} without a key`]: change.key(isMeant, /^$/),
      }),
      ...broken([`${id}/invalid-key`, `${id}/bearer-form`, ...besides], {
        [`${does} with any key`]: change.key(isMeant, /^Bearer ./),
      }),
      ...broken(`${id}/bearer-form`, { [`${does} for the bare key`]: change.key(isMeant, /^test-key$/) }),
      ...broken([...refusals, ...besides.slice(0, 1)], {
        [`${does} and answers 403 without the right key`]: replace(answered(401, isMeant), createError(403)),
      }),
    ];
  }),
  ...broken(everywhere('missing-key'), { 'accepts an empty key': change.key(always, /^Bearer ?$/) }),
  ...broken(everywhere('invalid-key'), {
    'accepts a longer key': change.key(always, /^Bearer test-key\w/),
    'accepts another word behind the key': change.key(always, /^Bearer test-key /),
    'accepts the key before what is not ASCII': change.key(always, /^Bearer test-key[^\0-\x7f]+$/),
    'cuts the characters of a key to bytes': change.key(always, isCutToBytes),
  }),
  ...brokenWith({ apiKeys: [padded] }, everywhere('invalid-key'), {
    'accepts a key in base64 without its padding': change.request(
      hasHeader('authorization', /^Bearer c2VjcmV0LWtleQ$/),
      ({ headers }) => ({ headers: { ...headers, authorization: `Bearer ${padded}` } }),
    ),
  }).map((row) => ({ ...row, target: { apiKey: padded } })),
  ...broken(everywhere('bearer-form'), {
    'accepts the key after "Bearer:"': change.key(always, /^Bearer: test-key$/),
    'accepts the key after another scheme and "Bearer"': change.key(always, /^Basic Bearer test-key$/),
    'takes away every "Bearer" before the key': change.key(always, /^(?:Bearer )+test-key$/),
    'accepts the key for the password of Basic': change.key(always, isPassword),
    'accepts the key with any scheme': change.key(always, /^\w+ test-key$/),
    'looks for the scheme anywhere': change.key(always, /Bearer test-key$/),
    'accepts the key in X-API-Key': change.request(
      ({ headers }) => headers['x-api-key'] === 'test-key',
      withKey,
    ),
  }),
  ...broken('advised/scheme-case', {
    'wants the scheme to the letter': replace(hasHeader('authorization', /^bearer/), createError(401)),
  }),
  ...broken(ofLists, {
    'keeps lists in a cache for those without a key': cache(isList),
  }),
  ...broken(ofFetches, { 'keeps animals by id in a cache that looks at no key': cache(isFetch) }),
  ...broken('list-pets/success', {
    'keeps the 401 of a list by status in a cache that looks at no key': cacheRefusals(
      isListOf((_, status) => status !== null),
    ),
  }),
  ...broken('create-pet/success', {
    'refuses the valid key for the third animal': () => {
      let valid = 0;
      return async (request, asMock) => {
        const isCounted = isValid(request) && hasKey(request) && isNewPet(sentBy(request));
        if (isCounted) valid += 1;
        return isCounted && valid === 3 ? createError(401) : asMock(request);
      };
    },
  }),
  ...broken([...ofLists, ...ofFetches], {
    'takes a request without the right key for that of another client': mixUpClients,
  }),
  ...broken(ofLists.slice(0, 1), {
    'lists by status without a key': change.key(
      isListOf((_, status) => status !== null),
      /^$/,
    ),
  }),
  ...broken(ofLists.slice(0, 2), {
    'lists available animals to everyone': change.key(isListWith({ status: 'available' }), /^/),
    'refuses a status that it does not know before the key': replace(
      answered(401, isListWith({ status: 'lost' })),
      createError(400),
    ),
  }),
  ...broken(ofFetches.slice(0, 1), {
    'finds that an id is not positive before it looks for a key': replace(
      answered(
        401,
        (request) => isFetch(request) && /^(?:0|-.*)$/.test(idOf(request)) && !request.headers.authorization,
      ),
      createError(404),
    ),
    'reads ids beyond 32 bits before the key, and fails': replace(
      answered(401, (request) => isFetch(request) && idOf(request) === String(2 ** 31)),
      createError(400),
    ),
  }),
  ...broken(ofFetches.slice(0, 2), {
    'answers sold animals to everyone': answerOtherwise(isFetch, async (request, asMock) => {
      const own = await asMock(withKey(request));
      return String(own.body).includes('"sold"') ? own : asMock(request);
    }),
  }),
  ...broken(ofCreations.slice(0, 2), {
    'refuses a valid animal with 403 where the key is wrong': replace(
      answered(401, isValid),
      createError(403),
    ),
  }),
  ...broken('create-pet/key-before-body', {
    'looks at the status of an animal before the key': replace(
      answered(401, (request) => isCreation(request) && sentBy(request).status === 'lost'),
      createError(400),
    ),
    'takes only objects before a key that is wrong': replace(
      answered(401, isWrongAndNoObject),
      createError(400),
    ),
    'looks at the syntax of a body before the key': replace(
      answered(401, (request) => isCreation(request) && readJson(request.body) === undefined),
      createError(400),
    ),
    'looks at the media type of a body before the key': replace(
      answered(401, hasHeader('content-type', /^text\/plain$/)),
      createError(415),
    ),
  }),
  ...broken('create-pet/unauthorized-adds-nothing', {
    'adds an animal without the right key, and answers 401': answerOtherwise(
      isCreation,
      async (request, asMock) => {
        const reply = await asMock(request);
        if (reply.status === 401) await asMock(withKey(request));
        return reply;
      },
    ),
  }),
  ...broken('advised/challenge', {
    'does not say how to authenticate': change.errorReply(({ headers }) => ({
      headers: without(headers, 'www-authenticate'),
    })),
  }),
];
