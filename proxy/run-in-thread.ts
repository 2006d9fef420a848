import { parentPort, workerData } from 'node:worker_threads';
import type { OperationName } from '../common/journal/operation-name.ts';
import type { ThreadOptions, ThreadOrder, ThreadReport, ViolationMessage } from '../common/proxy-thread.ts';
import { Keys } from '../common/text/redact.ts';
import { endGate } from './findings/end-gate.ts';
import { printFindings } from './findings/print-run.ts';
import { type ExchangeSummary, type Finding, startCheckedProxy } from './index.ts';

async function run({ violations, gate, ...options }: ThreadOptions): Promise<void> {
  const startedAt = new Date();
  // A thread that writes to stdout itself cannot end while nobody reads it.
  const write = (line: string) => report({ line });
  const onViolation = (finding: Finding, exchange: ExchangeSummary) => {
    const { operationId, severity, location, place, rule, expected, missing, message, received, more } =
      finding;
    const { startedAt = Date.now(), method, target, sessions, status, sentAs } = exchange;
    const violation = { severity, location, place, rule, expected, missing, message, received, more };
    const operation = operationId as OperationName | undefined;
    const posted: ViolationMessage = {
      violation,
      operation,
      time: startedAt,
      method,
      target,
      sessions,
      status,
      sentAs,
    };
    violations.postMessage(posted);
  };
  // The upstream is the mock of this process, whatever names its certificate has.
  const own = {
    isInMock: true,
    insecure: true,
    write,
    onViolation,
  };
  const hidesUpstream = gate !== undefined;
  const curlOptions = options.tls === undefined ? [] : ['-k'];
  const keys = new Keys();
  const proxy = await startCheckedProxy({ ...options, ...own, hidesUpstream, curlOptions }, { keys });
  parentPort?.on('message', async (order: ThreadOrder) => {
    if ('apiKeys' in order) return keys.add(order.apiKeys);
    const { commandFailure } = order;
    await proxy.close();
    const findings = proxy.readFindings();
    if (gate !== undefined) {
      const { failOn } = gate;
      write(printFindings(findings, { failOn, commandFailure }));
      const subject = { upstream: proxy.url, startedAt, endedAt: new Date(), failOn, commandFailure };
      report(endGate(findings, subject, gate));
    } else if (options.log === 'pretty' && findings.violations.length > 0)
      write(printFindings(findings, { failOn: 'never' }));
    violations.close();
    parentPort?.close();
  });
  report({ url: proxy.url });
}

function report(message: ThreadReport): void {
  parentPort?.postMessage(message);
}

run(workerData).catch((error) => {
  // Of an error only the message crosses to another thread.
  report({ failure: { ...error, message: error.message } });
  parentPort?.close();
});
