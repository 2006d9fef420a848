import { parseInt64 } from '../../common/json/int64.ts';
import { petStatuses } from '../../common/json/pet.ts';

/** The largest limit. Source: openapi.yaml#/paths/~1pets/get/parameters */
export const LARGEST_LIMIT = 100;

/** The limit of a list without one. Source: openapi.yaml#/paths/~1pets/get/parameters */
export const DEFAULT_LIMIT = 20;

/** A path that no operation has, and that a framework may take for that of the list. */
export const WITH_SLASH = '/pets/';

/** The query for the longest list. */
export const LONGEST = `?limit=${LARGEST_LIMIT}`;

/** Returns whether a value is one of PetStatus. */
export function isStatus(value: unknown): boolean {
  return petStatuses.some((status) => status === value);
}

/** The query parameters of GET /pets, and whether a value is one that they may have. */
const listParameters = {
  limit: (value: string) => {
    const limit = parseInt64(value);
    return limit !== undefined && limit >= 1 && limit <= LARGEST_LIMIT;
  },
  status: isStatus,
};

type ListParameter = keyof typeof listParameters;

/** Returns the query in a path, such as `/pets?limit=5`. */
export function queryOf(path: string): URLSearchParams {
  return new URLSearchParams(path.split('?')[1]);
}

/** Lists the parameters of GET /pets that a query has, and has wrongly: another value than openapi.yaml allows, or several. */
export function listInvalidParameters(query: URLSearchParams): readonly string[] {
  const names = Object.keys(listParameters) as ListParameter[];
  return names.filter((name) => query.has(name) && readParameter(query, name) === undefined);
}

/** Returns the value of a parameter of GET /pets, or undefined if the query does not have it once with a valid value. */
export function readParameter(query: URLSearchParams, name: ListParameter): string | undefined {
  const [value = '', ...others] = query.getAll(name);
  return others.length === 0 && listParameters[name](value) ? value : undefined;
}

/** Returns whether a path is that of a list, whose parameters are all known and valid. */
export function isValidList(path: string): boolean {
  const query = queryOf(path);
  const isKnown = [...query.keys()].every((name) => Object.hasOwn(listParameters, name));
  return (
    (path === '/pets' || path.startsWith('/pets?')) && isKnown && listInvalidParameters(query).length === 0
  );
}
