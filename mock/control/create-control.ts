import { ApiError, describeValue } from '../../common/api-error.ts';
import type { Journal, JournalSource } from '../../common/control/create-journal.ts';
import type { ViolationSource, Violations } from '../../common/control/create-violations.ts';
import type { Contents, PetStore } from '../api/pet-store.ts';
import { type Animals, createAnimals } from './create-animals.ts';
import type { FaultSource, Faults } from './create-faults.ts';
import type { SettingChanges, SettingSource, Settings } from './create-settings.ts';
import { expectName } from './expect-name.ts';

/** The most snapshots that are kept. */
export const MOST_SNAPSHOTS = 100;

/** What drives a mock from outside; the library and the control API are two faces of it. */
export interface Control extends Journal, Violations {
  readonly animals: Animals;
  readonly faults: Faults;
  /** What holds now; no key is told. */
  settings(): Settings;
  /**
   * Changes settings, until a reset, and returns what then holds.
   * @throws Error with the `code` `invalid_request`, naming what was wrong.
   */
  configure(changes: SettingChanges): Settings;
  /** Puts everything back as it started. Snapshots stay. */
  reset(): void;
  /**
   * Keeps the animals, and the next id, under a name, in the place of what was kept under it.
   * @param name up to 64 letters, digits, `.`, `_` and `-`.
   * @throws Error with the `code` `invalid_request` for another name, and for a snapshot too many.
   */
  snapshot(name: string): void;
  /** The names of what was kept, in the order in which it was kept first. */
  snapshots(): string[];
  /** Puts the animals back as they were kept under the name. @throws Error with the `code` `not_found` */
  restore(name: string): void;
  /** Forgets what was kept under the name. @throws Error with the `code` `not_found` */
  removeSnapshot(name: string): void;
  /** The profiles that `fill` takes. */
  profiles(): ProfileSummary[];
  /**
   * Puts the animals of a profile in the place of all, as many as it has by itself, from the seed of the mock. A reset still
   * goes back to what the mock started with.
   * @throws Error with the `code` `not_found`
   */
  fill(profile: string): Promise<void>;
}

/** Animals that a store can be filled with. */
export interface ProfileSummary {
  readonly name: string;
  /** How many there are. */
  readonly animals: number;
  /** What they are, in a few words. */
  readonly purpose: string;
}

/** The profiles, and what makes the animals of one. */
export interface ProfileSource {
  readonly list: readonly ProfileSummary[];
  create(name: string): Promise<Contents>;
}

/** What a control drives. */
interface Driven {
  /** The store that there is. */
  readonly store: () => PetStore;
  /** Puts a new store in its place; requests that are under way keep the old one. */
  readonly open: (contents: Contents) => void;
  readonly faults: FaultSource;
  readonly journal: JournalSource;
  readonly settings: SettingSource;
  readonly violations: ViolationSource;
  readonly profiles: ProfileSource;
}

/** Creates the control of a mock. @param start what its store holds after a reset. */
export function createControl(
  { store, open, faults, journal, settings, violations, profiles }: Driven,
  start: () => Contents,
): Control {
  const snapshots = new Map<string, Contents>();
  const find = (name: string): Contents => {
    const snapshot = snapshots.get(name);
    if (snapshot === undefined) throw notFound('snapshot', name, [...snapshots.keys()]);
    return snapshot;
  };
  return {
    animals: createAnimals(store),
    requests: journal.requests,
    countRequests: journal.countRequests,
    clearRequests: journal.clearRequests,
    waitForRequest: journal.waitForRequest,
    violations: violations.violations,
    clearViolations: violations.clearViolations,
    expectNoViolations: violations.expectNoViolations,
    settings: settings.read,
    configure: settings.configure,
    faults: { add: faults.add, list: faults.list, remove: faults.remove, clear: faults.clear },
    reset() {
      // What is waiting goes on at once, with the store that it came for.
      faults.reset();
      open(start());
      journal.clearRequests();
      violations.clearViolations();
      settings.reset();
    },
    snapshot(name) {
      expectName('A snapshot', name);
      if (snapshots.size === MOST_SNAPSHOTS && !snapshots.has(name)) {
        throw new ApiError('invalid_request', `There are ${MOST_SNAPSHOTS} snapshots, and no room for more.`);
      }
      snapshots.set(name, store().snapshot());
    },
    snapshots: () => [...snapshots.keys()],
    restore: (name) => open(find(name)),
    removeSnapshot(name) {
      find(name);
      snapshots.delete(name);
    },
    profiles: () => [...profiles.list],
    async fill(name) {
      const names = profiles.list.map((one) => one.name);
      if (!names.includes(name)) throw notFound('profile', name, names);
      open(await profiles.create(name));
    },
  };
}

function notFound(what: string, name: string, names: readonly string[]): ApiError {
  const known = names.join(', ') || 'none';
  return new ApiError('not_found', `No ${what} is called ${describeValue(name)}; there is ${known}.`);
}
