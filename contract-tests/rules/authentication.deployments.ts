import { setTimeout as delay } from 'node:timers/promises';
import { answerOtherwise, change, replace } from '../deployments/changes.ts';
import { statuses } from '../deployments/conforming/store-behaviour.ts';
import { type Answer, breaking } from '../deployments/deployment.ts';
import { accepting, answering } from '../deployments/generated-deployments.ts';
import {
  type DeployedReply,
  hasBody,
  hasHeader,
  hasKey,
  type IsMeant,
  isCreation,
  isFetch,
  isList,
  isListOf,
  withKey,
} from '../deployments/messages.ts';
import { answered, createEmpty, createError, createPage } from '../deployments/replies.ts';
import { drop } from '../deployments/values.ts';

/** Keeps lists in a cache that looks at no key. */
function cacheForAll(): Answer {
  const replies = new Map<string, DeployedReply>();
  return async (request, asMock) => {
    const reply = await asMock(request);
    if (!isList(request)) return reply;
    const key = String(request.query);
    if (hasKey(request)) replies.set(key, reply);
    return reply.status === 401 ? (replies.get(key) ?? reply) : reply;
  };
}

/** How long a request is under way that a request of another client is confused with. */
const CONFUSED_MS = 2;

/** Confuses a request without the right key with a request that another client sends at the same time. */
function mixUpClients(): Answer {
  let known = 0;
  return async (request, asMock) => {
    if (request.method !== 'GET' || request.query.has('limit')) return asMock(request);
    if (!hasKey(request)) return asMock(known === 0 ? request : withKey(request));
    known += 1;
    await delay(CONFUSED_MS);
    known -= 1;
    return asMock(request);
  };
}

const addWithoutKey: Answer = async (request, asMock) => {
  const reply = await asMock(request);
  if (reply.status === 401) await asMock(withKey(request));
  return reply;
};

const LARGE_BODY = 4_000;
const isLargeWithoutKey: IsMeant = (one) => isCreation(one) && !hasKey(one) && one.body.length > LARGE_BODY;
const isWithQuery: IsMeant = (one) => isFetch(one) && one.query.size > 0;
const isEncoded: IsMeant = ({ path }) => /^\/pets\/%3\d/.test(path);

const isLost = hasBody((body) => body.includes('"lost"'));

/** A key in base64, and what a decoder that needs no padding takes for it. */
const padded = 'c2VjcmV0LWtleQ==';
const unpadded = /^Bearer c2VjcmV0LWtleQ$/;

/** The bytes of full-width letters, as a header has them. */
const inFullWidth = /^Bearer (?:\u00ef[\u00bc\u00bd].){8}$/;

export const authenticationDeployments = breaking({
  'list-pets/missing-key': {
    ...answering(['a list without the key'], ['with status 200', 'with status 409', 'with status 500']),
    ...accepting('lists', 'without a key', 'with an empty key'),
    'lists animals without a key at a path with a slash': change.request(
      ({ path }) => path === '/pets/',
      (request) => withKey({ ...request, path: '/pets' }),
    ),
    'looks for a key by the path as it was sent': change.request(
      ({ path }) => path !== '/pets' && /^\/*pets$/i.test(path),
      (request) => withKey({ ...request, path: '/pets' }),
    ),
    'lists animals without a key if the query has both parameters, each of them valid': change.request(
      isListOf((limit, status) => /^\d+$/.test(limit ?? '') && statuses.includes(status ?? '')),
      withKey,
    ),
    'lists animals without a key if the query has a parameter that it does not know': change.request(
      (one) => isList(one) && one.query.keys().some((name) => name !== 'limit' && name !== 'status'),
      withKey,
    ),
    'looks for a key by the end of a path': change.request(
      ({ path }) => /^\/pets[.;]/.test(path),
      (request) => withKey({ ...request, path: '/pets' }),
    ),
    'trusts a proxy that names a user': change.request(hasHeader('x-forwarded-user', /./), withKey),
    'trusts requests that a local address forwards': change.request(
      hasHeader('x-forwarded-for', /./),
      withKey,
    ),
    'trusts the pages of its own origin': change.request(hasHeader('origin', /./), withKey),
    'shows a browser without a key the page of a login': answerOtherwise(
      (one) => one.headers.authorization === undefined && hasHeader('accept', /^text\/html/)(one),
      createPage(200),
    ),
    'sends a browser without a key to a page': answerOtherwise(
      (one) => one.headers.authorization === undefined && hasHeader('accept', /^text\/html/)(one),
      { status: 302, headers: { location: '/login' }, body: '' },
    ),
    'answers 304 to a known ETag before it looks at the key': answerOtherwise(
      (one) => !hasKey(one) && hasHeader('if-none-match', /./)(one),
      createEmpty(304),
    ),
    'keeps lists in a cache for those without a key': cacheForAll,
    'confuses a request without the right key with one of another client': mixUpClients,
  },
  'list-pets/invalid-key': {
    ...accepting('lists', 'with any key', 'with a longer key'),
    'accepts any key of the form that it issues': change.key(isList, /^Bearer [a-z]{4}-[a-z]{3}$/),
    'compares a key up to its first colon': change.key(isList, /^Bearer test-key:/),
    'compares a key up to its first semicolon': change.key(isList, /^Bearer test-key;/),
    'compares a key up to its first dot': change.key(isList, /^Bearer test-key\./),
    'normalises a key': change.key(isList, inFullWidth),
    'compares the letters of a key in any order': change.key(isList, /^Bearer testk-ey$/),
    'decodes a key as a part of a URL': change.key(isList, /^Bearer %74est-key$/),
    'takes 1 for a key': change.key(isList, /^Bearer 1$/),
    'takes underscores for hyphens': change.key(isList, /^Bearer test_key$/),
    'accepts any key for a list of sold animals with a limit': change.request(
      (one) =>
        one.headers.authorization !== undefined &&
        isListOf((limit, status) => limit !== null && status === 'sold')(one),
      withKey,
    ),
    'ignores what may be padding after a key': change.key(isList, /^Bearer test-key=$/),
    'decodes a key in base64': change.key(isList, /^Bearer dGVzdC1rZXk=$/),
    'answers 500 to a key with dots': answerOtherwise(hasHeader('authorization', /\w\.\w/), 500),
    'answers 500 to a key that is not ASCII': answerOtherwise(hasHeader('authorization', /[^\0-\x7f]/), 500),
    'answers 500 to a wrong key with as many letters as the key': answerOtherwise(
      hasHeader('authorization', /^Bearer .{7}[^\0-\x7f]$/),
      500,
    ),
    'answers 500 to two tokens': answerOtherwise(hasHeader('authorization', /^Bearer \w+ \w+$/), 500),
    'answers 500 to a key of 6,000 letters': answerOtherwise(hasHeader('authorization', /^.{6000}/), 500),
    'accepts a token that says that it is not signed': change.key(isList, /^Bearer eyJhbGciOiJub25lIn0\./),
    'accepts a key in base64 without its padding': [
      change.request(hasHeader('authorization', unpadded), ({ headers }) => ({
        headers: { ...headers, authorization: `Bearer ${padded}` },
      })),
      { options: { apiKeys: [padded] }, target: { apiKey: padded } },
    ],
  },
  'list-pets/bearer-form': {
    ...accepting('lists', 'with the key alone', 'with another scheme'),
    'accepts the key in X-API-Key': change.request(hasHeader('x-api-key', /^test-key$/), withKey),
    'accepts the key in X-Auth-Token': change.request(hasHeader('x-auth-token', /^test-key$/), withKey),
    'accepts the key with the scheme JWT': change.key(isList, /^JWT test-key$/),
    'accepts the key as a parameter': change.key(isList, /^Bearer token="test-key"$/),
    'accepts the key of a gateway': change.request(
      hasHeader('ocp-apim-subscription-key', /^test-key$/),
      withKey,
    ),
    'accepts the key in the cookie of a session': change.request(
      hasHeader('cookie', /\bsession=test-key\b/),
      withKey,
    ),
    'accepts the key in a cookie': change.request(hasHeader('cookie', /\btoken=test-key\b/), withKey),
  },
  'create-pet/missing-key': {
    'adds a large animal without the key': change.request(isLargeWithoutKey, withKey),
    ...answering(['an addition without the key'], ['with status 200', 'with status 409', 'with status 500']),
    ...accepting('adds', 'without a key', 'with an empty key'),
  },
  'create-pet/invalid-key': accepting('adds', 'with any key', 'with a longer key'),
  'create-pet/bearer-form': accepting('adds', 'with the key alone', 'with another scheme'),
  'get-pet/missing-key': {
    'returns an animal without the key if the path ends with a slash': change.request(
      (one) => /^\/pets\/\d+\/$/.test(one.path),
      (request) => withKey({ ...request, path: request.path.slice(0, -1) }),
    ),
    'returns an animal without the key if the path has a query': change.request(isWithQuery, withKey),
    'returns an animal without the key if the path is percent-encoded': change.request(isEncoded, withKey),
    ...answering(
      ['a request by id without the key'],
      ['with status 200', 'with status 409', 'with status 500'],
    ),
    ...accepting('returns', 'without a key', 'with an empty key'),
  },
  'get-pet/invalid-key': accepting('returns', 'with any key', 'with a longer key'),
  'get-pet/bearer-form': accepting('returns', 'with the key alone', 'with another scheme'),
  'create-pet/key-before-body': {
    'looks at the status of an animal before a wrong key': replace(
      answered(401, (one) => isLost(one) && hasHeader('authorization', /./)(one)),
      400,
    ),
    'looks for no key next to a charset': change.request(
      (one) => isCreation(one) && hasHeader('content-type', /charset/)(one),
      withKey,
    ),
  },
  'create-pet/unauthorized-adds-nothing': {
    'adds an animal without the right key, and answers 401': answerOtherwise(isCreation, addWithoutKey),
  },
  'recommended/scheme-case': {
    'requires the scheme in exactly this case': replace(
      hasHeader('authorization', /^bearer/),
      createError(401, { 'www-authenticate': 'Bearer' }),
    ),
  },
  'recommended/challenge': {
    'does not say how to authenticate': change.error((reply) => ({
      headers: drop('www-authenticate')(reply.headers),
    })),
  },
  'errors/no-server-fault': {
    'cuts the connection on a large body without the key': answerOtherwise(isLargeWithoutKey, 'drop'),
  },
});
