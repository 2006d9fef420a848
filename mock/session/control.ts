import type { Requests } from '../../common/journal/journal.ts';
import type { Violations } from '../../common/journal/violations.ts';
import { type Animals, createAnimals } from './animals.ts';
import type { Faults } from './faults.ts';
import type { ProfileSummary, RestoreOptions, Session } from './session.ts';
import { redactSettings, type SettingChanges, type Settings } from './settings.ts';

/** Drives a mock from a test; the library and the control API are two faces of it. */
export interface Control
  extends Requests,
    Pick<Violations, 'violations' | 'clearViolations' | 'expectNoViolations'> {
  readonly animals: Animals;
  readonly faults: Faults;
  /** Returns the settings, with `[key]` for each key. */
  settings(): Settings;
  /**
   * Changes settings, until a reset, and returns all of them.
   * @throws Error with the `code` `invalid_request`, naming what is wrong.
   */
  configure(changes: SettingChanges): Settings;
  /** Puts everything back as it started. Snapshots stay. */
  reset(): void;
  /**
   * Keeps the animals, and the next id, under a name; it replaces the snapshot with this name.
   * @param name up to 64 letters, digits, `.`, `_` and `-`.
   * @throws Error with the `code` `invalid_request` for another name, and for a snapshot too many.
   */
  snapshot(name: string): void;
  /** Returns the names of the snapshots, in the order in which they were taken first, without names that begin with a dot. */
  snapshots(): string[];
  /**
   * Puts the animals of a snapshot back.
   * @throws Error with the `code` `not_found`, or `invalid_request` if the animals have changed since `unchangedSince`.
   */
  restore(name: string, options?: RestoreOptions): void;
  /** Removes a snapshot. @throws Error with the `code` `not_found` */
  removeSnapshot(name: string): void;
  /** Returns the profiles that `fill` takes. */
  profiles(): ProfileSummary[];
  /**
   * Replaces all animals with the animals of a profile, in its usual number, from the seed of the mock. A reset still goes
   * back to the animals of the start.
   * @throws Error with the `code` `not_found`
   */
  fill(profile: string): Promise<void>;
}

/** Creates the control of a session. @param find is called at each use, since a session may end and another get its name. */
export function createControl(find: () => Session): Control {
  return {
    animals: createAnimals(() => find().store),
    faults: {
      add: (fault) => find().faults.add(fault),
      list: () => find().faults.list(),
      remove: (id) => find().faults.remove(id),
      clear: () => find().faults.clear(),
    },
    requests: (filter) => find().journal.requests(filter),
    countRequests: (filter) => find().journal.countRequests(filter),
    clearRequests: (which) => find().journal.clearRequests(which),
    waitForRequest: (filter) => find().journal.waitForRequest(filter),
    violations: (filter) => find().violations.violations(filter),
    clearViolations: (which) => find().violations.clearViolations(which),
    expectNoViolations: (filter) => find().violations.expectNoViolations(filter),
    settings: () => redactSettings(find().settings),
    configure: (changes) => find().configure(changes),
    reset: () => find().reset(),
    snapshot: (name) => find().snapshot(name),
    snapshots: () => find().snapshots(),
    restore: (name, options) => find().restore(name, options),
    removeSnapshot: (name) => find().removeSnapshot(name),
    profiles: () => find().profiles(),
    fill: (name) => find().fill(name),
  };
}
