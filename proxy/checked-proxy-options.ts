import type { LogFormat } from '../common/cli/log-format.ts';
import type { ExchangeSummary } from './exchange.ts';
import type { Finding } from './findings/findings-record.ts';
import type { RelayOptions } from './relay/relay-config.ts';

/**
 * How a checked proxy is started. `startOptions` has a row for each option. This file imports no schema, because its types
 * reach users, who do not install valibot.
 */
export interface CheckedProxyOptions extends RelayOptions {
  /** The base URL of the deployment. */
  readonly upstream: string | URL;
  /** Path of a draft of the contract, in OpenAPI 3, to check against. @default openapi.yaml, which is in the package */
  readonly contract?: string | undefined;
  /** A line for each rule and place that an exchange breaks, or none. @default 'silent' */
  readonly log?: LogFormat | undefined;
  /** Gets each line of the log with its line break. @default to stdout */
  readonly write?: ((line: string) => void) | undefined;
  /**
   * Called with each violation and its exchange, before the client gets its response. `count` includes all earlier
   * violations of the rule.
   */
  readonly onViolation?: ((violation: Finding, exchange: ExchangeSummary) => void) | undefined;
  /** Keys to redact in all output, in addition to the keys of requests. @default [] */
  readonly apiKeys?: readonly string[] | undefined;
}
