import type { LogFormat } from './value-kinds.ts';

/** What a checked proxy in a thread of its own is started with. */
export interface WorkerOptions {
  readonly upstream: string;
  readonly port: number;
  readonly host: string;
  readonly allowHosts: readonly string[] | undefined;
  readonly log: LogFormat;
  /** Those of the mock, which no line may hold. */
  readonly apiKeys: readonly string[];
}

/** What the thread tells: once the base URL of the proxy or why it does not listen, and each line of its log. */
export type WorkerReport =
  | { readonly url: string }
  | { readonly failure: { readonly message: string } }
  | { readonly line: string };
