import type { Requests } from '../../common/journal/journal.ts';
import { createAnimals } from './animals.ts';
import type { Faults } from './faults.ts';
import type { RestoreOptions, Session } from './session.ts';
import { redactSettings, type SettingChanges } from './settings.ts';

/** Drives a mock from a test; the library and the control API are two faces of it. */
export type Control = ReturnType<typeof createControl>;

/** Creates the control of a session. @param find is called at each use, since a session may end and another get its name. */
export function createControl(find: () => Session) {
  const faults: Faults = bind(() => find().faults, ['add', 'list', 'remove', 'clear']);
  const ofRequests = ['requests', 'countRequests', 'clearRequests', 'waitForRequest'] as const;
  const requests: Requests = bind(() => find().journal, ofRequests);
  const ofViolations = ['violations', 'clearViolations', 'expectNoViolations'] as const;
  const violations = bind(() => find().violations, ofViolations);
  return {
    ...{ animals: createAnimals(() => find().store), faults, ...requests, ...violations },
    /** Returns the settings, with `[key]` for each key. */
    settings: () => redactSettings(find().settings),
    /**
     * Changes settings, until a reset, and returns all of them.
     * @throws Error with the `code` `invalid_request`, naming what is wrong.
     */
    configure: (changes: SettingChanges) => find().configure(changes),
    /** Puts everything back as it started. Snapshots stay. */
    reset: () => find().reset(),
    /**
     * Keeps the animals, and the next id, under a name; it replaces the snapshot with this name.
     * @param name up to 64 letters, digits, `.`, `_` and `-`.
     * @throws Error with the `code` `invalid_request` for another name, and for a snapshot too many.
     */
    snapshot: (name: string) => find().snapshot(name),
    /** Returns the names of the snapshots, in the order in which they were taken first, without names that begin with a dot. */
    snapshots: () => find().snapshots(),
    /**
     * Puts the animals of a snapshot back.
     * @throws Error with the `code` `not_found`, or `invalid_request` if the animals have changed since `unchangedSince`.
     */
    restore: (name: string, options?: RestoreOptions) => find().restore(name, options),
    /** Removes a snapshot. @throws Error with the `code` `not_found` */
    removeSnapshot: (name: string) => find().removeSnapshot(name),
    /** Returns the profiles that `fill` takes. */
    profiles: () => find().profiles(),
    /**
     * Replaces all animals with the animals of a profile, in its usual number, from the seed of the mock. A reset still goes
     * back to the animals of the start.
     * @throws Error with the `code` `not_found`
     */
    fill: (profile: string) => find().fill(profile),
  };
}

/** Returns methods that call the methods with these names of the object that `find` returns then. */
function bind<T, Name extends keyof T>(find: () => T, names: readonly Name[]): Pick<T, Name> {
  const bindOne = (name: Name) => [name, (...args: unknown[]) => Object(find())[name](...args)];
  return Object.fromEntries(names.map(bindOne)) as Pick<T, Name>;
}
