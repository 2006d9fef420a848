import { once } from 'node:events';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type {
  ThreadGate,
  ThreadOptions,
  ThreadOrder,
  ThreadReport,
  ViolationMessage,
} from '../common/proxy-thread.ts';
import { hasColours } from '../common/text/paint.ts';
import type { ServerTls } from '../common/tls/trust.ts';
import type { MockConfig } from './options.ts';

/** How the gate of a proxy ends. */
export type GateEnd = Extract<ThreadReport, { readonly exitCode: number }>;

interface ProxyThreadConfig extends Pick<MockConfig, 'checkedPort' | 'host' | 'allowHosts' | 'log'> {
  readonly tls: ServerTls | undefined;
  readonly gate: ThreadGate | undefined;
  readonly logsRepeats: boolean;
}

export const proxyMissing =
  'checked proxy not installed: install the tarball of animal-store-proxy next to the mock';

/** Returns the file that the thread starts from; undefined if the package is not installed. */
export function findProxyThread(): URL | undefined {
  try {
    return new URL(import.meta.resolve('animal-store-proxy/worker.js'));
  } catch {
    return undefined;
  }
}

/**
 * Starts the checked proxy of a mock in a thread, because Prism loads slowly. It logs as the mock does. The promise of its
 * base URL rejects with Node's own error if it cannot listen.
 * @param file from `findProxyThread`. @param onViolation called with each violation, at the latest when `receive` is called after its response.
 */
export function startProxyThread(
  file: URL,
  upstream: string,
  { checkedPort, host, allowHosts, log, logsRepeats, tls, gate }: ProxyThreadConfig,
  apiKeys: readonly string[],
  onViolation: (message: ViolationMessage) => void,
) {
  // Messages of a separate port can be read synchronously.
  const { port1: port, port2: violations } = new MessageChannel();
  const options = { upstream, port: checkedPort, host, allowHosts, log, logsRepeats, apiKeys, tls, gate };
  const workerData: ThreadOptions = { ...options, isColoured: hasColours(process.stdout), violations };
  const worker = new Worker(file, { workerData, transferList: [violations] });
  port.on('message', onViolation).unref();
  const ended = once(worker, 'exit');
  const { promise: url, resolve, reject } = Promise.withResolvers<string>();
  let end: GateEnd = { exitCode: 0, unwritten: [] };
  worker.on('error', reject).on('message', (report: ThreadReport) => {
    if ('line' in report) process.stdout.write(report.line);
    else if ('url' in report) resolve(report.url);
    else if ('exitCode' in report) end = report;
    else reject(Object.assign(new Error(report.failure.message), report.failure));
  });
  const send = (order: ThreadOrder) => worker.postMessage(order);
  return {
    url,
    addKeys: (added: readonly string[]) => send({ apiKeys: added }),
    receive() {
      for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
        onViolation(next.message);
    },
    /** Returns how the gate ends; without a gate with exit code 0. */
    close: async (commandFailure: string | undefined) => {
      send({ order: 'close', commandFailure });
      await ended;
      port.close();
      return end;
    },
  };
}
