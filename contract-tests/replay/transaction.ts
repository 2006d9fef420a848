import type { Exchange } from '../core/exchange.ts';
import type { Target } from '../core/target.ts';

/** What Dredd is to do; it crosses to a process of its own. */
export interface DreddJob {
  readonly target: Target;
  /** The name of the animal that is added. */
  readonly name: string;
  readonly categoryId: bigint;
  /** Whether GET /pets/{petId} is gone, as was announced. */
  readonly isRemoved: boolean;
  /** The id of an animal that exists. */
  readonly knownId: bigint | undefined;
  /** The ids of transactions that are not to be tried again. */
  readonly done: readonly string[];
  /** The path of the file of hooks. */
  readonly hooks: string;
}

/** One transaction of Dredd's: a documented response, and the request that is to deserve it. */
export interface Transaction {
  /** As `listPets 200`. */
  readonly id: string;
  readonly verdict: 'passed' | 'failed' | 'skipped' | 'error';
  /** Why it was not passed. */
  readonly message: string;
  /** Undefined for one that was not tried. */
  readonly exchange: Exchange | undefined;
}

/** What the process of Dredd reports at its end. */
export interface DreddReport {
  readonly transactions: readonly Transaction[];
  /** What Dredd itself ended with. */
  readonly error: string | undefined;
}
