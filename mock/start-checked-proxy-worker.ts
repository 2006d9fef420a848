import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { LogFormat } from './log-format.ts';

/** What a checked proxy in a thread of its own is started with. */
export interface WorkerOptions {
  /** The base URL of the mock. */
  readonly upstream: string;
  readonly port: number;
  readonly host: string;
  readonly log: LogFormat;
  /** Those of the mock, which no line may hold. */
  readonly apiKeys: readonly string[];
}

/** What the thread tells once: the base URL of the proxy, or why it does not listen. */
export type WorkerReport =
  | { readonly url: string; readonly failure?: never }
  | { readonly failure: { readonly message: string }; readonly url?: never };

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
  // The published package holds the built files.
  const file = new URL(import.meta.url.replace(/[^/]*(\.[tj]s)$/, 'checked-proxy-worker$1'));
  const worker = new Worker(file, { workerData: options });
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
