import { errorStatuses } from '../../common/http/errors.ts';
import type { Violation } from '../../common/journal/violation.ts';
import type { Contract } from '../../common/json/contract.ts';
import { type Keys, redact } from '../../common/text/redact.ts';
import { type Exchange, LOWEST_ERROR_STATUS } from '../exchange.ts';
import { type Coverage, countReached, listParts } from './coverage.ts';
import { printExample } from './print-example.ts';
import { findKeys } from './redact-exchange.ts';

/** A broken rule: its first violation, and how often it was broken. */
export interface Finding extends Violation {
  /** Null if the request is not in openapi.yaml. */
  readonly operationId: string | null;
  readonly count: number;
  /** The first request with the violation, as a curl command without the key. */
  readonly example: string;
  /** Index of that request in `log.entries` of the HAR file; absent if it passed through the proxy. */
  readonly entry?: number;
}

/** A reason why exchanges have no response of the upstream, and how often. */
export interface MissingResponse {
  readonly message: string;
  readonly count: number;
}

/** Results of all exchanges so far. */
export interface Findings {
  /** Path of the draft that was checked against; absent if it was openapi.yaml. */
  readonly contract?: string;
  readonly exchanges: number;
  /** Number of exchanges of each operation of the contract; `null` is the operation of other requests. */
  readonly operations: readonly { readonly operationId: string | null; readonly exchanges: number }[];
  /** Number of responses of operations that no fault made. */
  readonly answered: number;
  /** Number of these responses that succeeded: a status below 300. Those of HEAD are not counted, because they have no body. */
  readonly succeeded: number;
  /** Exchanges whose response a fault of the mock that started the proxy made or broke. They have no violations of the response. */
  readonly faults: number;
  /** Why there is no response, the most frequent first. */
  readonly failures: readonly MissingResponse[];
  /** The most frequent first. */
  readonly violations: readonly Finding[];
  /** Number of exchanges for each part of the contract. */
  readonly coverage: Coverage;
}

/** Lowest status of a response that is the proxy's, because it has none of the upstream. Source: RFC 9110 section 15.6.3 */
const LOWEST_GATEWAY_STATUS = 502;

/** Maximum number of rules and places that are listed. Traffic with more has them counted by the rule and the side alone, so that none is lost. */
const MOST_PLACES = 1_000;

/** Members of a finding with words of the contract or of ours. The gate reads the side from the location. */
const ofContract = new Set(['operationId', 'severity', 'rule', 'expected', 'missing', 'location', 'place']);

export class FindingsRecord {
  readonly #contract: Contract;
  readonly #keys: Keys;
  readonly #curlOptions: readonly string[];
  readonly #coverage: Map<string, number>;
  readonly #found = new Map<string, Finding>();
  readonly #failures = new Map<string, number>();
  readonly #operations: Map<string | null, number>;
  readonly #sums = { exchanges: 0, answered: 0, succeeded: 0, faults: 0 };

  /** @param keys redacted, in addition to the keys of each request. @param curlOptions options of each example. */
  constructor(contract: Contract, keys: Keys, curlOptions: readonly string[] = []) {
    this.#contract = contract;
    this.#keys = keys;
    this.#curlOptions = curlOptions;
    this.#coverage = new Map(listParts(contract).map((part) => [part, 0]));
    this.#operations = new Map(contract.operations.map(({ operationId }) => [operationId, 0]));
  }

  /**
   * Adds an exchange, whose violations have no keys.
   * @param origin of the curl commands.
   * @returns its violations, each with the count of its rule so far, and why the upstream gave no response, with its count
   */
  add(exchange: Exchange, origin: string) {
    const { operationId = null, request, violations, entry } = exchange;
    const failure = this.#count(exchange);
    const example = () => printExample(request, origin, this.#curlOptions, findKeys(request, this.#keys));
    const found = violations.map((violation): Finding => {
      const { severity, place, rule, more = 0 } = violation;
      const whole = JSON.stringify([operationId, severity, place, rule]);
      const isListed = this.#found.has(whole) || this.#found.size < MOST_PLACES;
      const key = isListed ? whole : JSON.stringify([operationId, severity, violation.location[0], rule]);
      const one = { ...violation, operationId, ...(entry !== undefined && { entry }) };
      const first = this.#found.get(key) ?? { ...one, count: 0, example: example() };
      const finding = { ...first, count: first.count + 1 + more };
      this.#found.set(key, finding);
      return { ...finding, ...one };
    });
    return { found, failure };
  }

  read(): Findings {
    const { draft } = this.#contract;
    const byCount = (one: { readonly count: number }, other: { readonly count: number }) =>
      other.count - one.count;
    // They were redacted when they were found. A key may have become known later.
    const failures = [...this.#failures].map(([message, count]) => ({ message, count })).sort(byCount);
    const violations = [...this.#found.values()].sort(byCount);
    return {
      ...(draft !== undefined && { contract: redact(draft, this.#keys) }),
      ...this.#sums,
      operations: [...this.#operations].map(([operationId, exchanges]) => ({ operationId, exchanges })),
      coverage: this.readCoverage(),
      ...redact({ failures, violations }, this.#keys, ofContract),
    };
  }

  readCoverage(): Coverage {
    return Object.fromEntries(this.#coverage);
  }

  /** @returns why the upstream gave no response */
  #count(exchange: Exchange): MissingResponse | undefined {
    const { operationId, request, response, refusal, violations } = exchange;
    const sums = this.#sums;
    sums.exchanges += 1;
    this.#operations.set(operationId ?? null, (this.#operations.get(operationId ?? null) ?? 0) + 1);
    // A fault answers without the operation, so its response reaches nothing.
    if (refusal?.isMadeByFault || response?.isMadeByFault) sums.faults += 1;
    else if (response === undefined) return this.#countMissing(exchange);
    else if (operationId !== undefined) {
      const { status } = response;
      const isUndocumented = violations.some(({ rule }) => rule === 'undocumented-status');
      const isRedirection = status >= 300 && status < LOWEST_ERROR_STATUS;
      const isElsewhere = isUndocumented && (status === 404 || isRedirection);
      sums.answered += 1;
      // A probe that waits for the upstream sends HEAD, of which no body was checked. A draft may have HEAD as an operation.
      const isProbe = !this.#contract.operations.some(
        (one) => one.operationId === operationId && one.method === request.method,
      );
      if (isProbe) return undefined;
      if (status < 300) sums.succeeded += 1;
      if (!isElsewhere) countReached(this.#coverage, exchange, response);
    }
    return undefined;
  }

  #countMissing({ request, refusal }: Exchange): MissingResponse | undefined {
    if (refusal !== undefined && errorStatuses[refusal.code] < LOWEST_GATEWAY_STATUS) return undefined;
    const reason = refusal?.message ?? 'The client did not wait for it, or the run ended before.';
    const message = redact(reason, findKeys(request, this.#keys));
    const count = (this.#failures.get(message) ?? 0) + 1;
    this.#failures.set(message, count);
    return refusal && { message, count };
  }
}
