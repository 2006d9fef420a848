import { type ActingValue, EffectCounts } from '../choices/count-effects.ts';
import type { Faults } from '../faults/faults.ts';
import type { ViolationFilter } from '../journal/violations.ts';
import type { Animals } from './animals.ts';
import { bindCalls, type SessionCalls, sessionCalls } from './control-calls.ts';
import { expectNone, expectSomeChecked } from './expect-violations.ts';
import type { Session } from './session.ts';

/** Controls a mock: the calls of the control API, and what a program can do with them. */
export interface Control extends SessionCalls {
  readonly animals: Animals;
  readonly faults: Faults;
  /**
   * @throws Error that lists the violations that match, if there are any, and without a checked proxy. Also if no request that the
   * journal has, or none of the operation, was sent to the checked proxy, so that nothing was checked.
   */
  readonly expectNoViolations: (filter?: ViolationFilter) => void;
  /**
   * Runs a function while the plain service answers, and returns the values of choices that would have changed a response, most
   * frequent first. Requests that a fault answers, or while another behaviour is set, do not count. If all were refused for their
   * key, there are none.
   * @throws what the function throws.
   */
  readonly findActingValues: (run: () => unknown) => Promise<ActingValue[]>;
}

/**
 * Creates the control of a session.
 * @param find is called at each use, since a session may end and another get its name.
 * @param findExisting never starts a session. @throws ApiError `not_found`
 */
export function createControl(find: () => Session, findExisting = find): Control {
  const calls: SessionCalls = bindCalls(
    sessionCalls,
    ({ run, isForExisting }) =>
      (...args) =>
        run(isForExisting ? findExisting() : find(), ...args),
  );
  return {
    ...calls,
    animals: {
      ...calls.animals,
      get size() {
        return find().animals.size;
      },
    },
    faults: { ...calls.faults, add: (fault) => find().plugins.faults.add(fault) },
    expectNoViolations: (filter) => {
      const { violations, journal } = find().plugins;
      expectNone(violations.violations(filter));
      if (journal.size > 0) expectSomeChecked(journal.requests(), filter, journal.size);
    },
    findActingValues: async (run) => {
      const session = find();
      const effects = new EffectCounts();
      session.effects = effects;
      try {
        await run();
      } finally {
        session.effects = undefined;
      }
      return effects.accepted > 0 ? effects.list() : [];
    },
  };
}
