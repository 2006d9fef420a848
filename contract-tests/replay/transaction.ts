import type { Exchange, SuiteRequest } from '../core/exchange.ts';
import type { Target } from '../core/target.ts';

/** A request that deserves a response which openapi.yaml documents. */
export interface PlannedRequest {
  /** The response, as `listPets 200`. */
  readonly id: string;
  readonly request: SuiteRequest;
  /** Why it is not sent. */
  readonly skipped: string | undefined;
}

/** What Dredd is to do; it crosses to a process of its own. */
export interface DreddJob {
  readonly target: Target;
  /** The documented responses without a request here are skipped. */
  readonly planned: readonly PlannedRequest[];
  readonly hooksFile: string;
}

/** One transaction of Dredd's: a documented response, and what came of its request. */
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
