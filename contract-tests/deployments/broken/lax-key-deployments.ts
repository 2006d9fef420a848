import {
  acceptKey,
  changeErrorReply,
  changeReply,
  createError,
  createReply,
  hasKey,
  isCreation,
  isFetch,
  isList,
} from '../changes.ts';
import type { DeployedReply, Deployment } from '../deployment.ts';

/** Deployments that look at the key too late, or forget it at times. */
export const laxKeyDeployments: readonly Deployment[] = [
  {
    name: 'answers an empty list without the right key',
    breaks: ['list-pets/missing-key', 'list-pets/invalid-key', 'list-pets/bearer-form'],
    createBehaviour: changeReply(
      (request, { status }) => isList(request) && status === 401,
      () => createReply(200, []),
    ),
  },
  {
    name: 'lists by status without a key',
    breaks: ['list-pets/missing-key'],
    createBehaviour: acceptKey(
      (request) => isList(request) && request.query.has('status'),
      (value) => value === undefined,
    ),
  },
  {
    name: 'keeps animals by id in a cache that looks at no key',
    breaks: ['get-pet/missing-key', 'get-pet/invalid-key', 'get-pet/bearer-form'],
    createBehaviour: () => {
      const cache = new Map<string, DeployedReply>();
      return async (request, asMock) => {
        if (!isFetch(request)) return asMock(request);
        const reply = cache.get(request.path) ?? (await asMock(request));
        if (reply.status === 200) cache.set(request.path, reply);
        return reply;
      };
    },
  },
  {
    name: 'keeps lists in a cache for those without a key',
    breaks: ['list-pets/missing-key', 'list-pets/invalid-key', 'list-pets/bearer-form'],
    createBehaviour: () => {
      const cache = new Map<string, DeployedReply>();
      return async (request, asMock) => {
        if (!isList(request)) return asMock(request);
        const reply = await asMock(request);
        if (hasKey(request)) cache.set(String(request.query), reply);
        return reply.status === 401 ? (cache.get(String(request.query)) ?? reply) : reply;
      };
    },
  },
  {
    name: 'looks at a body before the key',
    breaks: [
      'create-pet/missing-key',
      'create-pet/invalid-key',
      'create-pet/bearer-form',
      'create-pet/key-before-body',
    ],
    createBehaviour: () => async (request, asMock) => {
      const reply = await asMock(request);
      if (!isCreation(request) || reply.status !== 401 || request.body.includes('contract-test'))
        return reply;
      return createError(400);
    },
  },
  {
    name: 'looks at the syntax of a body before the key',
    breaks: ['create-pet/key-before-body'],
    createBehaviour: changeReply(
      (request, { status }) => isCreation(request) && status === 401 && !isObject(request.body),
      () => createError(400),
    ),
  },
  {
    name: 'lists available animals to everyone',
    breaks: ['list-pets/missing-key', 'list-pets/invalid-key'],
    createBehaviour: acceptKey(
      (request) => isList(request) && request.query.get('status') === 'available',
      () => true,
    ),
  },
  {
    name: 'answers sold animals to everyone',
    breaks: ['get-pet/missing-key', 'get-pet/invalid-key'],
    createBehaviour: () => async (request, asMock) => {
      const reply = await asMock(request);
      if (!isFetch(request) || reply.status !== 401) return reply;
      const own = await asMock({
        ...request,
        headers: { ...request.headers, authorization: 'Bearer test-key' },
      });
      return String(Buffer.from(own.body)).includes('"sold"') ? own : reply;
    },
  },
  {
    name: 'refuses a status that it does not know before the key',
    breaks: ['list-pets/missing-key', 'list-pets/invalid-key'],
    createBehaviour: changeReply(
      (request, { status }) => isList(request) && status === 401 && request.query.get('status') === 'lost',
      () => createError(400),
    ),
  },
  {
    name: 'looks at the syntax of a body before a key that is wrong',
    breaks: ['create-pet/key-before-body'],
    createBehaviour: changeReply(
      (request, { status }) =>
        isCreation(request) &&
        status === 401 &&
        request.headers.authorization !== undefined &&
        !isObject(request.body),
      () => createError(400),
    ),
  },
  {
    name: 'refuses a lawful animal with 403 where the key is wrong',
    breaks: ['create-pet/missing-key', 'create-pet/invalid-key'],
    createBehaviour: changeReply(
      (request, { status }) =>
        isCreation(request) && status === 401 && request.body.includes('contract-test'),
      () => createError(403),
    ),
  },
  {
    name: 'takes a request without the right key for that of another client',
    breaks: [
      ...['missing-key', 'invalid-key', 'bearer-form'].map((name) => `list-pets/${name}`),
      ...['missing-key', 'invalid-key', 'bearer-form'].map((name) => `get-pet/${name}`),
    ],
    createBehaviour: () => {
      let known = 0;
      return async (request, asMock) => {
        const authorization = 'Bearer test-key';
        if (!hasKey(request) && known > 0 && request.method === 'GET')
          return asMock({ ...request, headers: { ...request.headers, authorization } });
        if (!hasKey(request)) return asMock(request);
        known += 1;
        const reply = await asMock(request);
        await new Promise((done) => setTimeout(done, request.query.has('limit') ? 0 : 20));
        known -= 1;
        return reply;
      };
    },
  },
  {
    name: 'looks at the media type of a body before the key',
    breaks: ['create-pet/key-before-body'],
    createBehaviour: changeReply(
      (request, { status }) => status === 401 && request.headers['content-type'] === 'text/plain',
      () => createError(415),
    ),
  },
  {
    name: 'adds an animal without the right key, and answers 401',
    breaks: ['create-pet/unauthorized-adds-nothing'],
    createBehaviour: () => async (request, asMock) => {
      const reply = await asMock(request);
      const headers = { ...request.headers, authorization: 'Bearer test-key' };
      if (isCreation(request) && reply.status === 401) await asMock({ ...request, headers });
      return reply;
    },
  },
  {
    name: 'does not say how to authenticate',
    breaks: ['advised/challenge'],
    createBehaviour: changeErrorReply(({ headers }) => {
      const { 'www-authenticate': _, ...others } = headers;
      return { headers: others };
    }),
  },
  {
    name: 'wants the scheme to the letter',
    breaks: ['advised/scheme-case'],
    createBehaviour: changeReply(
      ({ headers }) => headers.authorization?.startsWith('bearer') === true,
      () => createError(401),
    ),
  },
];

function isObject(body: string): boolean {
  return body.startsWith('{') && body.endsWith('}');
}
