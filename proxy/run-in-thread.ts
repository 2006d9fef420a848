import { parentPort, workerData } from 'node:worker_threads';
import type { OperationName } from '../common/journal/operation-name.ts';
import type { ThreadOptions, ThreadOrder, ThreadReport, ViolationMessage } from '../common/proxy-thread.ts';
import { Keys } from '../common/text/redact.ts';
import { endRun } from './findings/end-run.ts';
import { printFindings } from './findings/print-run.ts';
import { type ExchangeSummary, type Finding, startCheckedProxy } from './index.ts';

async function run({
  violations,
  gate,
  isColoured,
  loadsFirst,
  tls,
  ...options
}: ThreadOptions): Promise<void> {
  const startedAt = new Date();
  // A thread that writes to stdout itself cannot end while nobody reads it.
  const write = (line: string) => report({ line });
  const onViolation = (finding: Finding, exchange: ExchangeSummary) => {
    const { operationId, count: _, example: __, ...violation } = finding;
    const { startedAt: time = Date.now(), entry: ___, ...request } = exchange;
    const operation = (operationId ?? undefined) as OperationName | undefined;
    violations.postMessage({ violation, operation, time, ...request } satisfies ViolationMessage);
  };
  const keys = new Keys();
  const curlOptions = tls === undefined ? [] : ['-k'];
  // The upstream is the mock of this process, whatever names its certificate has.
  const proxy = await startCheckedProxy(
    { ...options, insecure: true, write, onViolation },
    { isInMock: true, loadsFirst, tls, isColoured, curlOptions, keys },
  );
  parentPort?.on('message', async (order: ThreadOrder) => {
    if ('apiKeys' in order) return keys.add(order.apiKeys);
    const { order: _, ...how } = order;
    await proxy.close();
    const findings = proxy.readFindings();
    if (gate !== undefined) {
      const { failOn } = gate;
      const ended = { upstream: proxy.url, startedAt, endedAt: new Date(), failOn, ...how };
      report(endRun(findings, ended, { ...gate, write }));
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
