import type { ErrorCode } from '../common/errors.ts';

/** A message's headers, by lower-case name; several values of a header are joined by a comma. */
export type Headers = Readonly<Record<string, string>>;

/** What is judged, counted and printed of a client's request. */
export interface ExchangeRequest {
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

/** What is judged and counted of an upstream response. */
export interface ExchangeResponse {
  readonly status: number;
  readonly headers: Headers;
  /** As that of a request; undefined too for HEAD. */
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
  readonly code: ErrorCode;
  readonly message: string;
}

/** Where an exchange stands in the HAR file that it was read from. */
export interface RecordedPlace {
  /** Such as `https://api.example.com`. */
  readonly origin: string;
  /** Its number in `log.entries`, from 0. */
  readonly index: number;
  /** ISO 8601, in UTC; undefined when the file has none that can be read. */
  readonly startedDateTime: string | undefined;
}

/** What a HAR file holds beside what could be judged of it. */
export interface Recording {
  /** Its path, or `-` for stdin. */
  readonly file: string;
  /** Those of what was judged, the first few. */
  readonly baseUrls: readonly string[];
  readonly entries: number;
  /** Entries of other addresses than the service. */
  readonly otherAddresses: number;
  /** Entries that the browser's cache or a service worker answered. */
  readonly fromCache: number;
  /** Entries that are too large to be read. */
  readonly tooLarge: number;
  /** Bodies that the recorder left out or cut; they are among those that could not be judged. */
  readonly bodiesNotRecorded: number;
  /** Requests whose key is not in the file, and is taken to have been sent. */
  readonly keysNotRecorded: number;
}

/** A request and its response, judged. */
export interface Exchange {
  readonly request: ExchangeRequest;
  /** Undefined when the upstream gave none, or was not asked. */
  readonly response: ExchangeResponse | undefined;
  /** The operation that the request was meant for, if it is one of openapi.yaml. */
  readonly operationId: string | undefined;
  readonly violations: readonly Violation[];
  readonly refusal: Refusal | undefined;
  /** When the request arrived, in milliseconds since 1970; absent when it was recorded. */
  readonly startedAt?: number;
  /** The port of this side's end of the connection on which the upstream answered; absent when it did not. */
  readonly port?: number | undefined;
  /** Undefined when it was no recorded one. */
  readonly recorded?: RecordedPlace;
}

/** Judges a request, and the response to it when there is one. */
export type Judge = (request: ExchangeRequest) => RequestVerdict;

/** What openapi.yaml says of a request. */
export interface RequestVerdict {
  /** Undefined when the request is none of openapi.yaml; then no response violates anything. */
  readonly operationId: string | undefined;
  readonly violations: readonly Violation[];
  judgeResponse(response: ExchangeResponse): readonly Violation[];
}
