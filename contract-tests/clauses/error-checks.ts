import { printExactJson } from '../../common/exact-json.ts';
import { createNewPet } from '../core/additions.ts';
import type { Check } from '../core/check.ts';
import type { RequestOptions } from '../core/client.ts';
import type { Context } from '../core/context.ts';
import type { Exchange } from '../core/exchange.ts';
import { inParallel } from '../core/in-parallel.ts';
import { isSuccess, outcomeOf, readJson, readObject, shorten } from '../core/read-exchange.ts';
import { Failed, Skipped } from '../core/result.ts';
import { findFault } from '../core/shapes.ts';

/** What the specification asks of every error, and of every answer: they look at all exchanges. Source: Errors */
export const errorChecks: readonly Check[] = [
  createCheck('errors/body', isError, 'an Error', (exchange) => {
    const body = readJson(exchange);
    const fault = body === undefined ? 'no JSON' : findFault('Error', body);
    const text = exchange.response?.body.toString('utf8') ?? '';
    return fault && `${outcomeOf(exchange)} with ${shorten(text) || 'an empty body'}: ${fault}`;
  }),
  createCheck('errors/status', isError, 'the HTTP status in the field status', (exchange) => {
    const status = readObject(exchange)?.status;
    const isOther = typeof status === 'bigint' && status !== BigInt(exchange.response?.status ?? 0);
    return isOther ? `${status} beside ${outcomeOf(exchange)}` : undefined;
  }),
  createCheck('errors/media-type', isError, 'application/json', findMediaTypeFault),
  createCheck('service/media-type', hasContent, 'application/json', findMediaTypeFault),
  createCheck(
    'errors/no-server-fault',
    () => true,
    'an answer below 500',
    ({ response, failure }) => {
      if (response === undefined) return `no answer (${failure})`;
      return response.status >= 500 ? String(response.status) : undefined;
    },
  ),
];

function createCheck(
  clause: string,
  isMeant: (exchange: Exchange) => boolean,
  expected: string,
  findFaultIn: (exchange: Exchange) => string | undefined,
): Check {
  return {
    clause,
    isLast: true,
    run: async (context) => {
      const expectAll = () => {
        // The quickstart is none of the animal operations.
        const { baseUrl } = context.target;
        const all = context.client.journal.filter(({ request }) => request.base === baseUrl);
        for (const exchange of all.filter(isMeant)) {
          const fault = findFaultIn(exchange);
          if (fault !== undefined) throw new Failed(expected, fault, exchange);
        }
        if (!all.some(isMeant)) throw new Skipped('there was no such answer');
      };
      // Before as well, should the deployment answer nothing more.
      if (context.client.journal.some(isMeant)) expectAll();
      await provoke(context);
      expectAll();
    },
  };
}

/** Queries and ids that other checks do not ask for. */
const unusualPaths = [
  '/pets?limit=1&limit=2',
  `/pets?limit=${'9'.repeat(40)}`,
  '/pets?status=sold&status=pending',
  '/pets?status%5B%5D=sold',
  '/pets?limit%5B%5D=5',
  '/pets?contract-test=x',
  '/pets/-0',
  '/pets/01',
];

/** Bodies and headers that other checks do not send: none of them is a NewPet. */
const unusualCreations: readonly Omit<RequestOptions, 'path'>[] = [
  { body: '{}', mediaType: 'text/plain' },
  { body: '{}', mediaType: 'application/x-www-form-urlencoded' },
  { body: '{}', mediaType: 'application/json; charset=unknown' },
  { body: '{}', headers: { 'Content-Encoding': 'gzip' } },
  { body: '['.repeat(5000) },
  { body: `{"x":${'['.repeat(5000)}${']'.repeat(5000)}}` },
  { body: `{${' '.repeat(150_000)}}` },
  { body: '{"name":"\\u0000"}' },
  { body: '{"name":"\\ud800"}' },
];

/** Keys that are none, and may be too much for what compares them. */
const unusualKeys = ['k\u00e9y', 'x'.repeat(5000)];

/** What a browser asks for. */
const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

async function createUnusual(context: Context): Promise<readonly RequestOptions[]> {
  const reads: readonly RequestOptions[] = [
    ...unusualPaths.map((path) => ({ path })),
    ...unusualKeys.map((key) => ({ path: '/pets', authorization: `Bearer ${key}` })),
    { path: '/pets/8765432109876543210', headers: BROWSER },
    { path: '/pets/abc', authorization: undefined },
  ];
  if (!context.target.allowsWrites) return reads;
  // These may be accepted: so they have names by which they are found.
  const lawful = printExactJson(await createNewPet(context, 'unusual'));
  const creations: readonly Omit<RequestOptions, 'path'>[] = [
    ...unusualCreations,
    { body: lawful.replace('unusual', '\\u0000') },
    { body: lawful.replace('unusual', '\\ud800') },
    { body: lawful.replace('}', ',"nickname":"Rexi"}') },
    { body: lawful.replace('}', `,"x":${'['.repeat(5000)}${']'.repeat(5000)}}`) },
  ];
  return [
    ...reads,
    ...creations.map((creation) => ({ method: 'POST' as const, path: '/pets', ...creation })),
  ];
}

/** Sends what no other check does; when no other has run, there is nothing else to look at yet. */
async function provoke(context: Context): Promise<void> {
  const { client } = context;
  const isSent = client.journal.some(({ request }) => request.path === unusualPaths[0]);
  await inParallel(isSent ? [] : await createUnusual(context), async (request) => {
    await client.send(request);
  });
  if (client.journal.length > 50) return;
  await client.send({ path: '/pets' });
  await client.send({ path: '/pets', authorization: undefined });
  await client.send({ path: '/pets/8765432109876543210' });
  await client.send({ path: '/pets?limit=0' });
}

/** What is no UTF-8 reaches no operation: many frameworks refuse it before. */
function isError({ request, response }: Exchange): boolean {
  return response !== undefined && response.status >= 400 && isDecodable(request.path);
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** What has no content has no media type. */
function hasContent(exchange: Exchange): boolean {
  return isSuccess(exchange) && exchange.response?.body.length !== 0;
}

function findMediaTypeFault({ response }: Exchange): string | undefined {
  const value = response?.headers['content-type'];
  if (value === undefined) return 'no Content-Type';
  return /^application\/json\s*(?:;|$)/i.test(value) ? undefined : value;
}
