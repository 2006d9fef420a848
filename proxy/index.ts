import '../common/cli/expect-node.ts';
import type { HarRecorder } from '../common/har/har-recorder.ts';
import type { Contract } from '../common/json/contract.ts';
import { createPaint, hasColours } from '../common/text/paint.ts';
import { Keys } from '../common/text/redact.ts';
import { findProxySecrets } from '../common/tls/connection.ts';
import type { ServerTls } from '../common/tls/trust.ts';
import type { CheckedProxyOptions } from './checked-proxy-options.ts';
import type { CheckRequest } from './exchange.ts';
import { createLog } from './findings/create-log.ts';
import { type Findings, FindingsRecord } from './findings/findings-record.ts';
import { createKeyMemory, findKeys, summarize } from './findings/redact-exchange.ts';
import { toSentExchange } from './har/to-sent-exchange.ts';
import { loadCheck } from './load-check.ts';
import { resolveProxyOptions } from './options.ts';
import { readContract } from './read-contract.ts';
import { type Relay, TIMEOUT } from './relay/relay-config.ts';
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

/** What the command and the mock have in addition. */
interface OwnOptions {
  /** Writes each exchange to a HAR file. */
  readonly recorder?: Pick<HarRecorder, 'add'> | undefined;
  /** The contract that the command has read. */
  readonly contract?: Contract;
  /** Redacted as well, also those that are added later. */
  readonly keys?: Keys;
  /** Options of the curl commands of findings. */
  readonly curlOptions?: readonly string[];
  /** Colours the log, which a thread cannot find out. */
  readonly isColoured?: boolean;
  /** True if the upstream is the mock that started the proxy, which clients know as the proxy itself. */
  readonly isInMock?: boolean;
  /** Loads Prism before it listens. @default with the first request */
  readonly loadsFirst?: boolean;
  /** Serves HTTPS, as the mock does. */
  readonly tls?: ServerTls | undefined;
}

/** Time that the mock that started the proxy may be silent, in milliseconds: a fault may delay a response for minutes. */
const TIMEOUT_OF_MOCK = 3_600_000;

/**
 * Starts a proxy that forwards traffic unchanged and checks each exchange against openapi.yaml, or a draft of it.
 *
 * @param own what only the command and the mock have.
 * @throws UsageError naming the option and what was expected of it, or if the upstream is the proxy itself.
 * @throws Node's own error when it cannot listen.
 */
export async function startCheckedProxy(
  given: CheckedProxyOptions,
  own: OwnOptions = {},
): Promise<CheckedProxy> {
  const { log, apiKeys, write, onViolation, ...options } = resolveProxyOptions(given);
  const { upstream, insecure } = options;
  const { recorder, keys = new Keys(), isInMock = false, curlOptions = insecure ? ['-k'] : [] } = own;
  const { isColoured = write === undefined && hasColours(process.stdout) } = own;
  const contract = own.contract ?? (await readContract(options.contract, 'contract'));
  keys.add([...apiKeys, ...findProxySecrets(upstream)]);
  const record = new FindingsRecord(contract, keys, curlOptions);
  // The console of the mock shows the violations, so that its proxy needs neither another one nor Express.
  const consoleApi = isInMock ? undefined : await import('./console-api/proxy-console.ts');
  const ownConsole = consoleApi?.createProxyConsole(upstream, keys, () => record.readCoverage());
  const print = write ?? ((line: string) => void process.stdout.write(line));
  const writeLog = createLog(log, createPaint(isColoured), print);
  const rememberKeys = createKeyMemory(keys);
  let check: Promise<CheckRequest> | undefined;
  const readCheck = () => {
    check ??= loadCheck(contract, keys);
    return check;
  };
  // A draft may be unusable, and the user has to hear of that now. With openapi.yaml, a proxy that gets no request never loads the check.
  if (contract.draft !== undefined || own.loadsFirst) await readCheck();
  const relay = await startRelay(
    {
      ...options,
      isInMock,
      tls: own.tls,
      timeout: isInMock ? TIMEOUT_OF_MOCK : TIMEOUT,
      allPaths: isInMock,
      readCheck,
      onExchange: (exchange) => {
        recorder?.add(toSentExchange(exchange, upstream.origin), findKeys(exchange.request, keys));
        const { found, failure } = record.add(exchange, shownOrigin);
        // Few exchanges have something to show, and redacting takes time.
        const summary = found.length > 0 || failure ? summarize(exchange, keys) : undefined;
        ownConsole?.record(exchange, summary);
        rememberKeys(exchange.request.headers, exchange.response?.status);
        if (summary === undefined) return;
        for (const finding of found) onViolation?.(finding, summary);
        writeLog(summary, found, failure);
      },
    },
    ownConsole?.answer,
  );
  const { origin } = new URL(relay.url);
  const shownOrigin = isInMock ? origin : upstream.origin;
  const consoleUrl = ownConsole && `${origin}/__console/#token=${ownConsole.token}`;
  return { ...relay, consoleUrl, readFindings: () => record.read() };
}
