import { type Exchange, isAscii, isDecodable, isPathDecodable, isTooMany } from '../client/exchange.ts';
import { isInsufficientStorage } from '../client/result.ts';
import { defineClauses } from '../model/clause.ts';
import { type Context, REMOVAL } from '../model/context.ts';
import { OTHERWISE } from '../model/find-facts.ts';
import {
  expectResponses,
  findErrorFault,
  findMediaTypeFault,
  isHuge,
  isTooLong,
} from './errors/expect-responses.ts';

export const errorsClauses = defineClauses(
  'Errors',
  { runsLast: true },
  {
    'errors/body': {
      sentence: 'Every error response has an Error body: strings code and message, and an integer status.',
      tolerated: {
        'the values of code in an Error, and other fields': 'any string; any further fields',
        'a path or a header that is too long': '414 or 431, with or without an Error',
      },
      run: (context) =>
        expectResponses(
          context,
          isErrorOf(context),
          'an Error',
          (exchange) => findErrorFault(exchange) ?? true,
        ),
    },
    'errors/status': {
      sentence: 'The status in an Error body is the HTTP status.',
      explainedBy: ['errors/body'],
      tolerated: { 'statuses other than 400, 401 and 404': 'any 4xx where no sentence names one' },
      run: (context) =>
        expectResponses(context, isErrorOf(context), 'the HTTP status in the field status', (exchange) => {
          const status = exchange.object?.status;
          if (typeof status !== 'bigint') return false;
          const isOther = status !== BigInt(exchange.status);
          return isOther ? `${status} in the body of a ${exchange.outcome}` : true;
        }),
    },
    'errors/media-type': {
      sentence: 'Every error response has the media type application/json, and no byte order mark.',
      explainedBy: ['errors/body', 'service/media-type'],
      run: (context) => expectResponses(context, isErrorOf(context), 'application/json', findMediaTypeFault),
    },
    'errors/no-server-fault': {
      sentence: 'Every request is answered in time, with no 5xx and no cut connection.',
      tolerated: {
        'rate limits': '429, or 503 with Retry-After, which is waited for (--retries, --max-rate)',
        'a path that is not UTF-8 or has a NUL': 'any 4xx or 5xx, with or without an Error',
        'request size limits':
          'have others or none; cut the connection on a body over 1 MiB, or refuse it with a page',
      },
      run: (context) => {
        const findFault = (exchange: Exchange) => isAnswered(exchange, context) || exchange.outcome;
        return expectResponses(context, () => true, 'a status below 500', findFault, describeServerFaults);
      },
    },
  },
);

export const serviceClauses = defineClauses(
  'What the service does',
  { runsLast: true },
  {
    'service/media-type': {
      sentence:
        'Every response with an animal or a list has the media type application/json, and no byte order mark.',
      run: (context) => expectResponses(context, hasContent, 'application/json', findMediaTypeFault),
    },
  },
);

function hasContent({ isSuccess, response }: Exchange): boolean {
  return isSuccess && response?.body.length !== 0;
}

const MOST_SHOWN = 10;

function describeServerFaults(faulty: readonly Exchange[], { journal, target }: Context) {
  const keyOf = ({ request: { method, path, headers, body = '' } }: Exchange) =>
    JSON.stringify([method, path, headers, body]);
  const distinct = new Map(faulty.map((exchange) => [keyOf(exchange), exchange]));
  const all = journal.filter(({ request }) => request.base === target.baseUrl);
  const rates = [...Map.groupBy(faulty, ({ outcome }) => outcome)].map(
    ([outcome, some]) => `${outcome} for ${some.length} of ${all.length} requests`,
  );
  const others = all.filter((exchange) => distinct.has(keyOf(exchange)) && !faulty.includes(exchange));
  const statuses = [...new Set(others.map(({ outcome }) => outcome))].join(', ');
  const [first] = faulty;
  if (first === undefined || (faulty.length === 1 && statuses === ''))
    return { actual: first?.outcome ?? '', details: {} };
  const also = statuses === '' ? '' : `; ${OTHERWISE} ${statuses} at other times`;
  const most = MOST_SHOWN + 1;
  const cut = distinct.size > most ? `; ${most} of ${distinct.size} different ones are shown` : '';
  distinct.delete(keyOf(first));
  return {
    actual: `${rates.join(', ')}${also}${cut}`,
    details: { more: [...distinct.values()].slice(0, MOST_SHOWN) },
  };
}

/** A 503 may ask to wait, a 501 may mean a removed operation, and a path may reach no operation. */
function isAnswered(exchange: Exchange, context: Context): boolean {
  const { request, response } = exchange;
  if (response === undefined) return !exchange.isUnanswered && isHuge(request);
  if (response.status < 500 || isTooMany(response) || isInsufficientStorage(exchange)) return true;
  return (response.status === 501 && mayBeRemoved(exchange, context)) || !isPathDecodable(request);
}

function mayBeRemoved({ path }: Exchange, { target }: Context): boolean {
  return target.now >= REMOVAL && path.startsWith('/pets/');
}

/** Creates a filter for errors of the service: servers and gateways refuse some requests before it. */
function isErrorOf(context: Context): (exchange: Exchange) => boolean {
  return (exchange) => {
    const { request, status } = exchange;
    if (status < 400 || mayBeRemoved(exchange, context)) return false;
    if (isTooLong(exchange) || exchange.isGatewayPage || !isPathDecodable(request)) return false;
    if (status === 413 && isHuge(request) && exchange.isPage) return false;
    return isDecodable(request.path) && (status !== 400 || isAscii(request.headers.Authorization));
  };
}
