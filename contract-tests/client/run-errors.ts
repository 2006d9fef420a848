/** Why a clause was not tested, in the words of the verdict; `no verdict` if nothing can be concluded without it. */
export type NotTestedCause =
  | 'read-only'
  | 'full store'
  | 'no right to add animals'
  | 'limit of animals'
  | 'no animal could be added'
  | 'too little to compare'
  | EndOfRun;

type EndOfRun = 'deadline' | 'interrupted' | 'no verdict';

/** A request was not sent, or has no result. The message is the reason. */
export class NotTested extends Error {
  override readonly cause: NotTestedCause;

  constructor(message: string, cause: NotTestedCause = 'too little to compare') {
    super(message);
    this.cause = cause;
  }
}

/** The run cannot go on, and has no verdict unless something failed before. */
export class NoVerdict extends NotTested {
  constructor(message: string) {
    super(message, 'no verdict');
  }
}

/** An operation was left without a response so often that it is requested no more. The others are. */
export class SilentOperation extends NoVerdict {}

/** The clause that fails for every request without an answer. */
export const NO_SERVER_FAULT = 'errors/no-server-fault';
