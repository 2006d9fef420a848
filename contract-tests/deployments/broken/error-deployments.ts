import { answerOtherwise, answerWith, type ChangeReply, change, replace } from '../changes.ts';
import { type Deployment, deployments } from '../deployment.ts';
import { createEmpty, createError, createPage, sendAs } from '../replies.ts';
import { always, answered, hasHeader, type IsMeant, isCreation, isList, isMalformed } from '../requests.ts';

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
  ...deployments(
    {
      'announces more of an Error than it sends': change.errorReply(announce(9)),

      'says that an Error is compressed, which it is not': change.errorReply(({ headers }) => ({
        headers: { ...headers, 'content-encoding': 'gzip' },
      })),
    },
    { overHttp: true },
  ),
  ...deployments(
    {
      'announces less of a list than it sends': change.reply(answered(200, isList), announce(-9)),
    },
    { overHttp: true },
  ),

  ...deployments({
    'begins every body with a byte order mark': change.reply(always, ({ body }) => ({
      body: `\ufeff${body}`,
    })),
  }),
  ...deployments({
    'refuses a large body with 413 and plain text': change.reply(
      hasBody((body) => body.length > 100_000),
      (reply) => ({ ...toText(reply), status: 413 }),
    ),

    'has a firewall that refuses a query with markup': answerOtherwise(
      ({ query }) => /<script/.test(`${query.get('contract-test')}`),
      toBlocked,
    ),
  }),
  ...deployments({
    // One of each list of requests that the suite makes; requests.test.ts looks for the others.

    'answers 500 to a body over 1 MiB': fail(hasBody((body) => body.length > 1_048_576)),

    'answers 500 to a body that is nested deeply': fail(hasBody((body) => body.startsWith('[[[[[['))),
    'answers 500 to an emoji in a name': fail(hasBody((body) => body.includes('🐈'))),

    'answers 500 to a parameter that is given twice': fail(({ query }) => query.getAll('limit').length > 1),

    'answers 507 to an id that is not an integer': answerWith(isAt('abc'), createError(507)),

    'answers 500 to a body that says it is compressed': fail(hasHeader('content-encoding', /^gzip$/)),

    'is behind a gateway that answers 503 with a page to an id that is not an integer': answerWith(
      isAt('abc'),
      createPage(503),
    ),
    'cuts the connection on a body that is malformed': answerWith(isMalformed, 'drop'),
  }),
  ...deployments({
    'has a page for an id that is not UTF-8': replace(isAt('%E0%A4'), {
      ...createError(502),
      body: 'Bad Gateway',
    }),
  }),
  ...deployments({
    'answers a very long id 414 and nothing': replace(isAt('9'.repeat(400)), createEmpty(414)),
    'answers a very long key 431 and nothing': replace(
      hasHeader('authorization', /^.{5000}/),
      createEmpty(431),
    ),
  }),
];
