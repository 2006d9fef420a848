import { once } from 'node:events';
import { inspect } from 'node:util';
import { ApiError } from '../common/api-error.ts';
import { createJournalBudget } from '../common/control/create-journal.ts';
import { createVerifications } from '../common/control/create-verifications.ts';
import { findOperation } from '../common/control/find-operation.ts';
import { startSuite } from '../common/control/start-suite.ts';
import { createBatchedWrite } from '../common/create-batched-write.ts';
import { createClose, createCloseIdle, originOf } from '../common/create-close.ts';
import { errorStatuses } from '../common/errors.ts';
import { toHarmless, toOneLine } from '../common/harmless-text.ts';
import { createHostCheck, isLoopbackHost } from '../common/host-check.ts';
import { createPaint, hasColours } from '../common/paint.ts';
import type { Pet } from '../common/pet.ts';
import type { WorkerViolation } from '../common/proxy-worker.ts';
import { UsageError } from '../common/usage-error.ts';
import { createProfile, type Profile, profiles } from '../fixtures/profiles.ts';
import { createPetStore } from './api/pet-store.ts';
import { type DataFile, readDataFile } from './api/read-data-file.ts';
import { prepareWatch } from './api/watch-data-file.ts';
import { type AnimalInput, toPets } from './control/create-animals.ts';
import type { Control, ProfileSource } from './control/create-control.ts';
import type { FaultOptions } from './control/create-faults.ts';
import { createSecrets, type Secrets } from './control/create-secrets.ts';
import { createService, type Service } from './control/create-service.ts';
import { createSessions } from './control/create-sessions.ts';
import { follow } from './control/follow.ts';
import { createApp } from './http/app.ts';
import { createHttpServer } from './http/create-http-server.ts';
import { createRequestLog } from './http/request-log.ts';
import type { MockConfig } from './options.ts';
import { startCheckedProxyBeside } from './start-proxy-worker.ts';

/** A store of its own beside that of the mock, with all that drives it. */
export interface MockSession extends Control {
  /** The base URL, such as `http://127.0.0.1:4010/sessions/w1/v1`. */
  readonly url: string;
  /** The base URL of the checked proxy for it, if there is one. */
  readonly checkedUrl: string | undefined;
}

/** A mock that is listening, and what drives it from outside. */
export interface Mock extends Control {
  /** The base URL, such as `http://127.0.0.1:4010/v1`. */
  readonly url: string;
  /** The base URL of the checked proxy beside it, if there is one. */
  readonly checkedUrl: string | undefined;
  /** The properties in the user's file of animals that the contract does not know; they were left out. */
  readonly unknownProperties: readonly string[];
  /**
   * The session with this name, which is made when there is none. When there are `maxSessions`, a new one ends the one that
   * was unused for longest of those that neither this method nor a change over the control API has used; what was returned
   * for a session that has ended drives the next one with its name.
   * @param name up to 64 letters, digits, `.`, `_` and `-`.
   * @throws Error with the `code` `invalid_request` for another name; with `too_many_requests` if none can end.
   */
  session(name: string): MockSession;
  /** The names of the sessions; the one that was unused for longest comes first. */
  sessions(): string[];
  /** Ends a session: the next use of its name makes another. @throws Error with the `code` `not_found` */
  endSession(name: string): void;
  /** Stops listening, waits for open requests, and cuts off those that take more than 5 seconds. */
  close(): Promise<void>;
}

/** A mock that is listening, and the checked proxy beside it, which may not be listening yet. */
interface Launched {
  readonly mock: Mock;
  readonly proxyUrl: Promise<string> | undefined;
  /** Where a browser finds the console, if it is there. */
  readonly consoleUrl: string | undefined;
}

/**
 * Launches a mock; what it throws is told at `startMock`.
 * @param logsRequests false leaves violations alone in the log.
 */
export async function launchMock(config: MockConfig, logsRequests = true): Promise<Launched> {
  const watch = config.watch ? await prepareWatch(String(config.data)) : undefined;
  const { pets, unknownProperties } = await choosePets(config);
  let contents = createPetStore(pets).snapshot();
  const initial = [...config.apiKeys, ...(config.adminToken === undefined ? [] : [config.adminToken])];
  const secrets = createSecrets(initial, (added) => proxy?.hide(added));
  const serviceConfig = { ...config, faults: toFaults(config) };
  const receiveViolations = () => {
    proxy?.receive();
    return proxy !== undefined;
  };
  const dropping = new Set<object>();
  const shared = {
    ...{ secrets, receiveViolations },
    start: () => contents,
    profiles: toProfileSource(config),
    journalBudget: createJournalBudget(),
    connections: {
      dropping,
      closeIdle: () => {
        closeIdle();
        proxy?.closeIdle();
      },
    },
  };
  const service = createService(serviceConfig, shared, '/v1');
  const sessions = createSessions(
    (name) => createService(serviceConfig, shared, `/sessions/${name}/v1`),
    config.maxSessions,
  );
  const enter = (name: string) => sessions.keep(sessions.find(name), true);
  const isLoopback = await isLoopbackHost(config.host);
  const app = createApp({
    ...createReports(config, secrets, logsRequests),
    admin: config.admin,
    adminToken: config.adminToken,
    cors: config.cors,
    service,
    sessions,
    verifications: createVerifications(startSuite),
    isHostAllowed: createHostCheck(config.host, config.allowHosts),
    isLoopback,
  });
  const server = createHttpServer(app, () => dropping.size === 0);
  const closeIdle = createCloseIdle(server, () => dropping.size > 0);
  const closeServer = createClose(server);
  server.listen(config.port, config.host);
  await once(server, 'listening');
  const stopWatch = watch?.(pets, {
    onChange(pets) {
      contents = createPetStore(pets).snapshot();
      service.open(contents);
    },
    tell: (text) => void process.stderr.write(`animal-store-mock: ${toOneLine(secrets.hide(text))}\n`),
  });
  const origin = originOf(server, config.host);
  const tellViolation = createTellViolation(service, sessions.find);
  const proxy = config.checkedProxy
    ? startCheckedProxyBeside(`${origin}/v1`, config, initial, tellViolation)
    : undefined;
  let checkedUrl: string | undefined;
  const proxyUrl = proxy?.url.then((url) => {
    checkedUrl = url;
    return url;
  });
  const mock: Mock = {
    ...service.control,
    url: `${origin}/v1`,
    get checkedUrl() {
      return checkedUrl;
    },
    unknownProperties,
    session(name) {
      // By its name at each use: a session may end, and another begin.
      return follow(() => {
        const { control, operations } = enter(name);
        const { basePath } = operations;
        const ofProxy = checkedUrl && new URL(basePath, checkedUrl).href;
        return { ...control, url: origin + basePath, checkedUrl: ofProxy };
      });
    },
    sessions: sessions.names,
    endSession: sessions.end,
    close() {
      app.close();
      stopWatch?.();
      for (const one of [service, ...sessions.all()]) {
        one.faults.release();
        one.journal?.close();
      }
      // The proxy goes first: its open requests are the mock's.
      return Promise.resolve(proxy?.close()).then(closeServer);
    },
  };
  const hasConsole = config.admin && (isLoopback || config.adminToken !== undefined);
  return { mock, proxyUrl, consoleUrl: hasConsole ? `${origin}/` : undefined };
}

async function choosePets({ data, profile, seed, animals }: MockConfig): Promise<DataFile> {
  if (typeof data === 'object') return { pets: readData(data), unknownProperties: [] };
  if (data !== undefined) {
    const tell = () => void process.stderr.write(`reading ${toOneLine(data)} …\n`);
    return readDataFile(data, tell);
  }
  return { pets: await createProfile(profile, { seed, animals }), unknownProperties: [] };
}

/** The profiles that a store can be filled with later. */
function toProfileSource({ seed }: MockConfig): ProfileSource {
  return {
    list: Object.entries(profiles).map(([name, { size, purpose }]) => ({ name, animals: size, purpose })),
    create: async (name) => createPetStore(await createProfile(name as Profile, { seed })).snapshot(),
  };
}

/** @throws UsageError naming what is wrong with the animals. */
function readData(data: readonly AnimalInput[]): Pet[] {
  try {
    return toPets(data, 'data');
  } catch (error) {
    throw error instanceof ApiError ? new UsageError(error.message) : error;
  }
}

/** The faults that a mock starts with. */
function toFaults({ latency, errorRate }: MockConfig): FaultOptions[] {
  return [
    ...(latency === undefined ? [] : [{ delay: latency }]),
    ...(errorRate ? [{ status: errorStatuses.internal_error, probability: errorRate }] : []),
  ];
}

function createReports({ log }: MockConfig, { hide }: Secrets, logsRequests: boolean) {
  const write = createBatchedWrite(process.stdout);
  const paint = createPaint(hasColours(process.stdout));
  return {
    requestLog: log === 'silent' || !logsRequests ? undefined : createRequestLog(log, hide, write, paint),
    reportFault: (error: unknown) => process.stderr.write(`${toHarmless(hide(inspect(error)))}\n`),
  };
}

/** Creates what gives a violation to the service that its request was for. */
function createTellViolation(root: Service, find: (session: string) => Service) {
  // The latest exchange, and of each connection the latest request that had violations: they come in their order.
  let latest: { exchange: number; request: number | undefined } = { exchange: 0, request: undefined };
  const seen = new WeakMap<Service, Map<number, number>>();
  const findRequest = (service: Service, { exchange, port, ...like }: Sent): number | undefined => {
    if (exchange === latest.exchange) return latest.request;
    if (port === undefined) return undefined;
    const ids = seen.get(service) ?? new Map<number, number>();
    const request = service.journal?.findLike({ ...like, port }, ids.get(port) ?? 0);
    if (request !== undefined) seen.set(service, ids.set(port, request));
    return request;
  };
  // A request for a session that cannot exist is one of the mock itself, in its journal too.
  const findService = (session: string, path: string, target: string): [Service, url: string] => {
    try {
      return [find(session), path];
    } catch {
      return [root, target];
    }
  };
  return ({ target, exchange, port, ...violation }: WorkerViolation): void => {
    const [, session, path = ''] = /^\/sessions\/([\w.-]+)(\/.*)$/s.exec(target) ?? [];
    const [service, url] = session === undefined ? [root, target] : findService(session, path, target);
    const { method, time } = violation;
    const request = findRequest(service, { exchange, port, method, url, time });
    latest = { exchange, request };
    const operation = findOperation(method, url.replace(/\?.*$/s, ''));
    service.violations.add({ ...violation, request, operation, url, time: new Date(time) });
  };
}

/** A request as the checked proxy sent it on. */
type Sent = Pick<WorkerViolation, 'exchange' | 'port' | 'method' | 'time'> & { readonly url: string };
