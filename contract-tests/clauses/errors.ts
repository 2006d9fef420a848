import { defineClauses } from '../core/clause.ts';
import { isTooMany } from '../core/client.ts';
import type { Context } from '../core/context.ts';
import {
  type Exchange,
  isAscii,
  isDecodable,
  isGatewayPage,
  isPage,
  isPathDecodable,
  isUnanswered,
  outcomeOf,
  readObject,
} from '../core/exchange.ts';
import { REMOVAL } from '../core/get-pet-removal.ts';
import { isInsufficientStorage, OTHERWISE } from '../core/result.ts';
import {
  expectOfResponses,
  findErrorFault,
  findMediaTypeFault,
  isHuge,
  isTooLong,
} from './errors/expect-of-responses.ts';

/** What holds for every error response of the run. */
export const errorsClauses = defineClauses('Errors', [], {
  'errors/body': {
    sentence: 'Every error response has an Error body: strings code and message, and an integer status.',
    tolerated: [
      {
        open: 'the values of code in an Error, and other fields',
        answers: 'any string; any further fields',
      },
      { open: 'a path or a header that is too long', answers: '414 or 431, with or without an Error' },
    ],
    observes: true,
    run: (context) =>
      expectOfResponses(
        context,
        isErrorOf(context),
        'an Error',
        (exchange) => findErrorFault(exchange) ?? true,
      ),
  },
  'errors/status': {
    sentence: 'The status in an Error body is the HTTP status.',
    explainedBy: ['errors/body'],
    tolerated: [
      { open: 'statuses other than 400, 401 and 404', answers: 'any 4xx where no sentence names one' },
    ],
    observes: true,
    run: (context) =>
      expectOfResponses(context, isErrorOf(context), 'the HTTP status in the field status', (exchange) => {
        const status = readObject(exchange)?.status;
        if (typeof status !== 'bigint') return false;
        const isOther = status !== BigInt(exchange.response?.status ?? 0);
        return isOther ? `${status} in the body of a ${outcomeOf(exchange)}` : true;
      }),
  },
  'errors/media-type': {
    sentence: 'Every error response has the media type application/json, and no byte order mark.',
    explainedBy: ['errors/body', 'service/media-type'],
    observes: true,
    run: (context) => expectOfResponses(context, isErrorOf(context), 'application/json', findMediaTypeFault),
  },
  'errors/no-server-fault': {
    sentence: 'Every request is answered in time, with no 5xx and no cut connection.',
    tolerated: [
      {
        open: 'rate limits',
        answers: '429, or 503 with Retry-After, which is waited for (--retries, --max-rate)',
      },
      { open: 'a path that is not UTF-8 or has a NUL', answers: 'any 4xx or 5xx, with or without an Error' },
      {
        open: 'request size limits',
        answers: 'have others or none; cut the connection on a body over 1 MiB, or refuse it with a page',
      },
    ],
    observes: true,
    run: (context) =>
      expectOfResponses(
        context,
        () => true,
        'a status below 500',
        (exchange) => isAnswered(exchange, context) || outcomeOf(exchange),
        describeServerFaults,
      ),
  },
});

/** The most requests that a finding shows. */
const MOST_SHOWN = 10;

/** Describes all requests that got a 5xx or no answer: how many they are, and whether they also got something else. */
function describeServerFaults(faulty: readonly Exchange[], { client, target }: Context) {
  const { journal } = client;
  const keyOf = ({ request: { method, path, headers, body = '' } }: Exchange) =>
    JSON.stringify([method, path, headers, body]);
  const distinct = [...new Map(faulty.map((exchange) => [keyOf(exchange), exchange])).values()];
  const all = journal.filter(({ request }) => request.base === target.baseUrl);
  const rates = [...Map.groupBy(faulty, outcomeOf)].map(
    ([outcome, some]) => `${outcome} for ${some.length} of ${all.length} requests`,
  );
  const keys = new Set(distinct.map(keyOf));
  const others = all.filter((exchange) => keys.has(keyOf(exchange)) && !faulty.includes(exchange));
  const statuses = [...new Set(others.map(outcomeOf))].join(', ');
  const also = statuses === '' ? '' : `; ${OTHERWISE} ${statuses} at other times`;
  const more =
    distinct.length > MOST_SHOWN + 1
      ? `; ${MOST_SHOWN + 1} of ${distinct.length} different ones are shown`
      : '';
  const [first] = faulty;
  const shown = distinct.filter((one) => first === undefined || keyOf(one) !== keyOf(first));
  return {
    actual:
      faulty.length === 1 && also === '' ? faulty.map(outcomeOf).join() : `${rates.join(', ')}${also}${more}`,
    details: { more: shown.slice(0, MOST_SHOWN) },
  };
}

/**
 * Whether a request was answered by the service: a 503 may ask to wait, a 501 tell that an operation is removed, and what reaches
 * no operation, or is huge, may be refused in other ways.
 */
function isAnswered(exchange: Exchange, { target }: Context): boolean {
  const { request, response } = exchange;
  if (response === undefined) return !isUnanswered(exchange) && isHuge(request);
  const isGone = response.status === 501 && target.now >= REMOVAL && request.path.startsWith('/pets/');
  if (response.status < 500 || isTooMany(response) || isInsufficientStorage(exchange)) return true;
  return isGone || !isPathDecodable(request);
}

/** An error of an animal operation: once it is removed, the path of one is of none. */
function isErrorOf({ target }: Context): (exchange: Exchange) => boolean {
  return (exchange) =>
    isError(exchange) && !(target.now >= REMOVAL && exchange.request.path.startsWith('/pets/'));
}

/**
 * What is not UTF-8 or ASCII, has a NUL in its path or is too long may reach no operation: many servers and gateways refuse
 * it before, with a body of their own.
 */
function isError(exchange: Exchange): boolean {
  const { request, response } = exchange;
  if (response === undefined || response.status < 400) return false;
  if (isTooLong(exchange) || isGatewayPage(exchange) || !isPathDecodable(request)) return false;
  if (response.status === 413 && isHuge(request) && isPage(exchange)) return false;
  return isDecodable(request.path) && (response.status !== 400 || isAscii(request.headers.Authorization));
}
