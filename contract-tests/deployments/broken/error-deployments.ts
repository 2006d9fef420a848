import { answerWith, change, replace } from '../changes.ts';
import type { Deployment } from '../deployment.ts';
import { alter, drop, set } from '../members.ts';
import { createError, sendAs } from '../replies.ts';
import { answered, hasHeader, type IsMeant, isCreation, isFetch, isList, isMalformed } from '../requests.ts';
import { broken, forEach } from '../rows.ts';

const toText = sendAs('text/plain', 'It is refused.');

function hasBody(isWanted: (body: string) => boolean): IsMeant {
  return (request) => isCreation(request) && isWanted(request.body);
}

function isAt(id: string): IsMeant {
  return ({ path }) => path === `/pets/${id}`;
}

/** What may be too much for a deployment: one of each list of requests that the suite makes. */
const faults: Readonly<Record<string, IsMeant>> = {
  'a body that is malformed': isMalformed,
  'a categoryId beyond int64': hasBody((body) => /9223372036854775808,|:1e400\}$/.test(body)),
  'a body that is nested deeply': hasBody((body) => body.startsWith('[[[[[[')),
  'an emoji in a name': hasBody((body) => body.includes('🐈')),
  'a limit beyond int64': ({ query }) => (query.get('limit') ?? '').length > 18,
  'a parameter that is given twice': ({ query }) => query.getAll('limit').length > 1,
  'an id that is not an integer': isAt('abc'),
  'an unknown id': isAt('9223372036854775807'),
  'a body that says it is compressed': hasHeader('content-encoding', /^gzip$/),
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
    'sends plain text when a request is not authorized': change.errorReply(toText, answered(401, isFetch)),
    'sends plain text when a request finds no animal': change.errorReply(toText, answered(404)),
    'sends plain text when a request has a bad body': change.errorReply(toText, answered(400, isCreation)),
    'sends plain text when a request has a bad limit': change.errorReply(toText, answered(400, isList)),
    'sends HTML for an Error': change.errorReply(sendAs('text/html', '<h1>No</h1>')),
    'has text for the errors of a browser': change.errorReply(toText, hasHeader('accept', /text\/html/)),
    'refuses a large body with 413 and plain text': change.reply(
      hasBody((body) => body.length > 100_000),
      (reply) => ({ ...toText(reply), status: 413 }),
    ),
  }),
  ...broken('errors/no-server-fault', {
    ...forEach(Object.entries(faults), ([what, isMeant]) => [
      `answers 500 to ${what}`,
      answerWith(isMeant, createError(500)),
    ]),
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
