import '../common/cli/expect-node.ts';
import { randomBytes } from 'node:crypto';
import type { LogFormat } from '../common/cli/log-format.ts';
import { expectOptions } from '../common/cli/options.ts';
import { contractFile } from '../common/contract-file.ts';
import { createPaint, hasColours } from '../common/text/paint.ts';
import { findProxySecrets } from '../common/tls/connection.ts';
import { ProxyConsole } from './console-api/proxy-console.ts';
import type { ExchangeSummary } from './exchange.ts';
import { type Finding, type Findings, FindingsRecord } from './findings/findings-record.ts';
import { printViolation } from './findings/print-findings.ts';
import { redactCheck, summarize } from './findings/redact-check.ts';
import { startDefaults, startSchemas } from './options.ts';
import type { Relay, RelayConfig } from './relay/relay-config.ts';
import { startRelay } from './relay/start-relay.ts';
import { createCheck } from './validate/create-check.ts';

export type { LogFormat } from '../common/cli/log-format.ts';
export type { Violation } from '../common/journal/violation.ts';
export type { ExchangeSummary } from './exchange.ts';
export type { Finding, Findings } from './findings/findings-record.ts';

/** How a checked proxy is started. */
export interface CheckedProxyOptions
  extends Partial<Omit<RelayConfig, 'upstream' | 'checkRequest' | 'onExchange'>> {
  /** The base URL of the deployment. */
  readonly upstream: string | URL;
  /** A line for each violation, or none. @default 'silent' */
  readonly log?: LogFormat;
  /** Colours the lines. @default true if stdout shows colours and `write` is not given */
  readonly isColoured?: boolean;
  /** Gets each line of the log with its line break. @default to stdout */
  readonly write?: (line: string) => void;
  /**
   * Called with each violation and its exchange, before the client gets its response. `count` includes all earlier
   * violations of the rule.
   */
  readonly onViolation?: (violation: Finding, exchange: ExchangeSummary) => void;
  /** Keys to redact in all output, in addition to the keys of requests. @default [] */
  readonly apiKeys?: readonly string[];
  /** Options of the curl commands of findings, such as `['--cacert', 'ca.pem']`. @default [] */
  readonly curlOptions?: readonly string[];
  /** Serves a console, which keeps the latest thousand exchanges. @default true */
  readonly console?: boolean;
}

/** A checked proxy that is listening. */
export interface CheckedProxy extends Relay {
  /** URL of the console with its token; undefined if there is none. */
  readonly consoleUrl: string | undefined;
  /** Returns the results of all exchanges so far. */
  readFindings(): Findings;
}

/**
 * Starts a proxy that forwards traffic unchanged and checks each exchange against openapi.yaml.
 *
 * @throws UsageError naming the option and what was expected of it, or if the upstream is the proxy itself.
 * @throws Node's own error when it cannot listen.
 */
export async function startCheckedProxy(given: CheckedProxyOptions): Promise<CheckedProxy> {
  expectOptions({ schemas: startSchemas }, given);
  const {
    upstream,
    log,
    write = (line: string) => void process.stdout.write(line),
    isColoured = given.write === undefined && hasColours(process.stdout),
    onViolation,
    apiKeys,
    console: hasConsole,
    curlOptions = given.insecure ? ['-k'] : [],
    ...options
  } = { ...startDefaults, ...given, upstream: new URL(given.upstream) };
  const paint = createPaint(isColoured);
  const proxySecrets = findProxySecrets(upstream);
  // The mock, which has no forward proxy, adds keys to its array later.
  const keys = proxySecrets.length === 0 ? apiKeys : [...apiKeys, ...proxySecrets];
  const record = new FindingsRecord(upstream, keys, curlOptions);
  // Other users of this machine must not read the traffic.
  const token = randomBytes(18).toString('base64url');
  const readCoverage = () => record.read().coverage;
  const ownConsole = hasConsole ? new ProxyConsole(upstream, keys, token, readCoverage) : undefined;
  const config: RelayConfig = {
    ...options,
    upstream,
    checkRequest: redactCheck(await createCheck(contractFile), keys),
    onExchange: (exchange) => {
      const found = record.add(exchange);
      const summary = found.length === 0 ? undefined : summarize(exchange, keys);
      ownConsole?.record(exchange, summary);
      if (summary === undefined) return;
      for (const finding of found) {
        onViolation?.(finding, summary);
        if (log !== 'silent') write(`${printViolation(log, new Date(), finding, summary, paint)}\n`);
      }
    },
  };
  const relay = await startRelay(config, ownConsole?.answer);
  const close = () => {
    ownConsole?.close();
    return relay.close();
  };
  const consoleUrl = ownConsole && `${new URL(relay.url).origin}/__console/#token=${token}`;
  return { ...relay, close, consoleUrl, readFindings: () => record.read() };
}
