import type { JsonObject } from '../../common/exact-json.ts';
import type { Check } from '../check.ts';
import { type Context, LONGEST_LIST, listAnimals, outcomeOf, readJson, statuses } from '../context.ts';
import type { Exchange } from '../exchange.ts';
import { findFault } from '../shapes.ts';
import { Unfulfilled } from '../verdict.ts';

/** What a lawful request for a list looks like. */
const lawfulList = /^\/pets(?:\?(?:limit=(?:[1-9]\d?|100)(?:&|$))?(?:status=(?:available|pending|sold))?)?$/;

/** What every list has to be, whichever check has asked for it. Source: GET /pets */
export const everyListChecks: readonly Check[] = [
  { clause: 'list-pets/success', isLast: true, run: expectLawfulListsAnswered },
  { clause: 'list-pets/pets', isLast: true, run: (context) => expectLists(context, findPetFault) },
  { clause: 'list-pets/unique-ids', isLast: true, run: (context) => expectLists(context, findTwins) },
];

/** Looks at every list that was asked for lawfully; whether 1 and 100 are refused is another clause's. */
async function expectLawfulListsAnswered({ client, target }: Context): Promise<void> {
  const queries = [
    '',
    '?limit=60',
    ...statuses.flatMap((status) => [`?status=${status}`, `?limit=5&status=${status}`]),
  ];
  for (const query of queries) await client.send({ path: `/pets${query}` });
  for (const exchange of client.journal) {
    const { method, path, headers } = exchange.request;
    const isLawful =
      method === 'GET' && lawfulList.test(path) && headers.Authorization === `Bearer ${target.apiKey}`;
    const status = exchange.response?.status ?? 500;
    const isOfBounds = /limit=(?:1|100)(?!\d)/.test(path) && status >= 400;
    // A fault of the server, or a request too many, is another clause's.
    if (!isLawful || isOfBounds || status >= 500 || status === 429) continue;
    if (status !== 200) throw new Unfulfilled('200', outcomeOf(exchange), exchange);
    if (!Array.isArray(readJson(exchange))) throw new Unfulfilled('a JSON array', bodyOf(exchange), exchange);
  }
}

/** Looks at every list that any check was answered with. */
async function expectLists(
  context: Context,
  findFaultIn: (list: readonly JsonObject[] | readonly unknown[]) => string | undefined,
): Promise<void> {
  await listAnimals(context, `?limit=${LONGEST_LIST}`);
  for (const exchange of context.client.journal) {
    const list = readJson(exchange);
    const isList = /^\/pets(?:\?|$)/.test(exchange.request.path) && exchange.request.method === 'GET';
    if (!isList || exchange.response?.status !== 200 || !Array.isArray(list)) continue;
    const fault = findFaultIn(list);
    if (fault !== undefined) throw new Unfulfilled('a lawful list', fault, exchange);
  }
}

function findPetFault(list: readonly unknown[]): string | undefined {
  for (const [index, pet] of list.entries()) {
    const fault = findFault('Pet', pet as JsonObject);
    if (fault !== undefined) return `element ${index}: ${fault}`;
  }
  return undefined;
}

function findTwins(list: readonly unknown[]): string | undefined {
  const ids = new Set<unknown>();
  for (const pet of list) {
    const id = (pet as JsonObject | null)?.id;
    if (typeof id !== 'bigint') continue;
    if (ids.has(id)) return `two animals with the id ${id}`;
    ids.add(id);
  }
  return undefined;
}

function bodyOf({ response }: Exchange): string {
  return response === undefined ? 'nothing' : response.body.toString('utf8').slice(0, 200);
}
