import type { ExactJson } from '../../common/json/exact-json.ts';
import type { Exchange } from './exchange.ts';

export interface FailureDetails {
  /** Id of the animal concerned: the evidence shows how it was added. */
  readonly about?: ExactJson | undefined;
  /** Exchanges that led to the failure, in the order of the requests. */
  readonly before?: readonly Exchange[];
  /** The probable cause, such as "rounded to what a double can hold". */
  readonly suspected?: string | undefined;
  readonly change?: Change;
  /** The members of an animal or an Error that are wrong. @default those that the two texts name */
  readonly members?: readonly string[] | undefined;
  readonly lacksAnimal?: boolean;
  /** Other exchanges with the same fault. */
  readonly alike?: readonly Exchange[];
  /** Exchanges with the same fault that the finding shows. */
  readonly more?: readonly Exchange[];
}

/** A member of an animal with two values that should be the same. */
export interface Change {
  readonly member: string;
  readonly from: ExactJson | undefined;
  readonly to: ExactJson | undefined;
  /** End of the message, such as " in the list". */
  readonly where: string;
}

export class Failed extends Error {
  override readonly name = 'Failed';
  readonly expected: string;
  readonly actual: string;
  readonly exchange: Exchange | undefined;
  readonly details: FailureDetails;

  constructor(expected: string, actual: string, exchange?: Exchange, details: FailureDetails = {}) {
    super(`expected ${expected}, got ${actual}`);
    this.expected = expected;
    this.actual = actual;
    this.exchange = exchange;
    this.details = details;
  }
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
export type Cause = 'read-only' | 'full store' | 'inconclusive responses' | EndOfRun;

/** The clause was not tested, so that the deployment conforms in part. */
export class NotTested extends Skipped {
  override readonly cause: Cause;

  constructor(message: string, cause: Cause = 'inconclusive responses') {
    super(message);
    this.cause = cause;
  }
}

/** The clause was not tested, and the run has no verdict without it. */
export class NoVerdict extends NotTested {
  constructor(message: string) {
    super(message, 'no verdict');
  }
}

/** A restart of the deployment left a request unanswered, so that the clause must start again. */
export class Interrupted extends NoVerdict {}

/** The clause that fails for every request without an answer. */
export const NO_SERVER_FAULT = 'errors/no-server-fault';
