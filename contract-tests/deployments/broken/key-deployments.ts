import { type Accepted, answerOtherwise, change, createMeeting, replace } from '../changes.ts';
import {
  type Behaviour,
  type CreateBehaviour,
  type DeployedReply,
  type Deployment,
  deployments,
} from '../deployment.ts';
import { isNewPet, without } from '../members.ts';
import { createError } from '../replies.ts';
import {
  always,
  answered,
  hasHeader,
  hasKey,
  type IsMeant,
  isCreation,
  isList,
  isListOf,
  sentBy,
  withKey,
} from '../requests.ts';

/** A key of which characters are cut to bytes. */
const isCutToBytes: Accepted = {
  test: (value) => {
    const text = Buffer.from(value, 'latin1').toString('utf8');
    return Buffer.from(text, 'latin1').toString() === 'Bearer test-key';
  },
};

const padded = 'c2VjcmV0LWtleQ==';

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

/** Deployments that let requests pass without the key, refuse them in a wrong way, or look at the key too late. */
export const keyDeployments: readonly Deployment[] = [
  ...deployments({
    'cuts the characters of a key to bytes': change.key(always, isCutToBytes),
  }),
  ...deployments(
    {
      'accepts a key in base64 without its padding': change.request(
        hasHeader('authorization', /^Bearer c2VjcmV0LWtleQ$/),
        ({ headers }) => ({ headers: { ...headers, authorization: `Bearer ${padded}` } }),
      ),
    },
    {
      options: { apiKeys: [padded] },
      target: { apiKey: padded },
    },
  ),
  ...deployments({
    'accepts the key in X-API-Key': change.request(
      ({ headers }) => headers['x-api-key'] === 'test-key',
      withKey,
    ),
    'wants the scheme to the letter': replace(hasHeader('authorization', /^bearer/), createError(401)),
    'keeps lists in a cache for those without a key': cache(isList),
  }),

  ...deployments({
    'keeps the 401 of a list by status in a cache that looks at no key': cacheRefusals(
      isListOf((_, status) => status !== null),
    ),
    'refuses the valid key for the third animal': () => {
      let valid = 0;
      return async (request, asMock) => {
        const isCounted = isValid(request) && hasKey(request) && isNewPet(sentBy(request));
        if (isCounted) valid += 1;
        return isCounted && valid === 3 ? createError(401) : asMock(request);
      };
    },
    'takes a request without the right key for that of another client': mixUpClients,
  }),

  ...deployments({
    'looks at the status of an animal before the key': replace(
      answered(401, (request) => isCreation(request) && sentBy(request).status === 'lost'),
      createError(400),
    ),

    'looks at the media type of a body before the key': replace(
      answered(401, hasHeader('content-type', /^text\/plain$/)),
      createError(415),
    ),
    'adds an animal without the right key, and answers 401': answerOtherwise(
      isCreation,
      async (request, asMock) => {
        const reply = await asMock(request);
        if (reply.status === 401) await asMock(withKey(request));
        return reply;
      },
    ),
    'does not say how to authenticate': change.errorReply(({ headers }) => ({
      headers: without(headers, 'www-authenticate'),
    })),
  }),
];
