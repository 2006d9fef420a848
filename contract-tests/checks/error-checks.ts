import type { Check } from '../check.ts';
import type { RequestOptions } from '../client.ts';
import type { Context } from '../context.ts';
import type { Exchange } from '../exchange.ts';
import { outcomeOf, readJson, readObject } from '../read-exchange.ts';
import { findFault } from '../shapes.ts';
import { Unfulfilled, Untried } from '../verdict.ts';

/** What the specification asks of every error, and of every answer: they look at all exchanges. Source: Errors */
export const errorChecks: readonly Check[] = [
  createCheck('errors/body', isError, 'an Error', (exchange) => {
    const body = readJson(exchange);
    return body === undefined ? 'no JSON' : findFault('Error', body);
  }),
  createCheck('errors/status', isError, 'the HTTP status in the field status', (exchange) => {
    const status = readObject(exchange)?.status;
    const isOther = typeof status === 'bigint' && status !== BigInt(exchange.response?.status ?? 0);
    return isOther ? `${status} beside ${outcomeOf(exchange)}` : undefined;
  }),
  createCheck('errors/media-type', isError, 'application/json', findMediaTypeFault),
  createCheck('service/media-type', isSuccess, 'application/json', findMediaTypeFault),
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
          if (fault !== undefined) throw new Unfulfilled(expected, fault, exchange);
        }
        if (!all.some(isMeant)) throw new Untried('there was no such answer');
      };
      // Before as well, should the deployment answer nothing more.
      if (context.client.journal.some(isMeant)) expectAll();
      await provoke(context);
      expectAll();
    },
  };
}

/** What other checks do not send. */
const unusual: readonly RequestOptions[] = [
  { path: '/pets?limit=1&limit=2' },
  { path: `/pets?limit=${'9'.repeat(40)}` },
  { method: 'POST', path: '/pets', body: '{}', mediaType: 'text/plain' },
  { method: 'POST', path: '/pets', body: '['.repeat(5000) },
  { method: 'POST', path: '/pets', body: '{"name":"\\u0000"}' },
  { method: 'POST', path: '/pets', body: '{"name":"\\ud800"}' },
];

/** Sends what no other check does; when no other has run, there is nothing else to look at yet. */
async function provoke({ client, target }: Context): Promise<void> {
  const isSent = client.journal.some(({ request }) => request.path === unusual[0]?.path);
  const sendable = unusual.filter(({ method }) => method === undefined || target.allowsWrites);
  for (const request of isSent ? [] : sendable) await client.send(request);
  if (client.journal.length > 10) return;
  await client.send({ path: '/pets' });
  await client.send({ path: '/pets', authorization: undefined });
  await client.send({ path: '/pets/8765432109876543210' });
  await client.send({ path: '/pets?limit=0' });
}

function isError({ response }: Exchange): boolean {
  return response !== undefined && response.status >= 400;
}

function isSuccess({ response }: Exchange): boolean {
  return (
    response !== undefined && response.status >= 200 && response.status < 300 && response.body.length > 0
  );
}

function findMediaTypeFault({ response }: Exchange): string | undefined {
  const value = response?.headers['content-type'];
  if (value === undefined) return 'no Content-Type';
  return /^application\/json\s*(?:;|$)/i.test(value) ? undefined : value;
}
