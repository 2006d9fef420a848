import { answerWith, change, replace } from '../changes.ts';
import type { DeployedReply, Deployment } from '../deployment.ts';
import { alter, drop, set } from '../members.ts';
import { createError, sendAs } from '../replies.ts';
import {
  answered,
  hasHeader,
  hasKey,
  type IsAnswered,
  type IsMeant,
  isCreation,
  isFetch,
  isList,
  isListWith,
  isMalformed,
  sentBy,
} from '../requests.ts';
import { broken, firstOf, forEach } from '../rows.ts';

const toText = sendAs('text/plain', 'It is refused.');

function toTextWith(status: number) {
  return (reply: DeployedReply) => ({ ...toText(reply), status });
}

/** Which errors may go wrong, each alone; see `firstOf`. */
export const kinds: Readonly<Record<string, IsAnswered>> = {
  'is not authorized to fetch': answered(401, isFetch),
  'finds no animal': answered(404),
  'has a bad body': answered(400),
  'is not authorized to list': answered(401, isList),
  'is not authorized to add': answered(401, isCreation),
  'has an id that is not an integer': (request) => isFetch(request) && !/^\/pets\/-?\d+$/.test(request.path),
  'has an id that is not an int64': ({ path }) => /^\/pets\/-?9223372036854775809$/.test(path),
  'is malformed': isMalformed,
  'has no body': (request) => isCreation(request) && request.body === '' && hasKey(request),
  'has a bad status': (request) => isCreation(request) && hasKey(request) && 'status' in sentBy(request),
  'lists with a bad limit': ({ query }) => query.has('limit'),
  'lists with a bad status': ({ query }) => query.has('status'),
};

function hasBody(isWanted: (body: string) => boolean): IsMeant {
  return (request) => isCreation(request) && isWanted(request.body);
}

function hasName(isWanted: (name: unknown) => boolean): IsMeant {
  return (request) => isCreation(request) && isWanted(sentBy(request).name);
}

function isAt(...paths: string[]): IsMeant {
  return ({ path }) => paths.some((id) => path === `/pets/${id}`);
}

/** What may be too much for a deployment, first one of each list of requests; see `firstOf`. */
export const faults: Readonly<Record<string, IsMeant>> = {
  'a body that is malformed': isMalformed,
  'a categoryId beyond int64': hasBody((body) => /9223372036854775808,|:1e400\}$/.test(body)),
  'a body that is nested deeply': hasBody((body) => body.startsWith('[[[[[[')),
  'an emoji in a name': hasBody((body) => body.includes('🐈')),
  'a limit beyond int64': ({ query }) => (query.get('limit') ?? '').length > 18,
  'a parameter that is given twice': ({ query }) => query.getAll('limit').length > 1,
  'an id that is not an integer': isAt('abc'),
  'an unknown id': isAt('9223372036854775807'),
  'a body that says it is compressed': hasHeader('content-encoding', /^gzip$/),
  'a name that is null': hasName((name) => name === null),
  'a body that is empty': hasBody((body) => body === ''),
  'an unknown status': isListWith({ status: 'lost' }),
  'a field that it does not know': hasBody((body) => body.includes('"nickname"')),
  'a name that is an object': hasBody((body) => /"name":\{/.test(body)),
  'a body that is null': hasBody((body) => body === 'null'),
  'a NUL in a name': hasName((name) => String(name).includes('\0')),
  'an unpaired surrogate in a name': hasBody((body) => /\\ud800/i.test(body)),
  'a long name': hasBody((body) => body.length > 280),
  'a limit that is not an integer': isListWith({ limit: 'abc' }),
  'a limit of 0': isListWith({ limit: '0' }),
  'a negative limit': ({ query }) => query.get('limit')?.startsWith('-') === true,
  'a quote in a status': ({ query }) => query.get('status')?.includes("'") === true,
  'an id beyond int64': isAt('9223372036854775808'),
  'a NUL in an id': isAt('%00'),
  'a NUL at the end of a name that is valid otherwise': hasBody(
    (body) => body.includes('\\u0000"') && body.includes('categoryId'),
  ),
  'two statuses': ({ query }) => query.getAll('status').length > 1,
  'a list of statuses': ({ query }) => query.has('status[]'),
  'a status that is not UTF-8': ({ query }) => query.get('status')?.includes('\ufffd') === true,
  'a parameter that it does not know': ({ query }) => query.has('contract-test'),
  'an id with a minus or a zero': isAt('-0', '01'),
  'an unknown charset': hasHeader('content-type', /unknown/),
  'a form': hasHeader('content-type', /form/),
  'a creation without a media type': (request) =>
    isCreation(request) && request.headers['content-type'] === undefined,
};

/** Deployments that err in a wrong way. */
export const errorDeployments: readonly Deployment[] = [
  ...broken('errors/body', {
    ...forEach(['code', 'message', 'status'], (name) => [
      `leaves out the ${name} of an Error`,
      change.error(drop(name)),
    ]),
    'has numbers for codes': change.error((error) => ({ ...error, code: error.status ?? 0n })),
    'has null for messages': change.error(set({ message: null })),
    'has a string for the status of an Error': change.error(alter('status', String)),
    'puts an Error into an array': change.error((error) => [error]),
    'sends nothing for an Error': change.errorReply(() => ({ body: '' })),
  }),
  ...broken('errors/status', {
    'has 400 for the status of every Error': change.error(set({ status: 400n })),
    'has 500 for the status of the Error when an id is not an integer': change.error(
      set({ status: 500n }),
      isAt('abc'),
    ),
  }),
  ...broken(
    'errors/media-type',
    forEach(['application/problem+json', 'application/jsonp', undefined], (type) => [
      `sends an Error ${type === undefined ? 'without a media type' : `as ${type}`}`,
      change.errorReply(sendAs(type)),
    ]),
  ),
  ...broken(['errors/body', 'errors/media-type'], {
    ...firstOf(3, kinds, (isMeant) => change.errorReply(toText, isMeant), 'sends plain text when a request '),
    'sends HTML for an Error': change.errorReply(sendAs('text/html', '<h1>No</h1>')),
    'has text for the errors of a browser': change.errorReply(toText, hasHeader('accept', /text\/html/)),
    'refuses a large body with HTML': change.reply(
      hasBody((body) => body.length > 100_000),
      toTextWith(413),
    ),
    'refuses a bad limit with 422 and plain text': change.errorReply(toTextWith(422), answered(400, isList)),
    'sends plain text when the media type of a body is another one': change.reply(
      (request) =>
        isCreation(request) &&
        hasKey(request) &&
        !/^application\/json/i.test(request.headers['content-type'] ?? ''),
      toTextWith(415),
    ),
  }),
  ...broken('errors/no-server-fault', {
    ...firstOf(9, faults, (isMeant) => answerWith(isMeant, createError(500)), 'answers 500 to '),
    'cuts the connection on a body that is malformed': answerWith(isMalformed, 'drop'),
    'cuts the connection on an id that is not an integer': answerWith(isAt('abc'), 'drop'),
    'answers 500 to a key that is not ASCII': replace(hasHeader('authorization', /[^ -~]/), createError(500)),
  }),
  ...broken(
    [
      'errors/no-server-fault',
      ...['list-pets', 'create-pet', 'get-pet'].map((id) => `${id}/invalid-key`),
      'create-pet/key-before-body',
    ],
    {
      'answers 500 to a key that is wrong': replace(
        hasHeader('authorization', /^Bearer contract-test-invalid-key$/),
        createError(500),
      ),
    },
  ),
];
