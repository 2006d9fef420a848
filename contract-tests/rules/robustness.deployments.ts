import { isInt64 } from '../../common/json/int64.ts';
import { answerWith, change, replace } from '../deployments/changes.ts';
import { type Answer, breaking } from '../deployments/deployment.ts';
import { hasHeader, isAt, isListOf, isSent } from '../deployments/messages.ts';
import { createEmpty, createPage, createReply } from '../deployments/replies.ts';
import { readJson } from '../deployments/values.ts';

/** Reads a body as a lenient parser does, which takes NaN for null and skips comments. */
const readLeniently = (body: string) =>
  readJson(body) === undefined ? body.replaceAll('NaN', 'null').replaceAll(/\/\*.*?\*\//g, '') : body;

/** Leaves all animals out of one list of all, long after the first. */
const leaveOutOnce = (): Answer => {
  let lists = 0;
  return answerWith(
    isListOf((limit, status) => limit === '100' && status === null && ++lists === WRONG_LIST),
    createReply(200, []),
  )();
};

const WRONG_LIST = 4;

export const robustnessDeployments = breaking({
  'recommended/right-each-time': { 'lists nothing once, and otherwise what it has': leaveOutOnce },
  'recommended/strict-json': { 'accepts NaN and comments in JSON': change.body(readLeniently) },
  'recommended/chunked-body': {
    'reads a body without a length as an empty one': answerWith(hasHeader('transfer-encoding', /./)),
  },
  'recommended/media-type-case': {
    'refuses an animal as Application/JSON': answerWith(hasHeader('content-type', /^Application/), 415),
  },
  'recommended/category-below-1': {
    'refuses categories below 1': answerWith(isSent(({ categoryId: id }) => isInt64(id) && id < 1n)),
  },
  'recommended/undecodable-path': {
    'has a page for an id that is not UTF-8': replace(isAt('%E0%A4'), createPage(500)),
  },
  'recommended/long-path': {
    'answers a very long id 414 and nothing': replace(isAt('9'.repeat(400)), createEmpty(414)),
    'has a server that refuses a path over 4 kB with 400 and a page': replace(
      ({ path }) => path.length > 4_096,
      createPage(400),
    ),
    'answers a very long key 431 and nothing': replace(
      hasHeader('authorization', /^.{5000}/),
      createEmpty(431),
    ),
  },
});
