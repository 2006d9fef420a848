import { parentPort, workerData } from 'node:worker_threads';
import { contractFile } from '../common/contract-file.ts';
import { createBatchedWrite } from '../common/create-batched-write.ts';
import type { WorkerOptions, WorkerReport } from '../common/proxy-worker.ts';
import { printFindings } from './findings/print-findings.ts';
import { startLoggedProxy } from './start-logged-proxy.ts';

/** The thread of the checked proxy that stands beside the mock; it reports once, and closes when it is told anything. */
async function run({ upstream, port, host, log, apiKeys }: WorkerOptions): Promise<void> {
  const write = createBatchedWrite(process.stdout);
  const fixed = { timeout: 30_000, violationHeader: true, errors: false };
  const proxy = await startLoggedProxy(
    contractFile,
    { upstream: new URL(upstream), port, host, log, apiKeys, ...fixed },
    write,
  );
  parentPort?.once('message', async () => {
    await proxy.close();
    const findings = proxy.readFindings();
    if (log === 'pretty' && findings.violations.length > 0) write(printFindings(findings, 'never'));
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
