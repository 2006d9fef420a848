import type { Context } from '../../core/context.ts';
import { inParallel } from '../../core/in-parallel.ts';
import { toList } from '../../core/list-animals.ts';
import { expectNoServerFault, outcomeOf } from '../../core/read-exchange.ts';
import { Failed } from '../../core/result.ts';

/** Queries with a limit that is not an integer from 1 to 100. */
export const invalidLimits: readonly string[] = [
  ...['0', '-1', '101', '1000', '9223372036854775808', '1e3', '0x64', '08', '%2B5', '%D9%A3', '1.5', '1,2'],
  ...['abc', '', 'null', '%00', '0&status=pending', 'abc&status=sold', '1000&status=available'],
  ...['101&status=pending', 'Infinity'],
].map((limit) => `?limit=${limit}`);

/** Queries with a status that is not one of the three. */
export const invalidStatuses: readonly string[] = [
  ...['lost', 'AVAILABLE', '', 'available,sold', 'null', "'", 'constructor', '%00', '%E0%A4'].map(
    (status) => `?status=${status}`,
  ),
  '?limit=1&status=',
  '?limit=2&status=lost',
];

/** Expects a 4xx or a list for each query; whether the list conforms, other clauses tell. */
export function expectRefusalsOrLists({ client }: Context, queries: readonly string[]): Promise<void> {
  return inParallel(queries, async (query) => {
    const exchange = await client.send({ path: `/pets${query}` });
    expectNoServerFault(exchange);
    const isRefused = (exchange.response?.status ?? 0) >= 400;
    if (!isRefused && toList(exchange) === undefined) {
      throw new Failed('a 4xx or a list', outcomeOf(exchange), exchange);
    }
  });
}
