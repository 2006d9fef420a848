import { parentPort, workerData } from 'node:worker_threads';
import type { WorkerOptions, WorkerReport } from '../common/proxy-worker.ts';
import { printFindings } from './findings/print-findings.ts';
import { startCheckedProxy } from './index.ts';

/** The thread of the checked proxy that stands beside the mock; it closes when it is told anything. */
async function run(options: WorkerOptions): Promise<void> {
  // A thread that writes to stdout by itself cannot end while nobody reads it.
  const write = (line: string) => report({ line });
  // The mock has a path beside the contract's.
  const proxy = await startCheckedProxy({ ...options, allPaths: true, write });
  parentPort?.once('message', async () => {
    await proxy.close();
    const findings = proxy.readFindings();
    if (options.log === 'pretty' && findings.violations.length > 0) write(printFindings(findings, 'never'));
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
