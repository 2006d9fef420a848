import { appendFileSync, existsSync } from 'node:fs';
import { commandName } from '../common/cli/command-name.ts';
import { extendEnvironment } from '../common/cli/environment.ts';
import { describeFileError, expectWritable } from '../common/cli/option-files.ts';
import { writeMessage } from '../common/cli/print-message.ts';
import { replaceFile } from '../common/cli/replace-file.ts';
import { NOT_ENDED, replaceEarlier } from '../common/cli/report-failed-start.ts';
import type { Keys } from '../common/text/redact.ts';
import type { ReporterChoice } from './options.ts';
import type { PrintOptions } from './reporters/parts.ts';
import { reporters as knownReporters, type Reporter } from './reporters/reporters.ts';
import type { Report } from './runner/report.ts';
import { reportUnstarted } from './runner/report-untried.ts';

/** Writes the reports that the user chose. */
interface ReportWriter {
  readonly name: string;
  readonly file?: string | undefined;
  /** Returns false if the file could not be written. */
  write(report: Report): boolean;
}

/** Writes a file of the run, or prints in one line, without keys, why it was not written. @returns whether it was written */
function tryToWrite(failure: string, keys: Keys, write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    writeMessage(commandName('verify'), `${failure}: ${describeFileError(error)}`, keys);
    return false;
  }
}

/**
 * Creates the writers of the reports, first those on stdout, so that no file can hide the verdict. On GitHub, the summary
 * of the job gets a report too.
 */
export function createWriters(
  choices: readonly ReporterChoice[],
  options: PrintOptions,
  keys: Keys,
): readonly ReportWriter[] {
  const isFile = ({ file }: ReporterChoice) => file !== undefined;
  const ordered = choices.toSorted((one, other) => Number(isFile(one)) - Number(isFile(other)));
  const writers = ordered.map((one) => ({ ...one, write: createWriter(one, options, keys) }));
  const file = extendEnvironment({}).GITHUB_STEP_SUMMARY;
  if (!file || !existsSync(file) || choices.some((one) => one.file === file)) return writers;
  const write = (report: Report) =>
    tryToWrite('the summary of the job has no report', keys, () =>
      appendFileSync(file, `\n${knownReporters.markdown?.print(report, {})}`),
    );
  return [...writers, { name: 'markdown', file, write }];
}

/** Creates a writer before the run, whose report would be lost if its file could not be written. */
function createWriter(choice: ReporterChoice, options: PrintOptions, keys: Keys) {
  const { name, file } = choice;
  const { print: printReport } = knownReporters[name] as Reporter;
  const { stdout } = process;
  if (file === undefined)
    return (report: Report) => {
      stdout.write(printReport(report, { ...options, stream: stdout }));
      return true;
    };
  expectWritable(file, '--reporter');
  const write = (report: Report) => replaceFile(file, printReport(report, options));
  replaceEarlier(file, () => write(reportUnstarted(NOT_ENDED)));
  return (report: Report) =>
    tryToWrite(`the ${name} report could not be written to ${file}`, keys, () => write(report));
}
