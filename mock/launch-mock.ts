import { once } from 'node:events';
import { commandName } from '../common/cli/command-name.ts';
import { writeMessage } from '../common/cli/print-message.ts';
import type { CommandEnd } from '../common/cli/run-program.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import { createClose, originOf } from '../common/http/create-close.ts';
import { parseSessionPath } from '../common/http/session-names.ts';
import type { ThreadGate, ViolationMessage } from '../common/proxy-thread.ts';
import type { EffectCounts } from './choices/count-effects.ts';
import { type Application, createApplication } from './create-application.ts';
import { readServerTls } from './files/read-server-tls.ts';
import { startSaving } from './files/save-animals.ts';
import { watchAnimals } from './files/watch-animals.ts';
import { createMock } from './mock.ts';
import { toLocalUrl } from './network-urls.ts';
import type { MockConfig } from './options.ts';
import { createMockServer } from './server/create-mock-server.ts';
import { hasSeveralSessions } from './session/session-name.ts';
import type { Sessions } from './session/sessions.ts';
import { findProxyThread, type GateEnd, proxyMissing, startProxyThread } from './start-proxy-thread.ts';

/** Host of a mock that clients reach only through its checked proxy. */
const LOOPBACK = '127.0.0.1';

/** Exit code of a run whose last animals could not be saved. */
const UNSAVED = 2;

interface LaunchOptions {
  /** False leaves only violations in the log. @default true */
  readonly logsRequests?: boolean;
  /** Puts the checked proxy at the port of the mock, and fails the run for violations. */
  readonly gate?: ThreadGate | undefined;
  /** Lets the checked proxy load Prism before it listens, as with a gate. @default false, so that the mock starts quickly */
  readonly loadsFirst?: boolean;
  /** Counts which values would change responses. */
  readonly effects?: EffectCounts | undefined;
}

/**
 * Starts a mock, and the checked proxy, which may not be listening yet unless there is a gate. It throws as `startMock` does.
 * `origin` and `proxyUrl` have the host that was given, which may be every address.
 * The result's `close` takes how a command has ended, says how the gate ends, and has the exit code 2 if the last animals could not be saved.
 */
export async function launchMock(
  config: MockConfig,
  { logsRequests = true, gate, loadsFirst = gate !== undefined, effects }: LaunchOptions = {},
) {
  const proxyFile = config.checkedProxy || gate ? findProxyThread() : undefined;
  if ((config.checkedProxy || gate) && !proxyFile) throw new UsageError(proxyMissing);
  let proxy: ReturnType<typeof startProxyThread> | undefined;
  let checkedUrl: string | undefined;
  const link = {
    addKeys: (added: readonly string[]) => proxy?.addKeys(added),
    receive() {
      proxy?.receive();
      return proxy !== undefined;
    },
    readUrl: () => checkedUrl,
  };
  const application = await createApplication(config, link, logsRequests, effects);
  const { app, sessions, secrets, consoleOff, isNewFile } = application;
  const { unknownProperties, unknownChoices } = application;
  const tls = await readServerTls(config.tlsCert, config.tlsKey);
  const server = createMockServer(app, tls);
  const closeServer = createClose(server);
  const { host, port, checkedPort } = gate ? { host: LOOPBACK, port: 0, checkedPort: config.port } : config;
  server.listen(port, host);
  await once(server, 'listening');
  const ownOrigin = originOf(server, host);
  const report = (text: string) => writeMessage(commandName('mock'), text, secrets.keys);
  const onViolation = (message: ViolationMessage) => addViolation(sessions, message);
  const threadConfig = { ...config, checkedPort, tls, gate, loadsFirst, report };
  const upstream = toLocalUrl(`${ownOrigin}/v1`);
  proxy = proxyFile && startProxyThread(proxyFile, upstream, threadConfig, secrets.all, onViolation);
  const proxyUrl = proxy?.url.then((url) => {
    checkedUrl = toLocalUrl(url);
    return url;
  });
  const stopFile = followFile(config, application, report);
  const close = async (how: CommandEnd = {}): Promise<GateEnd | undefined> => {
    sessions.close();
    const [end] = await Promise.all([proxy?.close(how), closeServer()]);
    // Open requests may have changed animals.
    if (stopFile()) return end;
    return { exitCode: end?.exitCode || UNSAVED, unwritten: end?.unwritten ?? [] };
  };
  const origin = gate && proxyUrl ? await readOrigin(proxyUrl, close) : ownOrigin;
  const mock = createMock(sessions, toLocalUrl(origin), {
    unknownProperties,
    unknownChoices,
    close: () => close().then(() => {}),
  });
  return { mock, close, origin, proxyUrl, consoleOff, isNewFile };
}

/**
 * Watches the file of animals, or saves the animals to it, if the options say so.
 * @returns a function that stops this, and returns false if the last animals could not be saved
 */
function followFile(
  { data, watch }: MockConfig,
  { pets, file, isNewFile, restart, sessions }: Application,
  report: (sentence: string) => void,
): () => boolean {
  if (file !== undefined)
    return startSaving({ file, isNew: isNewFile, readStore: () => sessions.mock.store, report });
  if (!watch) return () => true;
  const stop = watchAnimals({ path: `${data}`, pets, onChange: restart, report });
  return () => {
    stop();
    return true;
  };
}

/** Waits for the proxy that clients reach the mock through. @throws Node's own error when it cannot listen */
async function readOrigin(proxyUrl: Promise<string>, close: () => Promise<unknown>): Promise<string> {
  try {
    return new URL(await proxyUrl).origin;
  } catch (error) {
    await close();
    throw error;
  }
}

/** Adds a violation to the session of its request, unless the session has ended, or the request names several. */
function addViolation(sessions: Sessions, message: ViolationMessage): void {
  const { violation, operation, target, method, status, sentAs } = message;
  if (hasSeveralSessions(message.sessions)) return;
  const { path: url } = parseSessionPath(target);
  const session = sessions.get(message.sessions[0]?.name);
  const request = sentAs === undefined ? undefined : session?.plugins.journal.findSentAs(sentAs);
  const time = new Date(message.time);
  session?.plugins.violations.add({ ...violation, time, request, operation, method, url, status });
}
