import type { ExactJson } from '../json/exact-json.ts';
import { petStatuses } from '../json/pet.ts';

/** The largest limit. Source: openapi.yaml#/paths/~1pets/get/parameters */
export const MOST_LISTED = 100;

/** The query for the longest list, and those for the longest lists of each status. */
export const LONGEST = '?limit=100';
export const longestByStatus: readonly string[] = petStatuses.map((status) => `${LONGEST}&status=${status}`);

/** The query for one animal of a further page, which is another one for each parameter that deployments have for pages. */
export const FURTHER_PAGES = '/pets?limit=1&page=2&offset=3&skip=4';

/** A path that no operation has, and that a framework may take for that of the list. */
export const WITH_SLASH = '/pets/';

/** Returns whether a value is one of PetStatus. */
export function isStatus(value: ExactJson | undefined): boolean {
  return petStatuses.some((status) => status === value);
}
