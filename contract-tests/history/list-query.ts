import type { Exchange } from '../client/exchange.ts';
import {
  DEFAULT_LIMIT,
  isValidList,
  LARGEST_LIMIT,
  listInvalidParameters,
  queryOf,
  readParameter,
} from './list-parameters.ts';

/** What a request for a list asks for. */
export interface ListQuery {
  /** Whether the specification fixes the answer: each parameter is known, valid, and there once. */
  readonly isValid: boolean;
  /** Maximum number of animals that the answer may have. */
  readonly limit: number;
  readonly hasLimit: boolean;
  readonly status: string | undefined;
}

/** Names of parameters that a service may take for a limit, such as `limit[]` or `Limit`. */
const likeLimit = /limit/i;

/** Reads what a request for a list asks for. */
export function readListQuery({ path }: Pick<Exchange, 'path'>): ListQuery {
  const query = queryOf(path);
  const limits = query.getAll('limit').map(Number);
  const isOdd = [...query.keys()].some((name) => name !== 'limit' && likeLimit.test(name));
  return {
    isValid: isValidList(path),
    limit: findLimit(query, limits, isOdd),
    hasLimit: query.has('limit'),
    status: readParameter(query, 'status'),
  };
}

function findLimit(query: URLSearchParams, limits: readonly number[], isOdd: boolean): number {
  const isRepeated = limits.length > 1;
  // A service may take any of several limits, or none.
  const areValid = limits.every((one) => Number.isInteger(one) && one >= 1 && one <= LARGEST_LIMIT);
  if (isRepeated && areValid) return Math.max(DEFAULT_LIMIT, ...limits);
  if (isOdd || listInvalidParameters(query).includes('limit')) return LARGEST_LIMIT;
  return Number(readParameter(query, 'limit') ?? DEFAULT_LIMIT);
}
