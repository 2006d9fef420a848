import { once } from 'node:events';
import { statSync } from 'node:fs';
import { inspect } from 'node:util';
import { completeBehaviour } from '../common/behaviour/behaviours.ts';
import type { Difference } from '../common/behaviour/choices.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import { ApiError } from '../common/http/api-error.ts';
import { createClose, originOf } from '../common/http/create-close.ts';
import { createHostCheck, isLoopbackHost } from '../common/http/host-check.ts';
import { parseSessionPath } from '../common/http/session-path.ts';
import { findOperation } from '../common/journal/find-operation.ts';
import { JournalBudget } from '../common/journal/journal-budget.ts';
import type { ExactJson } from '../common/json/exact-json.ts';
import type { Pet } from '../common/json/pet.ts';
import type { ViolationMessage } from '../common/proxy-worker.ts';
import { toHarmless, toOneLine } from '../common/text/harmless-text.ts';
import { readServerTls } from '../common/tls/read-server-tls.ts';
import { createProfile, type Profile, profiles } from '../fixtures/profiles.ts';
import { createContents } from './api/pet-store.ts';
import { createMock } from './mock.ts';
import type { MockConfig } from './options.ts';
import { createApp } from './server/app.ts';
import { type DataFile, readDataFile, watchDataFile } from './server/data-file.ts';
import { createHttpServer } from './server/http-server.ts';
import { loadBehaviour } from './server/load-behaviour.ts';
import { createRequestLog } from './server/request-log.ts';
import { toPets } from './session/animals.ts';
import { Secrets } from './session/secrets.ts';
import { Sessions } from './session/sessions.ts';
import { findProxyWorker, proxyMissing, startCheckedProxyBeside } from './start-proxy-worker.ts';

/**
 * Starts a mock, and the checked proxy, which may not be listening yet. It throws as `startMock` does.
 * @param logsRequests false leaves only violations in the log.
 */
export async function launchMock(config: MockConfig, logsRequests = true) {
  const proxyFile = config.checkedProxy ? findProxyWorker() : undefined;
  if (config.checkedProxy && !proxyFile) throw new UsageError(proxyMissing);
  const loaded = await loadBehaviour(config.behaviour);
  const { pets, unknownProperties = [] } = await choosePets(config, loaded.animals);
  let contents = createContents(pets);
  const { adminToken, host, port } = config;
  const initial = [...config.apiKeys, ...(adminToken === undefined ? [] : [adminToken])];
  const secrets = new Secrets(initial, (added) => proxy?.hide(added));
  let checkedUrl: string | undefined;
  const sessions = new Sessions({
    ...readSessionConfig(config, loaded.difference),
    secrets,
    start: () => contents,
    receiveViolations() {
      proxy?.receive();
      return proxy !== undefined;
    },
    readCheckedUrl: () => checkedUrl,
  });
  const isLoopback = await isLoopbackHost(host);
  const hasConsole = config.admin && (isLoopback || adminToken !== undefined);
  const access = { adminToken, isLoopback, isHostAllowed: createHostCheck(host, config.allowHosts) };
  const requestLog = logsRequests ? createRequestLog(config.log, secrets.hide) : undefined;
  const reportFault = (error: unknown) => {
    process.stderr.write(`${toHarmless(secrets.hide(inspect(error)))}\n`);
  };
  const handle = createApp({ ...config, ...access, requestLog, reportFault, sessions, hasConsole });
  const tls = await readServerTls(config.tlsCert, config.tlsKey);
  const server = createHttpServer(handle, tls);
  const closeServer = createClose(server);
  server.listen(port, host);
  await once(server, 'listening');
  const origin = originOf(server, host);
  const onChange = (changed: readonly Pet[]) => {
    contents = createContents(changed);
    sessions.mock.open(contents);
  };
  const report = (text: string) =>
    void process.stderr.write(`animal-store-mock: ${toOneLine(secrets.hide(text))}\n`);
  const stopWatch = config.watch ? watchDataFile(String(config.data), pets, onChange, report) : undefined;
  const onViolation = (message: ViolationMessage) => addViolation(sessions, message);
  const proxy =
    proxyFile && startCheckedProxyBeside(proxyFile, `${origin}/v1`, { ...config, tls }, initial, onViolation);
  const proxyUrl = proxy?.url.then((url) => {
    checkedUrl = url;
    return url;
  });
  const close = async () => {
    stopWatch?.();
    sessions.close();
    await Promise.all([proxy?.close(), closeServer()]);
  };
  const mock = createMock(sessions, origin, { unknownProperties, close });
  return { mock, proxyUrl, consoleUrl: hasConsole ? `${origin}/` : undefined };
}

/** @param learned Animals of the behaviour's file, for a start without other animals. */
async function choosePets(config: MockConfig, learned?: ExactJson): Promise<DataFile> {
  const { profile, seed, animals, watch } = config;
  const isUsual = profile === 'default' && animals === undefined;
  const data = config.data ?? (isUsual ? learned : undefined);
  // A second read of a pipe would not end.
  if (watch && statSync(`${data}`, { throwIfNoEntry: false })?.isFile() === false)
    throw new UsageError(`${data} cannot be watched: it is not a file.`);
  if (typeof data === 'string') return readDataFile(data);
  if (data === undefined) return { pets: await createProfile(profile, { seed, animals }) };
  try {
    return { pets: toPets(data, 'data') };
  } catch (error) {
    throw error instanceof ApiError ? new UsageError(error.message) : error;
  }
}

function readSessionConfig(config: MockConfig, difference: Difference) {
  const { now, apiKeys, limitPolicy, order, seed, journal, latency, errorRate } = config;
  const clamp = limitPolicy === 'clamp' && ({ limitAbove100: 'clamp', limitBelow1: 'clamp' } as const);
  const behaviour = completeBehaviour({ ...clamp, ...(order && { order }), ...difference });
  const list = Object.entries(profiles).map(([name, { animals, purpose }]) => ({ name, animals, purpose }));
  const create = async (name: string) => createContents(await createProfile(name as Profile, { seed }));
  const limits = { seed, journal, latency, errorRate, journalBudget: new JournalBudget() };
  const settings = { now: now ?? null, apiKeys, behaviour };
  return { ...limits, settings, profiles: { list, create } };
}

/** Adds a violation to the session of its request, unless the session has ended. */
function addViolation(sessions: Sessions, message: ViolationMessage): void {
  const { violation, target, method, status, sentAs } = message;
  const { session: name, path: url } = parseSessionPath(target);
  const session = sessions.get(name);
  const request = sentAs === undefined ? undefined : session?.journal.findSentAs(sentAs);
  const operation = findOperation(method, url.replace(/\?.*$/s, ''));
  const time = new Date(message.time);
  session?.violations.add({ ...violation, time, request, operation, method, url, status });
}
