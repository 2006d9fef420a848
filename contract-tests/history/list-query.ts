import type { AnimalFacts } from '../../common/json/animal-facts.ts';
import type { JsonObject } from '../../common/json/exact-json.ts';
import type { Exchange } from '../client/exchange.ts';
import {
  DEFAULT_LIMIT,
  type FilterValue,
  isValidList,
  LARGEST_LIMIT,
  listInvalidParameters,
  queryOf,
  readFilters,
  readLimit,
} from './list-parameters.ts';
import { isSameValue, STATUS } from './member-values.ts';

/** What a request for a list asks for. */
export interface ListQuery {
  /** Whether the specification fixes the answer: each parameter is known, valid, and there once. */
  readonly isValid: boolean;
  /** Maximum number of animals that the answer may have. */
  readonly limit: number;
  readonly hasLimit: boolean;
  /** The filters that it has with a valid value. */
  readonly filters: readonly FilterValue[];
  /** Whether it has a filter that others can make an animal match, or no longer match. */
  readonly isByStatus: boolean;
  /** The filters as text, or `all` without any: lists of one kind ask for the same animals. */
  readonly kind: string;
}

/** The kind of the lists without a filter. */
export const ALL = 'all';

/** Returns whether a list that was asked for in this way may have an animal. */
export function isMatch({ filters }: ListQuery, animal: JsonObject): boolean {
  return filters.every(({ filter, value }) => isSameValue(filter, animal[filter.name], value));
}

/** Names of parameters that a service may take for a limit, such as `limit[]` or `Limit`. */
const likeLimit = /limit/i;

/** Reads what a request for a list asks for. */
export function readListQuery({ path }: Pick<Exchange, 'path'>, facts: AnimalFacts): ListQuery {
  const query = queryOf(path);
  const filters = readFilters(query, facts);
  const limits = query.getAll('limit').map(Number);
  const isOdd = [...query.keys()].some((name) => name !== 'limit' && likeLimit.test(name));
  return {
    isValid: isValidList(path, facts),
    limit: findLimit(query, limits, isOdd || listInvalidParameters(query, facts).includes('limit')),
    hasLimit: query.has('limit'),
    filters,
    isByStatus: filters.some(({ filter }) => filter.name === STATUS),
    kind: filters.map(({ filter, value }) => `${filter.name}=${value}`).join('&') || ALL,
  };
}

function findLimit(query: URLSearchParams, limits: readonly number[], isUnclear: boolean): number {
  const isRepeated = limits.length > 1;
  // A service may take any of several limits, or none.
  const areValid = limits.every((one) => Number.isInteger(one) && one >= 1 && one <= LARGEST_LIMIT);
  if (isRepeated && areValid) return Math.max(DEFAULT_LIMIT, ...limits);
  return isUnclear ? LARGEST_LIMIT : (readLimit(query) ?? DEFAULT_LIMIT);
}
