import { lookup } from 'node:dns/promises';
import { lstatSync } from 'node:fs';
import { inspect } from 'node:util';
import type { Express } from 'express';
import { expectPath, expectWritable, isNoFile } from '../common/cli/option-files.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import { ApiError } from '../common/http/api-error.ts';
import { createHostCheck } from '../common/http/host-check.ts';
import type { Pet } from '../common/json/pet.ts';
import { toHarmless } from '../common/text/harmless-text.ts';
import { redact } from '../common/text/redact.ts';
import { createProfile } from '../fixtures/create-profile.ts';
import { type Profile, profiles } from '../fixtures/profiles.ts';
import type { ChoiceName, Difference } from './choices/choices.ts';
import type { EffectCounts } from './choices/count-effects.ts';
import { serviceContract } from './contract.ts';
import { describeConsoleOff } from './describe-console-off.ts';
import { type DataFile, readDataFile } from './files/data-file.ts';
import { loadBehaviour } from './files/load-behaviour.ts';
import { SavedFile } from './files/saved-file.ts';
import type { MockConfig } from './options.ts';
import { createApp } from './server/app.ts';
import { createRequestLog } from './server/request-log.ts';
import { createContents } from './service/pet-store.ts';
import { toPets } from './session/animals.ts';
import { Secrets } from './session/secrets.ts';
import { Sessions } from './session/sessions.ts';

/** What the application asks of a checked proxy. */
interface ProxyLink {
  /** Tells the proxy more keys to redact. */
  addKeys(added: readonly string[]): void;
  /** Receives the violations that the proxy has reported. @returns false without a proxy */
  receive(): boolean;
  /** Returns the base URL of the proxy, once it is listening. */
  readUrl(): string | undefined;
}

const noProxy: ProxyLink = { addKeys: () => {}, receive: () => false, readUrl: () => undefined };

/** The application of a mock, and what it consists of. Nothing listens yet. */
export interface Application {
  readonly app: Express;
  readonly sessions: Sessions;
  readonly secrets: Secrets;
  /** Why the console is off; undefined if it is on. */
  readonly consoleOff: string | undefined;
  /** The animals of the start. */
  readonly pets: readonly Pet[];
  /** The file that the animals are saved to. */
  readonly file: SavedFile | undefined;
  /** True if this file did not exist. */
  readonly isNewFile: boolean;
  readonly unknownProperties: readonly string[];
  /** The choices that the learned file of the start does not know. */
  readonly unknownChoices: readonly ChoiceName[];
  /** Starts all sessions with other animals from now on, and the mock at once. */
  restart(pets: readonly Pet[]): void;
}

/**
 * Creates the application of a mock. It throws as `startMock` does.
 * @param logsRequests false leaves only violations in the log.
 */
export async function createApplication(
  config: MockConfig,
  proxy: ProxyLink = noProxy,
  logsRequests = true,
  effects?: EffectCounts,
): Promise<Application> {
  const loaded = await loadBehaviour(config.behaviour);
  const file = findSavedFile(config);
  const isNewFile = config.save && lstatSync(`${config.data}`, { throwIfNoEntry: false }) === undefined;
  const { pets, unknownProperties = [] } = isNewFile
    ? await choosePets({ ...config, data: undefined })
    : await choosePets(config, file);
  let contents = createContents(pets);
  const { adminToken, host } = config;
  const keys = [...config.apiKeys, ...(adminToken === undefined ? [] : [adminToken])];
  const secrets = new Secrets(keys, proxy.addKeys);
  const format = logsRequests ? config.log : 'silent';
  const { unknownChoices = [] } = loaded;
  const sessions = new Sessions({
    ...readSessionConfig(config, loaded.difference),
    secrets,
    start: () => contents,
    receiveViolations: proxy.receive,
    readCheckedUrl: proxy.readUrl,
    effects,
  });
  const isLoopback = await isLoopbackHost(host);
  const consoleOff = describeConsoleOff(config, isLoopback);
  const app = createApp({
    ...config,
    adminToken,
    isLoopback,
    consoleOff,
    sessions,
    isHostAllowed: createHostCheck(host, config.allowHosts),
    requestLog: createRequestLog(format, secrets.keys),
    reportFault(error) {
      process.stderr.write(`${toHarmless(redact(inspect(error), secrets.keys))}\n`);
    },
  });
  const restart = (changed: readonly Pet[]) => {
    contents = createContents(changed);
    sessions.mock.open(contents);
  };
  return {
    app,
    sessions,
    secrets,
    consoleOff,
    pets,
    file,
    isNewFile,
    unknownProperties,
    unknownChoices,
    restart,
  };
}

/** Returns the file to save the animals to. @throws UsageError if it cannot be saved or watched */
function findSavedFile({ data, watch, save }: MockConfig): SavedFile | undefined {
  if (typeof data !== 'string') return undefined;
  expectPath(data, '--data');
  // A second read of a pipe would not end.
  if (watch && isNoFile(data)) throw new UsageError(`${data} cannot be watched: it is not a file.`);
  if (save && isNoFile(data)) throw new UsageError(`--save: ${data} is not a file.`);
  if (!save) return undefined;
  expectWritable(data, '--save');
  return new SavedFile(data);
}

/** @param file the one of `data`, if it is saved */
async function choosePets(config: MockConfig, file?: SavedFile): Promise<DataFile> {
  const { profile, seed, animals, data } = config;
  if (typeof data === 'string') return file?.read() ?? readDataFile(data);
  if (data === undefined) return { pets: await createProfile(profile, { seed, animals }) };
  try {
    return { pets: toPets(data, serviceContract, 'data') };
  } catch (error) {
    throw error instanceof ApiError ? new UsageError(error.message) : error;
  }
}

function readSessionConfig(config: MockConfig, difference: Difference) {
  const { now, apiKeys, seed, journal, latency } = config;
  const list = Object.entries(profiles).map(([name, { animals, purpose }]) => ({ name, animals, purpose }));
  const create = async (name: string) => createContents(await createProfile(name as Profile, { seed }));
  const limits = { seed, journal, latency };
  const settings = { now: now ?? null, apiKeys, behaviour: difference };
  return { ...limits, contract: serviceContract, settings, profiles: { list, create } };
}

/** Returns whether only this machine reaches a server on this host. @throws Node's own error if it has no address. */
async function isLoopbackHost(host: string): Promise<boolean> {
  const { address } = await lookup(host);
  return /^(?:127\.|::1$|::ffff:127\.)/.test(address);
}
