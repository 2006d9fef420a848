import type { FaultsConfig } from '../faults/faults.ts';
import { SessionFaults } from '../faults/session-faults.ts';
import { type JournalConfig, SessionJournal } from '../journal/session-journal.ts';
import { Violations } from '../journal/violations.ts';
import type { Plugin } from './plugin.ts';

export interface PluginsConfig extends FaultsConfig, JournalConfig {
  /** Receives the violations that the checked proxy has reported; false without a checked proxy. */
  readonly receiveViolations: () => boolean;
}

export type Plugins = ReturnType<typeof createPlugins>;

/** Creates the plugins of a session. @param lastFaultId The ids of its faults are larger. */
export function createPlugins(config: PluginsConfig, lastFaultId: number) {
  return {
    journal: new SessionJournal(config),
    faults: new SessionFaults(config, lastFaultId),
    violations: new SessionViolations(config.receiveViolations),
  } satisfies Readonly<Record<string, Plugin>>;
}

class SessionViolations extends Violations implements Plugin {
  reset(): void {
    this.clearViolations();
  }
}
