import { printExactJson } from '../../../common/exact-json.ts';
import { createNewPet } from '../../core/add-animal.ts';
import type { RequestOptions } from '../../core/client.ts';
import { type Context, chooseFew } from '../../core/context.ts';
import { type Exchange, outcomeOf, type SuiteRequest, shorten } from '../../core/exchange.ts';
import { findBodyFault } from '../../core/find-schema-fault.ts';
import { inParallel } from '../../core/in-parallel.ts';
import { Failed, Skipped } from '../../core/result.ts';

/** With more exchanges than this, other clauses have run. */
const FEW = 50;

/**
 * Expects something of the responses of this run, and of some more that it provokes.
 *
 * @param isMeant chooses the exchanges.
 * @param findFault says what one has instead of what is expected, or whether it shows anything.
 * @param describe returns what was received, for all exchanges with a fault. @default the fault of the first
 */
export async function expectOfResponses(
  context: Context,
  isMeant: (exchange: Exchange) => boolean,
  expected: string,
  findFault: (exchange: Exchange) => string | boolean,
  describe?: (faulty: readonly Exchange[], context: Context) => Pick<Failed, 'actual' | 'details'>,
): Promise<void> {
  const expectAll = () => {
    // Without the quickstart, which is not an animal operation.
    const { baseUrl } = context.target;
    const meant = context.client.journal.filter(({ request }) => request.base === baseUrl).filter(isMeant);
    const faults = new Map(meant.map((exchange) => [exchange, findFault(exchange)]));
    const faulty = meant.filter((exchange) => typeof faults.get(exchange) === 'string');
    const [first] = faulty;
    if (first !== undefined) {
      const { actual = String(faults.get(first)), details } = describe?.(faulty, context) ?? {};
      throw new Failed(expected, actual, first, { alike: faulty, ...details });
    }
    const telling = meant.filter((exchange) => faults.get(exchange));
    if (telling.length === 0) throw new Skipped('there was no such response');
    context.decide(telling.length);
  };
  try {
    await provoke(context);
  } finally {
    expectAll();
  }
}

/** Sends unusual requests once, and some usual ones when no other clause has run. */
async function provoke(context: Context): Promise<void> {
  const { client } = context;
  const isDone = client.journal.some(({ request }) => request.path === FIRST_UNUSUAL);
  if (!isDone) {
    const send = async (request: RequestOptions) => void (await client.send(request));
    await inParallel(await createUnusualRequests(context), send);
    // By itself, since the connection may be cut.
    if (context.target.allowsWrites) await send({ method: 'POST', path: '/pets', body: HUGE });
  }
  if (client.journal.length > FEW) return;
  await client.send({ path: '/pets' });
  await client.send({ path: '/pets', authorization: undefined });
  await client.send({ path: '/pets/8765432109876543210' });
  await client.send({ path: '/pets?limit=0' });
}

/** Says what a response has instead of an Error. */
export function findErrorFault(exchange: Exchange): string | undefined {
  const fault = exchange.failure ?? findBodyFault('Error', exchange);
  const text = exchange.response?.body.toString('utf8') ?? '';
  return fault && `${outcomeOf(exchange)} with ${shorten(text) || 'an empty body'}: ${fault}`;
}

/** Whether a path or a header was refused as too long, often before any operation. */
export function isTooLong({ response }: Exchange): boolean {
  return response?.status === 414 || response?.status === 431;
}

/** UTF-8 of U+FEFF. Source: RFC 8259, section 8.1, which forbids it at the beginning of JSON that is sent */
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Returns the other media type of a response, or the byte order mark that its JSON must not have. */
export function findMediaTypeFault({ response }: Exchange): string | true {
  const value = response?.headers['content-type'];
  if (value === undefined) return 'no Content-Type';
  if (!/^application\/json\s*(?:;|$)/i.test(value)) return value;
  return !response?.body.subarray(0, 3).equals(BYTE_ORDER_MARK) || 'a byte order mark before the JSON';
}

/** What a firewall may dislike, wherever it stands. */
const HOSTILE = "<script>alert(1)</script> ' OR '1'='1'; DROP TABLE pets; -- ../../etc/passwd";

/** A body of a little more than 1 MiB. */
const HUGE = `{${' '.repeat(1_048_600)}}`;

/** Whether a request may be too large to be read to its end, so that it need not be answered. */
export function isHuge({ body = '' }: SuiteRequest): boolean {
  return body.length >= HUGE.length;
}

/** Tells whether the unusual requests of a run have been sent. */
const FIRST_UNUSUAL = '/pets?limit=1&limit=2';

/** Queries and ids that no other clause tries. */
const paths = [
  FIRST_UNUSUAL,
  `/pets?limit=${'9'.repeat(40)}`,
  `/pets?contract-test=${encodeURIComponent(HOSTILE)}`,
  '/pets?status=sold&status=pending',
  '/pets?status%5B%5D=sold',
  '/pets?limit%5B%5D=5',
  '/pets/-0',
  '/pets/01',
];

/** Keys that may be too much for a comparison. */
const keys = ['k\u00e9y', 'x'.repeat(5000)];

/** The Accept header of a browser. */
const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const NESTED = `${'['.repeat(5000)}${']'.repeat(5000)}`;

/** Bodies and headers that no other clause tries; none is a NewPet. */
const creations: readonly Omit<RequestOptions, 'path'>[] = [
  { body: '{}', mediaType: 'text/plain' },
  { body: '{}', mediaType: 'application/x-www-form-urlencoded' },
  { body: '{}', mediaType: 'application/json; charset=unknown' },
  { body: '{}', headers: { 'Content-Encoding': 'gzip' } },
  { body: '['.repeat(5000) },
  { body: `{"x":${NESTED}}` },
  { body: `{${' '.repeat(150_000)}}` },
  { body: '{"name":"\\u0000"}' },
  { body: '{"name":"\\ud800"}' },
];

async function createUnusualRequests(context: Context): Promise<readonly RequestOptions[]> {
  const reads: readonly RequestOptions[] = [
    ...chooseFew(context, paths, 3).map((path) => ({ path })),
    ...keys.map((key) => ({ path: '/pets', authorization: `Bearer ${key}` })),
    { path: '/pets/8765432109876543210', headers: BROWSER },
    { path: '/pets/abc', authorization: undefined },
  ];
  if (!context.target.allowsWrites) return reads;
  // These may be accepted, and so have names of this run.
  const valid = printExactJson(await createNewPet(context, 'unusual'));
  const perhapsValid = [
    valid.replace('unusual', '\\ud800'),
    valid.replace('unusual', HOSTILE).replace('}', ',"nickname":"Rexi","__proto__":{},"constructor":1}'),
    valid.replace('}', `,"x":${NESTED}}`),
  ].map((body) => ({ body }));
  const posts = [...creations, ...perhapsValid];
  return [...reads, ...posts.map((creation) => ({ method: 'POST' as const, path: '/pets', ...creation }))];
}
