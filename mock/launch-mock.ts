import { once } from 'node:events';
import { UsageError } from '../common/cli/usage-error.ts';
import { createClose, originOf } from '../common/http/create-close.ts';
import { parseSessionPath } from '../common/http/session-path.ts';
import type { ViolationMessage } from '../common/proxy-thread.ts';
import { toOneLine } from '../common/text/harmless-text.ts';
import { readServerTls } from '../common/tls/read-server-tls.ts';
import { createApplication } from './create-application.ts';
import { watchDataFile } from './files/data-file.ts';
import { createMock } from './mock.ts';
import type { MockConfig } from './options.ts';
import { createMockServer } from './server/create-mock-server.ts';
import type { Sessions } from './session/sessions.ts';
import { findProxyThread, proxyMissing, startProxyThread } from './start-proxy-thread.ts';

/**
 * Starts a mock, and the checked proxy, which may not be listening yet. It throws as `startMock` does.
 * @param logsRequests false leaves only violations in the log.
 */
export async function launchMock(config: MockConfig, logsRequests = true) {
  const proxyFile = config.checkedProxy ? findProxyThread() : undefined;
  if (config.checkedProxy && !proxyFile) throw new UsageError(proxyMissing);
  let proxy: ReturnType<typeof startProxyThread> | undefined;
  let checkedUrl: string | undefined;
  const link = {
    hide: (added: readonly string[]) => proxy?.hide(added),
    receive() {
      proxy?.receive();
      return proxy !== undefined;
    },
    readUrl: () => checkedUrl,
  };
  const application = await createApplication(config, link, logsRequests);
  const { app, sessions, secrets, hasConsole, pets, unknownProperties, restart } = application;
  const { host, port, data, watch } = config;
  const tls = await readServerTls(config.tlsCert, config.tlsKey);
  const server = createMockServer(app, tls);
  const closeServer = createClose(server);
  server.listen(port, host);
  await once(server, 'listening');
  const origin = originOf(server, host);
  const report = (text: string) =>
    void process.stderr.write(`animal-store-mock: ${toOneLine(secrets.hide(text))}\n`);
  const stopWatch = watch ? watchDataFile(String(data), pets, restart, report) : undefined;
  const onViolation = (message: ViolationMessage) => addViolation(sessions, message);
  proxy =
    proxyFile && startProxyThread(proxyFile, `${origin}/v1`, { ...config, tls }, secrets.all, onViolation);
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

/** Adds a violation to the session of its request, unless the session has ended. */
function addViolation(sessions: Sessions, message: ViolationMessage): void {
  const { violation, operation, target, method, status, sentAs } = message;
  const { session: name, path: url } = parseSessionPath(target);
  const session = sessions.get(name);
  const request = sentAs === undefined ? undefined : session?.journal.findSentAs(sentAs);
  const time = new Date(message.time);
  session?.violations.add({ ...violation, time, request, operation, method, url, status });
}
