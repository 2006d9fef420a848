import { setTimeout as delay } from 'node:timers/promises';
import { isJsonObject, type JsonObject } from '../../../common/json/exact-json.ts';
import {
  answerOtherwise,
  answerSome,
  answerWith,
  cacheEveryList,
  cacheLists,
  change,
  changeJson,
  combine,
  findBehind,
  listBehind,
} from '../changes.ts';
import { type Answer, type CreateAnswer, type Deployment, deployments } from '../deployment.ts';
import { always, hasHeader, isAddition, isCreation, isFetch, isList } from '../messages.ts';
import { createError, createPage, sendAs } from '../replies.ts';

const again = { 'retry-after': '0' };
const settled = { options: { animals: 10 }, target: { settle: 2000 } };
const page = createPage(429, again);
const forAnHour = createError(429, { 'retry-after': '3600' });
const forADay = createError(429, { 'retry-after': '86400' });

const eachOf = (number: number) => (count: number) => count % number === 0;

/** Number of requests that a limited rate takes at once. */
const BURST = 150;

/** Number of further requests that it takes in each millisecond. */
const PER_MILLISECOND = 0.3;

function limitRate(): Answer {
  let tokens = BURST;
  let last = performance.now();
  return async (request, asMock) => {
    const time = performance.now();
    tokens = Math.min(BURST, tokens + (time - last) * PER_MILLISECOND);
    last = time;
    if (tokens < 1) return createError(429, { 'retry-after': '1' });
    tokens -= 1;
    return asMock(request);
  };
}

/** How many animals are added at once at most, and how long each takes in ms. */
const MOST_AT_ONCE = 4;
const TAKES_MS = 3;

/** Asks to wait where more animals are added at once. */
function limitAdditions(status: number): CreateAnswer {
  return () => {
    let adding = 0;
    return async (request, asMock) => {
      if (!isAddition(request)) return asMock(request);
      if (adding >= MOST_AT_ONCE) return createError(status, again);
      adding += 1;
      await delay(TAKES_MS);
      adding -= 1;
      return asMock(request);
    };
  };
}

/** A request by id that is sent while others are under way. */
const AMONG_OTHERS = 4;

/** How late an answer is that no client waits for, in ms. */
const MS_TOO_LATE = 1_000;

const answerTooLate: Answer = async (request, asMock) => {
  await delay(MS_TOO_LATE);
  return asMock(request);
};

/** Conforming deployments that refuse too many requests, are interrupted, or take their time. */
export const busyDeployments: readonly Deployment[] = deployments({
  'refuses each third request with 429 and Retry-After: 0': answerSome(eachOf(3), createError(429, again)),
  'refuses each 20th request with 429 and the time of this second in Retry-After': answerSome(
    eachOf(20),
    async () => createError(429, { 'retry-after': new Date().toUTCString() }),
  ),
  'has a gateway that refuses each 400th request with the page of a 503': answerSome(
    eachOf(200),
    createPage(503),
  ),
  'has a gateway that reaches no service for one request in 300': answerSome(eachOf(300), createPage(502)),
  'answers one of several requests at once too late': [
    answerSome((count) => count === AMONG_OTHERS, answerTooLate, isFetch),
    { overHttp: true, target: { timeout: 300, allowsWrites: false } },
  ],
  'refuses all requests after the 60th for a day': answerSome((count) => count > 60, forADay),
  'has a gateway that refuses each 20th request with the page of a 429': answerSome(eachOf(20), page),
  'answers each 50th request 503, and asks to wait': answerSome(eachOf(50), createError(503, again)),
  'takes 150 requests at once, then 300 a second': limitRate,
  'answers 429 to the fifth animal at once, and asks to wait': limitAdditions(429),
  'answers 503 to the fifth animal at once, and asks to wait': limitAdditions(503),
  'keeps lists without limit in a cache for 300 ms': [cacheLists({}, 300), settled],
  'asks to wait for an hour after 20 animals': answerSome((count) => count > 20, forAnHour, isAddition),
  'asks to wait for an hour with every creation': answerWith(isCreation, forAnHour),
});

/** Conforming deployments whose lists are behind for a while: they may be as old as they say, or follow in the time of --settle. */
export const lateDeployments: readonly Deployment[] = deployments({
  'keeps every list for 3 s in a cache, which says its age': [
    cacheEveryList(3000, (age) => ({ age: String(age), 'x-cache': age > 0 ? 'HIT' : 'MISS' })),
    settled,
  ],
  'keeps every list for 3 s in a cache, which says for how long': [
    cacheEveryList(3000, () => ({ 'cache-control': 'max-age=3' })),
    settled,
  ],
  'keeps every list for 3 s in a cache, which says that it has it': [
    cacheEveryList(3000, (age) => ({ 'x-cache': age > 0 ? 'HIT' : 'MISS' })),
    settled,
  ],
  'finds an animal by its id 50 ms later': [
    findBehind(50),
    { options: { animals: 10 }, target: { settle: 300 } },
  ],
  'lists an animal by its status a second later': [
    listBehind(({ query }) => query.has('status'), 1000),
    settled,
  ],
});

/** Conforming deployments whose lists are behind now and then, so that a run may not notice it. */
export const unevenDeployments: readonly Deployment[] = deployments({
  'has a replica that is 600 ms behind, for every third list': [listEveryThirdBehind, settled],
});

function listEveryThirdBehind(): Answer {
  let lists = 0;
  return listBehind((request) => isList(request) && ++lists % 3 === 0, 600)();
}

const mediaTypes = [
  'application/json;charset=UTF-8',
  'Application/JSON',
  'application/json ; charset="utf-8"',
  'APPLICATION/JSON;Charset=utf-8;profile="https://example.com/pets"',
];

let replies = 0;

const isHuge = ({ body }: { body: string }) => body.length > 1_048_576;

const further = {
  Status: 'lost',
  'x-€ "quoted"': true,
  huge: 123_456_789_012_345_678_901_234_567_890n,
  category: { id: 'dogs', weight: 1.5, parent: [{ id: null }] },
};
const ofErrors = { type: 'about:blank', id: 1n, name: 'x' };

function addFields(object: JsonObject): JsonObject {
  const all = { ...further, ...('message' in object && ofErrors), ...object };
  return Object.fromEntries(Object.entries(all).toReversed());
}

const addToAll = changeJson((value) =>
  isJsonObject(value) ? addFields(value) : (value as readonly JsonObject[]).map(addFields),
);

/** Conforming deployments that differ in what HTTP and JSON leave open. */
export const transportDeployments: readonly Deployment[] = deployments({
  'sends application/json in any case, with a charset and other parameters': change.reply(always, (reply) =>
    sendAs(mediaTypes[replies++ % mediaTypes.length] ?? '')(reply),
  ),
  'names the origin of a page in its headers, and has messages in the language of the client': combine([
    change.reply(hasHeader('origin', /./), ({ headers }, request) => ({
      headers: {
        ...headers,
        vary: 'Origin, Accept-Language',
        'access-control-allow-origin': request.headers.origin ?? '',
        'content-language': 'fr',
      },
    })),
    change.reply(
      (request, { status }) => status >= 400 && hasHeader('accept-language', /^fr/)(request),
      changeJson<JsonObject>((error) => ({ ...error, message: 'Cet animal est introuvable.' })),
    ),
  ]),
  'refuses every origin with 403 and plain text': answerOtherwise(hasHeader('origin', /./), {
    status: 403,
    headers: { 'content-type': 'text/plain' },
    body: 'Invalid CORS request',
  }),
  'requires the length of every body': answerWith(hasHeader('transfer-encoding', /./), 411),
  'cuts the connection on a body over 1 MiB': answerOtherwise(isHuge, 'drop'),
  'is behind a gateway that refuses a body over 1 MiB with a page': answerOtherwise(isHuge, createPage(413)),
  'prints JSON in lines, with white space around it': change.reply(always, ({ body }) => {
    const lines = String(body).replaceAll(/([{[,])(?=")/g, '$1\n    ');
    return { body: `\r\n\t ${lines.replaceAll('":', '" : ')} \n\n` };
  }),
  'has more fields in its animals and errors, in another order': change.reply(always, addToAll),
  'has errors with an empty message, and codes of digits': change.error(
    changeJson<JsonObject>((error) => ({ ...error, code: String(error.status), message: '' })),
  ),
});
