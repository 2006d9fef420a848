import '../common/expect-node.ts';
import { once } from 'node:events';
import { inspect } from 'node:util';
import { createBatchedWrite } from '../common/create-batched-write.ts';
import { createClose, originOf } from '../common/create-close.ts';
import { errorStatuses } from '../common/errors.ts';
import { toHarmless, toOneLine } from '../common/harmless-text.ts';
import { createHostCheck, isLoopbackHost } from '../common/host-check.ts';
import { createProfile } from '../fixtures/profiles.ts';
import type { OperationContext } from './api/operations.ts';
import { createPetStore, type PetStore } from './api/pet-store.ts';
import { createListPrinter } from './api/print-pets.ts';
import { type DataFile, readDataFile } from './api/read-data-file.ts';
import { type Control, createControl } from './control/create-control.ts';
import { createFaults, type FaultOptions } from './control/create-faults.ts';
import { createJournal } from './control/create-journal.ts';
import { createSettings, type SettingSource } from './control/create-settings.ts';
import { type AppDependencies, createApp } from './http/app.ts';
import { createHttpServer } from './http/create-http-server.ts';
import { createRequestLog } from './http/request-log.ts';
import { type MockConfig, type MockOptions, resolveMockOptions } from './options.ts';
import { startCheckedProxyBeside } from './start-proxy-worker.ts';

export type { Pet, PetStatus } from '../common/pet.ts';
export { UsageError } from '../common/usage-error.ts';
export type { LogFormat } from '../common/value-kinds.ts';
export type { Profile } from '../fixtures/profiles.ts';
export type { ListOrder } from './api/print-pets.ts';
export { DataFileError } from './api/read-data-file.ts';
export type { LimitPolicy } from './api/validation.ts';
export type { AnimalInput, Animals, Int64 } from './control/create-animals.ts';
export type { Control } from './control/create-control.ts';
export type { Drop, Fault, FaultOptions, Faults } from './control/create-faults.ts';
export type { JournalEntry, RequestFilter } from './control/create-journal.ts';
export type { SettingChanges, Settings } from './control/create-settings.ts';
export type { Delay } from './control/delay.ts';
export type { OperationName } from './control/find-operation.ts';
export type { MockOptions } from './options.ts';

/** A mock that is listening, and what drives it from outside. */
export interface Mock extends Control {
  /** The base URL, such as `http://127.0.0.1:4010/v1`. */
  readonly url: string;
  /** The base URL of the checked proxy beside it, if there is one. */
  readonly checkedUrl: string | undefined;
  /** The properties in the user's file of animals that the contract does not know; they were left out. */
  readonly unknownProperties: readonly string[];
  /** Stops listening, waits for open requests, and cuts off those that take more than 5 seconds. */
  close(): Promise<void>;
}

/**
 * Starts a mock of the Animal Store Service.
 * @throws UsageError for an invalid option, such as a checked proxy where animal-store-proxy is not installed;
 * DataFileError for a file of animals that cannot be used; Node's own error when it cannot listen.
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  const config = resolveMockOptions(options);
  const { pets, unknownProperties } = await choosePets(config);
  const store = createPetStore(pets);
  const faults = createFaults(config.seed, toFaults(config));
  const settings = createSettings(config, config.adminToken === undefined ? [] : [config.adminToken]);
  const journal = createJournal(config.journal, settings.secrets);
  const control = createControl({ store, faults, journal, settings });
  const isHostAllowed = await createHostCheck(config.host, config.allowHosts);
  const isLoopback = await isLoopbackHost(config.host);
  const dependencies: AppDependencies = {
    ...createReports(config, settings),
    admin: config.admin,
    adminToken: config.adminToken,
    cors: config.cors,
    operations: createContext(store, settings),
    control,
    faults,
    settings,
    journal: config.journal === 0 ? undefined : journal,
    isHostAllowed,
    isLoopback,
  };
  const server = createHttpServer(createApp(dependencies));
  const closeServer = createClose(server);
  server.listen(config.port, config.host);
  await once(server, 'listening');
  const url = `${originOf(server, config.host)}/v1`;
  const proxy = config.checkedProxy ? startCheckedProxyBeside(url, config) : undefined;
  // The proxy goes first: its open requests are the mock's.
  const close = () => Promise.resolve(proxy?.close()).then(closeServer);
  const checkedUrl = await proxy?.url.catch((error) => closeServer().then(() => Promise.reject(error)));
  return { ...control, url, checkedUrl, unknownProperties, close };
}

async function choosePets({ data, profile, seed, animals }: MockConfig): Promise<DataFile> {
  if (data !== undefined) {
    const tell = () => void process.stderr.write(`reading ${toOneLine(data)} …\n`);
    return readDataFile(data, tell);
  }
  return { pets: await createProfile(profile, { seed, animals }), unknownProperties: [] };
}

/** The faults that a mock starts with. */
function toFaults({ latency, errorRate }: MockConfig): FaultOptions[] {
  return [
    ...(latency === undefined ? [] : [{ delay: latency }]),
    ...(errorRate ? [{ status: errorStatuses.internal_error, probability: errorRate }] : []),
  ];
}

function createContext(store: PetStore, settings: SettingSource): OperationContext {
  return {
    store,
    printList: createListPrinter(store, () => settings.order, settings.random),
    get limitPolicy() {
      return settings.limitPolicy;
    },
    now: settings.now,
  };
}

function createReports({ log }: MockConfig, { hide }: SettingSource) {
  const write = createBatchedWrite(process.stdout);
  return {
    requestLog: log === 'silent' ? undefined : createRequestLog(log, hide, write),
    reportFault: (error: unknown) => process.stderr.write(`${toHarmless(hide(inspect(error)))}\n`),
  };
}
