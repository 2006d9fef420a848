import { appendFileSync, existsSync } from 'node:fs';
import { describeFileError } from '../../common/cli/option-files.ts';
import { replaceFile } from '../../common/cli/replace-file.ts';
import { gateExitCodes, readGate } from './fail-on.ts';
import type { Findings } from './findings-record.ts';
import { printMarkdown, printReport, type ReportSubject } from './print-run.ts';

/** Files that the end of a run writes. */
export interface GateFiles {
  readonly report: string | undefined;
  /** The summary of a job on GitHub, to which Markdown is added if the file exists. */
  readonly summary: string | undefined;
}

/** How a run ends. */
export interface GateEnd {
  readonly exitCode: number;
  /** Why files could not be written. */
  readonly unwritten: readonly string[];
}

/**
 * Writes the report of a run, and adds to the summary of its job.
 * @returns the exit code; 2 if the run passed and the report cannot be written
 */
export function endGate(findings: Findings, subject: ReportSubject, { report, summary }: GateFiles): GateEnd {
  const exitCode = gateExitCodes[readGate(findings, subject)];
  const unwritten: string[] = [];
  const tryToWrite = (failure: string, write: () => void) => {
    try {
      write();
    } catch (error) {
      unwritten.push(`${failure}: ${describeFileError(error)}`);
    }
  };
  if (report)
    tryToWrite(`the report could not be written to ${report}`, () =>
      replaceFile(report, printReport(report, findings, subject)),
    );
  const isIncomplete = unwritten.length > 0;
  if (summary && existsSync(summary))
    tryToWrite('the summary of the job has no report', () =>
      appendFileSync(summary, `\n${printMarkdown(findings, subject)}`),
    );
  return { exitCode: exitCode === 0 && isIncomplete ? 2 : exitCode, unwritten };
}
