import {
  type Contract,
  findOperation,
  flattenSchema,
  loadContract,
  type Parameter,
  type Schema,
} from '../../common/json/contract.ts';
import { parseInt64 } from '../../common/json/int64.ts';

/** Query parameter of GET /pets. */
export type ListParameter = Parameter;

const listed = new WeakMap<Contract, readonly ListParameter[]>();

/** Returns the query parameters of GET /pets. Source: openapi.yaml#/paths/~1pets/get/parameters */
export function listParametersOf(contract: Contract): readonly ListParameter[] {
  const known = listed.get(contract);
  if (known !== undefined) return known;
  const found = findOperation(contract, 'listPets')
    .parameters.filter((parameter) => parameter.in === 'query')
    .map((parameter) => ({ ...parameter, schema: flattenSchema(contract, parameter.schema) }));
  listed.set(contract, found);
  return found;
}

/** The parameter that says how long a list may be; each other one is a filter. */
const LIMIT = 'limit';

/** Returns the query in a path, such as `/pets?limit=5`. */
export function queryOf(path: string): URLSearchParams {
  return new URLSearchParams(path.split('?')[1]);
}

/** Lists the parameters of GET /pets that a query has, and has wrongly: another value than openapi.yaml allows, or several. */
export function listInvalidParameters(contract: Contract, query: URLSearchParams): readonly string[] {
  return listParametersOf(contract)
    .filter(({ name }) => query.has(name) && readParameter(contract, query, name) === undefined)
    .map(({ name }) => name);
}

/** Returns the value of a parameter of GET /pets, or undefined if the query does not have it once with a valid value. */
export function readParameter(contract: Contract, query: URLSearchParams, name: string): string | undefined {
  const schema = listParametersOf(contract).find((parameter) => parameter.name === name)?.schema;
  const [value = '', ...others] = query.getAll(name);
  return schema !== undefined && others.length === 0 && isValid(value, schema) ? value : undefined;
}

/** Returns whether a path is that of a list, whose parameters are all valid. */
export function isValidListRequest(contract: Contract, path: string): boolean {
  const names = [...queryOf(path).keys()];
  return (
    isListPath(path) && names.every((name) => readParameter(contract, queryOf(path), name) !== undefined)
  );
}

function isListPath(path: string): boolean {
  return path === '/pets' || path.startsWith('/pets?');
}

/**
 * Returns whether a path is that of a list whose parameters are all valid and of openapi.yaml. What a list has that is requested with a
 * parameter of a draft, only the draft says, in words.
 */
export function isValidList(contract: Contract, path: string): boolean {
  const isKnown = (name: string) => listParametersOf(loadContract()).some((one) => one.name === name);
  const isGivenRight = (name: string) => readParameter(contract, queryOf(path), name) !== undefined;
  const names = [...queryOf(path).keys()];
  return isListPath(path) && names.every((name) => isKnown(name) && isGivenRight(name));
}

/** Returns whether a query chooses animals, so that its list may be empty. */
export function isFiltered(contract: Contract, query: URLSearchParams): boolean {
  return listParametersOf(contract).some(({ name }) => name !== LIMIT && query.has(name));
}

function isValid(value: string, schema: Schema): boolean {
  if (schema.enum !== undefined) return schema.enum.map(String).includes(value);
  if (schema.type === 'boolean') return value === 'true' || value === 'false';
  if (schema.type !== 'integer') return schema.type === 'string';
  const integer = parseInt64(value);
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  return integer !== undefined && integer >= minimum && integer <= maximum;
}
