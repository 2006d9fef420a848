import { errorStatuses } from '../../common/http/errors.ts';
import type { Violation } from '../../common/journal/violation.ts';
import { type Exchange, isOfFault, LOWEST_ERROR_STATUS, type RecordedPlace } from '../exchange.ts';
import { type Coverage, CoverageRecord } from './coverage.ts';
import { printExample } from './print-example.ts';
import { createHide, summarize } from './redact-check.ts';

/** A broken rule: its first violation, and how often it was broken. */
export interface Finding extends Violation {
  /** Undefined if the request is not in openapi.yaml. */
  readonly operationId: string | undefined;
  readonly count: number;
  /** The first request with the violation, as a curl command without the key. */
  readonly example: string;
  /** The place of that request in the HAR file; absent if it was not recorded. */
  readonly recorded?: RecordedPlace;
}

/** Results of all exchanges so far. */
export interface Findings {
  readonly exchanges: number;
  /** Number of exchanges by operation; `undefined` is the key for requests of no operation. */
  readonly byOperation: ReadonlyMap<string | undefined, number>;
  /** Exchanges of operations of the contract that have a response. */
  readonly answered: number;
  /** Number of these responses that are not errors: a status below 400. */
  readonly succeeded: number;
  /** Number of these responses with a 401, or with a 404 that the operation does not have. */
  readonly refused: number;
  /** Exchanges whose response a fault of animal-store-mock made or broke. They have no violations of the response. */
  readonly faults: number;
  /** Exchanges without a response from the upstream. */
  readonly unanswered: number;
  /** Exchanges that the client cancelled. */
  readonly abandoned: number;
  /** Bodies that were too large to be checked or could not be decoded. */
  readonly uncheckedBodies: number;
  /** The most frequent first. */
  readonly violations: readonly Finding[];
  /** Number of exchanges for each point of the contract. */
  readonly coverage: Coverage;
}

/** Maximum number of rules that are counted; openapi.yaml has far fewer. */
export const MAX_RULES = 1_000;

export class FindingsRecord {
  readonly #readOrigin: () => string | undefined;
  readonly #apiKeys: readonly string[];
  readonly #curlOptions: readonly string[];
  readonly #found = new Map<string, Finding>();
  readonly #coverage = new CoverageRecord();
  readonly #byOperation = new Map<string | undefined, number>();
  readonly #sums = {
    exchanges: 0,
    answered: 0,
    succeeded: 0,
    refused: 0,
    faults: 0,
    unanswered: 0,
    abandoned: 0,
    uncheckedBodies: 0,
  };

  /**
   * @param readOrigin returns the origin of the examples; a recorded exchange has its own.
   * @param apiKeys keys to hide, in addition to the keys of each request.
   * @param curlOptions options of each example.
   */
  constructor(
    readOrigin: () => string | undefined,
    apiKeys: readonly string[],
    curlOptions: readonly string[] = [],
  ) {
    this.#readOrigin = readOrigin;
    this.#apiKeys = apiKeys;
    this.#curlOptions = curlOptions;
  }

  /** Adds an exchange, whose violations have no keys. @returns its violations, each with the count of its rule so far */
  add(exchange: Exchange): readonly Finding[] {
    const { operationId, request, violations, recorded } = exchange;
    this.#count(exchange);
    this.#coverage.add(exchange);
    if (violations.length === 0) return [];
    const { target } = summarize(exchange, this.#apiKeys);
    const hide = createHide(request, this.#apiKeys);
    const url = hide(`${recorded?.origin ?? this.#readOrigin()}${target}`);
    const example = () => printExample(request, url, hide, this.#curlOptions);
    return violations.map((violation) => {
      const { severity, place, rule } = violation;
      const key = JSON.stringify([operationId, severity, place, rule]);
      const one = { ...violation, operationId, ...(recorded && { recorded }) };
      const first = this.#found.get(key) ?? { ...one, count: 0, example: example() };
      const finding = { ...first, count: first.count + 1 };
      if (this.#found.has(key) || this.#found.size < MAX_RULES) this.#found.set(key, finding);
      return { ...finding, ...one };
    });
  }

  read(): Findings {
    return {
      ...this.#sums,
      byOperation: this.#byOperation,
      coverage: this.#coverage.read(),
      violations: [...this.#found.values()].sort((one, other) => other.count - one.count),
    };
  }

  #count(exchange: Exchange): void {
    const { operationId, request, response, refusal, violations } = exchange;
    const isFault = isOfFault(exchange);
    const counts = this.#sums;
    counts.exchanges += 1;
    if (isFault) counts.faults += 1;
    this.#byOperation.set(operationId, (this.#byOperation.get(operationId) ?? 0) + 1);
    // A cancelled request may be incomplete.
    if (response !== undefined) {
      const { status } = response;
      const isUndocumented = violations.some(({ rule }) => rule === 'undocumented-status');
      if (operationId !== undefined) counts.answered += 1;
      if (operationId !== undefined && status < LOWEST_ERROR_STATUS) counts.succeeded += 1;
      if (operationId && !isFault && (status === 401 || (status === 404 && isUndocumented)))
        counts.refused += 1;
      if (request.body === undefined) counts.uncheckedBodies += 1;
      if (response.body === undefined && request.method !== 'HEAD') counts.uncheckedBodies += 1;
    } else if (refusal === undefined) counts.abandoned += 1;
    else if (!isFault && errorStatuses[refusal.code] >= 502) counts.unanswered += 1;
  }
}
