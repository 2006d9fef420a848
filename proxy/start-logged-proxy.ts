import type { LogFormat } from '../common/value-kinds.ts';
import { createFindingsRecord, type Findings } from './findings/findings.ts';
import { printViolation } from './findings/print-violation.ts';
import { createJudge } from './judge/create-judge.ts';
import { type CheckedProxyOptions, startCheckedProxy } from './start-checked-proxy.ts';

/** How a proxy that logs is started. */
export interface LoggedProxyOptions extends Omit<CheckedProxyOptions, 'judge' | 'onExchange'> {
  readonly log: LogFormat;
  /** Keys that no line and no example may hold, beside that of each request. */
  readonly apiKeys: readonly string[];
}

/** A proxy that is listening and keeps a record of what it finds. */
export interface LoggedProxy {
  readonly url: string;
  readFindings(): Findings;
  close(): Promise<void>;
}

/**
 * Starts a checked proxy that writes a line for each violation and counts them.
 *
 * @param contractFile the path of openapi.yaml.
 * @param write gets each line with its line break.
 * @throws Node's own error when it cannot listen.
 */
export async function startLoggedProxy(
  contractFile: string,
  { log, apiKeys, ...options }: LoggedProxyOptions,
  write: (line: string) => void,
): Promise<LoggedProxy> {
  const record = createFindingsRecord(options.upstream, apiKeys);
  const proxy = await startCheckedProxy({
    ...options,
    judge: await createJudge(contractFile),
    onExchange: (exchange) => {
      for (const finding of record.add(exchange)) {
        if (log !== 'silent')
          write(`${printViolation(log, new Date(), finding, exchange.request, apiKeys)}\n`);
      }
    },
  });
  return { ...proxy, readFindings: record.read };
}
