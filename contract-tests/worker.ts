import { parentPort, workerData } from 'node:worker_threads';
import { toHarmlessTexts } from '../common/harmless-text.ts';
import type { ClauseVerdict, VerifyWorkerOptions, VerifyWorkerReport } from '../common/verify-worker.ts';
import { verifyDeployment } from './index.ts';
import type { Result } from './report.ts';
import { reporters } from './reporters/reporters.ts';

/** The thread of a run that somebody watches; it ends the run when it is told anything, and reports what was tried. */
async function run({ only, ...options }: VerifyWorkerOptions): Promise<void> {
  const interruption = new AbortController();
  parentPort?.once('message', () => interruption.abort());
  const report = await verifyDeployment({
    ...options,
    // None at all would be none that it knows.
    ...(only.length > 0 && { only }),
    signal: interruption.signal,
    onResult: (result, traffic) => tell({ verdict: describe(result), ...traffic }),
  });
  const html = reporters.html?.print(report, { isVerbose: true, baseline: undefined }) ?? '';
  tell({ conclusion: report.verdict, verdicts: report.outcomes.map(describe), html });
}

function describe({ clause, verdict, expected, actual, reason }: Result): ClauseVerdict {
  const { id, heading, sentence, level } = clause;
  const failure = expected === undefined ? reason : `expected ${expected}, received ${actual}`;
  const shown = verdict === 'not tested' || verdict === 'not applicable' ? 'skipped' : verdict;
  return toHarmlessTexts({ id, heading, sentence, level, verdict: shown, reason: failure });
}

function tell(report: VerifyWorkerReport): void {
  parentPort?.postMessage(report);
}

await run(workerData).catch(({ message }) => tell({ failure: message }));
parentPort?.close();
