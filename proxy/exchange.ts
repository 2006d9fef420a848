import type { BodyToCheck } from '../common/http/decode-checked-body.ts';
import type { ErrorCode } from '../common/http/errors.ts';
import type { Headers } from '../common/http/headers.ts';
import type { SessionName } from '../common/http/session-names.ts';
import type { Violation } from '../common/journal/violation.ts';
import { isEmptyVariable } from '../common/text/find-keys.ts';

/** Method of a request whose first line could not be read. Its target is the base path. */
export const UNREAD = '?';

/** A request. */
export interface ExchangeRequest extends BodyToCheck {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** Names and values as sent, in turns; absent if it was recorded. */
  readonly rawHeaders?: readonly string[];
  /** Path under the base URL as sent, without the query. Empty if it is not under the base URL. */
  readonly path: string;
  /** Query as sent, without the question mark. */
  readonly query: string;
  readonly headers: Headers;
  /** Why it is not valid HTTP, so that its body and perhaps more of it was not read; absent if it is. */
  readonly malformed?: string | undefined;
}

/** A response. HEAD, events and what a fault has cut have no body to check. */
export interface ExchangeResponse extends BodyToCheck {
  readonly status: number;
  readonly headers: Headers;
  /** As in a request. */
  readonly rawHeaders?: readonly string[];
  /** Phrase of the status line; absent if it was recorded. */
  readonly reason?: string;
  /** Local port of the connection to the upstream, and number of the request on it; absent if it was recorded. */
  readonly sentAs?: string;
  /** True if a fault of the mock that started the proxy made the response. Of any other upstream, no header proves that. */
  readonly isMadeByFault?: boolean;
}

/** Lowest status of an error response, which has an Error as its body. Source: docs/specification.md, Errors */
export const LOWEST_ERROR_STATUS = 400;

/** Rules about the key of a request, which a refusal answers with 401. */
export const keyRules = { missing: 'missing-key', empty: 'empty-key' } as const;

/** Returns what follows "Bearer" if the variable of the key is empty in the app: nothing, or a word such as `undefined`. */
export function findEmptyKey(authorization = ''): string | undefined {
  const [, key = ''] = /^bearer(?:\s+(.*))?$/is.exec(authorization) ?? [];
  const trimmed = key.trim();
  const isBearer = /^bearer(?:\s|$)/i.test(authorization);
  return isBearer && (trimmed === '' || isEmptyVariable(trimmed)) ? trimmed : undefined;
}

/** The `Error` that a client gets instead of the upstream response. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  /** True if a fault of the mock that started the proxy broke the connection. */
  readonly isMadeByFault?: boolean;
  /** True if the upstream took the request and sent no whole response of HTTP: it closed the connection, fell silent, or sent something else. */
  readonly isBroken?: boolean;
}

/** Returns the violation of a response that is not whole: it was not checked, so it must not pass. */
export function findBroken(failure: Refusal | undefined, operationId: string | undefined): Violation[] {
  if (failure?.isBroken !== true || failure.isMadeByFault || operationId === undefined) return [];
  const message = 'The service failed: it sent no whole response that can be checked';
  const nothing = { received: undefined, expected: undefined, missing: undefined };
  return [
    {
      severity: 'error',
      rule: 'server-error',
      message,
      location: ['response'],
      place: 'response',
      ...nothing,
    },
  ];
}

export interface Exchange {
  readonly request: ExchangeRequest;
  /** Undefined if the upstream gave none, or did not get the request. */
  readonly response: ExchangeResponse | undefined;
  /** The operation of openapi.yaml; undefined if it is none. */
  readonly operationId: string | undefined;
  readonly violations: readonly Violation[];
  /** JSON of the request; undefined for another body. */
  readonly sent: unknown;
  /** JSON of the response; undefined for another body. */
  readonly answered: unknown;
  readonly refusal: Refusal | undefined;
  /** Arrival of the request, in milliseconds since 1970; absent if a HAR file has no valid time. */
  readonly startedAt?: number | undefined;
  /** Index in `log.entries` of the HAR file; absent if the exchange passed through the proxy. */
  readonly entry?: number;
}

/** What is shown of an exchange next to its violations. Keys are redacted. */
export interface ExchangeSummary {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** The names that the request gives its session of a mock. */
  readonly sessions: readonly SessionName[];
  /** Status of the response; undefined if there is none. */
  readonly status: number | undefined;
  /** Arrival of the request, in milliseconds since 1970; undefined if a HAR file has no valid time. */
  readonly startedAt: number | undefined;
  /** Local port of the connection to the upstream, and number of the request on it, such as `50312/3`. */
  readonly sentAs: string | undefined;
  /** Index in `log.entries` of the HAR file; undefined if the exchange passed through the proxy. */
  readonly entry: number | undefined;
}

/**
 * What was received at a place: a string, which is shown in quotes, the values of a query parameter, or a text about it. It is
 * whole, because half a key would not be recognized.
 */
export type Received =
  | { readonly string: string }
  | { readonly query: string; readonly name: string }
  | { readonly text: string };

/** A violation as the check finds it, with all that was received, which may contain keys. */
export interface FoundViolation extends Omit<Violation, 'place' | 'received'> {
  /** What the exchange itself requires, such as the id in its path. The message ends with it. */
  readonly wanted?: Received | undefined;
  readonly received: Received | undefined;
}

/** What the check of a response found. */
export interface ResponseCheck<Found = Violation> {
  /** Differences from openapi.yaml. Errors may block the response. */
  readonly violations: readonly Found[];
  /** Broken rules for one exchange, which never block the response. */
  readonly brokenRules: readonly Found[];
  /** JSON of the response; undefined for another body. */
  readonly answered: unknown;
}

/** What the check of a request found. If the request is not in openapi.yaml, its response has no violations. */
export interface RequestCheck<Found = Violation> extends Pick<Exchange, 'operationId' | 'sent'> {
  readonly violations: readonly Found[];
  checkResponse(response: ExchangeResponse): ResponseCheck<Found>;
}

/** Checks a request against openapi.yaml. */
export type CheckRequest<Found = Violation> = (request: ExchangeRequest) => RequestCheck<Found>;
