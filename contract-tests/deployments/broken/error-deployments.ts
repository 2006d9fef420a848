import { answerOtherwise, answerWith, type ChangeReply, change, replace } from '../changes.ts';
import type { Deployment } from '../deployment.ts';
import { alter, drop, set } from '../members.ts';
import { createEmpty, createError, createPage, sendAs } from '../replies.ts';
import {
  always,
  answered,
  hasHeader,
  type IsMeant,
  isCreation,
  isFetch,
  isList,
  isMalformed,
} from '../requests.ts';
import { broken, forEach, overHttp } from '../rows.ts';

/** Announces some bytes more or less than there are. */
function announce(more: number): ChangeReply {
  return ({ headers, body }) => {
    const length = String(Buffer.byteLength(body) + more);
    return { headers: { ...headers, 'content-length': length, connection: 'close' } };
  };
}

/** The page of a firewall. */
const toBlocked = async () => ({
  status: 403,
  headers: { 'content-type': 'text/html' },
  body: '<h1>Request blocked</h1>',
});

const toText = sendAs('text/plain', 'It is refused.');

function hasBody(isWanted: (body: string) => boolean): IsMeant {
  return (request) => isCreation(request) && isWanted(request.body);
}

function isAt(id: string): IsMeant {
  return ({ path }) => path === `/pets/${id}`;
}

/** Answers 500 to the requests that are meant, with the right key. */
const fail = (isMeant: IsMeant) => answerWith(isMeant, createError(500));

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
  ...overHttp(
    broken('errors/body', {
      'announces more of an Error than it sends': change.errorReply(announce(9)),
      'announces less of an Error than it sends': change.errorReply(announce(-9)),
      'says that an Error is compressed, which it is not': change.errorReply(({ headers }) => ({
        headers: { ...headers, 'content-encoding': 'gzip' },
      })),
    }),
  ),
  ...overHttp(
    broken('list-pets/success', {
      'announces more of a list than it sends': change.reply(answered(200, isList), announce(9)),
      'announces less of a list than it sends': change.reply(answered(200, isList), announce(-9)),
      'says that a list is compressed, which it is not': change.reply(
        answered(200, isList),
        ({ headers }) => ({ headers: { ...headers, 'content-encoding': 'br' } }),
      ),
    }),
  ),
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
  ...broken(['errors/media-type', 'service/media-type'], {
    'begins every body with a byte order mark': change.reply(always, ({ body }) => ({
      body: `\ufeff${body}`,
    })),
  }),
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
    'refuses a large body with 413 and HTML': change.reply(
      hasBody((body) => body.length > 100_000),
      () => createPage(413),
    ),
    'has a firewall that refuses a query with markup': answerOtherwise(
      ({ query }) => /<script/.test(`${query.get('contract-test')}`),
      toBlocked,
    ),
    'has a firewall that refuses a query with SQL': answerOtherwise(
      ({ query }) => /DROP TABLE/.test(`${query.get('contract-test')}`),
      toBlocked,
    ),
    'has a firewall that refuses a query with a path': answerOtherwise(
      ({ query }) => /\.\.\/\.\.\/etc/.test(`${query.get('contract-test')}`),
      toBlocked,
    ),
    'has a firewall that refuses a name with SQL': answerOtherwise(
      hasBody((body) => body.includes('DROP TABLE')),
      toBlocked,
    ),
  }),
  ...broken('errors/no-server-fault', {
    // One of each list of requests that the suite makes; requests.test.ts looks for the others.
    'answers 500 to a body that is malformed': fail(isMalformed),
    'answers 500 to a categoryId beyond int64': fail(
      hasBody((body) => /9223372036854775808,|:1e400\}$/.test(body)),
    ),
    'answers 500 to a body over 1 MiB': fail(hasBody((body) => body.length > 1_048_576)),
    'answers 500 to a name that has a toString': fail(hasBody((body) => body.includes('"toString"'))),
    'answers 500 to a limit with a fraction': fail(({ query }) => query.get('limit') === '100.5'),
    'answers 500 to a body that is encoded twice': fail(hasBody((body) => body.startsWith('"'))),
    'answers 500 to a body that is nested deeply': fail(hasBody((body) => body.startsWith('[[[[[['))),
    'answers 500 to an emoji in a name': fail(hasBody((body) => body.includes('🐈'))),
    'answers 500 to a limit beyond int64': fail(({ query }) => (query.get('limit') ?? '').length > 18),
    'answers 500 to a parameter that is given twice': fail(({ query }) => query.getAll('limit').length > 1),
    'answers 500 to an id that is not an integer': fail(isAt('abc')),
    'answers 507 to an id that is not an integer': answerWith(isAt('abc'), createError(507)),
    'answers 500 to an unknown id': fail(isAt('9223372036854775807')),
    'answers 500 to a body that says it is compressed': fail(hasHeader('content-encoding', /^gzip$/)),
    'answers 500 to a creation without a media type': fail(
      (request) => isCreation(request) && request.headers['content-type'] === undefined,
    ),
    'answers 500 to a key that is not ASCII': replace(hasHeader('authorization', /[^ -~]/), createError(500)),
    'answers 500 to a key that is wrong': replace(
      hasHeader('authorization', /^Bearer contract-test-invalid-key$/),
      createError(500),
    ),
    ...forEach([502, 503, 504], (status) => [
      `is behind a gateway that answers ${status} with a page to an id that is not an integer`,
      answerWith(isAt('abc'), createPage(status)),
    ]),
    'cuts the connection on a body that is malformed': answerWith(isMalformed, 'drop'),
    'cuts the connection on an id that is not an integer': answerWith(isAt('abc'), 'drop'),
  }),
  ...broken('advised/undecodable-path', {
    'answers 500 to an id with a NUL': replace(isAt('%00'), createError(500)),
    'answers 500 to an id that is not UTF-8': replace(isAt('%E0%A4'), createError(500)),
    'has a page for an id that is not UTF-8': replace(isAt('%E0%A4'), {
      ...createError(502),
      body: 'Bad Gateway',
    }),
  }),
  ...broken('advised/long-path', {
    'answers a very long id 414 and nothing': replace(isAt('9'.repeat(400)), createEmpty(414)),
    'answers a very long key 431 and nothing': replace(
      hasHeader('authorization', /^.{5000}/),
      createEmpty(431),
    ),
  }),
];
