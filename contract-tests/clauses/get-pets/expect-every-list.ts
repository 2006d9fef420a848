import fc from 'fast-check';
import { type ExactJson, isJsonObject } from '../../../common/exact-json.ts';
import { type Context, chooseFew, statuses } from '../../core/context.ts';
import { BODY_CUT, type Exchange, readAnimal, readJson, shorten } from '../../core/exchange.ts';
import { describeNoJson, findSchemaFault } from '../../core/find-schema-fault.ts';
import {
  type AnimalList,
  isFiltered,
  listsSoFar,
  MOST_LISTED,
  requestLists,
} from '../../core/list-animals.ts';
import { MOST_ELEMENTS } from '../../core/outline-json.ts';
import { expectStatus, Failed, Skipped, TooFewAnimals, Unproven, Untried } from '../../core/result.ts';
import { showValue } from '../../core/show-value.ts';

/** What is wrong with a list as the response to a query, or whether it could have shown that at all. */
type FindListFault = (
  list: readonly ExactJson[],
  query: URLSearchParams,
) => readonly [expected: string, actual: string] | boolean;

/** Valid limits, alone and with a status. */
const validQueries = fc
  .tuple(fc.integer({ min: 1, max: MOST_LISTED }), fc.option(fc.constantFrom(...statuses)))
  .map(([limit, status]) => {
    if (status === null) return `?limit=${limit}`;
    return limit % 2 === 0 ? `?limit=${limit}&status=${status}` : `?status=${status}&limit=${limit}`;
  });

/**
 * Looks for a fault in every list that the deployment has returned in this run, and in those for some more queries.
 *
 * @param isMadeUp whether to try generated queries too.
 */
export async function expectEveryList(
  context: Context,
  findFault: FindListFault,
  queries: readonly string[],
  { isMadeUp = false } = {},
): Promise<void> {
  const found = new Map<Exchange, ReturnType<FindListFault>>();
  const find = ({ exchange }: AnimalList) => {
    const [, query] = exchange.request.path.split('?');
    const fault =
      found.get(exchange) ??
      findFault(readJson(exchange) as readonly ExactJson[], new URLSearchParams(query));
    found.set(exchange, fault);
    return fault;
  };
  const expectNoFault = (list: AnimalList): boolean => {
    const fault = find(list);
    if (typeof fault !== 'object') return fault;
    const alike = listsSoFar(context).filter((one) => typeof find(one) === 'object');
    throw new Failed(...fault, list.exchange, { alike: alike.map(({ exchange }) => exchange) });
  };
  listsSoFar(context).forEach(expectNoFault);
  await requestLists(context, queries);
  if (isMadeUp) await context.once(requestMadeUp);
  const lists = listsSoFar(context);
  if (lists.length === 0) throw new Unproven('no request returned a list');
  const telling = lists.filter(expectNoFault);
  if (telling.length === 0) throw new TooFewAnimals('no list has enough animals to show it');
  context.decide(telling.length);
}

/** Requests lists with valid limits, some with a status, once in a run. */
async function requestMadeUp(context: Context): Promise<void> {
  const { seed, runs } = context.target;
  await requestLists(context, chooseFew(context, fc.sample(validQueries, { seed, numRuns: runs }), 4));
}

/** What may be wrong with a list. */
export const listFaults = {
  tooLong: (list) => (list.length > MOST_LISTED ? ['at most 100 animals', countOf(list)] : list.length > 0),
  longerThanLimit: (list, query) => {
    const limit = readOnce(query, 'limit', /^(?:[1-9]\d?|100)$/);
    if (limit === undefined || list.length <= Number(limit)) return limit !== undefined && list.length > 0;
    return [`at most ${limit} animals`, countOf(list)];
  },
  otherStatus: (list, query) => {
    const wanted = readOnce(query, 'status', /^(?:available|pending|sold)$/);
    // One that is not shown may be any of the three.
    const shown = list.filter(isJsonObject).filter(({ status }) => status !== undefined);
    const other = shown.find(({ status }) => status !== wanted);
    if (wanted === undefined || other === undefined) return wanted !== undefined && shown.length > 0;
    const actual = `the animal ${showValue(other.id)} with the status ${showValue(other.status)}`;
    return [`only animals with the status ${wanted}`, actual];
  },
  notPet: (list) => {
    for (const [index, pet] of list.entries()) {
      const fault = findSchemaFault('Pet', pet);
      if (fault !== undefined) return ['a list of Pets', `no Pet at index ${index}: ${fault}`];
    }
    return list.length > 0;
  },
  twins: (list) => {
    const ids = list.filter(isJsonObject).flatMap(({ id }) => (typeof id === 'bigint' ? [id] : []));
    const seen = new Set<bigint>();
    const twin = ids.find((id) => seen.size === seen.add(id).size);
    return twin === undefined ? ids.length > 1 : ['a unique id for each animal', `two with the id ${twin}`];
  },
} satisfies Record<string, FindListFault>;

/** How many elements a list has, as far as it was kept. */
function countOf({ length }: readonly ExactJson[]): string {
  return length < MOST_ELEMENTS ? `${length}` : `at least ${length}`;
}

/** The value of a parameter that stands in a query once, if it is valid. */
function readOnce(query: URLSearchParams, name: string, valid: RegExp): string | undefined {
  const [value = '', ...others] = query.getAll(name);
  return others.length === 0 && valid.test(value) ? value : undefined;
}

/** The paths of valid requests for a list. */
const validPath =
  /^\/pets(?:\?(?:limit=(?:[1-9]\d?|100)(?:&|$))?(?:status=(?:available|pending|sold)(?:&limit=(?:[1-9]\d?|100))?)?)?$/;

/** Expects every valid request for a list to have returned one. Limits of 1 and 100 are left to limit-bounds. */
export async function expectListsReturned(context: Context): Promise<void> {
  const { client, target, decide } = context;
  const queries = [
    '',
    '?limit=60',
    ...statuses.flatMap((status) => [`?status=${status}`, `?limit=5&status=${status}`]),
    '?status=sold&limit=5',
  ];
  await requestLists(context, queries);
  const isMeant = ({ request: { method, path, headers }, response }: Exchange) => {
    const isValid = method === 'GET' && validPath.test(path);
    const isKnown = headers.Authorization === `Bearer ${target.apiKey}`;
    const status = response?.status ?? 500;
    const isRefusedBound = /limit=(?:1|100)(?!\d)/.test(path) && status >= 400;
    // A 5xx is left to errors/no-server-fault.
    return isValid && isKnown && !isRefusedBound && status < 500 && status !== 429;
  };
  const meant = client.journal.filter(isMeant);
  decide(meant.length);
  for (const exchange of meant) {
    expectStatus(exchange, 200);
    if (Array.isArray(readJson(exchange))) continue;
    if (exchange.failure?.startsWith(BODY_CUT))
      throw new Untried(`${exchange.request.path}: ${exchange.failure}`);
    const text = shorten(`${exchange.response?.body}`) || 'an empty body';
    const isJson = readJson(exchange) !== undefined || exchange.response?.body.length === 0;
    const actual = isJson ? text : `${text}: ${describeNoJson(exchange)}`;
    throw new Failed('a JSON array', actual, exchange);
  }
  expectSome(context, listsSoFar(context));
  if (meant.length === 0) throw new Skipped('every list was answered with a 5xx: see errors/no-server-fault');
}

/** A page may be short, but has at least one animal where there are some. */
function expectSome({ client, target }: Context, lists: readonly AnimalList[]): void {
  const isEmpty = ({ exchange }: AnimalList) => (readJson(exchange) as readonly ExactJson[]).length === 0;
  const shown =
    lists.find((list) => isFiltered(list) && !isEmpty(list))?.exchange ??
    client.journal.find(
      (exchange) => exchange.request.base === target.baseUrl && readAnimal(exchange) !== undefined,
    );
  if (shown === undefined) return;
  const isValid = ({ exchange }: AnimalList) => validPath.test(exchange.request.path);
  const after = lists.filter((list) => isValid(list) && !isFiltered(list) && list.exchange.at > shown.at);
  const empty = after.find(isEmpty)?.exchange;
  if (empty === undefined) return;
  throw new Failed('at least one animal, since there are some', 'an empty list', empty, { before: [shown] });
}
