import { printExactJson } from '../../common/json/exact-json.ts';
import { createFailure, Failed, NotApplicable } from '../client/clause-errors.ts';
import type { RequestOptions } from '../client/client.ts';
import type { Exchange } from '../client/exchange.ts';
import { isAscii, isDecodable, isPathDecodable, toOperation } from '../client/exchange.ts';
import { createFindCause } from '../client/find-words.ts';
import { inParallel } from '../client/in-parallel.ts';
import { underHeading } from '../vocabulary/clause.ts';
import type { Context, FindFault } from '../vocabulary/context.ts';
import { HUGE, isHuge, isServerFault, mayBeRemoved } from '../vocabulary/expectations.ts';
import { findBodyFault, findNoJson } from '../vocabulary/find-schema-fault.ts';
import { WITH_SLASH } from '../vocabulary/list-parameters.ts';
import { createHeadersWithoutOrigin, expectSameInBrowser } from './service/expect-same-in-browser.ts';

export const errorsClauses = underHeading('Errors', { phase: 'responses' })([
  {
    id: 'errors/body',
    sentence: 'Every error response has an Error body: strings code and message, and an integer status.',
    quote: 'All error responses in the animal operations use the Error body.',
    explainedBy: ['create-pet/success', 'get-pet/success'],
    tolerated: {
      'codes of Errors': 'any string',
      'further members of Errors': 'any',
      'a path or a header that is too long': '414 or 431, and 400 for a header, with or without an Error',
    },
    run: (context) => expectErrors(context, findErrorFault),
  },
  {
    id: 'errors/status',
    sentence: 'The status in an Error body is the HTTP status.',
    quote: '| status | integer | yes | The HTTP status code. |',
    tolerated: { 'statuses other than 400, 401 and 404': 'any 4xx where no sentence names one' },
    run: (context) =>
      expectErrors(context, ({ object, outcome }) => {
        const status = object?.status;
        if (typeof status !== 'bigint') return false;
        if (`${status}` === outcome) return true;
        return { kind: 'error status', received: String(status) };
      }),
  },
  {
    id: 'errors/media-type',
    sentence: 'Every error response has the media type application/json, and no byte order mark.',
    quote: 'Requests and responses use JSON (media type application/json).',
    explainedBy: ['errors/body', 'service/media-type'],
    run: (context) => expectErrors(context, findMediaTypeFault),
  },
  {
    id: 'errors/no-server-fault',
    sentence: 'Every request is answered in time, with no 5xx and no cut connection.',
    quote: 'Statuses other than 400, 401 and 404: not shown.',
    tolerated: {
      'rate limits': '429, 503 with Retry-After or a page, which are waited for (--max-rate)',
      'a path that is not UTF-8 or has a NUL': 'any 4xx or 5xx, with or without an Error',
      'request size limits':
        'other limits or none; for a body over 1 MiB also a cut connection or an HTML page',
    },
    run: (context) =>
      expectResponses(
        context,
        (exchange) =>
          isServerFault(exchange, context.target) ? { kind: 'status', expected: 'below 500' } : true,
        context.run.client.unreached,
      ).catch((error) => {
        throw error instanceof Failed ? countServerFaults(error, context) : error;
      }),
  },
]);

export const serviceClauses = underHeading('What the service does', { phase: 'responses' })([
  {
    id: 'service/media-type',
    sentence:
      'Every response with an animal or a list has the media type application/json, and no byte order mark.',
    quote: 'Requests and responses use JSON (media type application/json).',
    explainedBy: ['list-pets/success', 'create-pet/pet', 'get-pet/success'],
    run: (context) =>
      expectResponses(context, (exchange) => {
        const hasContent = exchange.isSuccess && exchange.response?.body.length !== 0;
        return hasContent && isOfOperation(exchange) && findMediaTypeFault(exchange);
      }),
  },
  {
    id: 'service/browser',
    sentence:
      'GET with the headers of a browser (Origin, Accept-Language, Cookie …) returns what it returns without them.',
    quote: 'The service is an HTTP and JSON interface to an animal store.',
    tolerated: { 'requests from pages of other origins (CORS)': 'certain origins or none' },
    run: expectSameInBrowser,
  },
]);

/**
 * Checks the responses of this run, and of some more that it provokes.
 * @param unreached the responses of a gateway that other clauses do not see
 */
async function expectResponses(
  context: Context,
  findFault: FindFault,
  unreached: readonly Exchange[] = [],
): Promise<void> {
  await context.once(sendUnusual).finally(() => {
    const exchanges = [...unreached, ...context.journal];
    context.expectNoFault(exchanges, findFault, new NotApplicable('no response of this kind was received'));
  });
}

/** Checks the errors of the service: servers and gateways refuse some requests before it. */
function expectErrors(context: Context, findFault: FindFault): Promise<void> {
  return expectResponses(context, (exchange) => {
    const { request, path, status, isPage, isGatewayPage } = exchange;
    if (status < 400 || !isOfOperation(exchange) || mayBeRemoved(exchange, context.target.now)) return false;
    if (isTooLong(exchange) || isGatewayPage || !isDecodable(path) || !isPathDecodable(request)) return false;
    if (status === 413 && isHuge(request) && isPage) return false;
    return (status !== 400 || isOrdinaryKey(request.headers.Authorization)) && findFault(exchange);
  });
}

/** Returns whether an operation has the path of a request: responses of other paths are none of the service. */
function isOfOperation({ path }: Exchange): boolean {
  return path !== WITH_SLASH;
}

/** The longest value of Authorization that a server should have room for, in characters. */
const LONGEST_KEY = 4_096;

/** Returns whether HTTP servers leave a value of Authorization to the service. */
function isOrdinaryKey(value = ''): boolean {
  return isAscii(value) && value.length <= LONGEST_KEY;
}

async function sendUnusual(context: Context): Promise<void> {
  await inParallel(await createUnusualRequests(context), (request) => context.send(request));
  // After the others, since the connection may be cut.
  if (context.target.allowsWrites) await context.post(HUGE);
}

export function findErrorFault(exchange: Exchange): ReturnType<FindFault> {
  const problem = exchange.failure === undefined ? findBodyFault('Error', exchange) : findNoJson(exchange);
  const body = exchange.shorten(exchange.response?.body.toString('utf8') ?? '');
  return problem === undefined || { kind: 'body', expected: 'Error', problem, body };
}

export function isTooLong({ status }: Exchange): boolean {
  return status === 414 || status === 431;
}

/** UTF-8 of U+FEFF. Source: RFC 8259, section 8.1, which forbids it at the beginning of JSON that is sent */
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

function findMediaTypeFault({ response }: Exchange): ReturnType<FindFault> {
  const type = response?.headers['content-type'];
  if (!/^application\/json\s*(?:;|$)/i.test(type ?? ''))
    return { kind: 'header', header: 'Content-Type', ...(type !== undefined && { received: type }) };
  const hasMark = response?.body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  return hasMark ? { kind: 'byte order mark' } : true;
}

/** Maximum number of other exchanges with a server fault that a finding shows. */
const MOST_SHOWN = 10;

/** Counts how often each server fault was returned, and finds what else the same requests got. */
function countServerFaults({ exchange: first, details }: Failed, { run, journal }: Context): Failed {
  const { unreached } = run.client;
  const faulty = details.alike ?? [];
  const keyOf = ({ request: { method, path, headers, body = '' } }: Exchange) =>
    JSON.stringify([method, path, headers, body]);
  const distinct = new Map(faulty.map((exchange) => [keyOf(exchange), exchange]));
  const all = [...unreached, ...journal];
  const additions = all.filter(({ isAddition }) => isAddition);
  const isMeanwhileAdded = (one: Exchange, other: Exchange) => {
    const { at } = additions.find(({ id }) => id === one.requestedId) ?? {};
    return at !== undefined && one.at < at !== other.at < at;
  };
  const wordsOf = createFindCause(faulty.map(({ words }) => words));
  const findOtherwise = (words: string) => {
    const same = all.filter((exchange) => {
      const fault = distinct.get(keyOf(exchange));
      const isOfCause = fault !== undefined && wordsOf(fault.words) === words;
      return isOfCause && !faulty.includes(exchange) && !isMeanwhileAdded(exchange, fault);
    });
    return [...new Set(same.map(({ outcome }) => outcome))];
  };
  const kinds = Map.groupBy(faulty, ({ request, outcome, words }) =>
    JSON.stringify([toOperation(request), outcome, wordsOf(words)]),
  );
  const toFault = (some: readonly Exchange[]) => {
    const words = wordsOf(some[0]?.words ?? '');
    return {
      kind: 'server fault',
      count: some.length,
      requests: all.length,
      otherwise: findOtherwise(words),
      ...(words !== '' && { words }),
    } as const;
  };
  const [own = [], ...otherKinds] = kinds.values();
  const others = otherKinds.flatMap((some) =>
    some.slice(0, 1).map((one) => createFailure(toFault(some), one)),
  );
  // One of each kind first, since each may be another finding.
  const ofKinds = [...kinds.values()].flatMap((some) => some.slice(0, 1));
  const shown = new Map([...ofKinds, ...distinct.values()].map((exchange) => [keyOf(exchange), exchange]));
  const more = [...shown.values()].filter((one) => keyOf(one) !== keyOf(first)).slice(0, MOST_SHOWN);
  return new Failed(toFault(own), first, { ...details, others, more });
}

const HOSTILE = "<script>alert(1)</script> ' OR '1'='1'; DROP TABLE pets; -- ../../etc/passwd";

const paths = [
  ...['/pets?limit=1&limit=2', `/pets?limit=${'9'.repeat(40)}`],
  `/pets?contract-test=${encodeURIComponent(HOSTILE)}`,
  ...['/pets?limit=100&status=sold&status=pending', '/pets?status%5B%5D=sold', '/pets?limit%5B%5D=5'],
  ...['/pets/-0', '/pets/01'],
];

const NESTED = `${'['.repeat(5000)}${']'.repeat(5000)}`;

/** Bodies and headers that no other clause tries; none is a NewPet. */
const creations: readonly Omit<RequestOptions, 'path'>[] = [
  { body: '{}', mediaType: 'application/x-www-form-urlencoded' },
  { body: '{}', mediaType: 'application/json; charset=unknown' },
  { body: '{}', headers: { 'Content-Encoding': 'gzip' } },
  ...['['.repeat(5000), `{"x":${NESTED}}`, `{${' '.repeat(150_000)}}`].map((body) => ({ body })),
  ...['{"name":"\\u0000"}', '{"name":"\\ud800"}'].map((body) => ({ body })),
];

const asPage = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'Sec-Fetch-Dest': 'document' };

/** Number of unusual paths in a run that may not write. */
const MOST_PATHS = 3;

async function createUnusualRequests(context: Context): Promise<readonly RequestOptions[]> {
  const reads: readonly RequestOptions[] = [
    ...context.chooseFew(paths, MOST_PATHS).map((path) => ({ path })),
    {
      path: '/pets/8765432109876543210',
      headers: { ...createHeadersWithoutOrigin(context.target), ...asPage },
    },
    { path: '/pets/abc', authorization: undefined },
  ];
  if (!context.target.allowsWrites) return reads;
  // These two may be accepted, and so have names of this run.
  const valid = printExactJson(await context.createPet('unusual'));
  const plain = printExactJson(await context.createPet('plain'));
  const posts = [
    ...creations,
    { body: plain, mediaType: 'text/plain' },
    { body: valid.replace('}', `,"x":${NESTED}}`) },
  ];
  return [...reads, ...posts.map((creation) => ({ method: 'POST', path: '/pets', ...creation }))];
}
