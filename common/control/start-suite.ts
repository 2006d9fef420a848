import { Worker } from 'node:worker_threads';
import type { VerifyWorkerReport } from '../verify-worker.ts';
import type { StartSuite } from './create-verifications.ts';

/** Starts the contract suite, a package of its own, in a thread of its own. */
export const startSuite: StartSuite = (workerData, onReport) => {
  const file = findSuite();
  if (file === undefined) return undefined;
  const worker = new Worker(file, { workerData });
  let isOver = false;
  worker
    .on('message', (report: VerifyWorkerReport) => {
      isOver ||= 'conclusion' in report || 'failure' in report;
      onReport(report);
    })
    .on('error', ({ message }) => {
      isOver = true;
      onReport({ failure: message });
    })
    .on('exit', () => isOver || onReport({ failure: 'the suite ended without a report' }))
    // The mock may end before it.
    .unref();
  return () => worker.postMessage('stop');
};

function findSuite(): URL | undefined {
  try {
    return new URL(import.meta.resolve('animal-store-contract-tests/worker.js'));
  } catch {
    return undefined;
  }
}
