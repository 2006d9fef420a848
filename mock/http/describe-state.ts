import type { Verifications } from '../../common/control/create-verifications.ts';
import type { Service } from '../control/create-service.ts';

/** What holds now of a service, and the text by which a change of it is seen: a running clock is none. */
export function describeState(
  { control, operations, journal, settings: source, startedAt }: Service,
  verifications: Verifications,
): [compared: string, told: object] {
  const { now, ...settings } = control.settings();
  const { size, version } = operations.store;
  const state = {
    startedAt,
    animals: size,
    version,
    faults: control.faults.list(),
    verifications: verifications.list(),
    clockOffset: source.clockOffset,
    period: journal?.period ?? 0,
    clearedTo: journal?.clearedTo ?? 0,
    takesTestKey: source.apiKeys.includes('test-key'),
    settings,
  };
  const isStill = settings.clock === 'still';
  return [JSON.stringify([state, isStill ? now : null]), { ...state, settings: { now, ...settings } }];
}
