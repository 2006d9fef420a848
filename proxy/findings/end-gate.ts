import { describeFileError } from '../../common/cli/option-files.ts';
import { replaceFile } from '../../common/cli/replace-file.ts';
import { gateExitCodes, readGate } from './fail-on.ts';
import type { Findings } from './findings-record.ts';
import { printReport, type ReportSubject } from './print-report.ts';

/** How a run ends. */
export interface GateEnd {
  readonly exitCode: number;
  /** Why the report could not be written; undefined if it was, or if there is none. */
  readonly failure: string | undefined;
}

/** Writes the report of a run. @returns the exit code; 2 if the run passed and the report cannot be written */
export function endGate(findings: Findings, subject: ReportSubject, report: string | undefined): GateEnd {
  const exitCode = gateExitCodes[readGate(findings, subject)];
  if (report === undefined) return { exitCode, failure: undefined };
  try {
    replaceFile(report, printReport(report, findings, subject));
    return { exitCode, failure: undefined };
  } catch (error) {
    const failure = `the report could not be written to ${report}: ${describeFileError(error)}`;
    return { exitCode: exitCode || 2, failure };
  }
}
