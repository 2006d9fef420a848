import type { AnimalFacts, Member } from '../../common/json/animal-facts.ts';
import type { ExactJson } from '../../common/json/exact-json.ts';
import { parseInt64 } from '../../common/json/int64.ts';
import { readFilterValue } from './member-values.ts';

/** The largest limit. Source: openapi.yaml#/paths/~1pets/get/parameters */
export const LARGEST_LIMIT = 100;

/** The limit of a list without one. Source: openapi.yaml#/paths/~1pets/get/parameters */
export const DEFAULT_LIMIT = 20;

/** A path that no operation has, and that a framework may take for that of the list. */
export const WITH_SLASH = '/pets/';

/** Paths that no operation has, and that a framework may take for that of the list after the key was looked for. */
export const otherPaths: readonly string[] = [WITH_SLASH, '//pets', '/PETS', '/pets;a=1', '/pets.json'];

/** Returns whether a path is no operation, and one that a framework may take for that of the list or of an animal. */
export function isOtherPath(path: string): boolean {
  return otherPaths.includes(path) || /^\/pets\/-?\d+\/$/.test(path);
}

/** The query for the longest list. */
export const LONGEST = `?limit=${LARGEST_LIMIT}`;

/** Returns the query in a path, such as `/pets?limit=5`. */
export function queryOf(path: string): URLSearchParams {
  return new URLSearchParams(path.split('?')[1]);
}

/** A filter of a list, and the value that its animals have. */
export interface FilterValue {
  readonly filter: Member;
  readonly value: ExactJson;
}

/** Returns the limit of a query, or undefined if the query does not have it once with a valid value. */
export function readLimit(query: URLSearchParams): number | undefined {
  const limit = parseInt64(readOnce(query, 'limit') ?? '') ?? 0n;
  return limit >= 1n && limit <= LARGEST_LIMIT ? Number(limit) : undefined;
}

/** Lists the filters that a query has once, with a valid value. */
export function readFilters(query: URLSearchParams, { filters }: AnimalFacts): readonly FilterValue[] {
  return filters.flatMap((filter) => {
    const text = readOnce(query, filter.name);
    const value = text === undefined ? undefined : readFilterValue(filter, text);
    return value === undefined ? [] : [{ filter, value }];
  });
}

function readOnce(query: URLSearchParams, name: string): string | undefined {
  const [text, ...others] = query.getAll(name);
  return others.length === 0 ? text : undefined;
}

/** Lists the parameters of GET /pets that a query has, and has wrongly: another value than the contract allows, or several. */
export function listInvalidParameters(query: URLSearchParams, facts: AnimalFacts): readonly string[] {
  const valid = readFilters(query, facts).map(({ filter }) => filter.name);
  const invalid = facts.filters.map(({ name }) => name).filter((name) => !valid.includes(name));
  return [...(readLimit(query) === undefined ? ['limit'] : []), ...invalid].filter((name) => query.has(name));
}

/** Returns whether a path is that of a list, whose parameters are all known and valid. */
export function isValidList(path: string, facts: AnimalFacts): boolean {
  const query = queryOf(path);
  const known = new Set(['limit', ...facts.filters.map(({ name }) => name)]);
  const isKnown = [...query.keys()].every((name) => known.has(name));
  const isOfList = path === '/pets' || path.startsWith('/pets?');
  return isOfList && isKnown && listInvalidParameters(query, facts).length === 0;
}
