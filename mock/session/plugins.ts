import { type FaultsConfig, SessionFaults } from '../faults/faults.ts';
import { Journal, type JournalConfig } from '../journal/journal.ts';
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
    journal: new Journal(config),
    faults: new SessionFaults(config, lastFaultId),
    violations: new Violations(config.receiveViolations),
  } satisfies Readonly<Record<string, Plugin>>;
}
