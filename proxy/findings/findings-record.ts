import { errorStatuses } from '../../common/http/errors.ts';
import type { Violation } from '../../common/journal/violation.ts';
import type { Contract } from '../../common/json/contract.ts';
import { loadContract } from '../../common/load-contract.ts';
import { type Keys, redact } from '../../common/text/redact.ts';
import { type Exchange, isOfFault, LOWEST_ERROR_STATUS, type RecordedPlace } from '../exchange.ts';
import { type Coverage, CoverageRecord } from './coverage.ts';
import { printExample } from './print-example.ts';
import { findKeys } from './redact-exchange.ts';

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

/** A reason why the upstream gave no response, and how often. */
export interface UpstreamFailure {
  readonly message: string;
  readonly count: number;
}

/** What an exchange adds. */
interface AddedFindings {
  readonly found: readonly Finding[];
  readonly failure: UpstreamFailure | undefined;
}

/** Results of all exchanges so far. */
export interface Findings {
  /** Path of the draft that was checked against; absent if it was openapi.yaml. */
  readonly contract?: string;
  readonly exchanges: number;
  /** Number of exchanges by operation; `undefined` is the key for requests of no operation. */
  readonly byOperation: ReadonlyMap<string | undefined, number>;
  /** Exchanges of operations of the contract that have a response, which no fault made. */
  readonly answered: number;
  /** Number of these responses that are not errors: a status below 400. */
  readonly succeeded: number;
  /** Number of these responses with a 401, or with a 404 that the operation does not have. */
  readonly refused: number;
  /** Exchanges whose response a fault of the mock that started the proxy made or broke. They have no violations of the response. */
  readonly faults: number;
  /** Exchanges without a response from the upstream. */
  readonly unanswered: number;
  /** Why the upstream gave no response, the most frequent first. */
  readonly failures: readonly UpstreamFailure[];
  /** Exchanges that the client cancelled. */
  readonly abandoned: number;
  /** The most frequent first. */
  readonly violations: readonly Finding[];
  /** Number of exchanges for each point of the contract. */
  readonly coverage: Coverage;
}

/** Lowest status of a response that is the proxy's, because it has none of the upstream. Source: RFC 9110 section 15.6.3 */
const LOWEST_GATEWAY_STATUS = 502;

/** Maximum number of reasons of the upstream that are counted. */
const MAX_FAILURES = 20;

/** Maximum number of rules that are counted; openapi.yaml has far fewer. */
const MAX_RULES = 1_000;

export class FindingsRecord {
  readonly #readOrigin: () => string | undefined;
  readonly #contract: Contract;
  readonly #keys: Keys;
  readonly #curlOptions: readonly string[];
  readonly #found = new Map<string, Finding>();
  readonly #coverage: CoverageRecord;
  readonly #failures = new Map<string, number>();
  readonly #byOperation = new Map<string | undefined, number>();
  readonly #sums = {
    exchanges: 0,
    answered: 0,
    succeeded: 0,
    refused: 0,
    faults: 0,
    unanswered: 0,
    abandoned: 0,
  };

  /**
   * @param readOrigin returns the origin of the examples; a recorded exchange has its own.
   * @param keys redacted, in addition to the keys of each request.
   * @param curlOptions options of each example.
   * @param contract the contract whose points are counted.
   */
  constructor(
    readOrigin: () => string | undefined,
    keys: Keys,
    curlOptions: readonly string[] = [],
    contract: Contract = loadContract(),
  ) {
    this.#readOrigin = readOrigin;
    this.#contract = contract;
    this.#coverage = new CoverageRecord(contract);
    this.#keys = keys;
    this.#curlOptions = curlOptions;
  }

  /**
   * Adds an exchange, whose violations have no keys.
   * @returns its violations, each with the count of its rule so far, and why the upstream gave no response, with its count
   */
  add(exchange: Exchange): AddedFindings {
    const { operationId, request, violations, recorded } = exchange;
    this.#count(exchange);
    this.#coverage.add(exchange);
    const failure = this.#addFailure(exchange);
    if (violations.length === 0) return { found: [], failure };
    const origin = `${recorded?.origin ?? this.#readOrigin()}`;
    const example = () => printExample(request, origin, this.#curlOptions, findKeys(request, this.#keys));
    const found = violations.map((violation) => {
      const { severity, place, rule } = violation;
      const key = JSON.stringify([operationId, severity, place, rule]);
      const one = { ...violation, operationId, ...(recorded && { recorded }) };
      const first = this.#found.get(key) ?? { ...one, count: 0, example: example() };
      const finding = { ...first, count: first.count + 1 + (violation.more ?? 0) };
      if (this.#found.has(key) || this.#found.size < MAX_RULES) this.#found.set(key, finding);
      return { ...finding, ...one };
    });
    return { found, failure };
  }

  read(): Findings {
    const { draft } = this.#contract;
    return {
      ...(draft !== undefined && { contract: draft }),
      ...this.#sums,
      byOperation: this.#byOperation,
      coverage: this.#coverage.read(),
      failures: [...this.#failures]
        .map(([message, count]) => ({ message, count }))
        .sort((one, other) => other.count - one.count),
      violations: [...this.#found.values()].sort((one, other) => other.count - one.count),
    };
  }

  #count(exchange: Exchange): void {
    const { operationId, response, refusal, violations } = exchange;
    const isFault = isOfFault(exchange);
    const counts = this.#sums;
    counts.exchanges += 1;
    if (isFault) counts.faults += 1;
    this.#byOperation.set(operationId, (this.#byOperation.get(operationId) ?? 0) + 1);
    // A cancelled request may be incomplete.
    if (response !== undefined) {
      const { status } = response;
      const isUndocumented = violations.some(({ rule }) => rule === 'undocumented-status');
      const isOfService = operationId !== undefined && !isFault;
      if (isOfService) counts.answered += 1;
      if (isOfService && status < LOWEST_ERROR_STATUS) counts.succeeded += 1;
      if (isOfService && (status === 401 || (status === 404 && isUndocumented))) counts.refused += 1;
    } else if (refusal === undefined) counts.abandoned += 1;
    else if (isUnanswered(exchange)) counts.unanswered += 1;
  }

  #addFailure(exchange: Exchange): UpstreamFailure | undefined {
    const { request, refusal } = exchange;
    if (refusal === undefined || !isUnanswered(exchange)) return undefined;
    const message = redact(refusal.message, findKeys(request, this.#keys));
    const earlier = this.#failures.get(message);
    const count = (earlier ?? 0) + 1;
    if (earlier !== undefined || this.#failures.size < MAX_FAILURES) this.#failures.set(message, count);
    return { message, count };
  }
}

/** Returns whether the upstream gave no response, and no fault of a mock is the reason. */
function isUnanswered(exchange: Exchange): boolean {
  const { response, refusal } = exchange;
  if (response !== undefined || refusal === undefined || isOfFault(exchange)) return false;
  return errorStatuses[refusal.code] >= LOWEST_GATEWAY_STATUS;
}
