import '../common/cli/expect-node.ts';
import { describeListenError } from '../common/cli/describe-listen-error.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import { launchMock } from './launch-mock.ts';
import type { Mock } from './mock.ts';
import type { MockOptions } from './mock-options.ts';
import { resolveMockOptions } from './options.ts';

export type { LogFormat } from '../common/cli/log-format.ts';
export type { TestFunctions } from '../common/find-test-functions.ts';
export type { JournalAnswer, JournalEntry, KeyName } from '../common/journal/journal-entry.ts';
export type { OperationName } from '../common/journal/operation-name.ts';
export type { JournalViolation, Violation } from '../common/journal/violation.ts';
export type { Pet, PetStatus } from '../common/json/pet.ts';
export type { Profile } from '../fixtures/profiles.ts';
export { forEachBehaviour } from './assumptions/for-each-behaviour.ts';
export type { Behaviour, ChoiceName, Difference } from './choices/choices.ts';
export type { ActingValue } from './choices/count-effects.ts';
export * from './client/connect-mock.ts';
export type { Delay } from './faults/delay.ts';
export type { FaultEffects } from './faults/fault-effects.ts';
export type { FaultMatch, FaultOptions } from './faults/fault-options.ts';
export type { FaultResponse } from './faults/fault-response.ts';
export type { AddedFault, Fault, Faults } from './faults/faults.ts';
export { DataFileError } from './files/data-file.ts';
export type { ListFilter, RequestFilter, WaitFilter } from './journal/request-filter.ts';
export type { ViolationFilter } from './journal/violations.ts';
export type { Mock, MockSession } from './mock.ts';
export type { MockOptions } from './mock-options.ts';
export type { AnimalInput, Animals, Int64 } from './session/animals.ts';
export type { Control } from './session/control.ts';
export type { ProfileSummary } from './session/session.ts';
export type { SettingChanges, Settings } from './session/setting-changes.ts';

export { UsageError };

/**
 * Starts a mock of the Animal Store Service.
 * @throws UsageError for an invalid option, such as a port that is in use, or a checked proxy where animal-store-proxy is not
 * installed; DataFileError for a file of animals that cannot be used.
 */
export async function startMock(
  options: MockOptions & { readonly checkedProxy: true },
): Promise<Mock & { readonly checkedUrl: string }>;
export async function startMock(options?: MockOptions): Promise<Mock>;
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  const launching = launchMock(resolveMockOptions(options), { loadsFirst: true });
  const { mock, proxyUrl } = await launching.catch((error) => failToListen(error, 'port'));
  await proxyUrl?.catch((error) => mock.close().then(() => failToListen(error, 'checkedPort')));
  return mock;
}

function failToListen(error: unknown, option: 'port' | 'checkedPort'): never {
  const message = describeListenError(error, () => `Try ${option}: 0 for a free port.`, 'host');
  throw message === undefined ? error : new UsageError(message, { cause: error });
}
