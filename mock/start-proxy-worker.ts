import { once } from 'node:events';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { createBatchedWrite } from '../common/create-batched-write.ts';
import { hasColours } from '../common/paint.ts';
import type { WorkerOptions, WorkerOrder, WorkerReport, WorkerViolation } from '../common/proxy-worker.ts';
import { UsageError } from '../common/usage-error.ts';
import type { MockConfig } from './options.ts';

/** What is said where the checked proxy, a package of its own, is not installed. */
export const proxyMissing = 'checked proxy not installed: npm install --save-dev animal-store-proxy';

/** The file that the thread starts from, or undefined where the package is not installed. */
export function findProxyWorker(): URL | undefined {
  try {
    return new URL(import.meta.resolve('animal-store-proxy/worker.js'));
  } catch {
    return undefined;
  }
}

/**
 * Starts the checked proxy of a mock in a thread of its own, since what it has to load would hold up the mock for longer
 * than the mock's whole start. It logs as the mock does. The promise of its base URL rejects with a UsageError when its
 * package is not installed, with Node's own error when it cannot listen.
 * @param onViolation told of each violation, at the latest when `receive` is called after its answer.
 */
export function startCheckedProxyBeside(
  upstream: string,
  { checkedPort, host, allowHosts, log }: MockConfig,
  apiKeys: readonly string[],
  onViolation: (violation: WorkerViolation) => void,
) {
  const file = findProxyWorker();
  if (file === undefined) {
    return {
      url: Promise.reject(new UsageError(proxyMissing)),
      receive() {},
      hide() {},
      closeIdle() {},
      close: async () => {},
    };
  }
  // On a port of their own, since what waits there can be taken in without waiting.
  const { port1: port, port2: violations } = new MessageChannel();
  const workerData: WorkerOptions = {
    ...{ upstream, port: checkedPort, host, allowHosts, log, apiKeys },
    isColoured: hasColours(process.stdout),
    violations,
  };
  const worker = new Worker(file, { workerData, transferList: [violations] });
  port.on('message', onViolation).unref();
  const ended = once(worker, 'exit');
  const write = createBatchedWrite(process.stdout);
  const { promise: url, resolve, reject } = Promise.withResolvers<string>();
  worker.on('error', reject).on('message', (report: WorkerReport) => {
    if ('line' in report) write(report.line);
    else if ('url' in report) resolve(report.url);
    else reject(Object.assign(new Error(report.failure.message), report.failure));
  });
  const send = (order: WorkerOrder) => worker.postMessage(order);
  return {
    url,
    /** Keeps more keys out of the log. */
    hide: (added: readonly string[]) => send({ apiKeys: added }),
    /** Takes in the violations of all exchanges that have been answered. */
    receive() {
      for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
        onViolation(next.message);
    },
    /** Closes idle connections of clients. */
    closeIdle: () => send('close idle'),
    close: async () => {
      send('close');
      await ended;
      port.close();
    },
  };
}
