import {
  answerWith,
  changeError,
  changeErrorReply,
  changeReply,
  createError,
  hasKey,
  isCreation,
  isFetch,
  isList,
  isMalformed,
  sendAs,
  sentBy,
  without,
} from '../changes.ts';
import type { DeployedReply, DeployedRequest, Deployment } from '../deployment.ts';

/** Plain text for an Error. */
function toText(reply: DeployedReply): Partial<DeployedReply> {
  return { ...sendAs('text/plain')(reply), body: 'It is refused.' };
}

/** Which errors may go wrong, each alone. */
const kinds: Readonly<Record<string, (request: DeployedRequest, reply: DeployedReply) => boolean>> = {
  'is not authorized to list': (request, { status }) => isList(request) && status === 401,
  'is not authorized to add': (request, { status }) => isCreation(request) && status === 401,
  'is not authorized to fetch': (request, { status }) => isFetch(request) && status === 401,
  'finds no animal': (_, { status }) => status === 404,
  'has an id that is no integer': (request) => isFetch(request) && !/^\/pets\/-?\d+$/.test(request.path),
  'has an id that is no int64': ({ path }) => /^\/pets\/-?9223372036854775809$/.test(path),
  'has a bad body': (_, { status }) => status === 400,
  'is malformed': isMalformed,
  'has no body': (request) => isCreation(request) && request.body === '' && hasKey(request),
  'has a bad status': (request) => isCreation(request) && hasKey(request) && 'status' in sentBy(request),
  'lists with a bad limit': ({ query }) => query.has('limit'),
  'lists with a bad status': ({ query }) => query.has('status'),
};

/** What may be wrong with an Error. */
const bodies: readonly Deployment[] = [
  ...['code', 'message', 'status'].map((name) => ({
    name: `leaves out the ${name} of an Error`,
    breaks: ['errors/body'],
    createBehaviour: changeError((error) => without(error, name)),
  })),
  {
    name: 'has numbers for codes',
    breaks: ['errors/body'],
    createBehaviour: changeError((error) => ({ ...error, code: error.status ?? 0n })),
  },
  {
    name: 'has null for messages',
    breaks: ['errors/body'],
    createBehaviour: changeError((error) => ({ ...error, message: null })),
  },
  {
    name: 'has lists of messages',
    breaks: ['errors/body'],
    createBehaviour: changeError((error) => ({ ...error, message: [error.message ?? ''] })),
  },
  {
    name: 'has a string for the status of an Error',
    breaks: ['errors/body'],
    createBehaviour: changeError((error) => ({ ...error, status: String(error.status) })),
  },
  {
    name: 'puts an Error into an envelope',
    breaks: ['errors/body'],
    createBehaviour: changeError((error) => ({ error })),
  },
  {
    name: 'puts an Error into an array',
    breaks: ['errors/body'],
    createBehaviour: changeError((error) => [error]),
  },
  {
    name: 'has the text of an error as a JSON string',
    breaks: ['errors/body'],
    createBehaviour: changeError(({ message }) => message ?? ''),
  },
  {
    name: 'has 0 for the status of every Error',
    breaks: ['errors/status'],
    createBehaviour: changeError((error) => ({ ...error, status: 0n })),
  },
  {
    name: 'has 400 for the status of every Error',
    breaks: ['errors/status'],
    createBehaviour: changeError((error) => ({ ...error, status: 400n })),
  },
  {
    name: 'has 500 for the status of the Error when an id is no integer',
    breaks: ['errors/status'],
    createBehaviour: changeError(
      (error) => ({ ...error, status: 500n }),
      ({ path }) => path === '/pets/abc',
    ),
  },
];

const mediaTypes: readonly Deployment[] = [
  ...['application/problem+json', 'text/json', 'application/jsonp', 'text/html; charset=utf-8'].map(
    (type) => ({
      name: `sends an Error as ${type}`,
      breaks: ['errors/media-type'],
      createBehaviour: changeErrorReply(sendAs(type)),
    }),
  ),
  {
    name: 'sends an Error without a media type',
    breaks: ['errors/media-type'],
    createBehaviour: changeErrorReply(sendAs(undefined)),
  },
  {
    name: 'sends HTML for an Error',
    breaks: ['errors/body', 'errors/media-type'],
    createBehaviour: changeErrorReply((reply) => ({ ...sendAs('text/html')(reply), body: '<h1>No</h1>' })),
  },
  {
    name: 'sends nothing for an Error',
    breaks: ['errors/body'],
    createBehaviour: changeErrorReply(() => ({ body: '' })),
  },
  {
    name: 'sends plain text when the media type of a body is another one',
    breaks: ['errors/body', 'errors/media-type'],
    createBehaviour: changeReply(
      (request) =>
        isCreation(request) &&
        hasKey(request) &&
        !/^application\/json/i.test(request.headers['content-type'] ?? ''),
      (reply) => ({ ...toText(reply), status: 415 }),
    ),
  },
  {
    name: 'refuses a bad limit with 422 and plain text',
    breaks: ['errors/body', 'errors/media-type'],
    createBehaviour: changeErrorReply(
      (reply) => ({ ...toText(reply), status: 422 }),
      (request, { status }) => isList(request) && status === 400,
    ),
  },
];

type Fault = (request: DeployedRequest) => boolean;

/** What may be too much for a deployment. */
const faults: Readonly<Record<string, Fault>> = {
  'a body that is malformed': isMalformed,
  'a name that is null': (request) => isCreation(request) && sentBy(request).name === null,
  'a name that is an object': (request) => isCreation(request) && /"name":\{/.test(request.body),
  'a categoryId beyond int64': ({ body }) =>
    body.includes('9223372036854775808,') || body.endsWith(':1e400}'),
  'a body that is null': (request) => isCreation(request) && request.body === 'null',
  'a body that is empty': (request) => isCreation(request) && request.body === '',
  'a NUL in a name': (request) => isCreation(request) && String(sentBy(request).name).includes('\0'),
  'an unpaired surrogate in a name': ({ body }) => /\\ud800/i.test(body),
  'a body that is nested deeply': ({ body }) => body.startsWith('[[[[[['),
  'an emoji in a name': ({ body }) => body.includes('🐈'),
  'a long name': ({ body }) => body.length > 280,
  'a limit that is no integer': ({ query }) => query.get('limit') === 'abc',
  'a limit beyond int64': ({ query }) => (query.get('limit') ?? '').length > 18,
  'a limit of 0': ({ query }) => query.get('limit') === '0',
  'a negative limit': ({ query }) => query.get('limit')?.startsWith('-') === true,
  'an unknown status': ({ query }) => query.get('status') === 'lost',
  'a quote in a status': ({ query }) => query.get('status')?.includes("'") === true,
  'a parameter that is given twice': ({ query }) => query.getAll('limit').length > 1,
  'an id that is no integer': ({ path }) => path === '/pets/abc',
  'an id beyond int64': ({ path }) => path === '/pets/9223372036854775808',
  'a NUL in an id': ({ path }) => path === '/pets/%00',
  'an unknown id': ({ path }) => path === '/pets/9223372036854775807',
  'a NUL at the end of a name that is lawful otherwise': ({ body }) =>
    body.includes('\\u0000"') && body.includes('categoryId'),
  'a field that it does not know': (request) => isCreation(request) && request.body.includes('"nickname"'),
  'two statuses': ({ query }) => query.getAll('status').length > 1,
  'a list of statuses': ({ query }) => query.has('status[]'),
  'a status that is no UTF-8': ({ query }) => query.get('status')?.includes('\ufffd') === true,
  'a parameter that it does not know': ({ query }) => query.has('contract-test'),
  'an id with a plus or a minus or a zero': ({ path }) => path === '/pets/-0' || path === '/pets/01',
  'a body that says it is compressed': ({ headers }) => headers['content-encoding'] === 'gzip',
  'an unknown charset': ({ headers }) => headers['content-type']?.includes('unknown') === true,
  'a form': ({ headers }) => headers['content-type']?.includes('form') === true,
  'a key that is not ASCII': ({ headers }) => /[^ -~]/.test(headers.authorization ?? ''),
  'a creation without a media type': (request) =>
    isCreation(request) && request.headers['content-type'] === undefined,
  'a key that is wrong': (request) => request.headers.authorization === 'Bearer contract-test-invalid-key',
};

const alsoBroken: Readonly<Record<string, readonly string[]>> = {
  'a key that is wrong': [
    'list-pets/invalid-key',
    'create-pet/invalid-key',
    'get-pet/invalid-key',
    'create-pet/key-before-body',
  ],
};

/** Deployments that err in a wrong way. */
export const errorDeployments: readonly Deployment[] = [
  {
    name: 'refuses a large body with HTML',
    breaks: ['errors/body', 'errors/media-type'],
    createBehaviour: changeReply(
      (request) => isCreation(request) && request.body.length > 100_000,
      (reply) => ({ ...toText(reply), status: 413 }),
    ),
  },
  {
    name: 'has text for the errors of a browser',
    breaks: ['errors/body', 'errors/media-type'],
    createBehaviour: changeErrorReply(
      (reply) => toText(reply),
      ({ headers }) => headers.accept?.includes('text/html') === true,
    ),
  },
  ...bodies,
  ...mediaTypes,
  ...Object.entries(kinds).map(([what, isMeant]) => ({
    name: `sends plain text when a request ${what}`,
    breaks: ['errors/body', 'errors/media-type'],
    createBehaviour: changeErrorReply(toText, isMeant),
  })),
  ...Object.entries(faults).map(([what, isMeant]) => ({
    name: `answers 500 to ${what}`,
    breaks: ['errors/no-server-fault', ...(alsoBroken[what] ?? [])],
    createBehaviour: changeReply(
      (request) => isMeant(request) && (hasKey(request) || what.startsWith('a key')),
      () => createError(500),
    ),
  })),
  ...['a body that is malformed', 'an id that is no integer', 'a limit beyond int64'].map((what) => ({
    name: `cuts the connection on ${what}`,
    breaks: ['errors/no-server-fault'],
    createBehaviour: answerWith(faults[what] as Fault, 'drop'),
  })),
];
