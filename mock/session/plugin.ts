import type { KeyName } from '../../common/journal/journal-entry.ts';
import type { OperationName } from '../../common/journal/operation-name.ts';
import type { Query } from '../service/types.ts';
import type { Outcome } from './outcome.ts';

/** A request in plain values, as plugins see it. */
export interface ReceivedCall {
  readonly method: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Path and query, from the end of the session's path on. */
  readonly url: string;
  readonly path: string;
  readonly query: Query;
  /** Undefined before it is known, and for what is no operation. */
  readonly operation: OperationName | undefined;
  /** Which of the API keys the request has. */
  readonly key: KeyName;
  /** Time of arrival, in milliseconds since 1970. */
  readonly time: number;
  /** Advice about a request that is not refused. */
  readonly hint: string | undefined;
  readonly isAborted: boolean;
  /** True if the request may have a body. */
  readonly hasBody: boolean;
  /** Port of the client, and number of the request on its connection, which the checked proxy reports too. */
  readonly sentAs: string;
  /** True if the request came through the checked proxy. */
  readonly isChecked: boolean;
  /** Reads the body once. @throws ApiError for a body that cannot be read */
  readBody(): Promise<Uint8Array>;
  /**
   * Returns the time from the arrival to the response, in milliseconds, rounded to hundredths. It is measured once, so that the journal
   * and the log have the same: at the outcome, or when the client leaves before that.
   */
  measureDuration(): number;
  /** Calls back when the client leaves, or the response has ended. */
  onClose(callback: () => void): void;
}

/** A feature around the service, which has one of these for each session. The service works without any of them. */
export interface Plugin {
  /** Is called for each request that has entered the session. */
  arrived?(call: ReceivedCall): void;
  /** Lets a request wait, or answers it before the service does. */
  before?(call: ReceivedCall): Promise<Outcome | undefined> | undefined;
  /** Is called with the body of a request, if it is read. */
  received?(call: ReceivedCall, body: Uint8Array): void;
  /** Changes what the client receives. */
  after?(outcome: Outcome, call: ReceivedCall): Outcome;
  /** Is called with what the client receives, or would receive if it had not left. */
  ended?(call: ReceivedCall, outcome: Outcome): void;
  reset?(): void;
  close?(): void;
}
