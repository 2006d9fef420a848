import {
  acceptKey,
  changeErrorReply,
  changeReply,
  changeRequest,
  createError,
  createReply,
  hasKey,
  type IsMeant,
  isCreation,
  isFetch,
  isList,
} from '../changes.ts';
import type { DeployedReply, Deployment } from '../deployment.ts';

interface Operation {
  readonly id: string;
  /** What it does, to be read after "a deployment that". */
  readonly does: string;
  readonly isMeant: IsMeant;
  /** What it breaks besides when nothing, or when a wrong key, lets a request pass. */
  readonly besides: { readonly missing: readonly string[]; readonly invalid: readonly string[] };
}

const none = { missing: [], invalid: [] };

const operations: readonly Operation[] = [
  { id: 'list-pets', does: 'lists', isMeant: isList, besides: none },
  {
    id: 'create-pet',
    does: 'adds an animal',
    isMeant: isCreation,
    besides: {
      missing: ['create-pet/key-before-body', 'create-pet/unauthorized-adds-nothing'],
      invalid: ['create-pet/key-before-body', 'create-pet/unauthorized-adds-nothing'],
    },
  },
  { id: 'get-pet', does: 'answers an animal', isMeant: isFetch, besides: none },
];

type IsAccepted = (authorization: string | undefined) => boolean;

/** Wrong keys that may pass, by how the deployment compares them. */
const lookalikes: Readonly<Record<string, IsAccepted>> = {
  'with a longer key': (value) => value?.startsWith('Bearer test-key') === true,
  'with the beginning of the key': (value) =>
    /^Bearer ./.test(value ?? '') && 'Bearer test-key'.startsWith(value ?? ''),
  'with the key in another case': (value) => value?.toLowerCase() === 'bearer test-key',
  'with any key of the right length': (value) => /^Bearer .{8}$/.test(value ?? ''),
  'with a key that differs in its last character': (value) => /^Bearer test-ke.$/.test(value ?? ''),
  'with a key that differs in its middle': (value) => /^Bearer test.key$/.test(value ?? ''),
  'with another word behind the key': (value) => value?.startsWith('Bearer test-key ') === true,
  'with more behind the key and a comma': (value) => value?.startsWith('Bearer test-key,') === true,
  'with a word that every object knows': (value) => value === 'Bearer constructor',
  'with the word undefined for a key': (value) => value === 'Bearer undefined',
  'with a word before the key': (value) => /^Bearer \S+ test-key$/.test(value ?? ''),
  'with a key that ends like it': (value) => /^Bearer .*test-key$/.test(value ?? ''),
};

/** Forms in which the key may pass. */
const forms: Readonly<Record<string, IsAccepted>> = {
  'for the password of Basic': (value) =>
    /^.*:test-key$/.test(Buffer.from(value?.split(' ')[1] ?? '', 'base64').toString()),
  'for another scheme that begins like it': (value) => /^Bearer\w+ test-key$/.test(value ?? ''),
  'for the bare key': (value) => value === 'test-key',
  'for Basic': (value) => value?.startsWith('Basic ') === true,
  'for the key with any scheme': (value) => /^\w+ test-key$/.test(value ?? ''),
  'for the key without a space before it': (value) => value === 'Bearertest-key',
};

function createDeployments({ id, does, isMeant, besides }: Operation): Deployment[] {
  const of = (table: Readonly<Record<string, IsAccepted>>, clause: string) =>
    Object.entries(table).map(([how, isAccepted]) => ({
      name: `${does} ${how}`,
      breaks: [`${id}/${clause}`],
      createBehaviour: acceptKey(isMeant, isAccepted),
    }));
  const refusals = ['missing-key', 'invalid-key', 'bearer-form'].map((name) => `${id}/${name}`);
  const keyFirst = id === 'create-pet' ? ['create-pet/key-before-body'] : [];
  return [
    {
      name: `${does} without a key`,
      breaks: [`${id}/missing-key`, ...besides.missing],
      createBehaviour: acceptKey(isMeant, (value) => value === undefined),
    },
    {
      name: `${does} with an empty key`,
      breaks: [`${id}/missing-key`],
      createBehaviour: acceptKey(isMeant, (value) => /^Bearer ?$/.test(value ?? '')),
    },
    {
      name: `${does} with any key`,
      breaks: [`${id}/invalid-key`, ...besides.invalid],
      createBehaviour: acceptKey(isMeant, (value) => /^Bearer ./.test(value ?? '')),
    },
    ...of(lookalikes, 'invalid-key'),
    ...of(forms, 'bearer-form'),
    {
      name: `${does} with the key in X-API-Key and without Authorization`,
      breaks: [`${id}/bearer-form`],
      createBehaviour: changeRequest(
        (request) =>
          isMeant(request) &&
          request.headers['x-api-key'] === 'test-key' &&
          request.headers.authorization === undefined,
        ({ headers }) => ({ headers: { ...headers, authorization: 'Bearer test-key' } }),
      ),
    },
    {
      name: `${does} with the key in X-API-Key`,
      breaks: [`${id}/bearer-form`],
      createBehaviour: changeRequest(
        (request) => isMeant(request) && request.headers['x-api-key'] === 'test-key',
        ({ headers }) => ({ headers: { ...headers, authorization: 'Bearer test-key' } }),
      ),
    },
    {
      name: `${does} and answers 403 without the right key`,
      breaks: [...refusals, ...keyFirst],
      createBehaviour: changeErrorReply(
        () => createError(403),
        (request, { status }) => isMeant(request) && status === 401,
      ),
    },
  ];
}

/** Deployments that let pass what has not the key, or refuse it in a wrong way. */
export const keyDeployments: readonly Deployment[] = [
  ...operations.flatMap(createDeployments),
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
        await new Promise((done) => setTimeout(done, 3));
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
