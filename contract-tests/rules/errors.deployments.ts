import type { ExactJson, JsonObject } from '../../common/json/exact-json.ts';
import { answerOtherwise, answerWith, change } from '../deployments/changes.ts';
import { type Answer, breaking } from '../deployments/deployment.ts';
import { answering, errorKinds, listKinds } from '../deployments/generated-deployments.ts';
import {
  always,
  hasBody,
  hasHeader,
  hasKey,
  isCreation,
  isFetch,
  isList,
  isMalformed,
} from '../deployments/messages.ts';
import { createEmpty, createPage, sendAs } from '../deployments/replies.ts';
import { alter } from '../deployments/values.ts';

const ONE_MEBIBYTE = 1_048_576;

const isLarge = hasBody((body) => body.length > 100_000);
const isHuge = hasBody((body) => body.length > ONE_MEBIBYTE);
const isNested = hasBody((body) => body.startsWith('[[[[[['));
const inFrench: Readonly<Record<string, string>> = {
  available: 'disponible',
  pending: 'en attente',
  sold: 'vendu',
};
const toFrench = alter('status', (status) => inFrench[String(status)] ?? status);
const withArticle = alter('name', (name) => `Le ${name}`);

const refuseAsText = sendAs('text/plain', 'It is refused.');

const POSTS_TO_PAGE = 20;

/** Carries every POST out, and answers some with the page of a gateway that waited too long. */
function lateToAnswer(): Answer {
  let creations = 0;
  return async (request, asMock) => {
    const reply = await asMock(request);
    if (!isCreation(request)) return reply;
    creations += 1;
    return creations % POSTS_TO_PAGE === 0 ? createPage(504) : reply;
  };
}

export const errorsDeployments = breaking({
  'errors/body': {
    'sends another error where Authorization is empty': change.reply(
      ({ headers }, { status }) => status === 401 && headers.authorization === '',
      () => ({ body: '{"message":"Unauthorized"}' }),
    ),
    ...answering(errorKinds, [
      'with a page',
      'without its end',
      'without a code',
      'with null for the message',
    ]),
    'repeats an id in its messages without escaping it': change.reply(
      ({ path }, { status }) => path.startsWith('/pets/%22') && status >= 400,
      ({ body }) => ({ body: String(body).replace('%22', '"').replace('\\"', '"') }),
    ),
    'takes the number of characters of an Error for its Content-Length': [
      change.error(({ body, headers }) => ({
        headers: { ...headers, 'content-length': `${String(body).length}` },
      })),
      { overHttp: true },
    ],
    'refuses a large body with 413 and plain text': change.reply(isLarge, (reply) => ({
      ...refuseAsText(reply),
      status: 413,
    })),
  },
  'errors/status': answering(errorKinds, ['with another status in the body']),
  'errors/media-type': {
    ...answering(errorKinds, ['as plain text']),
    'sends errors as text to who accepts text too': change.reply(
      (request, { status }) => status >= 400 && hasHeader('accept', /text\/plain/)(request),
      ({ headers }) => ({ headers: { ...headers, 'content-type': 'text/plain' } }),
    ),
  },
  'errors/no-server-fault': {
    'answers 500 to a body over 1 MiB': answerWith(isHuge, 500),
    'answers 500 to a body that is nested deeply': answerWith(isNested, 500),
    'answers 500 to a body that says it is compressed': answerWith(
      hasHeader('content-encoding', /^gzip$/),
      500,
    ),
    'cuts the connection on a body that is malformed': answerWith(isMalformed, 'drop'),
    'has a gateway that gives up on one POST in 20, which was carried out': lateToAnswer,
  },
  'service/browser': {
    'answers 500 to a request with a cookie': answerWith(hasHeader('cookie', /./), 500),
    'answers 406 to an Accept with a weight': answerWith(hasHeader('accept', /json;q=/), 406),
    'answers 406 to an Accept of any kind of application': answerWith(
      hasHeader('accept', /^application\/\*$/),
      406,
    ),
    'answers 406 without an Accept': answerWith(({ headers }) => headers.accept === undefined, 406),
    'answers 500 without an Accept-Encoding': answerWith(
      ({ headers }) => headers['accept-encoding'] === undefined,
      500,
    ),
    'reads JSON of a request without a body that says it has some': answerWith(
      (one) => isList(one) && hasHeader('content-type', /json/)(one),
    ),
    'lists nothing for a request with a cookie': change.reply(
      (one, { status }) => isList(one) && status === 200 && hasHeader('cookie', /./)(one),
      () => ({ body: '[]' }),
    ),
    'lists three animals to those who prefer another language': change.json<JsonObject[]>(
      (one) => isList(one) && hasHeader('accept-language', /./)(one),
      (list) => list.slice(0, 3),
    ),
    'returns another animal by its id to a browser': change.json<JsonObject>(
      (one) => isFetch(one) && hasHeader('sec-fetch-mode', /./)(one),
      (animal) => ({ ...animal, id: 3n }),
    ),
    'requires a token against forged requests if there is a cookie': answerWith(
      (one) => isCreation(one) && hasHeader('cookie', /./)(one),
      403,
    ),
    'shows a browser its app in place of an unknown animal': answerOtherwise(
      (one) => /^\/pets\/\d{19}$/.test(one.path) && hasKey(one) && hasHeader('accept', /^text\/html/)(one),
      createPage(200),
    ),
    'answers a page to who accepts one': change.reply(
      (request, { status }) => hasHeader('accept', /^text\/html/)(request) && status === 200,
      sendAs('text/html', '<!doctype html><title>Animals</title>'),
    ),
    'fails for an Origin, with a key or without': answerOtherwise(hasHeader('origin', /./), 500),
    'answers 304 to any date': answerWith(hasHeader('if-modified-since', /./), createEmpty(304)),
    'answers 304 to any ETag': answerWith(hasHeader('if-none-match', /./), createEmpty(304)),
    'answers a page to a browser': change.reply(
      (request, { status }) => hasHeader('sec-fetch-mode', /./)(request) && status === 200,
      sendAs('text/html', '<!doctype html><title>Animals</title>'),
    ),
    'shows statuses in French to those who prefer it': change.json<ExactJson>(
      hasHeader('accept-language', /^fr/),
      (value) => (Array.isArray(value) ? value.map(toFrench) : toFrench(value as JsonObject)),
    ),
    'shows translated names to those who prefer French': change.json<ExactJson>(
      hasHeader('accept-language', /^fr/),
      (value) => (Array.isArray(value) ? value.map(withArticle) : withArticle(value as JsonObject)),
    ),
  },
  'service/media-type': {
    ...answering([...listKinds, 'an added animal', 'an animal by its id'], ['as plain text']),
    'sends every Content-Type twice': [
      change.reply(always, ({ headers }) => ({
        headers: { ...headers, 'content-type': ['application/json', 'application/json'] },
      })),
      { overHttp: true },
    ],
    'sends another Content-Type after that of a list': [
      change.reply(isList, ({ headers }) => ({
        headers: { ...headers, 'content-type': ['application/json', 'text/html'] },
      })),
      { overHttp: true },
    ],
    'begins every body with a byte order mark': change.reply(always, ({ body }) => ({
      body: `\ufeff${body}`,
    })),
  },
});
