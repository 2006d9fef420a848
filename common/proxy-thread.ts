import type { MessagePort } from 'node:worker_threads';
import type { FailOn } from './cli/fail-on-levels.ts';
import type { LogFormat } from './cli/log-format.ts';
import type { CommandEnd } from './cli/run-program.ts';
import type { SessionName } from './http/session-names.ts';
import type { OperationName } from './journal/operation-name.ts';
import type { Violation } from './journal/violation.ts';
import type { ServerTls } from './tls/trust.ts';

/** Header with which the proxy of a mock marks a request, so that the journal knows which port a client has used. */
export const CHECKED_HEADER = 'x-animal-store-checked';

/** What fails the run of the mock that started the thread. */
export interface ThreadGate {
  readonly failOn: FailOn;
  /** File of the report; undefined without one. */
  readonly report: string | undefined;
  /** File of the summary of a job on GitHub; undefined without one. */
  readonly summary: string | undefined;
  /** Prints the findings for a coding agent. */
  readonly forAgent: boolean;
}

export interface ThreadOptions {
  readonly upstream: string;
  readonly port: number;
  readonly host: string;
  readonly allowHosts: readonly string[] | undefined;
  readonly log: LogFormat;
  readonly isColoured: boolean;
  /** Loads Prism before it listens: a first request that waits for it can take longer than a test does. */
  readonly loadsFirst: boolean;
  readonly apiKeys: readonly string[];
  /** Serves HTTPS, as the mock does. */
  readonly tls: ServerTls | undefined;
  /** Undefined if the exit code of the mock does not depend on violations. Otherwise clients know only the proxy. */
  readonly gate: ThreadGate | undefined;
  /** Gets each violation before the client gets its response. */
  readonly violations: MessagePort;
}

export interface ViolationMessage {
  readonly violation: Violation;
  /** The operation of the request; undefined if it is for none. */
  readonly operation: OperationName | undefined;
  /** Arrival of the request, in milliseconds since 1970. */
  readonly time: number;
  readonly method: string;
  /** Path and query, without keys. */
  readonly target: string;
  /** The names that the request gives its session, in its path first, without keys. */
  readonly sessions: readonly SessionName[];
  /** Status of the response; undefined if there is none. */
  readonly status: number | undefined;
  /** Remote port of the request at the mock, and its number on the connection, such as `50312/3`. */
  readonly sentAs: string | undefined;
}

/** A message of the thread: first the base URL of the proxy or its failure, then each line of its log, and the end of its gate. */
export type ThreadReport =
  | { readonly url: string }
  | { readonly failure: { readonly message: string } }
  | { readonly line: string }
  | { readonly exitCode: number; readonly unwritten: readonly string[] };

/** A message to the thread: more keys to redact, or end. */
export type ThreadOrder =
  | { readonly apiKeys: readonly string[] }
  | ({ readonly order: 'close' } & CommandEnd);
