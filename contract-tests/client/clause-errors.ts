import type { ExactJson } from '../../common/json/exact-json.ts';
import type { Cause, Failure, Fault } from '../failures/failure.ts';
import type { Exchange } from './exchange.ts';

export interface FailureDetails {
  /** Id of the animal concerned: the evidence shows how it was added. */
  readonly about?: ExactJson | undefined;
  /** Exchanges that led to the failure, in the order of the requests. */
  readonly before?: readonly Exchange[];
  /** The probable cause. */
  readonly suspected?: Cause | undefined;
  /** Further failures of the clause. */
  readonly others?: readonly Failure[];
  /** Other exchanges with the same fault. */
  readonly alike?: readonly Exchange[];
  /** Exchanges with the same fault that the finding shows. */
  readonly more?: readonly Exchange[];
}

/** A clause failed. The reporters make the texts. */
export class Failed extends Error {
  override readonly name = 'Failed';
  readonly fault: Fault;
  /** The exchange that shows the fault. */
  readonly exchange: Exchange;
  readonly details: FailureDetails;

  constructor(fault: Fault, exchange: Exchange, details: FailureDetails = {}) {
    super(fault.kind);
    this.fault = fault;
    this.exchange = exchange;
    this.details = details;
  }

  /** What is wrong, first what the exchange shows. */
  get failures(): readonly Failure[] {
    return [createFailure(this.fault, this.exchange), ...(this.details.others ?? [])];
  }
}

/** Joins a fault with the exchange that shows it. */
export function createFailure(fault: Fault, exchange: Exchange): Failure {
  return { ...fault, ...exchange.shown };
}

/** A clause failed, but other clients may have caused it: it is to be tried again. */
export class Unstable extends Failed {}

/** A clause has no result. The message is the reason. */
export class Skipped extends Error {}

/** The deployment gives nothing to test the clause with. */
export class NotApplicable extends Skipped {}

/** The deployment has too few animals. If the suite may not add any, the clause is not tested. */
export class TooFewAnimals extends NotApplicable {}

type EndOfRun = 'deadline' | 'interrupted' | 'no verdict';

/** Why a clause was not tested, in the words of the verdict; `no verdict` if nothing can be concluded without it. */
export type NotTestedCause =
  | 'read-only'
  | 'full store'
  | 'no right to add animals'
  | 'limit of animals'
  | 'no animal could be added'
  | 'inconclusive responses'
  | EndOfRun;

/** The clause was not tested, so that the deployment conforms in part. */
export class NotTested extends Skipped {
  override readonly cause: NotTestedCause;

  constructor(message: string, cause: NotTestedCause = 'inconclusive responses') {
    super(message);
    this.cause = cause;
  }
}

/** The clause was not tested, because its failures changed from try to try. */
export class Unsettled extends NotTested {
  readonly last: Failed;

  constructor(message: string, last: Failed) {
    super(message);
    this.last = last;
  }
}

/** The clause was not tested, and the run has no verdict without it. */
export class NoVerdict extends NotTested {
  constructor(message: string) {
    super(message, 'no verdict');
  }
}

/** An operation was left without a response so often that it is requested no more. */
export class SilentOperation extends NoVerdict {}

/** The clause that fails for every request without an answer. */
export const NO_SERVER_FAULT = 'errors/no-server-fault';
