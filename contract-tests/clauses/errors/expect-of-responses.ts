import type { Context } from '../../core/context.ts';
import type { Exchange } from '../../core/exchange.ts';
import { inParallel } from '../../core/in-parallel.ts';
import { Failed, Skipped } from '../../core/result.ts';
import { createUnusualRequests, FIRST_UNUSUAL } from './unusual-requests.ts';

/** With more exchanges than this, other clauses have run. */
const FEW = 50;

/**
 * Expects something of the responses of this run, and of some more that it provokes.
 *
 * @param isMeant chooses the exchanges.
 * @param findFault says what one has instead of what is expected.
 */
export async function expectOfResponses(
  context: Context,
  isMeant: (exchange: Exchange) => boolean,
  expected: string,
  findFault: (exchange: Exchange) => string | undefined,
): Promise<void> {
  const expectAll = () => {
    // Without the quickstart, which is not an animal operation.
    const { baseUrl } = context.target;
    const meant = context.client.journal.filter(({ request }) => request.base === baseUrl).filter(isMeant);
    for (const exchange of meant) {
      const fault = findFault(exchange);
      if (fault !== undefined) throw new Failed(expected, fault, exchange);
    }
    if (meant.length === 0) throw new Skipped('there was no such response');
  };
  // Before as well, in case the deployment stops answering.
  if (context.client.journal.some(isMeant)) expectAll();
  await provoke(context);
  expectAll();
}

/** Sends unusual requests once, and some usual ones when no other clause has run. */
async function provoke(context: Context): Promise<void> {
  const { client } = context;
  const isDone = client.journal.some(({ request }) => request.path === FIRST_UNUSUAL);
  await inParallel(isDone ? [] : await createUnusualRequests(context), async (request) => {
    await client.send(request);
  });
  if (client.journal.length > FEW) return;
  await client.send({ path: '/pets' });
  await client.send({ path: '/pets', authorization: undefined });
  await client.send({ path: '/pets/8765432109876543210' });
  await client.send({ path: '/pets?limit=0' });
}

/** Says which other media type than application/json a response has. */
export function findMediaTypeFault({ response }: Exchange): string | undefined {
  const value = response?.headers['content-type'];
  if (value === undefined) return 'no Content-Type';
  return /^application\/json\s*(?:;|$)/i.test(value) ? undefined : value;
}
