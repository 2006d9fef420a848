import { isJsonObject, type JsonObject } from '../../../common/json/exact-json.ts';
import { answerOtherwise, answerSome, cacheLists, change, changeJson, refuse } from '../changes.ts';
import { type Behaviour, type CreateBehaviour, type Deployment, deployments } from '../deployment.ts';
import { createError, createPage } from '../replies.ts';
import { always, hasHeader } from '../requests.ts';

const again = { 'retry-after': '0' };

/** Answers each request of such a number in its own way. */
function answerEach(number: number, createReply: Parameters<typeof answerSome>[1]): CreateBehaviour {
  return answerSome((count) => count % number === 0, createReply);
}

function limitRate(): Behaviour {
  let [tokens, last] = [150, performance.now()];
  return async (request, asMock) => {
    const time = performance.now();
    tokens = Math.min(150, tokens + (time - last) * 0.3);
    last = time;
    if (tokens < 1) return createError(429, { 'retry-after': '1' });
    tokens -= 1;
    return asMock(request);
  };
}

/** Conforming deployments that refuse too many requests, or take their time. */
export const busyDeployments: readonly Deployment[] = deployments({
  'refuses each third request with 429 and Retry-After: 0': answerEach(3, () => createError(429, again)),
  'refuses each 20th request with 429 and the time of this second in Retry-After': answerEach(20, () =>
    createError(429, { 'retry-after': new Date().toUTCString() }),
  ),
  'refuses each 200th request with 429 and no Retry-After': answerEach(200, () => createError(429)),
  'refuses all requests after the 60th for a day': answerSome(
    (count) => count > 60,
    () => createError(429, { 'retry-after': '86400' }),
  ),
  'is behind a gateway that refuses each 20th request with the page of a 429': answerEach(20, () =>
    createPage(429, again),
  ),
  'answers each 50th request 503, and asks to wait': answerEach(50, () => createError(503, again)),
  'takes 150 requests at once, then 300 a second': limitRate,
  'keeps lists without limit in a cache for 300 ms': [
    cacheLists({}, 300),
    { options: { animals: 10 }, target: { settle: 2000 } },
  ],
});

const mediaTypes = [
  'application/json',
  'application/json;charset=UTF-8',
  'Application/JSON',
  'application/json ; charset="utf-8"',
  'APPLICATION/JSON;Charset=utf-8;profile="https://example.com/pets"',
];

function chooseMediaTypes(): Behaviour {
  let turn = 0;
  return change.reply(always, ({ headers }) => {
    const type = mediaTypes[turn++ % mediaTypes.length] ?? '';
    return { headers: { ...headers, 'content-type': type } };
  })();
}

const isHuge = ({ body }: { body: string }) => body.length > 1_048_576;

function addFields(object: JsonObject): JsonObject {
  const more = {
    ...('message' in object ? { type: 'about:blank', id: 1n, name: 'x' } : { Status: 'lost' }),
    createdAt: '2030-01-01T00:00:00Z',
    tags: [],
    weight: 1.5,
    huge: 123_456_789_012_345_678_901_234_567_890n,
    owner: null,
    category: { id: 'dogs', parent: { id: null } },
    details: [{ field: null }],
    'x-€ "quoted"': true,
    ...object,
  };
  return Object.fromEntries(Object.entries(more).toReversed());
}

/** Conforming deployments that differ in what HTTP and JSON leave open. */
export const transportDeployments: readonly Deployment[] = deployments({
  'sends application/json in any case, with a charset and other parameters': chooseMediaTypes,
  'wants the length of every body': refuse(hasHeader('transfer-encoding', /./), 411),
  'cuts the connection on a body over 1 MiB': answerOtherwise(isHuge, async () => 'drop'),
  'is behind a gateway that refuses a body over 1 MiB with a page': answerOtherwise(isHuge, async () =>
    createPage(413),
  ),
  'prints JSON in lines, with white space around it': change.reply(always, ({ body }) => {
    const lines = String(body)
      .replaceAll(/([{[,])(?=")/g, '$1\n    ')
      .replaceAll(/":/g, '" : ');
    return { body: `\r\n\t ${lines} \n\n` };
  }),
  'has more fields in its animals and errors, in another order': change.reply(
    always,
    changeJson((value) =>
      isJsonObject(value) ? addFields(value) : (value as readonly JsonObject[]).map(addFields),
    ),
  ),
  'has errors with an empty message, and codes of digits': change.error(
    changeJson<JsonObject>((error) => ({ ...error, code: String(error.status), message: '' })),
  ),
});
