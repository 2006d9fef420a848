import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { CommandEnd } from '../common/cli/run-program.ts';
import { StartError } from '../common/cli/usage-error.ts';
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

export type GateEnd = Extract<ThreadReport, { readonly exitCode: number }>;

/** The end of a thread that did not say how its gate ends. */
const noVerdict: GateEnd = { exitCode: 2, unwritten: ['no verdict: the checked proxy ended unexpectedly'] };

interface ProxyThreadConfig extends Pick<MockConfig, 'checkedPort' | 'host' | 'allowHosts' | 'log'> {
  readonly tls: ServerTls | undefined;
  readonly gate: ThreadGate | undefined;
  readonly loadsFirst: boolean;
  /** Prints a sentence about the thread. */
  readonly report: (sentence: string) => void;
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
  { checkedPort, host, allowHosts, log, tls, gate, loadsFirst, report }: ProxyThreadConfig,
  apiKeys: readonly string[],
  onViolation: (message: ViolationMessage) => void,
) {
  // Messages of a separate port can be read synchronously.
  const { port1: port, port2: violations } = new MessageChannel();
  const options = { upstream, port: checkedPort, host, allowHosts, log, apiKeys, tls, gate, loadsFirst };
  const workerData: ThreadOptions = { ...options, isColoured: hasColours(process.stdout), violations };
  const worker = new Worker(file, { workerData, transferList: [violations] });
  port.on('message', onViolation).unref();
  const { promise: url, resolve, reject } = Promise.withResolvers<string>();
  const ended = Promise.withResolvers<void>();
  let state: 'starting' | 'listening' | 'closing' = 'starting';
  let end: GateEnd = gate === undefined ? { exitCode: 0, unwritten: [] } : noVerdict;
  worker
    .on('message', (message: ThreadReport) => {
      if ('line' in message) process.stdout.write(message.line);
      else if ('url' in message) {
        // It may listen when the mock has already ended.
        if (state === 'starting') state = 'listening';
        resolve(message.url);
      } else if ('exitCode' in message) end = message;
      else reject(Object.assign(new Error(message.failure.message), message.failure));
    })
    .on('error', (error) => {
      reject(error);
      if (state !== 'starting') report(`the checked proxy failed: ${error.stack}`);
    })
    .on('exit', () => {
      reject(new StartError('The checked proxy ended before it listened.'));
      if (state === 'listening') report('the checked proxy ended, and its address no longer answers');
      ended.resolve();
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
    close: async (how: CommandEnd) => {
      state = 'closing';
      send({ order: 'close', ...how });
      await ended.promise;
      port.close();
      return end;
    },
  };
}
