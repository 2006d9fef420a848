// Users import these types, and do not install valibot: the schemas are in match-request.ts.
import type { JournalEntry } from './journal-entry.ts';
import type { OperationName } from './operation-name.ts';

/** Selects requests: those that match every member. Values are compared with the redacted request. */
export interface RequestFilter {
  readonly operation?: OperationName;
  /** Method, in any case. */
  readonly method?: string;
  /** Exact path without the query, such as `/v1/pets/7`. In a session it starts after the name of the session. */
  readonly path?: string;
  /** Exact values of query parameters, such as `{ status: 'sold' }`. */
  readonly query?: Readonly<Record<string, string | number>>;
  /** Status of the response. A request that waits has none. */
  readonly status?: number;
  /** Members that the JSON body has, such as `{ name: 'Rex' }`. Objects in it may have more members, arrays no more items. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Returns whether a request matches. Only for programs in the process of the mock. */
  readonly where?: (request: JournalEntry) => boolean;
  /** Earliest time of arrival, or the id of the request before the first one. */
  readonly since?: Date | number;
  /** Id of the last request. */
  readonly until?: number;
}

/** Selects requests to list or to count. */
export interface ListFilter extends RequestFilter {
  /** Maximum number of requests. If more match, these are the latest. */
  readonly limit?: number;
}

/** Selects the request to wait for. */
export interface WaitFilter extends RequestFilter {
  /** Maximum time to wait, in milliseconds. @default 5,000 */
  readonly timeout?: number;
}

/** A filter that JSON can hold. */
export type JsonFilter<Filter extends RequestFilter> = Omit<Filter, 'where'>;
