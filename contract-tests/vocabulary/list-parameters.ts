import { loadContract, type Operation, type Schema } from '../../common/json/contract.ts';
import { parseInt64 } from '../../common/json/int64.ts';

/** Query parameter of GET /pets. */
export type ListParameter = Operation['parameters'][number];

/** The query parameters of GET /pets. Source: openapi.yaml#/paths/~1pets/get/parameters */
export const listParameters: readonly ListParameter[] = loadContract()
  .operations.filter(({ operationId }) => operationId === 'listPets')
  .flatMap(({ parameters }) => parameters.filter((parameter) => parameter.in === 'query'));

/** The parameter that says how long a list may be; each other one is a filter. */
const LIMIT = 'limit';

/** Returns the query in a path, such as `/pets?limit=5`. */
export function queryOf(path: string): URLSearchParams {
  return new URLSearchParams(path.split('?')[1]);
}

/** Lists the parameters of GET /pets that a query has, and has wrongly: another value than openapi.yaml allows, or several. */
export function listInvalidParameters(query: URLSearchParams): readonly string[] {
  return listParameters
    .filter(({ name }) => query.has(name) && readParameter(query, name) === undefined)
    .map(({ name }) => name);
}

/** Returns the value of a parameter of GET /pets, or undefined if the query does not have it once with a valid value. */
export function readParameter(query: URLSearchParams, name: string): string | undefined {
  const schema = listParameters.find((parameter) => parameter.name === name)?.schema;
  const [value = '', ...others] = query.getAll(name);
  return schema !== undefined && others.length === 0 && isValid(value, schema) ? value : undefined;
}

/** Returns whether a path is that of a list, with no other than valid parameters. */
export function isValidList(path: string): boolean {
  const names = [...queryOf(path).keys()];
  const isList = path === '/pets' || path.startsWith('/pets?');
  return isList && names.every((name) => readParameter(queryOf(path), name) !== undefined);
}

/** Returns whether a query chooses animals, so that its list may be empty. */
export function isFiltered(query: URLSearchParams): boolean {
  return listParameters.some(({ name }) => name !== LIMIT && query.has(name));
}

function isValid(value: string, schema: Schema): boolean {
  if (schema.enum !== undefined) return schema.enum.includes(value);
  if (schema.type !== 'integer') return schema.type === 'string';
  const integer = parseInt64(value);
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  return integer !== undefined && integer >= minimum && integer <= maximum;
}
