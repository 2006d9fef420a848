import { type Context, statuses } from '../../core/context.ts';
import { expectStatus } from '../../core/expect-response.ts';
import { readJson, shorten } from '../../core/read-exchange.ts';
import { Failed, Skipped } from '../../core/result.ts';

/** The paths of valid requests for a list. */
const validPath =
  /^\/pets(?:\?(?:limit=(?:[1-9]\d?|100)(?:&|$))?(?:status=(?:available|pending|sold)(?:&limit=(?:[1-9]\d?|100))?)?)?$/;

/** Expects every valid request for a list to have returned one. Refused limits of 1 and 100 are left to limit-bounds. */
export async function expectListsReturned({ client, target }: Context): Promise<void> {
  const queries = [
    '',
    '?limit=60',
    ...statuses.flatMap((status) => [`?status=${status}`, `?limit=5&status=${status}`]),
    '?status=sold&limit=5',
  ];
  for (const query of queries) await client.send({ path: `/pets${query}` });
  let isTried = false;
  for (const exchange of client.journal) {
    const { method, path, headers } = exchange.request;
    const isValid =
      method === 'GET' && validPath.test(path) && headers.Authorization === `Bearer ${target.apiKey}`;
    const { status = 500, body = '' } = exchange.response ?? {};
    const isRefusedBound = /limit=(?:1|100)(?!\d)/.test(path) && status >= 400;
    // A 5xx is left to errors/no-server-fault.
    if (!isValid || isRefusedBound || status >= 500 || status === 429) continue;
    isTried = true;
    expectStatus(exchange, 200);
    if (!Array.isArray(readJson(exchange))) {
      throw new Failed('a JSON array', shorten(body.toString()) || 'an empty body', exchange);
    }
  }
  if (!isTried) throw new Skipped('every list was answered with a 5xx: see errors/no-server-fault');
}
