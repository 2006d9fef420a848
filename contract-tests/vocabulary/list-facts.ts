import { type Contract, loadContract, readListFacts } from '../../common/json/contract.ts';
import { petStatuses } from '../../common/json/pet.ts';

/** What clauses need to know of the lists of a contract. */
export interface SuiteFacts {
  /** The values of PetStatus in the specification, which every deployment should know. */
  readonly statuses: readonly string[];
  /** All values of PetStatus, also those that only a draft has. */
  readonly allStatuses: readonly string[];
  /** The largest limit. */
  readonly mostAllowed: number;
  /**
   * The limit of the longest lists that clauses compare. It is that of the specification even if a draft allows more, so that a deployment
   * that does not know the draft yet can be tested.
   */
  readonly mostListed: number;
  /** The limit of a list without one. */
  readonly defaultLimit: number;
  /** The query for the longest list. */
  readonly longest: string;
  /** The queries for the longest lists of each status. */
  readonly longestByStatus: readonly string[];
}

const read = new WeakMap<Contract, SuiteFacts>();

/** Returns the facts of a contract. `expectUsable` has found them. Source: openapi.yaml#/paths/~1pets/get/parameters */
export function factsOf(contract: Contract): SuiteFacts {
  const known = read.get(contract);
  if (known !== undefined) return known;
  const { limit, statuses } = readListFacts(contract);
  const { most = Number.NaN, usual = Number.NaN } = limit;
  const { limit: ofSpecification } = readListFacts(loadContract());
  const mostListed = Math.min(most, ofSpecification.most ?? most);
  const longest = `?limit=${mostListed}`;
  const facts: SuiteFacts = {
    statuses: petStatuses,
    allStatuses: statuses,
    mostAllowed: most,
    mostListed,
    defaultLimit: usual,
    longest,
    longestByStatus: petStatuses.map((status) => `${longest}&status=${status}`),
  };
  read.set(contract, facts);
  return facts;
}
