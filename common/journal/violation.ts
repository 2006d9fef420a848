import type { OperationName } from './operation-name.ts';

/** A difference between an exchange and the contract, or a broken rule for one exchange. Keys are redacted. */
export interface Violation {
  readonly severity: 'error' | 'warning';
  /** Exact place, such as `['response', 'body', '2', 'id']`. For a missing member, the object that lacks it. */
  readonly location: readonly string[];
  /** Place of the rule, such as `request.query.limit` or `response.body.*.id`. A missing member has its own place. */
  readonly place: string;
  /** Such as `maximum`, `required` or `list-pets/limit-is-a-maximum`. */
  readonly rule: string;
  /** What the rule requires of the value, such as `100` for `maximum`, or `integer` for `type`; undefined for other rules. */
  readonly expected: string | undefined;
  /** Name of the member that the object at the location lacks; undefined for other rules. */
  readonly missing: string | undefined;
  readonly message: string;
  /** Short form of the value at the place, such as `"abc"`; undefined if there is none. */
  readonly received: string | undefined;
  /** Number of further violations of the message that are not listed, after the last one that is. @default 0 */
  readonly more?: number | undefined;
}

/** A violation with its request, as a mock and the console of a proxy keep it. */
export interface JournalViolation extends Violation {
  /** Larger than the id of every earlier violation. */
  readonly id: number;
  /** Time of arrival of the request. */
  readonly time: Date;
  /** Id of the request in the journal; undefined if it is not kept. */
  readonly request: number | undefined;
  /** Undefined if the request is for no operation. */
  readonly operation: OperationName | undefined;
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  /** Status of the response; undefined without a response. */
  readonly status: number | undefined;
}

/** Prints the message of a violation with the value that was received. */
export function printMessage({ message, received, more = 0 }: Violation): string {
  const others = more > 0 ? `; and ${more} more that are not listed` : '';
  if (received === undefined) return message + others;
  // A suggestion ends with its own punctuation.
  const value = message.endsWith('?') ? ` Received ${received}` : `; received ${received}`;
  return message + value + others;
}
