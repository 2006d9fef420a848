import {
  createJournal,
  type JournalBudget,
  type JournalSource,
} from '../../common/control/create-journal.ts';
import { createViolations, type ViolationSource } from '../../common/control/create-violations.ts';
import { readTime } from '../../common/real-time.ts';
import type { OperationContext } from '../api/operations.ts';
import { type Contents, createPetStore } from '../api/pet-store.ts';
import { createListPrinter } from '../api/print-pets.ts';
import { type Control, createControl, type ProfileSource } from './create-control.ts';
import { type Connections, createFaults, type FaultOptions, type FaultSource } from './create-faults.ts';
import type { Secrets } from './create-secrets.ts';
import { createSettings, type InitialSettings, type SettingSource } from './create-settings.ts';

/** A service as it starts. */
export interface ServiceConfig extends InitialSettings {
  /** How many requests are kept; 0 is none. */
  readonly journal: number;
  /** Whether a checked proxy is beside it. */
  readonly checkedProxy: boolean;
  /** The faults that are there at the start. */
  readonly faults: readonly FaultOptions[];
}

/** One animal store with all that drives it: the mock itself, or a session of it. */
export interface Service {
  /** What the operations work with: another after each reset, while requests that are under way keep theirs. */
  readonly operations: OperationContext;
  readonly settings: SettingSource;
  readonly faults: FaultSource;
  /** Whether a checked proxy is beside it. */
  readonly isChecked: boolean;
  /** Keeps each request, unless there is none. */
  readonly journal: JournalSource | undefined;
  readonly violations: ViolationSource;
  readonly control: Control;
  /** When it was created. */
  readonly startedAt: Date;
  /** Puts these animals in the place of all; requests that are under way do not meet them. */
  open(contents: Contents): void;
}

/** What all services of a mock have in common. */
interface Shared {
  readonly secrets: Secrets;
  /** What the store holds, at first and after a reset. */
  readonly start: () => Contents;
  readonly profiles: ProfileSource;
  /** Takes in what the checked proxy has told; false where there is none. */
  readonly receiveViolations: () => boolean;
  readonly journalBudget: JournalBudget;
  readonly connections: Connections;
}

/** Creates a service. @param basePath where it is, such as `/v1`. */
export function createService(
  config: ServiceConfig,
  { secrets, start, profiles, receiveViolations, journalBudget, connections }: Shared,
  basePath: string,
): Service {
  const faults = createFaults(config.seed, config.faults, connections);
  const settings = createSettings(config, secrets);
  const journal = createJournal(config.journal, secrets.all, journalBudget);
  const open = (contents: Contents, version = 0): OperationContext => {
    const store = createPetStore([], version);
    store.restore(contents);
    return {
      store,
      printList: createListPrinter(store, () => settings.order, settings.random),
      get limitPolicy() {
        return settings.limitPolicy;
      },
      now: settings.now,
      basePath,
    };
  };
  let operations = open(start());
  const violations = createViolations(receiveViolations);
  const driven = {
    ...{ faults, journal, settings, violations, profiles },
    store: () => operations.store,
    open: (contents: Contents) => {
      operations = open(contents, operations.store.version);
    },
  };
  const control = createControl(driven, start);
  const kept = config.journal === 0 ? undefined : journal;
  return {
    get operations() {
      return operations;
    },
    ...{ settings, faults, journal: kept, violations, control, open: driven.open },
    isChecked: config.checkedProxy,
    startedAt: new Date(readTime()),
  };
}
