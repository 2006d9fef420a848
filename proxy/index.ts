import '../common/expect-node.ts';
import { randomBytes } from 'node:crypto';
import { contractFile } from '../common/contract-file.ts';
import { startSuite } from '../common/control/start-suite.ts';
import { createPaint, hasColours } from '../common/paint.ts';
import { printTrust } from '../common/print-curl.ts';
import { UsageError } from '../common/usage-error.ts';
import { baseUrl, findForbiddenPart, type LogFormat } from '../common/value-kinds.ts';
import { createRedaction, redactJudge } from './findings/create-redaction.ts';
import { createFindingsRecord, type Findings, type Sighting } from './findings/findings.ts';
import { printViolation } from './findings/print-violation.ts';
import { createJudge } from './judge/create-judge.ts';
import { type Relay, type RelayConfig, relayDefaults } from './relay/relay-config.ts';
import { startRelay } from './relay/start-relay.ts';
import { createWatch } from './watch/create-watch.ts';

export type { LogFormat } from '../common/value-kinds.ts';
export type { Finding, Findings, Sighting } from './findings/findings.ts';

/** How a checked proxy is started. */
export interface CheckedProxyOptions extends Partial<Omit<RelayConfig, 'upstream' | 'judge' | 'onExchange'>> {
  /** The base URL of the deployment that requests go on to. */
  readonly upstream: string | URL;
  /** A line for each violation, or none. @default 'silent' */
  readonly log?: LogFormat;
  /** Whether the lines have colours. @default whether stdout shows them, or false when `write` is given */
  readonly isColoured?: boolean;
  /** Gets each line of the log with its line break. @default to stdout */
  readonly write?: (line: string) => void;
  /** Told of each violation, before the client gets its answer. */
  readonly onViolation?: (sighting: Sighting) => void;
  /** Keys to redact in all output, in addition to those of requests. @default [] */
  readonly apiKeys?: readonly string[];
  /** Path of the file that `ca` was read from, for the curl commands of findings. */
  readonly caFile?: string | undefined;
  /** Whether there is a console, which keeps the latest thousand exchanges. @default true */
  readonly console?: boolean;
}

/** A checked proxy that is listening. */
export interface CheckedProxy extends Relay {
  /** Where a browser finds the console, with the token that it wants; undefined when there is none. */
  readonly consoleUrl: string | undefined;
  /** What the exchanges so far have shown. */
  readFindings(): Findings;
}

/**
 * Starts a proxy that forwards traffic unchanged and checks each exchange against openapi.yaml.
 *
 * @throws TypeError if the upstream is not a URL.
 * @throws UsageError if the upstream has a user or password, or is the proxy itself or its console.
 * @throws Node's own error when it cannot listen.
 */
export async function startCheckedProxy({
  upstream,
  log = 'silent',
  write,
  isColoured = write === undefined && hasColours(process.stdout),
  onViolation,
  apiKeys = [],
  caFile,
  console: hasConsole = true,
  ...options
}: CheckedProxyOptions): Promise<CheckedProxy> {
  const url = URL.parse(`${upstream}`);
  // The error of `new URL` prints the URL.
  if (url === null) throw new TypeError(`upstream must be ${baseUrl.expected}`);
  const forbidden = findForbiddenPart(url);
  if (forbidden !== undefined) throw new UsageError(`upstream must not contain ${forbidden}`);
  const paint = createPaint(isColoured);
  const tell = write ?? ((line) => void process.stdout.write(line));
  const { insecure = false } = options;
  const record = createFindingsRecord(url, apiKeys, printTrust({ caFile, insecure }));
  if (hasConsole && /^\/__console(?:\/|$)/.test(url.pathname)) {
    throw new UsageError(
      'the path of the upstream is that of the console: --no-console, or console: false in a program',
    );
  }
  // Who shares this machine is not to read what passes.
  const token = randomBytes(18).toString('base64url');
  const watch = hasConsole ? createWatch({ upstream: url, apiKeys, token, insecure, startSuite }) : undefined;
  const config: RelayConfig = {
    ...relayDefaults,
    ...options,
    upstream: url,
    judge: redactJudge(await createJudge(contractFile), createRedaction(apiKeys)),
    onExchange: (exchange) => {
      const sightings = record.add(exchange);
      watch?.record(exchange, sightings);
      for (const sighting of sightings) {
        onViolation?.(sighting);
        if (log !== 'silent') tell(`${printViolation(log, new Date(), sighting, paint)}\n`);
      }
    },
  };
  const relay = await startRelay(config, watch?.answer);
  const close = () => {
    watch?.close();
    return relay.close();
  };
  const consoleUrl = watch && `${new URL(relay.url).origin}/__console/#token=${token}`;
  return { ...relay, close, consoleUrl, readFindings: record.read };
}
