import { setTimeout as delay } from 'node:timers/promises';
import { isJsonObject, type JsonObject } from '../../../common/json/exact-json.ts';
import { answerOtherwise, answerSome, answerWith, change, combine, mixUp, replace } from '../changes.ts';
import { createAnimals, createStoreAnswer, statuses } from '../conforming/store-behaviour.ts';
import { type Answer, type Deployment, deployments } from '../deployment.ts';
import type { DeployedReply, DeployedRequest, IsMeant } from '../messages.ts';
import {
  hasHeader,
  hasKey,
  idOf,
  isAddition,
  isCreation,
  isFetch,
  isList,
  sentBy,
  withKey,
} from '../messages.ts';
import { answered, createEmpty, createPage, sendAs } from '../replies.ts';
import { alter, asDouble, drop, readJson } from '../values.ts';

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

const addWithoutKey: Answer = async (request, asMock) => {
  const reply = await asMock(request);
  if (reply.status === 401) await asMock(withKey(request));
  return reply;
};

function hasBody(isWanted: (body: string) => boolean): IsMeant {
  return (request) => isCreation(request) && isWanted(request.body);
}

function isAt(id: string): IsMeant {
  return ({ path }) => path === `/pets/${id}`;
}

const isNamedAddition: IsMeant = (request) => isAddition(request) && request.body.includes('contract-test');
const isAny: IsMeant = () => true;
const toText = sendAs('text/plain', 'It is refused.');
const toText413 = (reply: DeployedReply) => ({ ...toText(reply), status: 413 });
const isLarge = hasBody((body) => body.length > 100_000);
const isLost = hasBody((body) => body.includes('"lost"'));
const isOver1MiB = hasBody((body) => body.length > 1_048_576);
const isNested = hasBody((body) => body.startsWith('[[[[[['));
const hasLongKey = hasHeader('authorization', /^.{5000}/);
const isCompressed = hasHeader('content-encoding', /^gzip$/);
const isMalformed = hasBody((body) => body !== '' && readJson(body) === undefined);

const hasLargeCategory: IsMeant = (request) => {
  const { categoryId } = sentBy(request);
  return (
    isCreation(request) && typeof categoryId === 'bigint' && BigInt.asIntN(32, categoryId) !== categoryId
  );
};

const hasShortId: IsMeant = (request) => isFetch(request) && /^-?\d{1,18}$/.test(idOf(request));
const hasSmallId: IsMeant = (one) => hasKey(one) && /^\/pets\/[1-9]\d{0,2}$/.test(one.path);
const roundId = (one: DeployedRequest) => ({ path: `/pets/${asDouble(BigInt(idOf(one)))}` });
const emptyLists = change.reply(answered(200, isList), ({ body }) => (body === '[]' ? createEmpty(204) : {}));

const nullStatus = (animal: JsonObject) => ({ status: null, ...animal });

const answerNear: Answer = async (request, asMock) => {
  const reply = await asMock(request);
  if (reply.status !== 404 || !/^-?\d{16,18}$/.test(idOf(request))) return reply;
  const near = [-1n, 1n].map((step) => asMock({ ...request, path: `/pets/${BigInt(idOf(request)) + step}` }));
  return (await Promise.all(near)).find(({ status }) => status === 200) ?? reply;
};

const read1000 = (limit: string) => (limit === '1000' ? 1000 : undefined);
const edgeCases = { options: { profile: 'edge-cases' } } as const;

/**
 * Deployments that accept requests without the key, look at the key too late, err in a wrong way, take a query or an id in
 * a wrong way, or answer the wrong animals.
 */
export const requestDeployments: readonly Deployment[] = deployments({
  'accepts a key in base64 without its padding': [
    change.request(hasHeader('authorization', /^Bearer c2VjcmV0LWtleQ$/), ({ headers }) => ({
      headers: { ...headers, authorization: `Bearer ${padded}` },
    })),
    { options: { apiKeys: [padded] }, target: { apiKey: padded } },
  ],
  'accepts the key in X-API-Key': change.request(hasHeader('x-api-key', /^test-key$/), withKey),
  'requires the scheme in exactly this case': replace(hasHeader('authorization', /^bearer/), 401),
  'keeps lists in a cache for those without a key': cacheForAll,
  'refuses the valid key for the third animal': answerSome((count) => count === 3, 401, isNamedAddition),
  'confuses a request without the right key with one of another client': mixUpClients,
  'looks at the status of an animal before the key': replace(answered(401, isLost), 400),
  'adds an animal without the right key, and answers 401': answerOtherwise(isCreation, addWithoutKey),
  'does not say how to authenticate': change.error((reply) => ({
    headers: drop('www-authenticate')(reply.headers),
  })),
  'begins every body with a byte order mark': change.reply(isAny, ({ body }) => ({ body: `\ufeff${body}` })),
  'refuses a large body with 413 and plain text': change.reply(isLarge, toText413),
  'answers 500 to a body over 1 MiB': answerWith(isOver1MiB, 500),
  'answers 500 to a body that is nested deeply': answerWith(isNested, 500),
  'answers 500 to a body that says it is compressed': answerWith(isCompressed, 500),
  'answers 507 to an id that is not an integer': answerWith(isAt('abc'), 507),
  'has an error handler that answers 500 to malformed JSON, and to a path that is not UTF-8': combine([
    answerOtherwise(isMalformed, createPage(500)),
    answerOtherwise(isAt('%E0%A4'), createPage(500)),
  ]),
  'answers 500 to a categoryId beyond 32 bits': answerWith(hasLargeCategory, 500),
  'cuts the connection on a body that is malformed': answerWith(isMalformed, 'drop'),
  'has a page for an id that is not UTF-8': replace(isAt('%E0%A4'), createPage(502)),
  'answers a very long id 414 and nothing': replace(isAt('9'.repeat(400)), createEmpty(414)),
  'answers a very long key 431 and nothing': replace(hasLongKey, createEmpty(431)),

  'lists all animals for a parameter that it does not know': change.query(
    (limit, status, query) => limit === null && status === null && query.size > 0,
    { limit: '100' },
  ),
  'lists all animals for a limit of 1000, which are more than 100 at the end of a run': () =>
    createStoreAnswer({ animals: createAnimals(48), pageSize: 300, readInvalidLimit: read1000 }),
  'lists animals without a status by every status': () =>
    createStoreAnswer({ animals: createAnimals(30), unshown: statuses }),
  'looks at the status after the limit': combine([
    change.query((_, status) => statuses.includes(status ?? ''), { status: null }),
    change.list((list, { query }) => list.filter(({ status }) => status === (query.get('status') ?? status))),
  ]),
  'leaves out the last animal of a status': [
    change.list((list, { query }) => (query.has('status') && list.length > 4 ? list.toSpliced(-2, 1) : list)),
    { options: { animals: 60 } },
  ],
  'has null for the status of animals that have none': change.json(isAny, (value) =>
    isJsonObject(value) ? nullStatus(value) : (value as readonly JsonObject[]).map(nullStatus),
  ),
  'answers an empty list 204': [emptyLists, { options: { profile: 'empty' } }],
  'mixes up animals that are fetched at once': mixUp(hasSmallId, (_, { path }) => ({ path })),
  'rounds ids that it looks for': [change.request(hasShortId, roundId), edgeCases],
  'rounds the ids that it lists': [change.listed(alter('id', asDouble)), edgeCases],
  'answers an animal to ids that are the same as a double': [answerOtherwise(isFetch, answerNear), edgeCases],
});
