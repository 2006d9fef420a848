import * as v from 'valibot';
import { ApiError } from '../http/api-error.ts';
import { readMembers } from '../read-members.ts';
import { readTime } from '../real-time.ts';
import type { Schema } from '../schema.ts';
import { oneOf } from '../schemas.ts';
import { createMatch, id, operation, readUntil, since } from './filter.ts';
import type { Until } from './journal-entry.ts';
import type { OperationName } from './operation-name.ts';
import type { JournalViolation } from './violation.ts';

/** Selects violations. A member that is missing matches all of them. */
export interface ViolationFilter {
  readonly operation?: OperationName;
  readonly severity?: 'error' | 'warning';
  /** Id of the request. */
  readonly request?: number;
  /** Earliest time of arrival, or the id of the violation before the first one. */
  readonly since?: Date | number;
}

export const MOST_VIOLATIONS = 1_000;

const members = {
  operation,
  severity: v.optional(v.pipe(oneOf(['error', 'warning']), v.description('Severity.'))),
  request: id('Id of the request.'),
  since,
};

export const violationFilter: Schema = v.object(members);

export class Violations {
  readonly #receive: () => boolean;
  readonly #size: number;
  /** Oldest first. */
  #kept: JournalViolation[] = [];
  #lastId = 0;
  /** Violations of requests that arrived before this time are not recorded. */
  #clearTime = 0;

  /** @param receive Receives what the checked proxy has reported; returns false without a checked proxy. */
  constructor(receive: () => boolean, size = MOST_VIOLATIONS) {
    this.#receive = receive;
    this.#size = size;
  }

  get lastId(): number {
    this.#receive();
    return this.#lastId;
  }

  /** Id of the oldest violation that is kept. If none is, the id of the next one. */
  get oldestId(): number {
    return this.#kept[0]?.id ?? this.#lastId + 1;
  }

  add(violation: Omit<JournalViolation, 'id'>): void {
    if (violation.time.getTime() < this.#clearTime) return;
    this.#lastId += 1;
    this.#kept.push({ id: this.#lastId, ...violation });
    if (this.#kept.length > this.#size) this.#kept.shift();
  }

  /**
   * Returns the latest thousand violations, oldest first.
   * @throws Error with the `code` `invalid_request` for a wrong filter, and without a checked proxy.
   */
  violations(filter: ViolationFilter = {}): JournalViolation[] {
    const isMatch = createMatch<JournalViolation>(readMembers('The filter', filter, members));
    if (!this.#receive()) {
      const why = 'This mock has no checked proxy, so violations are not recorded';
      const how = 'start it with checkedProxy: true, or without --no-checked-proxy';
      throw new ApiError('invalid_request', `${why}: ${how}, and send requests to its checked URL.`);
    }
    return this.#kept.filter(isMatch);
  }

  /** Removes the violations; with `until`, only violations up to the one with this id. */
  clearViolations({ until: given }: Until = {}): void {
    // Other members are ignored: as a hook of a test, this is called with a context.
    const until = readUntil({ until: given });
    this.#receive();
    if (until === undefined) this.#clearTime = readTime();
    this.#kept = this.#kept.filter(({ id }) => until !== undefined && id > until);
  }
}
