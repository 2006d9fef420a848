import * as v from 'valibot';
import { ApiError } from '../../common/http/api-error.ts';
import { Latest } from '../../common/journal/latest.ts';
import type { OperationName } from '../../common/journal/operation-name.ts';
import type { JournalViolation } from '../../common/journal/violation.ts';
import { readMembers } from '../../common/read-members.ts';
import type { Schema } from '../../common/schema.ts';
import { oneOf } from '../../common/schemas.ts';
import type { Plugin } from '../session/plugin.ts';
import { operation } from '../session/request-members.ts';
import { createMatch, id, readUntil, since } from './filter.ts';
import { pickFilter, type Until } from './request-filter.ts';

/** Selects violations. A member that is missing matches all of them. */
export interface ViolationFilter {
  readonly operation?: OperationName;
  readonly severity?: 'error' | 'warning';
  /** Id of the request. */
  readonly request?: number;
  /** Id of the violation before the first one. */
  readonly since?: number;
}

export const MOST_VIOLATIONS = 1_000;

const members = {
  operation,
  severity: v.optional(v.pipe(oneOf(['error', 'warning']), v.description('Severity.'))),
  request: id('Id of the request.'),
  since,
};

export const violationFilter: Schema = v.object(members);

export class Violations implements Plugin {
  readonly #receive: () => boolean;
  readonly #latest = new Latest<JournalViolation>(MOST_VIOLATIONS);

  /** @param receive Receives what the checked proxy has reported; returns false without a checked proxy. */
  constructor(receive: () => boolean) {
    this.#receive = receive;
  }

  get lastId(): number {
    this.#receive();
    return this.#latest.lastId;
  }

  /** Id of the oldest violation that is kept. If none is, the id of the next one. */
  get oldestId(): number {
    return this.#latest.oldestId;
  }

  add(violation: Omit<JournalViolation, 'id'>): void {
    this.#latest.add({ id: 0, ...violation });
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
    return this.#latest.list().filter(isMatch);
  }

  reset(): void {
    this.clearViolations();
  }

  /**
   * Removes the violations; with `until`, only violations up to the one with this id.
   * @throws Error with the `code` `invalid_request` for a wrong `until`, and for other members of a filter.
   */
  clearViolations(until?: Until): void {
    const last = readUntil(pickFilter(until));
    this.#receive();
    this.#latest.clear(last);
  }
}
