import { parentPort, workerData } from 'node:worker_threads';
import type { WorkerOptions, WorkerOrder, WorkerReport, WorkerViolation } from '../common/proxy-worker.ts';
import { printFindings } from './findings/print-findings.ts';
import { type Sighting, startCheckedProxy } from './index.ts';

/** The thread of the checked proxy that stands beside the mock. */
async function run({ violations, ...options }: WorkerOptions): Promise<void> {
  // A thread that writes to stdout by itself cannot end while nobody reads it.
  const write = (line: string) => report({ line });
  const onViolation = (sighting: Sighting) => {
    const { method, target, status, startedAt = Date.now(), exchange, port, isMadeToFail } = sighting;
    const { severity, place, at, rule, message } = sighting;
    // What the mock was told to do wrong is no news.
    if (isMadeToFail && place.startsWith('response')) return;
    const seen: WorkerViolation = {
      ...{ time: startedAt, method, target, status, exchange, port },
      ...{ severity, place, at, rule, message },
    };
    violations.postMessage(seen);
  };
  // The mock has paths beside the contract's.
  const own = { allPaths: true, isBesideMock: true, console: false, write, onViolation };
  const apiKeys = [...options.apiKeys];
  const proxy = await startCheckedProxy({ ...options, ...own, apiKeys });
  parentPort?.on('message', async (order: WorkerOrder) => {
    if (order !== 'close') {
      if (order === 'close idle') proxy.closeIdle();
      else apiKeys.push(...order.apiKeys);
      return;
    }
    await proxy.close();
    const findings = proxy.readFindings();
    if (options.log === 'pretty' && findings.violations.length > 0) write(printFindings(findings, 'never'));
    violations.close();
    parentPort?.close();
  });
  report({ url: proxy.url });
}

function report(message: WorkerReport): void {
  parentPort?.postMessage(message);
}

run(workerData).catch((error) => {
  // What crosses to another thread keeps no properties of an error but its message.
  report({ failure: { ...error, message: error.message } });
  parentPort?.close();
});
