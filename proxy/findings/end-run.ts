import { appendFileSync, existsSync } from 'node:fs';
import { describeFileError } from '../../common/cli/option-files.ts';
import { replaceFile } from '../../common/cli/replace-file.ts';
import type { Findings } from './findings-record.ts';
import { printFindings, printForAgent, printMarkdown, printReport, type Run } from './print-run.ts';
import { exitCodes, readVerdict } from './verdict.ts';

/** What the end of a run writes. */
interface RunOutputs {
  readonly write: (text: string) => void;
  /** File of the report; undefined without one. */
  readonly report: string | undefined;
  /** The summary of a job on GitHub, to which Markdown is added if the file exists. */
  readonly summary: string | undefined;
  /** Prints for a coding agent. @default for people */
  readonly forAgent?: boolean;
}

/**
 * Prints what a run has found, writes its report, and adds to the summary of its job.
 * @returns the exit code, which is 2 if the run passed and the report cannot be written, and why files could not be written
 */
export function endRun(findings: Findings, run: Run, { write, report, summary, forAgent }: RunOutputs) {
  write((forAgent ? printForAgent : printFindings)(findings, run));
  const exitCode = exitCodes[readVerdict(findings, run).verdict];
  const unwritten: string[] = [];
  const tryToWrite = (failure: string, writeFile: () => void) => {
    try {
      writeFile();
    } catch (error) {
      unwritten.push(`${failure}: ${describeFileError(error)}`);
    }
  };
  if (report)
    tryToWrite(`the report could not be written to ${report}`, () =>
      replaceFile(report, printReport(report, findings, run)),
    );
  const isIncomplete = unwritten.length > 0;
  if (summary && existsSync(summary))
    tryToWrite('the summary of the job has no report', () =>
      appendFileSync(summary, `\n${printMarkdown(findings, run)}`),
    );
  return { exitCode: exitCode === 0 && isIncomplete ? 2 : exitCode, unwritten };
}
