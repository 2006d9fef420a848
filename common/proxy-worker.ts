import type { MessagePort } from 'node:worker_threads';
import type { LogFormat } from './value-kinds.ts';

/** What a checked proxy in a thread of its own is started with. */
export interface WorkerOptions {
  readonly upstream: string;
  readonly port: number;
  readonly host: string;
  readonly allowHosts: readonly string[] | undefined;
  readonly log: LogFormat;
  /** Whether the lines of its log have colours. */
  readonly isColoured: boolean;
  /** Keys that no line may hold. */
  readonly apiKeys: readonly string[];
  /** Gets each violation before its exchange is answered. */
  readonly violations: MessagePort;
}

/** A violation of the contract, without keys. */
export interface WorkerViolation {
  /** When its request arrived, in milliseconds since 1970. */
  readonly time: number;
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly target: string;
  readonly status: number | undefined;
  /** The number of its exchange, which may have several. */
  readonly exchange: number;
  /** From which the request came to the mock. */
  readonly port: number | undefined;
  readonly severity: 'error' | 'warning';
  /** Such as `request.query.limit`. */
  readonly place: string;
  /** Where exactly, such as `response.body.2.id`. */
  readonly at: string;
  /** Such as `maximum`. */
  readonly rule: string;
  readonly message: string;
}

/** What the thread tells: once the base URL of the proxy or why it does not listen, and each line of its log. */
export type WorkerReport =
  | { readonly url: string }
  | { readonly failure: { readonly message: string } }
  | { readonly line: string };

/** A message to the thread: more keys that no line may hold, close the idle connections of clients, or end. */
export type WorkerOrder = { readonly apiKeys: readonly string[] } | 'close idle' | 'close';
