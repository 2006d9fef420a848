import fc from 'fast-check';
import { type ExactJson, isJsonObject } from '../../../common/json/exact-json.ts';
import { petStatuses } from '../../../common/json/pet.ts';
import { NotTested, NoVerdict, TooFewAnimals } from '../../client/clause-errors.ts';
import { type Exchange, hasValidKey } from '../../client/exchange.ts';
import { MOST_ELEMENTS } from '../../client/read-json.ts';
import { CASES, SEED } from '../../client/run-limits.ts';
import { showValue } from '../../client/show-value.ts';
import type { CountFault } from '../../failures/failure.ts';
import type { Context, FindFault } from '../../vocabulary/context.ts';
import { lacksAnimal } from '../../vocabulary/expectations.ts';
import { findOtherType, findSchemaFault } from '../../vocabulary/find-schema-fault.ts';
import {
  DEFAULT_LIMIT,
  isValidList,
  LARGEST_LIMIT,
  queryOf,
  readParameter,
} from '../../vocabulary/list-parameters.ts';
import { limitOf, madeAt } from '../../vocabulary/lists.ts';

/** Returns the fault of a list as the response to a query, or whether the list could show one. */
type FindListFault = (list: readonly ExactJson[], query: URLSearchParams) => ReturnType<FindFault>;

const limits = fc.integer({ min: 1, max: LARGEST_LIMIT }).map((limit) => `limit=${limit}`);
const filters = fc.constantFrom(...petStatuses).map((status) => `status=${status}`);

/** Valid queries with a limit, and perhaps with a filter before or after it. */
const madeUpQueries = fc
  .oneof(fc.tuple(limits), fc.tuple(limits, filters), fc.tuple(filters, limits))
  .map((parameters) => `?${parameters.join('&')}`);

export async function expectEveryList(context: Context, find: FindListFault, queries: readonly string[]) {
  await context.requestLists(queries);
  await context.once(requestMadeUp);
  if (context.lists.length === 0) throw new NotTested('no request returned a list');
  context.expectNoFault(
    context.lists,
    ({ path, json }) => find(json as readonly ExactJson[], queryOf(path)),
    new TooFewAnimals('no list has enough animals to test the clause'),
  );
}

/** Number of made-up queries in a run that may not write. */
const MOST_MADE_UP = 4;

async function requestMadeUp(context: Context): Promise<void> {
  const queries = fc.sample(madeUpQueries, { seed: SEED, numRuns: CASES });
  await context.requestLists(context.chooseFew(queries, MOST_MADE_UP));
}

export const listFaults = {
  tooLong: (list) => (list.length > LARGEST_LIMIT ? exceeds(LARGEST_LIMIT, list) : list.length > 0),
  longerThanLimit: (list, query) => {
    const limit = readParameter(query, 'limit');
    if (limit === undefined || list.length <= Number(limit)) return limit !== undefined && list.length > 0;
    return exceeds(Number(limit), list);
  },
  longerThanDefault: (list, query) => {
    // A service may take limit[] or Limit for a limit.
    const isPlain = [...query.keys()].every(
      (name) => name === 'status' && readParameter(query, name) !== undefined,
    );
    return isPlain && list.length > DEFAULT_LIMIT ? exceeds(DEFAULT_LIMIT, list) : isPlain && list.length > 0;
  },
  notPet: (list) => {
    for (const [index, pet] of list.entries()) {
      const problem = findSchemaFault('Pet', pet);
      if (problem !== undefined) return { kind: 'body', expected: 'list of Pets', problem, index };
    }
    return list.length > 0;
  },
  twins: (list) => {
    const ids = list.filter(isJsonObject).flatMap(({ id }) => (typeof id === 'bigint' ? [id] : []));
    const seen = new Set<bigint>();
    const twin = ids.find((id) => seen.size === seen.add(id).size);
    return twin === undefined ? ids.length > 1 : { kind: 'id', idProblem: 'twice', received: String(twin) };
  },
} satisfies Record<string, FindListFault>;

/** Finds an animal with another value than a filter of the query. A value that is not shown may be any one. */
export function findUnfiltered(name: 'status'): FindListFault {
  return (list, query) => {
    const wanted = readParameter(query, name);
    const shown = list.filter(isJsonObject).filter((animal) => animal[name] !== undefined);
    const other = shown.find((animal) => String(animal[name]) !== wanted);
    if (wanted === undefined || other === undefined) return wanted !== undefined && shown.length > 0;
    const [id, received] = [showValue(other.id), showValue(other[name])];
    return { kind: 'filter', member: name, expected: wanted, id, received };
  };
}

function exceeds(most: number, { length }: readonly ExactJson[]): CountFault {
  const isAtLeast = length >= MOST_ELEMENTS;
  return { kind: 'count', compared: 'at most', expected: most, received: length, isAtLeast, mayLag: false };
}

/** Expects every valid request for a list to have returned one. The smallest and the largest limit are left to limit-bounds. */
export async function expectListsReturned(context: Context): Promise<void> {
  const byStatus = petStatuses.flatMap((status) => [`?status=${status}`, `?limit=5&status=${status}`]);
  await context.requestLists(['', '?limit=60', ...byStatus, '?status=sold&limit=5']);
  const nothing = new NotTested('no valid request for a list got a response');
  context.expectNoFault(context.journal, (exchange) => findNoList(exchange, context), nothing);
  expectSome(context);
}

function findNoList(exchange: Exchange, { target }: Context): ReturnType<FindFault> {
  const { request, path, response, status, failure } = exchange;
  const isValid = request.method === 'GET' && isValidList(path) && hasValidKey(exchange, target);
  // Another clause expects that these are accepted.
  const isRefusedBound = ['1', '100'].includes(queryOf(path).get('limit') ?? '') && status >= 400;
  if (!isValid || isRefusedBound || response === undefined || exchange.asksToWait) return false;
  if (status !== 200) return { kind: 'status', expected: 200 };
  if (failure?.kind === 'body too long') throw new NoVerdict(`${path}: ${failure.reason}`);
  const body = exchange.shorten(`${response.body}`);
  return exchange.isList || { kind: 'body', expected: 'list', problem: findOtherType(exchange), body };
}

/**
 * Expects lists that show some animal, where there are some. A list may be empty for its limit, if rows are taken out of it
 * that the key may not see, but not where a list with no larger limit has an animal.
 */
function expectSome(context: Context): void {
  const { lists, journal } = context;
  const shown =
    lists.find(({ isByStatus, animals }) => isByStatus && animals.length > 0) ??
    journal.find(({ animal }) => animal !== undefined);
  if (shown === undefined) return;
  const ofAll = lists.filter(({ path }) => isValidList(path) && !queryOf(path).has('status'));
  const isEmpty = ({ json }: Exchange) => (json as readonly ExactJson[]).length === 0;
  const limits = ofAll.filter((list) => !isEmpty(list)).map(limitOf);
  // A limit that has both kinds of lists is left to the longer ones, unless it is a page of a usual length.
  const isShown = (limit: number) =>
    limits.some((other) => other < limit || (other === limit && limit >= DEFAULT_LIMIT));
  const empty = ofAll.find(
    (list) => madeAt(list) > shown.at && isEmpty(list) && (limits.length === 0 || isShown(limitOf(list))),
  );
  if (empty === undefined) return;
  throw lacksAnimal({ lacks: 'any animal', received: 'empty list' }, empty, { before: [shown] });
}
