import fc from 'fast-check';
import { type Contract, loadContract } from '../../../common/json/contract.ts';
import { type ExactJson, isJsonObject } from '../../../common/json/exact-json.ts';
import { NotTested, NoVerdict, TooFewAnimals } from '../../client/clause-errors.ts';
import { type Exchange, hasValidKey } from '../../client/exchange.ts';
import { MOST_ELEMENTS } from '../../client/read-json.ts';
import { showValue } from '../../client/show-value.ts';
import type { CountFault } from '../../failures/failure.ts';
import type { Context, FindFault } from '../../vocabulary/context.ts';
import { lacksAnimal } from '../../vocabulary/expectations.ts';
import { findOtherType, findSchemaFault } from '../../vocabulary/find-schema-fault.ts';
import {
  isFiltered,
  isValidList,
  isValidListRequest,
  type ListParameter,
  listParametersOf,
  queryOf,
  readParameter,
} from '../../vocabulary/list-parameters.ts';
import { limitOf, madeAt } from '../../vocabulary/lists.ts';
import { makeValue } from '../../vocabulary/make-value.ts';

/** Returns the fault of a list as the response to a query, or whether the list could show one. */
type FindListFault = (
  list: readonly ExactJson[],
  query: URLSearchParams,
  context: Context,
) => ReturnType<FindFault>;

/** The bounds of an integer that has none: a service may read it into 32 bits. */
const LEAST_INTEGER = -(2 ** 31);
const LARGEST_INTEGER = 2 ** 31 - 1;

/** Creates the values of a parameter that openapi.yaml allows. @throws Error for a schema that no parameter has yet */
function toValues({ name, schema }: ListParameter): fc.Arbitrary<string> {
  const { type, enum: words, minimum: min = LEAST_INTEGER, maximum: max = LARGEST_INTEGER } = schema;
  if (words !== undefined) return fc.constantFrom(...words.map(String));
  if (type === 'integer') return fc.integer({ min, max }).map(String);
  throw new Error(`expect-every-list.ts has to know valid values of ${name}, which is a ${type}.`);
}

/** Returns valid queries with a limit, and with any filters of openapi.yaml before or after it. */
function createQueries(contract: Contract): fc.Arbitrary<string> {
  const isOfDraft = ({ name }: ListParameter) =>
    !listParametersOf(loadContract()).some((one) => one.name === name);
  const known = listParametersOf(contract).filter((one) => !isOfDraft(one));
  const limits = known.filter(({ name }) => name === 'limit');
  const filters = known.filter(({ name }) => name !== 'limit');
  return fc
    .tuple(fc.shuffledSubarray(filters), fc.boolean())
    .chain(([some, isLimitLast]) => {
      const chosen = isLimitLast ? [...some, ...limits] : [...limits, ...some];
      const toPair = (one: ListParameter) => toValues(one).map((value) => `${one.name}=${value}`);
      return fc.tuple(...chosen.map(toPair));
    })
    .map((pairs) => `?${pairs.join('&')}`);
}

/** Returns a query for each parameter that only the draft has, with a value that its schema allows. */
function listDraftQueries(contract: Contract): readonly string[] {
  const known = listParametersOf(loadContract()).map(({ name }) => name);
  const added = listParametersOf(contract).filter(({ name }) => !known.includes(name));
  return added.flatMap((parameter) => {
    const value = makeValue(contract, parameter.schema, parameter.example);
    const isText = ['string', 'number', 'boolean'].includes(typeof value);
    return isText ? [`?${parameter.name}=${encodeURIComponent(String(value))}`] : [];
  });
}

export async function expectEveryList(context: Context, find: FindListFault, queries: readonly string[]) {
  await context.requestLists(queries);
  await context.once(requestMadeUp);
  if (context.lists.length === 0) throw new NotTested('no request returned a list');
  context.expectNoFault(
    context.lists,
    ({ path, json }) => find(json as readonly ExactJson[], queryOf(path), context),
    new TooFewAnimals('no list has enough animals to test the clause'),
  );
}

/** Number of made-up queries in a run that may not write. */
const MOST_MADE_UP = 4;

async function requestMadeUp(context: Context): Promise<void> {
  const { contract, seed, runs } = context.target;
  const queries = fc.sample(createQueries(contract), { seed, numRuns: runs });
  await context.requestLists(context.chooseFew(queries, MOST_MADE_UP));
  await context.requestLists(listDraftQueries(contract));
}

export const listFaults = {
  tooLong: (list, _query, { listFacts: { mostAllowed } }) =>
    list.length > mostAllowed ? exceeds(mostAllowed, list) : list.length > 0,
  longerThanLimit: (list, query, { target }) => {
    const limit = readParameter(target.contract, query, 'limit');
    if (limit === undefined || list.length <= Number(limit)) return limit !== undefined && list.length > 0;
    return exceeds(Number(limit), list);
  },
  longerThanDefault: (list, query, { listFacts: { defaultLimit }, target }) => {
    // A service may take limit[] or Limit for a limit.
    const isPlain = [...query.keys()].every(
      (name) => name !== 'limit' && readParameter(target.contract, query, name) !== undefined,
    );
    return isPlain && list.length > defaultLimit ? exceeds(defaultLimit, list) : isPlain && list.length > 0;
  },
  notPet: (list, _query, { target }) => {
    for (const [index, pet] of list.entries()) {
      const problem = findSchemaFault(target.contract, 'listed Pet', pet);
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
export function findUnfiltered(name: string): FindListFault {
  return (list, query, { target }) => {
    const wanted = readParameter(target.contract, query, name);
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
  const { mostListed, allStatuses } = context.listFacts;
  const byStatus = allStatuses.flatMap((status) => [`?status=${status}`, `?limit=5&status=${status}`]);
  await context.requestLists(['', `?limit=${Math.min(60, mostListed)}`, ...byStatus, '?status=sold&limit=5']);
  const nothing = new NotTested('no valid request for a list got a response');
  context.expectNoFault(context.journal, (exchange) => findNoList(exchange, context), nothing);
  expectSome(context);
}

function findNoList(exchange: Exchange, { target, listFacts }: Context): ReturnType<FindFault> {
  const { request, path, response, status, failure } = exchange;
  const isValid =
    request.method === 'GET' && isValidListRequest(target.contract, path) && hasValidKey(exchange, target);
  // Another clause expects that these are accepted.
  const boundsOfLimit = ['1', String(listFacts.mostAllowed)];
  const isRefusedBound = boundsOfLimit.includes(queryOf(path).get('limit') ?? '') && status >= 400;
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
  const { lists, journal, target, listFacts } = context;
  const shown =
    lists.find(({ isByStatus, animals }) => isByStatus && animals.length > 0) ??
    journal.find(({ request, animal }) => request.base === target.baseUrl && animal !== undefined);
  if (shown === undefined) return;
  const isOfAll = (path: string) =>
    isValidList(target.contract, path) && !isFiltered(target.contract, queryOf(path));
  const ofAll = lists.filter(({ path }) => isOfAll(path));
  const isEmpty = ({ json }: Exchange) => (json as readonly ExactJson[]).length === 0;
  const limits = ofAll.filter((list) => !isEmpty(list)).map((list) => limitOf(list, context));
  // A limit that has both kinds of lists is left to the longer ones, unless it is a page of a usual length.
  const isShown = (limit: number) =>
    limits.some((other) => other < limit || (other === limit && limit >= listFacts.defaultLimit));
  const empty = ofAll.find(
    (list) =>
      madeAt(list) > shown.at && isEmpty(list) && (limits.length === 0 || isShown(limitOf(list, context))),
  );
  if (empty === undefined) return;
  throw lacksAnimal({ lacks: 'any animal', received: 'empty list' }, empty, { before: [shown] });
}
