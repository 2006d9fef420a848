import { unescape as decode } from 'node:querystring';
import type { Behaviour, Deployment } from '../deployment.ts';
import { changeReply } from './change-reply.ts';
import { createAnimals } from './create-animals.ts';
import { createStoreBehaviour, refuse } from './store-behaviour.ts';

const KEYS = [
  'k',
  '7',
  '1234567890',
  'a.b_c-d~+/=',
  '----',
  'Bearer',
  'ALL-UPPER',
  'eyJhbGciOi.'.repeat(150),
];

const removal = { now: new Date('2031-01-01T00:00:00Z') };

/** Makes a behaviour of a deployment that has nothing at `/pets/{petId}`, with a key or also without. */
function removeOperation(status: number, needsKey: boolean): () => Behaviour {
  return () => async (request, asMock) => {
    const reply = await asMock(request);
    const isRemoved = request.path.startsWith('/pets/') && (!needsKey || reply.status !== 401);
    return isRemoved ? refuse(status) : reply;
  };
}

/** Lawful deployments that differ in their keys, in where they live, and in what is before them. */
export const accessDeployments: readonly Deployment[] = [
  ...KEYS.map(
    (apiKey): Deployment => ({
      name: `has the key ${apiKey.slice(0, 20)}`,
      breaks: [],
      target: { apiKey },
      createBehaviour: () => createStoreBehaviour({ apiKey, animals: createAnimals(30) }),
    }),
  ),
  {
    name: 'has several keys',
    breaks: [],
    options: { apiKeys: ['other', 'test-key-2', 'second'] },
    target: { apiKey: 'second' },
  },
  { name: 'lives behind a longer path', breaks: [], basePath: '/animals/store/v1' },
  { name: 'has a base URL that ends with a slash', breaks: [], basePath: '/v1/' },
  { name: 'has a base URL with escapes', breaks: [], basePath: '/animal%20store/v1' },
  {
    name: 'asks for a header of a gateway',
    breaks: [],
    target: { headers: { 'X-Gateway': 'open' } },
    createBehaviour: () => async (request, asMock) =>
      request.headers['x-gateway'] === 'open' ? asMock(request) : refuse(403),
  },
  ...[403, 404, 405, 410].flatMap((status): Deployment[] => [
    {
      name: `has removed GET /pets/{petId} after its day and answers ${status}`,
      breaks: [],
      target: removal,
      createBehaviour: removeOperation(status, true),
    },
    {
      name: `has removed GET /pets/{petId} after its day and answers ${status} also without a key`,
      breaks: [],
      target: removal,
      createBehaviour: removeOperation(status, false),
    },
    {
      name: `has removed GET /pets/{petId} after its day, answers ${status} and has no animals`,
      breaks: [],
      options: { profile: 'empty' },
      target: { ...removal, allowsWrites: false },
      createBehaviour: removeOperation(status, false),
    },
  ]),
  { name: 'has GET /pets/{petId} also after its day', breaks: [], target: removal },
  {
    name: 'has removed GET /pets/{petId} as soon as its day began anywhere',
    breaks: [],
    target: { now: new Date('2030-12-04T11:00:00Z') },
    createBehaviour: removeOperation(404, true),
  },
  {
    name: 'has a key that may only read, and answers 403 to every creation',
    breaks: [],
    createBehaviour: () => async (request, asMock) => {
      const reply = await asMock(request);
      return request.method === 'POST' && reply.status !== 401 ? refuse(403) : reply;
    },
  },
  {
    name: 'takes a key in base64 without its padding too',
    breaks: [],
    target: { apiKey: 'c2VjcmV0LWtleQ==' },
    createBehaviour: () => {
      const behave = createStoreBehaviour({ apiKey: 'c2VjcmV0LWtleQ==', animals: createAnimals(30) });
      return (request, asMock) => {
        const authorization = request.headers.authorization?.replace(
          / c2VjcmV0LWtleQ=?$/,
          ' c2VjcmV0LWtleQ==',
        );
        const headers = { ...request.headers, ...(authorization === undefined ? {} : { authorization }) };
        return behave({ ...request, headers }, asMock);
      };
    },
  },
  {
    name: 'refuses a path that is no UTF-8 with a body of its framework',
    breaks: [],
    createBehaviour: () => async (request, asMock) =>
      request.path.includes('%E0%A4')
        ? { status: 400, headers: { 'content-type': 'application/json' }, body: '{"error":"Bad Request"}' }
        : asMock(request),
  },
  {
    name: 'reads ids as Java does: with spaces around them, in hexadecimal and in any digits',
    breaks: [],
    createBehaviour: () => (request, asMock) => {
      const id = decode(request.path.slice('/pets/'.length)).trim();
      const digits = id.replaceAll(/[\uff10-\uff19]/g, (digit) => String(digit.charCodeAt(0) - 0xff10));
      const isId = /^(?:0x[\da-f]+|\d+)$/.test(digits);
      return asMock(isId ? { ...request, path: `/pets/${BigInt(digits)}` } : request);
    },
  },
  { name: 'is only read from', breaks: [], target: { allowsWrites: false } },
  {
    name: 'is only read from and empty',
    breaks: [],
    options: { profile: 'empty' },
    target: { allowsWrites: false },
  },
  {
    name: 'gives no challenge with a 401',
    breaks: ['advised/challenge'],
    createBehaviour: changeReply(({ headers, ...reply }) => {
      const kept = Object.entries(headers).filter(([name]) => name !== 'www-authenticate');
      return { ...reply, headers: Object.fromEntries(kept) };
    }),
  },
  {
    name: 'refuses a scheme in lower case',
    breaks: ['advised/scheme-case'],
    createBehaviour: () => async (request, asMock) =>
      request.headers.authorization?.startsWith('bearer')
        ? refuse(401, { 'WWW-Authenticate': 'Bearer' })
        : asMock(request),
  },
];
