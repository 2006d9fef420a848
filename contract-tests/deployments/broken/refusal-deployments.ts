import { setTimeout as delay } from 'node:timers/promises';
import { answerOtherwise, answerSome, answerWith, change, replace } from '../changes.ts';
import { type Answer, type Deployment, deployments } from '../deployment.ts';
import {
  always,
  answered,
  createEmpty,
  createError,
  type DeployedReply,
  drop,
  hasHeader,
  hasKey,
  type IsMeant,
  isAddition,
  isCreation,
  isList,
  readJson,
  sendAs,
  withKey,
} from '../messages.ts';

const padded = 'c2VjcmV0LWtleQ==';

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

/** Confuses a request without the right key with a request that another client sends at the same time. */
function mixUpClients(): Answer {
  let known = 0;
  return async (request, asMock) => {
    if (request.method !== 'GET' || request.query.has('limit')) return asMock(request);
    if (!hasKey(request)) return asMock(known === 0 ? request : withKey(request));
    known += 1;
    await delay(2);
    known -= 1;
    return asMock(request);
  };
}

function hasBody(isWanted: (body: string) => boolean): IsMeant {
  return (request) => isCreation(request) && isWanted(request.body);
}

function isAt(id: string): IsMeant {
  return ({ path }) => path === `/pets/${id}`;
}

const toText = sendAs('text/plain', 'It is refused.');
const isMalformed = hasBody((body) => body !== '' && readJson(body) === undefined);

/**
 * Deployments that accept requests without the key, look at the key too late, or err in a wrong way. requests.test.ts looks
 * for the other requests of each kind.
 */
export const refusalDeployments: readonly Deployment[] = deployments({
  'accepts a key in base64 without its padding': [
    change.request(hasHeader('authorization', /^Bearer c2VjcmV0LWtleQ$/), ({ headers }) => ({
      headers: { ...headers, authorization: `Bearer ${padded}` },
    })),
    { options: { apiKeys: [padded] }, target: { apiKey: padded } },
  ],
  'accepts the key in X-API-Key': change.request(hasHeader('x-api-key', /^test-key$/), withKey),
  'requires the scheme in exactly this case': replace(hasHeader('authorization', /^bearer/), 401),
  'keeps lists in a cache for those without a key': cacheForAll,
  'refuses the valid key for the third animal': answerSome(
    (count) => count === 3,
    401,
    (request) => isAddition(request) && request.body.includes('contract-test'),
  ),
  'confuses a request without the right key with one of another client': mixUpClients,
  'looks at the status of an animal before the key': replace(
    answered(401, (request) => isCreation(request) && request.body.includes('"lost"')),
    400,
  ),
  'adds an animal without the right key, and answers 401': answerOtherwise(
    isCreation,
    async (request, asMock) => {
      const reply = await asMock(request);
      if (reply.status === 401) await asMock(withKey(request));
      return reply;
    },
  ),
  'does not say how to authenticate': change.error(({ headers }) => ({
    headers: drop('www-authenticate')(headers),
  })),
  'begins every body with a byte order mark': change.reply(always, ({ body }) => ({
    body: `\ufeff${body}`,
  })),
  'refuses a large body with 413 and plain text': change.reply(
    hasBody((body) => body.length > 100_000),
    (reply) => ({ ...toText(reply), status: 413 }),
  ),
  'answers 500 to a body over 1 MiB': answerWith(
    hasBody((body) => body.length > 1_048_576),
    500,
  ),
  'answers 500 to a body that is nested deeply': answerWith(
    hasBody((body) => body.startsWith('[[[[[[')),
    500,
  ),
  'answers 500 to a body that says it is compressed': answerWith(
    hasHeader('content-encoding', /^gzip$/),
    500,
  ),
  'answers 507 to an id that is not an integer': answerWith(isAt('abc'), 507),
  'cuts the connection on a body that is malformed': answerWith(isMalformed, 'drop'),
  'has a page for an id that is not UTF-8': replace(isAt('%E0%A4'), {
    ...createError(502),
    body: 'Bad Gateway',
  }),
  'answers a very long id 414 and nothing': replace(isAt('9'.repeat(400)), createEmpty(414)),
  'answers a very long key 431 and nothing': replace(
    hasHeader('authorization', /^.{5000}/),
    createEmpty(431),
  ),
});
