import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { WorkerOptions, WorkerReport } from '../common/proxy-worker.ts';

/** A checked proxy in a thread of its own. */
export interface CheckedProxyWorker {
  /** Its base URL; rejects with Node's own error when it cannot listen. */
  readonly url: Promise<string>;
  close(): Promise<void>;
}

/**
 * Starts the checked proxy in a thread of its own, since what it has to load would hold up the mock for longer than the
 * mock's whole start.
 */
export function startCheckedProxyWorker(options: WorkerOptions): CheckedProxyWorker {
  const worker = new Worker(new URL(import.meta.resolve('animal-store-proxy/worker.js')), {
    workerData: options,
  });
  const ended = once(worker, 'exit');
  const url = once(worker, 'message').then(([report]: WorkerReport[]) => {
    if (report?.url !== undefined) return report.url;
    throw Object.assign(new Error(report?.failure.message), report?.failure);
  });
  return {
    url,
    close: async () => {
      worker.postMessage('close');
      await ended;
    },
  };
}
