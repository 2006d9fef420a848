import type { Journal } from '../../common/journal/journal.ts';
import type { Violations } from '../../common/journal/violations.ts';
import { type Animals, createAnimals } from './animals.ts';
import type { Faults } from './faults.ts';
import type { Session } from './session.ts';
import { redactSettings, type Settings } from './settings.ts';

const ofJournal = ['requests', 'countRequests', 'clearRequests', 'waitForRequest'] as const;
const ofViolations = ['violations', 'clearViolations', 'expectNoViolations'] as const;
const ofSnapshots = ['snapshot', 'snapshots', 'restore', 'removeSnapshot'] as const;
const ofSession = [...ofSnapshots, 'configure', 'reset', 'profiles', 'fill'] as const;

/** Controls a mock. The library and the control API have its members. */
export interface Control
  extends Pick<Journal, (typeof ofJournal)[number]>,
    Pick<Violations, (typeof ofViolations)[number]>,
    Pick<Session, (typeof ofSession)[number]> {
  readonly animals: Animals;
  readonly faults: Faults;
  /** Returns the settings, with `[key]` for each key. */
  settings(): Settings;
}

/** Creates the control of a session. @param find is called at each use, since a session may end and another get its name. */
export function createControl(find: () => Session): Control {
  return {
    ...bind(find, ofSession),
    ...bind(() => find().journal, ofJournal),
    ...bind(() => find().violations, ofViolations),
    animals: createAnimals(() => find().store),
    faults: bind(() => find().faults, ['add', 'list', 'remove', 'clear']),
    settings: () => redactSettings(find().settings),
  };
}

/** Returns methods that call the methods with these names of the object that `find` returns then. */
function bind<T, Name extends keyof T>(find: () => T, names: readonly Name[]): Pick<T, Name> {
  const bindOne = (name: Name) => [name, (...args: unknown[]) => Object(find())[name](...args)];
  return Object.fromEntries(names.map(bindOne)) as Pick<T, Name>;
}
