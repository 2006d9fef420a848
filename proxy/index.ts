import '../common/cli/expect-node.ts';
import type { HarRecorder } from '../common/har/har-recorder.ts';
import type { Contract } from '../common/json/contract.ts';
import { createPaint, hasColours } from '../common/text/paint.ts';
import { Keys } from '../common/text/redact.ts';
import { findProxySecrets } from '../common/tls/connection.ts';
import type { CheckedProxyOptions } from './checked-proxy-options.ts';
import type { CheckRequest } from './exchange.ts';
import { createLog } from './findings/create-log.ts';
import { type Findings, FindingsRecord } from './findings/findings-record.ts';
import { findKeys, redactCheck, summarize } from './findings/redact-exchange.ts';
import { toSentExchange } from './har/to-sent-exchange.ts';
import { loadCheck } from './load-check.ts';
import { resolveProxyOptions } from './options.ts';
import { readContract } from './read-contract.ts';
import { type Relay, type RelayConfig, TIMEOUT } from './relay/relay-config.ts';
import { startRelay } from './relay/start-relay.ts';

export type { LogFormat } from '../common/cli/log-format.ts';
export type { Violation } from '../common/journal/violation.ts';
export type { CheckedProxyOptions } from './checked-proxy-options.ts';
export type { ExchangeSummary } from './exchange.ts';
export type { Finding, Findings } from './findings/findings-record.ts';

/** A checked proxy that is listening. */
export interface CheckedProxy extends Relay {
  /** URL of the console with its token; undefined if there is none. */
  readonly consoleUrl: string | undefined;
  /** Returns the results of all exchanges so far. */
  readFindings(): Findings;
}

/** What only the command has. */
interface OfCommand {
  /** Writes each exchange to a HAR file. */
  readonly recorder?: Pick<HarRecorder, 'add'> | undefined;
  /** The contract that the command has read. */
  readonly contract?: Contract;
  /** Redacted as well, also those that the mock adds later. */
  readonly keys?: Keys;
}

/** Time that the mock that started the proxy may be silent, in milliseconds: a fault may delay a response for minutes. */
const TIMEOUT_OF_MOCK = 3_600_000;

/**
 * Starts a proxy that forwards traffic unchanged and checks each exchange against openapi.yaml, or a draft of it.
 *
 * @param ofCommand what only the command has.
 * @throws UsageError naming the option and what was expected of it, or if the upstream is the proxy itself.
 * @throws Node's own error when it cannot listen.
 */
export async function startCheckedProxy(
  given: CheckedProxyOptions,
  { recorder, contract: read, keys = new Keys() }: OfCommand = {},
): Promise<CheckedProxy> {
  const {
    upstream,
    log,
    apiKeys,
    insecure,
    isInMock,
    write = (line: string) => void process.stdout.write(line),
    isColoured = given.write === undefined && hasColours(process.stdout),
    curlOptions = insecure ? ['-k'] : [],
    onViolation,
    hidesUpstream,
    logsRepeats,
    contract: draft,
    ...options
  } = resolveProxyOptions(given);
  const contract = read ?? (await readContract(draft, 'contract'));
  const paint = createPaint(isColoured);
  keys.add([...apiKeys, ...findProxySecrets(upstream)]);
  let shownOrigin = upstream.origin;
  const record = new FindingsRecord(() => shownOrigin, keys, curlOptions, contract);
  const readCoverage = () => record.read().coverage;
  // The console of the mock shows the violations, so that its proxy needs neither another one nor Express.
  const consoleApi = isInMock ? undefined : await import('./console-api/proxy-console.ts');
  const ownConsole = consoleApi && new consoleApi.ProxyConsole(upstream, keys, apiKeys, readCoverage);
  const repeats = logsRepeats ? 'doubled' : 'none';
  const logConfig = { paint, write, repeats } as const;
  const writeLog = log === 'silent' ? undefined : createLog({ ...logConfig, log });
  let check: Promise<CheckRequest> | undefined;
  const readCheck = () => {
    check ??= loadCheck(contract).then((one) => redactCheck(one, keys));
    return check;
  };
  // A draft may be unusable, and the user has to hear of that now. With openapi.yaml, a proxy that gets no request never loads the check.
  if (contract.draft !== undefined) await readCheck();
  const config: RelayConfig = {
    ...options,
    insecure,
    isInMock,
    upstream,
    timeout: isInMock ? TIMEOUT_OF_MOCK : TIMEOUT,
    allPaths: isInMock,
    readCheck,
    onExchange: (exchange) => {
      recorder?.add(toSentExchange(exchange, upstream.origin), findKeys(exchange.request, keys));
      const { found, failure } = record.add(exchange);
      const hasProblem = found.length > 0 || failure !== undefined;
      const summary = hasProblem ? summarize(exchange, keys) : undefined;
      ownConsole?.record(exchange, summary);
      if (summary === undefined) return;
      for (const finding of found) onViolation?.(finding, summary);
      writeLog?.(new Date(), summary, found, failure);
    },
  };
  const relay = await startRelay(config, ownConsole?.answer);
  if (hidesUpstream) shownOrigin = new URL(relay.url).origin;
  const close = () => {
    ownConsole?.close();
    return relay.close();
  };
  const consoleUrl = ownConsole && `${new URL(relay.url).origin}/__console/#token=${ownConsole.token}`;
  return { ...relay, close, consoleUrl, readFindings: () => record.read() };
}
