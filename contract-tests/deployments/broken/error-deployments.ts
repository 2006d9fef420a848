import { answerWith, change, replace } from '../changes.ts';
import { type Deployment, deployments } from '../deployment.ts';
import {
  always,
  createEmpty,
  createError,
  hasHeader,
  type IsMeant,
  isCreation,
  readJson,
  sendAs,
} from '../messages.ts';

function hasBody(isWanted: (body: string) => boolean): IsMeant {
  return (request) => isCreation(request) && isWanted(request.body);
}

function isAt(id: string): IsMeant {
  return ({ path }) => path === `/pets/${id}`;
}

const toText = sendAs('text/plain', 'It is refused.');
const isMalformed = hasBody((body) => body !== '' && readJson(body) === undefined);

/** Deployments that err in a wrong way. requests.test.ts looks for the other requests of each kind. */
export const errorDeployments: readonly Deployment[] = deployments({
  'begins every body with a byte order mark': change.reply(always, ({ body }) => ({
    body: `\ufeff${body}`,
  })),
  'refuses a large body with 413 and plain text': change.reply(
    hasBody((body) => body.length > 100_000),
    (reply) => ({ ...toText(reply), status: 413 }),
  ),
  'answers 500 to a body over 1 MiB': answerWith(
    hasBody((body) => body.length > 1_048_576),
    500,
  ),
  'answers 500 to a body that is nested deeply': answerWith(
    hasBody((body) => body.startsWith('[[[[[[')),
    500,
  ),
  'answers 500 to a body that says it is compressed': answerWith(
    hasHeader('content-encoding', /^gzip$/),
    500,
  ),
  'answers 507 to an id that is not an integer': answerWith(isAt('abc'), 507),
  'cuts the connection on a body that is malformed': answerWith(isMalformed, 'drop'),
  'has a page for an id that is not UTF-8': replace(isAt('%E0%A4'), {
    ...createError(502),
    body: 'Bad Gateway',
  }),
  'answers a very long id 414 and nothing': replace(isAt('9'.repeat(400)), createEmpty(414)),
  'answers a very long key 431 and nothing': replace(
    hasHeader('authorization', /^.{5000}/),
    createEmpty(431),
  ),
});
