import fc from 'fast-check';
import { type ExactJson, isJsonObject, type JsonObject } from '../../common/exact-json.ts';
import type { Check } from '../core/check.ts';
import { type Context, statuses } from '../core/context.ts';
import type { Exchange } from '../core/exchange.ts';
import { inParallel } from '../core/in-parallel.ts';
import { type AnimalList, LONGEST_LIST, listsSoFar, toList } from '../core/lists.ts';
import { outcomeOf, readJson } from '../core/read-exchange.ts';
import { Failed, Skipped } from '../core/result.ts';
import { runProperty } from '../core/run-property.ts';
import { findFault } from '../core/shapes.ts';
import { showValue } from '../core/show-value.ts';

/** What is wrong with a list for the query that it was answered to, or undefined. */
type FindListFault = (list: readonly ExactJson[], query: URLSearchParams) => ListFault | undefined;

interface ListFault {
  readonly expected: string;
  readonly actual: string;
}

/** What a lawful request for a list looks like. */
const lawfulList =
  /^\/pets(?:\?(?:limit=(?:[1-9]\d?|100)(?:&|$))?(?:status=(?:available|pending|sold)(?:&limit=(?:[1-9]\d?|100))?)?)?$/;

const limits = [1, 2, 3, 5, 10, 19, 20, 21, 50, 99, 100];

/** Lawful limits, alone and with a status. */
const lawfulQueries = fc
  .tuple(fc.integer({ min: 1, max: LONGEST_LIST }), fc.option(fc.constantFrom(...statuses)))
  .map(([limit, status]) => `?limit=${limit}${status === null ? '' : `&status=${status}`}`);

/** What every list has to be, whichever check has asked for it; what asks for most comes first. Source: GET /pets */
export const everyListChecks: readonly Check[] = [
  createCheck(
    'list-pets/limit-most-100',
    [
      '',
      '?limit=101',
      '?limit=1000',
      '?limit=-1',
      '?limit=abc',
      '?limit=Infinity',
      '?limit=101&status=pending',
    ],
    (list) =>
      list.length > LONGEST_LIST ? { expected: 'at most 100 animals', actual: `${list.length}` } : undefined,
  ),
  createCheck(
    'list-pets/limit-is-a-maximum',
    limits.map((limit) => `?limit=${limit}`),
    findTooMany,
    lawfulQueries,
  ),
  createCheck(
    'list-pets/status-filters',
    statuses.flatMap((status) => [`?status=${status}`, `?status=${status}&limit=${LONGEST_LIST}`]),
    findOtherStatus,
    lawfulQueries,
  ),
  { clause: 'list-pets/success', isLast: true, run: expectLawfulListsAnswered },
  createCheck('list-pets/pets', ['?limit=100'], findPetFault),
  createCheck('list-pets/unique-ids', ['?limit=100'], findTwins),
];

/**
 * Looks at every list that any check was answered with.
 *
 * @param queries to ask for besides.
 * @param arbitrary makes more of them.
 */
function createCheck(
  clause: string,
  queries: readonly string[],
  findFaultIn: FindListFault,
  arbitrary?: fc.Arbitrary<string>,
): Check {
  const expectLawful = ({ exchange }: AnimalList) => {
    const [, query] = exchange.request.path.split('?');
    const fault = findFaultIn(readJson(exchange) as readonly ExactJson[], new URLSearchParams(query));
    if (fault !== undefined) throw new Failed(fault.expected, fault.actual, exchange);
  };
  return {
    clause,
    isLast: true,
    run: async (context) => {
      for (const list of listsSoFar(context)) expectLawful(list);
      const ask = async (query: string) => {
        const list = toList(await context.client.send({ path: `/pets${query}` }));
        if (list !== undefined) expectLawful(list);
      };
      await inParallel(queries, ask);
      if (arbitrary !== undefined) await runProperty(context.target, arbitrary, ask);
      if (listsSoFar(context).length === 0) throw new Skipped('no request was answered with a list');
    },
  };
}

/** Looks at every list that was asked for lawfully; whether 1 and 100 are refused is another clause's. */
async function expectLawfulListsAnswered({ client, target }: Context): Promise<void> {
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
    const isLawful =
      method === 'GET' && lawfulList.test(path) && headers.Authorization === `Bearer ${target.apiKey}`;
    const status = exchange.response?.status ?? 500;
    const isOfBounds = /limit=(?:1|100)(?!\d)/.test(path) && status >= 400;
    // A fault of the server, or a request too many, is another clause's.
    if (!isLawful || isOfBounds || status >= 500 || status === 429) continue;
    isTried = true;
    if (status !== 200) throw new Failed('200', outcomeOf(exchange), exchange);
    if (!Array.isArray(readJson(exchange))) throw new Failed('a JSON array', bodyOf(exchange), exchange);
  }
  if (!isTried) throw new Skipped('no list was answered but with a 5xx: see errors/no-server-fault');
}

function findTooMany(list: readonly ExactJson[], query: URLSearchParams): ListFault | undefined {
  const limit = readOnly(query, 'limit', /^(?:[1-9]\d?|100)$/);
  return limit !== undefined && list.length > Number(limit)
    ? { expected: `at most ${limit} animals`, actual: `${list.length}` }
    : undefined;
}

function findOtherStatus(list: readonly ExactJson[], query: URLSearchParams): ListFault | undefined {
  const wanted = readOnly(query, 'status', /^(?:available|pending|sold)$/);
  if (wanted === undefined) return undefined;
  const animals = list.filter(isJsonObject);
  const other = animals.find(({ status }) => status !== wanted);
  return (
    other && {
      expected: `only animals with the status ${wanted}`,
      actual: `one, ${showValue(other.id)}, with the status ${showValue(other.status)}`,
    }
  );
}

/** The value of a parameter that a query has once, when it is a lawful one. */
function readOnly(query: URLSearchParams, name: string, lawful: RegExp): string | undefined {
  const [value = '', ...others] = query.getAll(name);
  return others.length === 0 && lawful.test(value) ? value : undefined;
}

function findPetFault(list: readonly ExactJson[]): ListFault | undefined {
  for (const [index, pet] of list.entries()) {
    const fault = findFault('Pet', pet);
    if (fault !== undefined)
      return { expected: 'a list of Pets', actual: `one whose element ${index} (from 0) is none: ${fault}` };
  }
  return undefined;
}

function findTwins(list: readonly ExactJson[]): ListFault | undefined {
  const ids = new Set<unknown>();
  for (const pet of list) {
    const id = (pet as JsonObject | null)?.id;
    if (typeof id !== 'bigint') continue;
    if (ids.has(id)) return { expected: 'an id of its own for each animal', actual: `two with the id ${id}` };
    ids.add(id);
  }
  return undefined;
}

function bodyOf({ response }: Exchange): string {
  return response === undefined ? 'nothing' : response.body.toString('utf8').slice(0, 200);
}
