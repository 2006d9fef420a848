/** A message's headers, by lower-case name; several values of a header are joined by a comma. */
export type Headers = Record<string, string>;

/** A request as it is judged. */
export interface JudgedRequest {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  /** Relative to the base URL, without the query; percent-encoded as it was sent. Empty when it is not beneath it. */
  readonly path: string;
  /** Without the question mark; percent-encoded as it was sent. */
  readonly query: string;
  readonly headers: Headers;
  /** Decoded of any content coding; undefined when it is too large or too oddly coded to be judged. */
  readonly body: Uint8Array | undefined;
}

/** A response as it is judged. */
export interface JudgedResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Decoded of any content coding; undefined when it is too large or too oddly coded to be judged. */
  readonly body: Uint8Array | undefined;
}

/** Something in an exchange that openapi.yaml does not allow. */
export interface Violation {
  /** Where it is, such as `['response', 'body', '0', 'id']`. */
  readonly location: readonly string[];
  readonly severity: 'error' | 'warning';
  /** The rule that is broken, such as `required` or `maximum`; absent where Prism names none. */
  readonly code?: string;
  readonly message: string;
}

/** What a client got in the place of the upstream's response, as an `Error` body. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** An exchange that has come to its end. */
export interface Exchange {
  readonly request: JudgedRequest;
  /** Undefined when the upstream gave none, or was not asked. */
  readonly response: JudgedResponse | undefined;
  /** The operation that the request was meant for, if it is one of openapi.yaml. */
  readonly operationId: string | undefined;
  readonly violations: readonly Violation[];
  readonly refusal: Refusal | undefined;
}

/** The largest body that is judged, in bytes; a larger one passes unjudged. */
export const JUDGED_LIMIT = 1024 * 1024;
