import { printExactJson } from '../../../common/json/exact-json.ts';
import type { RequestOptions } from '../../client/client.ts';
import { type Exchange, type SuiteRequest, shorten } from '../../client/exchange.ts';
import { inParallel } from '../../client/in-parallel.ts';
import { Failed, NotApplicable } from '../../client/result.ts';
import type { Context } from '../../model/context.ts';
import { findBodyFault } from '../../model/find-schema-fault.ts';

/** With more exchanges than this, other clauses have run. */
const FEW = 50;

/**
 * Expects something of the responses of this run, and of some more that it provokes.
 * @param findFault returns the fault of a response, or whether the response shows anything
 * @param describe returns what was received, for all exchanges with a fault. @default the fault of the first
 */
export async function expectResponses(
  context: Context,
  isMeant: (exchange: Exchange) => boolean,
  expected: string,
  findFault: (exchange: Exchange) => string | boolean,
  describe?: (faulty: readonly Exchange[], context: Context) => Pick<Failed, 'actual' | 'details'>,
): Promise<void> {
  const expectAll = () => {
    // Without the quickstart, which is not an animal operation.
    const { baseUrl } = context.target;
    const meant = context.journal.filter(({ request }) => request.base === baseUrl).filter(isMeant);
    const faults = new Map(meant.map((exchange) => [exchange, findFault(exchange)]));
    const faulty = meant.filter((exchange) => typeof faults.get(exchange) === 'string');
    const [first] = faulty;
    if (first !== undefined) {
      const { actual = String(faults.get(first)), details } = describe?.(faulty, context) ?? {};
      throw new Failed(expected, actual, first, { alike: faulty, ...details });
    }
    const telling = meant.filter((exchange) => faults.get(exchange));
    if (telling.length === 0) throw new NotApplicable('there was no such response');
    context.decide(telling.length);
  };
  await provoke(context).finally(expectAll);
}

/** Sends unusual requests once, and some usual ones when no other clause has run. */
async function provoke(context: Context): Promise<void> {
  if (!context.journal.some(({ request }) => request.path === FIRST_UNUSUAL)) {
    await inParallel(await createUnusualRequests(context), (request) => context.send(request));
    // Alone, since the connection may be cut.
    if (context.target.allowsWrites) await context.post(HUGE);
  }
  if (context.journal.length > FEW) return;
  await context.get('/pets');
  await context.send({ path: '/pets', authorization: undefined });
  await context.get('/pets/8765432109876543210');
  await context.get('/pets?limit=0');
}

export function findErrorFault(exchange: Exchange): string | undefined {
  const fault = exchange.failure ?? findBodyFault('Error', exchange);
  const text = exchange.response?.body.toString('utf8') ?? '';
  return fault && `${exchange.outcome} with ${shorten(text) || 'an empty body'}: ${fault}`;
}

/** Returns whether a path or a header was refused as too long, often before any operation. */
export function isTooLong({ status }: Exchange): boolean {
  return status === 414 || status === 431;
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

const HOSTILE = "<script>alert(1)</script> ' OR '1'='1'; DROP TABLE pets; -- ../../etc/passwd";

const HUGE = `{${' '.repeat(1_048_600)}}`;

/** Returns whether a request may be too large to be read to its end, so that it need not be answered. */
export function isHuge({ body = '' }: SuiteRequest): boolean {
  return body.length >= HUGE.length;
}

/** The first unusual request: the journal shows whether they were sent. */
const FIRST_UNUSUAL = '/pets?limit=1&limit=2';

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

const keys = ['k\u00e9y', 'x'.repeat(5000)];

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
    ...context.chooseFew(paths, 3).map((path) => ({ path })),
    ...keys.map((key) => ({ path: '/pets', authorization: `Bearer ${key}` })),
    { path: '/pets/8765432109876543210', headers: BROWSER },
    { path: '/pets/abc', authorization: undefined },
  ];
  if (!context.target.allowsWrites) return reads;
  // These may be accepted, and so have names of this run.
  const valid = printExactJson(await context.createPet('unusual'));
  const perhapsValid = [
    valid.replace('unusual', '\\ud800'),
    valid.replace('unusual', HOSTILE).replace('}', ',"nickname":"Rexi","__proto__":{},"constructor":1}'),
    valid.replace('}', `,"x":${NESTED}}`),
  ].map((body) => ({ body }));
  const posts = [...creations, ...perhapsValid];
  return [...reads, ...posts.map((creation) => ({ method: 'POST', path: '/pets', ...creation }))];
}
