import {
  acceptKey,
  answered,
  answerOtherwise,
  changeErrorReply,
  changeReply,
  createError,
  createMeeting,
  createReply,
  hasKey,
  type IsMeant,
  isCreation,
  isFetch,
  isList,
  isListOf,
  isListWith,
  withKey,
  without,
} from '../changes.ts';
import { broken, type CreateBehaviour, type DeployedReply, type Deployment } from '../deployment.ts';

const ofLists = ['list-pets/missing-key', 'list-pets/invalid-key', 'list-pets/bearer-form'];
const ofFetches = ['get-pet/missing-key', 'get-pet/invalid-key', 'get-pet/bearer-form'];
const ofCreations = ['create-pet/missing-key', 'create-pet/invalid-key', 'create-pet/bearer-form'];

/** Gives those without the right key what others were answered. */
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

/** Takes a request without the right key for that of another client who is asking at the same time. */
function mixUpClients(): CreateBehaviour {
  return () => {
    let known = 0;
    const meet = createMeeting();
    return async (request, asMock) => {
      if (request.method !== 'GET' || request.query.has('limit')) return asMock(request);
      if (!hasKey(request)) {
        if (known === 0) return asMock(request);
        await meet();
        return asMock(withKey(request));
      }
      known += 1;
      await meet();
      known -= 1;
      return asMock(request);
    };
  };
}

/** Whether the key of a creation is wrong and its body cannot be an object. */
const isWrongAndNoObject: IsMeant = (request) =>
  isCreation(request) && request.headers.authorization !== undefined && !/^\{.*\}$/s.test(request.body);

/** Deployments that look at the key too late, or forget it at times. */
export const laxKeyDeployments: readonly Deployment[] = [
  ...broken(ofLists, {
    'answers an empty list without the right key': changeReply(answered(401, isList), () =>
      createReply(200, []),
    ),
    'keeps lists in a cache for those without a key': cache(isList),
  }),
  ...broken(ofFetches, { 'keeps animals by id in a cache that looks at no key': cache(isFetch) }),
  ...broken([...ofLists, ...ofFetches], {
    'takes a request without the right key for that of another client': mixUpClients(),
  }),
  ...broken(ofLists.slice(0, 1), {
    'lists by status without a key': acceptKey(
      isListOf((_, status) => status !== null),
      /^$/,
    ),
  }),
  ...broken(ofLists.slice(0, 2), {
    'lists available animals to everyone': acceptKey(isListWith({ status: 'available' }), /^/),
    'refuses a status that it does not know before the key': changeReply(
      answered(401, isListWith({ status: 'lost' })),
      () => createError(400),
    ),
  }),
  ...broken(ofFetches.slice(0, 2), {
    'answers sold animals to everyone': answerOtherwise(isFetch, async (request, asMock) => {
      const own = await asMock(withKey(request));
      return String(own.body).includes('"sold"') ? own : asMock(request);
    }),
  }),
  ...broken(ofCreations.slice(0, 2), {
    'refuses a valid animal with 403 where the key is wrong': changeReply(
      answered(401, (request) => isCreation(request) && request.body.includes('contract-test')),
      () => createError(403),
    ),
  }),
  ...broken([...ofCreations, 'create-pet/key-before-body'], {
    'looks at a body before the key': changeReply(
      answered(401, (request) => isCreation(request) && !request.body.includes('contract-test')),
      () => createError(400),
    ),
  }),
  ...broken('create-pet/key-before-body', {
    'looks at the syntax of a body before a key that is wrong': changeReply(
      answered(401, isWrongAndNoObject),
      () => createError(400),
    ),
    'looks at the media type of a body before the key': changeReply(
      answered(401, ({ headers }) => headers['content-type'] === 'text/plain'),
      () => createError(415),
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
    'does not say how to authenticate': changeErrorReply(({ headers }) => ({
      headers: without(headers, 'www-authenticate'),
    })),
  }),
];
