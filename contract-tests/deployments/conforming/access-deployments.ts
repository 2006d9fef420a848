import { answerOtherwise, change, replace } from '../changes.ts';
import { type CreateAnswer, type Deployment, deployments } from '../deployment.ts';
import { hasHeader, isFetch } from '../messages.ts';
import { answered, createPage, createReply } from '../replies.ts';

const startedWith = (apiKey: string) => ({ options: { apiKeys: [apiKey] }, target: { apiKey } });

const removal = { target: { now: new Date('2031-01-01T00:00:00Z') } };
const eve = { target: { now: new Date('2030-12-04T11:00:00Z') } };

function removeGetPet(status: number, needsKey: boolean): CreateAnswer {
  return replace((request, reply) => isFetch(request) && (!needsKey || reply.status !== 401), status);
}

const uuid = 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6';
const isUuid = hasHeader('authorization', RegExp(`^bearer ${uuid.replaceAll('-', '-?')}$`, 'i'));

const gateway = { target: { headers: { 'X-Gateway': 'open' } } };
const isLargeWithoutKey = answered(401, ({ body }) => body.length > 1024);
const empty = { options: { profile: 'empty' } } as const;

/** Conforming deployments that differ in their keys, in where they live, and in what is before them. */
export const accessDeployments: readonly Deployment[] = [
  { name: 'has a key of one letter', ...startedWith('k'), overHttp: true },
  { name: 'has the key a.b_c-d~+/=', ...startedWith('a.b_c-d~+/=') },
  { name: 'has the key eyJhbGciOi.eyJhbGciO', ...startedWith('eyJhbGciOi.'.repeat(150)) },
  {
    name: 'has several keys, and a base URL with escapes and a slash at its end',
    basePath: '/animal%20store/v1/',
    options: { apiKeys: ['other', 'test-key-2', 'second'] },
    target: { apiKey: 'second' },
  },
  { name: 'is only read from', target: { allowsWrites: false } },
  { name: 'is only read from and empty', target: { allowsWrites: false }, ...empty },
  { name: 'has GET /pets/{petId} also after its day', ...removal },
  ...deployments({
    'has removed GET /pets/{petId} and answers 405 also without a key': [removeGetPet(405, false), removal],
    'has removed GET /pets/{petId} as soon as its day began anywhere': [removeGetPet(404, true), eve],
    'asks for a header of a gateway': [replace(hasHeader('x-gateway', /^(?!open$)/), 403), gateway],
    'asks for a cookie of a gateway': [
      replace(hasHeader('cookie', /^(?!gate=open$)/), 403),
      { target: { headers: { cookie: 'gate=open' } } },
    ],
    'takes a key that is a UUID in any case and without its hyphens': [
      change.request(isUuid, ({ headers }) => ({ headers: { ...headers, authorization: `Bearer ${uuid}` } })),
      startedWith(uuid),
    ],
    'has a key that may only read, and answers 403 to every creation': replace(
      ({ method }, { status }) => method === 'POST' && status !== 401,
      403,
    ),
    'has a key that may not get an animal by its id, and answers 403': replace(
      (request, { status }) => isFetch(request) && status !== 401,
      403,
    ),
    'refuses a header that is not ASCII, before all else, with a body of its server': answerOtherwise(
      hasHeader('authorization', /[^\0-\x7f]/),
      createReply(400, { error: 'Bad Request' }),
    ),
    'has a page for each path that is no operation': answerOtherwise(
      ({ path }) => path.endsWith('/'),
      createPage(404),
    ),
    'shows a page at each path that is no operation, also without a key': answerOtherwise(
      ({ path }) => path.endsWith('/'),
      createPage(200),
    ),
    'has a server that fails at paths that are no operation': answerOtherwise(
      ({ path }) => path.endsWith('/'),
      createPage(500),
    ),
    'has a server that refuses a header over 4 kB with 400 and a page': answerOtherwise(
      hasHeader('authorization', /^.{4096}/),
      createPage(400),
    ),
    'knows no id with percent-encoded digits, and says so before it looks at the key': answerOtherwise(
      ({ path }) => /^\/pets\/.*%3\d/.test(path),
      404,
    ),
    'refuses a body over 1 kB with 413 before it looks at the key': replace(isLargeWithoutKey, 413),
  }),
];
