import type { RequestOptions } from '../core/client.ts';
import type { Exchange } from '../core/exchange.ts';

/** The header by which Dredd says which response a request deserves. */
export const REPLAYED = 'x-replayed';

/** A request that deserves a response which openapi.yaml documents. */
export interface PlannedRequest {
  /** The response, as `listPets 200`. */
  readonly id: string;
  readonly options: RequestOptions;
  /** Why it is not sent. */
  readonly skipped: string | undefined;
}

/** What Dredd is to do; it crosses to a process of its own. */
export interface DreddJob {
  /** Where its requests go. */
  readonly endpoint: string;
  /** The documented responses without a request here are skipped. */
  readonly planned: readonly PlannedRequest[];
  readonly hooksFile: string;
}

/** What Dredd says of a documented response. */
export interface DreddVerdict {
  /** As `listPets 200`. */
  readonly id: string;
  readonly verdict: 'passed' | 'failed' | 'skipped' | 'error';
  /** Why it was not passed. */
  readonly message: string;
}

/** One transaction of Dredd's: a documented response, and what came of its request. */
export interface Transaction extends DreddVerdict {
  /** Undefined for one that was not tried; it rejects with a Skipped where the client would not send it. */
  readonly exchange: Promise<Exchange> | undefined;
}

/** What the process of Dredd reports at its end. */
export interface DreddReport {
  readonly verdicts: readonly DreddVerdict[];
  /** What Dredd itself ended with. */
  readonly error: string | undefined;
}
