import { errorStatuses } from '../../common/errors.ts';
import { hideParameters } from '../../common/hide-keys.ts';
import type { Exchange, RecordedPlace, Violation } from '../exchange.ts';
import { createRedaction, type Hide, redactViolation } from './create-redaction.ts';
import { printExample } from './print-example.ts';

/** A rule that was broken, and how often. */
export interface Finding {
  readonly severity: Violation['severity'];
  /** Undefined when the request was none of openapi.yaml. */
  readonly operationId: string | undefined;
  /** Such as `response.body.*.id`: every element of an array is the same place. */
  readonly place: string;
  /** Such as `required` or `unknown-route`. */
  readonly rule: string;
  /** What was said of it the first time. */
  readonly message: string;
  readonly count: number;
  /** The first request that it was found with, as a curl command without the key. */
  readonly example: string;
  /** Where that request was recorded; absent when it was not. */
  readonly recorded?: RecordedPlace;
}

/** What the exchanges so far have shown. */
export interface Findings {
  readonly exchanges: number;
  /** Exchanges by operation; those of no operation are at `undefined`. */
  readonly byOperation: ReadonlyMap<string | undefined, number>;
  /** Exchanges of operations of the contract that the upstream answered. */
  readonly answered: number;
  /** Exchanges that the upstream did not answer. */
  readonly unanswered: number;
  /** Exchanges that the client gave up before there was an answer. */
  readonly abandoned: number;
  /** Bodies that were too large or too oddly coded to be judged. */
  readonly unjudgedBodies: number;
  /** The most frequent first. */
  readonly violations: readonly Finding[];
}

/** A violation as it was found once: with its own message, and how often it has been found until now. */
export interface Sighting extends Finding {
  readonly method: string;
  /** Path and query, without keys. */
  readonly target: string;
  /** Where exactly, such as `response.body.2.id`; what is missing is missing there. */
  readonly at: string;
  /** That of the answer, if there was one. */
  readonly status: number | undefined;
  /** When the request arrived, in milliseconds since 1970; undefined when it was recorded. */
  readonly startedAt: number | undefined;
  /** The number of its exchange, from 1 on. */
  readonly exchange: number;
  /** That of the exchange. */
  readonly port: number | undefined;
  /** Whether the answer says that it was made to fail, as those of animal-store-mock do. */
  readonly isMadeToFail: boolean;
}

/** The most rules that are told apart; there are far fewer in openapi.yaml. */
export const MOST_RULES = 1_000;

/**
 * Gathers what exchanges show; nothing that comes out of it holds a key.
 *
 * @param upstream its base URL, for the examples; a recorded exchange has its own.
 * @param apiKeys keys to hide, beside that of each request.
 * @param curlOptions options of each example
 */
export function createFindingsRecord(
  upstream: URL | undefined,
  apiKeys: readonly string[],
  curlOptions: readonly string[] = [],
) {
  const found = new Map<string, Finding>();
  const byOperation = new Map<string | undefined, number>();
  const counts = { exchanges: 0, answered: 0, unanswered: 0, abandoned: 0, unjudgedBodies: 0 };
  const hideOf = createRedaction(apiKeys);
  const count = (
    { request, operationId, recorded }: Exchange,
    violation: Violation,
    hide: Hide,
    url: string,
  ): Finding => {
    const { severity, code, message } = violation;
    const place = placeOf(violation);
    const key = JSON.stringify([operationId, severity, place, code]);
    const first = found.get(key) ?? {
      severity,
      operationId,
      place,
      rule: code ?? nameRule(message),
      message,
      count: 0,
      example: printExample(request, url, hide, curlOptions),
      ...(recorded && { recorded }),
    };
    const finding = { ...first, count: first.count + 1 };
    if (found.has(key) || found.size < MOST_RULES) found.set(key, finding);
    return { ...finding, message, ...(recorded && { recorded }) };
  };
  return {
    /** @returns the violations of the exchange. */
    add(exchange: Exchange): readonly Sighting[] {
      const { operationId, request, response, refusal, violations, recorded } = exchange;
      counts.exchanges += 1;
      byOperation.set(operationId, (byOperation.get(operationId) ?? 0) + 1);
      // A request that was given up may not be all there.
      if (response !== undefined) {
        if (operationId !== undefined) counts.answered += 1;
        if (request.body === undefined) counts.unjudgedBodies += 1;
        if (response.body === undefined && request.method !== 'HEAD') counts.unjudgedBodies += 1;
      } else if (refusal === undefined) counts.abandoned += 1;
      else if (errorStatuses[refusal.code] >= 502) counts.unanswered += 1;
      if (violations.length === 0) return [];
      const hide = hideOf(request);
      const target = hideParameters(hide(request.target));
      const { 'x-fault': fault, 'preference-applied': preference = fault } = response?.headers ?? {};
      const shown = {
        ...{ method: request.method, target, status: response?.status, startedAt: exchange.startedAt },
        ...{ exchange: counts.exchanges, port: exchange.port, isMadeToFail: preference !== undefined },
      };
      const url = hide(`${recorded?.origin ?? upstream?.origin}${target}`);
      const told = recorded
        ? { ...exchange, recorded: { ...recorded, origin: hide(recorded.origin) } }
        : exchange;
      return violations.map((violation) => {
        const redacted = redactViolation(violation, hide);
        const at = redacted.location.join('.');
        return { ...count(told, redacted, hide, url), ...shown, at };
      });
    },
    read: (): Findings => ({
      ...counts,
      byOperation,
      violations: [...found.values()].sort((one, other) => other.count - one.count),
    }),
  };
}

/** The rules that Prism has only a sentence for. */
function nameRule(message: string): string {
  if (message.startsWith('Selected route')) return 'unknown-route';
  if (message.startsWith('Unable to match the returned status code')) return 'undocumented-status';
  if (message.startsWith('The received media type')) return 'media-type';
  return 'unnamed';
}

/** What is missing is a place of its own. */
function placeOf({ location, code, message }: Violation): string {
  const [, missing] = (code === 'required' && /required property '(.*)'$/.exec(message)) || [];
  const keys = missing === undefined ? location : [...location, missing];
  return keys.map((key) => (/^\d+$/.test(key) ? '*' : key)).join('.');
}
