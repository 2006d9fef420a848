import '../common/expect-node.ts';
import { launchMock, type Mock } from './launch-mock.ts';
import { type MockOptions, resolveMockOptions } from './options.ts';

export type { RequestFilter } from '../common/control/create-journal.ts';
export type { ContractViolation, ViolationFilter } from '../common/control/create-violations.ts';
export type { OperationName } from '../common/control/find-operation.ts';
export type { JournalAnswer, JournalEntry } from '../common/control/journal-entry.ts';
export type { Pet, PetStatus } from '../common/pet.ts';
export { UsageError } from '../common/usage-error.ts';
export type { LogFormat } from '../common/value-kinds.ts';
export type { Profile } from '../fixtures/profiles.ts';
export type { ListOrder } from './api/print-pets.ts';
export { DataFileError } from './api/read-data-file.ts';
export type { LimitPolicy } from './api/validation.ts';
export type { AnimalInput, Animals, Int64 } from './control/create-animals.ts';
export type { Control, ProfileSummary } from './control/create-control.ts';
export type { Fault, FaultOptions, Faults } from './control/create-faults.ts';
export type { SettingChanges, Settings } from './control/create-settings.ts';
export type { Delay } from './control/delay.ts';
export type { BrokenBody, Drop } from './control/endings.ts';
export type { Mock, MockSession } from './launch-mock.ts';
export type { MockOptions } from './options.ts';

/**
 * Starts a mock of the Animal Store Service.
 * @throws UsageError for an invalid option, such as a checked proxy where animal-store-proxy is not installed;
 * DataFileError for a file of animals that cannot be used; Node's own error when it cannot listen.
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  const { mock, proxyUrl } = await launchMock(resolveMockOptions(options));
  await proxyUrl?.catch((error) => mock.close().then(() => Promise.reject(error)));
  return mock;
}
