import { ApiError } from '../api-error.ts';
import { readTime } from '../real-time.ts';
import { oneOf, type ValueKind } from '../value-kinds.ts';
import { type OperationName, operations } from './find-operation.ts';
import { readMembers } from './read-members.ts';
import { isSinceMet, readUntil, sinceKind, type Until, untilKinds } from './since.ts';

/** Something in an exchange that the contract does not allow, as the checked proxy saw it. Keys are hidden in all of it. */
export interface ContractViolation {
  /** Larger than that of every violation before. */
  readonly id: number;
  /** When the request arrived. */
  readonly time: Date;
  /** The id of the request in the journal, while it is there. */
  readonly request: number | undefined;
  /** What the request was for; undefined where there is no operation. */
  readonly operation: OperationName | undefined;
  readonly method: string;
  /** The path from the origin on, with the query, as it was sent. */
  readonly url: string;
  /** The status of the answer, if there was one. */
  readonly status: number | undefined;
  readonly severity: 'error' | 'warning';
  /** Such as `request.query.limit` or `request.body.name`. */
  readonly place: string;
  /** Where exactly, such as `response.body.2.id`; what is missing is missing there. */
  readonly at: string;
  /** Such as `maximum` or `required`. */
  readonly rule: string;
  readonly message: string;
}

/** Which violations; all of them, where nothing is said. */
export interface ViolationFilter {
  readonly operation?: OperationName;
  readonly severity?: 'error' | 'warning';
  /** Those of the request with this id. */
  readonly request?: number;
  /** From this time on, or later than the violation with this id. */
  readonly since?: Date | number;
}

/** What broke the contract, seen by the checked proxy beside the mock: only what was sent to `checkedUrl`. */
export interface Violations {
  /** The latest thousand. @throws Error with the `code` `invalid_request` for a wrong filter, and without a checked proxy. */
  violations(filter?: ViolationFilter): ContractViolation[];
  /** Forgets the violations; with `until` only those up to the one with this id. */
  clearViolations(which?: Until): void;
  /** @throws Error that tells all that fit, when there are any, and without a checked proxy. */
  expectNoViolations(filter?: ViolationFilter): void;
}

/** The violations, and what the checked proxy tells them. */
export interface ViolationSource extends Violations {
  /** The id of the latest one, or 0. */
  readonly lastId: number;
  /** Whether there is a checked proxy. */
  isWatched(): boolean;
  add(violation: Omit<ContractViolation, 'id'>): void;
}

/** The most violations that are kept. */
export const MOST_VIOLATIONS = 1_000;

/** The most violations that an error tells one by one. */
const MOST_TOLD = 20;

const kinds = {
  operation: oneOf(operations),
  severity: oneOf(['error', 'warning']),
  request: untilKinds.until,
  since: sinceKind,
} satisfies Record<string, ValueKind<unknown>>;

/**
 * Creates the violations of a service.
 * @param receive takes in what the checked proxy has told; false where there is none.
 * @param most are kept.
 */
export function createViolations(receive: () => boolean, most = MOST_VIOLATIONS): ViolationSource {
  let kept: ContractViolation[] = [];
  let lastId = 0;
  let clearedAt = 0;
  const violations = (filter: ViolationFilter = {}) => {
    const { operation, severity, request, since } = readMembers<ViolationFilter>('The filter', filter, kinds);
    if (!receive()) {
      const message =
        'No checked proxy stands beside this mock, so that no violation is seen: start it with checkedProxy: true, ' +
        'or without --no-checked-proxy, and send requests to its checked URL.';
      throw new ApiError('invalid_request', message);
    }
    return kept.filter(
      (one) =>
        (operation === undefined || operation === one.operation) &&
        (severity === undefined || severity === one.severity) &&
        (request === undefined || Number(request) === one.request) &&
        (since === undefined || isSinceMet(since, one.id, one.time.getTime())),
    );
  };
  return {
    add(violation) {
      if (violation.time.getTime() < clearedAt) return;
      lastId += 1;
      kept.push({ id: lastId, ...violation });
      if (kept.length > most) kept.shift();
    },
    get lastId() {
      return lastId;
    },
    isWatched: receive,
    violations,
    clearViolations({ until: given } = {}) {
      // Alone: as a hook of a test it is called with a context.
      const until = given === undefined ? undefined : readUntil({ until: given });
      receive();
      if (until !== undefined) {
        kept = kept.filter(({ id }) => id > until);
        return;
      }
      kept = [];
      clearedAt = readTime();
    },
    expectNoViolations(filter) {
      const found = violations(filter);
      if (found.length === 0) return;
      const told = found.slice(0, MOST_TOLD).map(printViolation);
      const more = found.length - told.length;
      const count = found.length === 1 ? '1 violation' : `${found.length} violations`;
      throw new Error(
        [`${count} of the contract:`, ...told, ...(more > 0 ? [`and ${more} more`] : [])].join('\n  '),
      );
    },
  };
}

function printViolation(violation: ContractViolation): string {
  const { operation, place, rule, message, method, url, status } = violation;
  return `${operation ?? '-'} ${place} ${rule}: ${message} (${method} ${url}, ${status ?? 'not answered'})`;
}
