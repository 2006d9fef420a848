import { setTimeout as delay } from 'node:timers/promises';
import { answerOtherwise, answerSome, change, replace } from '../changes.ts';
import { type Behaviour, type Deployment, deployments } from '../deployment.ts';
import {
  answered,
  type DeployedReply,
  drop,
  hasHeader,
  hasKey,
  isAddition,
  isCreation,
  isList,
  withKey,
} from '../messages.ts';

const padded = 'c2VjcmV0LWtleQ==';

/** Keeps lists in a cache that looks at no key. */
function cacheForAll(): Behaviour {
  const replies = new Map<string, DeployedReply>();
  return async (request, asMock) => {
    const reply = await asMock(request);
    if (!isList(request)) return reply;
    const key = String(request.query);
    if (hasKey(request)) replies.set(key, reply);
    return reply.status === 401 ? (replies.get(key) ?? reply) : reply;
  };
}

/** Takes a request without the right key for that of another client who is asking at the same time. */
function mixUpClients(): Behaviour {
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

/** Deployments that let requests pass without the key, refuse them in a wrong way, or look at the key too late. */
export const keyDeployments: readonly Deployment[] = deployments({
  'accepts a key in base64 without its padding': [
    change.request(hasHeader('authorization', /^Bearer c2VjcmV0LWtleQ$/), ({ headers }) => ({
      headers: { ...headers, authorization: `Bearer ${padded}` },
    })),
    { options: { apiKeys: [padded] }, target: { apiKey: padded } },
  ],
  'accepts the key in X-API-Key': change.request(hasHeader('x-api-key', /^test-key$/), withKey),
  'wants the scheme to the letter': replace(hasHeader('authorization', /^bearer/), 401),
  'keeps lists in a cache for those without a key': cacheForAll,
  'refuses the valid key for the third animal': answerSome(
    (count) => count === 3,
    401,
    (request) => isAddition(request) && request.body.includes('contract-test'),
  ),
  'takes a request without the right key for that of another client': mixUpClients,
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
});
