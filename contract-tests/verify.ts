import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { choiceNames } from '../common/behaviour/choices.ts';
import { describeFileError, expectWritable, readOptionFile } from '../common/cli/option-files.ts';
import { longFlag } from '../common/cli/options.ts';
import { extendEnvironment } from '../common/cli/read-options.ts';
import { replaceFile } from '../common/cli/replace-file.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import { toHarmless, toOneLine } from '../common/text/harmless-text.ts';
import { clauses, MOST_ADDED, printCatalogue } from './clauses/clauses.ts';
import { Client, createDeadline } from './client/client.ts';
import type { Exchange } from './client/exchange.ts';
import { hideKeys } from './client/hide-keys.ts';
import type { Target } from './client/target.ts';
import { type Learned, learn, printLearned } from './learn/learn.ts';
import { type ReporterChoice, type VerifyArguments, verifyCommand } from './options.ts';
import type { PrintOptions } from './reporters/parts.ts';
import { reporters as knownReporters, type Reporter } from './reporters/reporters.ts';
import { runKeyCommand } from './run-key-command.ts';
import { createProgress } from './runner/create-progress.ts';
import { expectReady } from './runner/expect-ready.ts';
import { editKnown, isAsRead, type KnownFile, readKnown } from './runner/known-failures.ts';
import type { Report } from './runner/report.ts';
import { exitCodes } from './runner/report.ts';
import { addEarlier, addTraffic, listClauses, reportUntried, runSuite } from './runner/run.ts';
import { createTarget } from './verify-options.ts';

/**
 * Verifies a deployment as the command line says, and writes the reports.
 *
 * @param interruption ends the run; what was tried is reported.
 * @returns the exit code: 0 conforms, also in part; 1 does not conform, with --strict also in part; 2 no verdict, or a file
 * could not be written and the code would be 0.
 * @throws CouldNotTell, UsageError
 */
export async function verify(command: VerifyArguments, interruption?: AbortSignal): Promise<number> {
  const { list, known: knownFile, updateKnown, lastFailed, only: chosen, open, reporters, ...args } = command;
  if (list) {
    process.stdout.write(printCatalogue());
    return 0;
  }
  const { baseUrl = '', apiKeyCommand, verbose: isVerbose, learn: learnFile } = args;
  const renewKey =
    apiKeyCommand === undefined ? undefined : (end?: AbortSignal) => runKeyCommand(apiKeyCommand, end);
  const apiKey = args.apiKey ?? (await renewKey?.(interruption)) ?? '';
  const nameOf = (name: string) => longFlag(verifyCommand.options, name);
  const target = await createTarget({ ...args, baseUrl, apiKey, renewKey }, nameOf);
  const known = knownFile === undefined ? undefined : await readKnown(knownFile, '--known', updateKnown);
  if (updateKnown) expectWritable(`${knownFile}`, '--known');
  const only = lastFailed === undefined ? chosen : await readFailed(lastFailed, args.allowWrites);
  if (learnFile !== undefined) expectWritable(learnFile, '--learn');
  const page = open ? chooseReportFile(reporters) : undefined;
  const opened = page === undefined ? [] : [{ name: 'html', file: page }];
  const choices = [...reporters.filter(({ file }) => file === undefined || file !== page), ...opened];
  const writers = createWriters(choices, { isVerbose }, target);
  const signal = createDeadline(target, interruption);
  const client = new Client(target, { signal, patience: 0 });
  const startedAt = new Date();
  const { hint, ...ready } = await expectReady(target, client).catch((error: Error) => {
    const report = reportUntried(client, only, startedAt, error.message);
    // The terminal shows the error itself.
    for (const { name, file, write } of writers) if (name !== 'terminal' || file !== undefined) write(report);
    throw error;
  });
  print(hideKeys(`${hint === undefined ? '' : `${hint}\n`}${announce(target)}`, target));
  let learned: Learned | undefined;
  const onEnd = (journal: readonly Exchange[]) => {
    if (learnFile !== undefined) learned = learn(journal, target, args);
  };
  const test = (ids: readonly string[]) => {
    const { onResult, clear } = createProgress(process.stderr, listClauses(target, ids).length);
    signal.addEventListener('abort', clear);
    return runSuite(target, { only: ids, known: known?.entries, ...ready, onResult, onEnd }).finally(clear);
  };
  let report = await test(only);
  const more = lastFailed === undefined || exitCodes[report.verdict] > 0 ? only : addEarlier(only, target);
  if (more.length > only.length) report = addTraffic(await test(more), report);
  const failed = writers.filter(({ write }) => !write(report));
  let isWritten = failed.length === 0;
  if (learned !== undefined) isWritten = writeLearned(learned, `${learnFile}`, report, target) && isWritten;
  if (page !== undefined && failed.every(({ file }) => file !== page)) openReport(page);
  if (updateKnown && known !== undefined)
    isWritten = (await writeKnown(`${knownFile}`, known, report, target)) && isWritten;
  const exitCode = exitCodes[report.verdict] || Number(args.strict && report.tested < report.required);
  return exitCode === 0 && !isWritten ? NOT_WRITTEN : exitCode;
}

/** Exit code of a run that would end with 0, but could not write one of its files. */
const NOT_WRITTEN = 2;

const print = (line: string) => void process.stderr.write(`${line}\n`);

/** Writes a file of the run, or prints in one line why it was not written. @returns whether it was written */
function tryToWrite(failure: string, target: Target, write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    print(toOneLine(hideKeys(`animal-store-verify: ${failure}: ${describeFileError(error)}`, target)));
    return false;
  }
}

/** @returns false if the file could not be written */
function writeLearned(learned: Learned, file: string, { verdict }: Report, target: Target): boolean {
  if (verdict === 'no verdict') {
    print(`Nothing was learned, because the run has no verdict. ${file} was not written.`);
    return true;
  }
  const failure = `the learned behaviour could not be written to ${file}`;
  const isWritten = tryToWrite(failure, target, () => replaceFile(file, printLearned(learned)));
  const count = `${learned.observed.length} of ${choiceNames.length}`;
  if (isWritten)
    print(`Learned ${count} choices. Start a mock like it: animal-store-mock --behaviour ${file}`);
  return isWritten;
}

/**
 * Writes the failures of the run to the file of --known. If somebody has changed the file meanwhile, or it cannot be written,
 * the new entries are printed. @returns false if the file was not written, though it should have been
 */
async function writeKnown(file: string, known: KnownFile, report: Report, target: Target): Promise<boolean> {
  if (report.verdict === 'no verdict') {
    print(`${file} was not written, because the run has no verdict.`);
    return true;
  }
  const { text, added } = editKnown(known, report);
  if (text === known.source) {
    print(`${file} needs no change.`);
    return true;
  }
  const isUnchanged = await isAsRead(file, known);
  const isWritten = tryToWrite(`${file} was not written`, target, () => {
    if (!isUnchanged) throw new Error('somebody has changed it since the run began');
    replaceFile(file, text);
  });
  if (isWritten) print(`${file} was written. Give a reason and a date (until) for each new entry.`);
  else if (added !== '') print(`Add these entries to it:\n${toHarmless(added)}`);
  return isWritten;
}

/** Returns the ids of the clauses that failed in a JSON report, and of the clauses that sent the requests. None is all. */
async function readFailed(file: string, allowsWrites: boolean): Promise<string[]> {
  const text = await readOptionFile(file, '--last-failed');
  let ids: string[];
  let hasWritten: boolean;
  try {
    const { outcomes, options } = JSON.parse(text) as Report;
    hasWritten = options.allowsWrites;
    const failed = outcomes.filter(({ verdict }) => verdict === 'failed' || verdict === 'error');
    ids = failed.flatMap(({ clause, sentBy = clause.id }) => [clause.id, sentBy]);
  } catch {
    throw new UsageError(`--last-failed: ${file} is not a report. Write one with --reporter json=<file>.`);
  }
  if (hasWritten && !allowsWrites)
    throw new UsageError(`--last-failed: ${file} is of a run with --allow-writes. Give this option too.`);
  const unknown = ids.find((id) => clauses.every((clause) => clause.id !== id));
  if (unknown !== undefined) throw new UsageError(`--last-failed: ${file} has the unknown clause ${unknown}`);
  if (ids.length === 0) print(`No clause failed in ${file}. All clauses are tested.`);
  return ids;
}

function announce({ baseUrl, allowsWrites }: Target): string {
  const mode = allowsWrites
    ? `It adds up to ${MOST_ADDED} animals, most of them named "contract-test …". They cannot be deleted.`
    : 'The run is read-only. It does not test POST /pets.';
  return `Verifying ${baseUrl}. ${mode}`;
}

/** Returns the file of the HTML report: the one that the user chose, or a new one in the temporary folder. */
function chooseReportFile(choices: readonly ReporterChoice[]): string {
  const chosen = choices.find(({ name, file }) => name === 'html' && file !== undefined)?.file;
  return chosen ?? join(mkdtempSync(join(tmpdir(), 'animal-store-verify-')), 'report.html');
}

/** Prints the path of a report and opens it in the default browser. Without a browser, the path is enough. */
function openReport(file: string): void {
  const path = resolve(file);
  print(`Report: ${path}`);
  const openers: Partial<Record<string, string[]>> = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] };
  const [command = '', ...args] = openers[process.platform] ?? ['xdg-open'];
  spawn(command, [...args, path], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}

/**
 * Creates the writers of the reports, first those on stdout, so that no file can hide the verdict. On GitHub, the summary
 * of the job gets a report too.
 */
function createWriters(choices: readonly ReporterChoice[], options: PrintOptions, target: Target) {
  const isFile = ({ file }: ReporterChoice) => file !== undefined;
  const ordered = choices.toSorted((one, other) => Number(isFile(one)) - Number(isFile(other)));
  const writers = ordered.map((one) => ({ ...one, write: createWriter(one, options, target) }));
  const file = extendEnvironment({}).GITHUB_STEP_SUMMARY;
  if (!file || !existsSync(file) || choices.some((one) => one.file === file)) return writers;
  const write = (report: Report) =>
    tryToWrite('the summary of the job has no report', target, () =>
      appendFileSync(file, `\n${knownReporters.markdown?.print(report, {})}`),
    );
  return [...writers, { name: 'markdown', file, write }];
}

/**
 * Creates a writer before the run, whose report would be lost if its file could not be written. It returns false if the
 * file could not be written.
 */
function createWriter(choice: ReporterChoice, options: PrintOptions, target: Target) {
  const { name, file } = choice;
  const { print } = knownReporters[name] as Reporter;
  const { stdout } = process;
  if (file === undefined)
    return (report: Report) => {
      stdout.write(print(report, { ...options, stream: stdout }));
      return true;
    };
  expectWritable(file, '--reporter');
  return (report: Report) => {
    const text = print(report, options);
    return tryToWrite(`the ${name} report could not be written to ${file}`, target, () =>
      replaceFile(file, text),
    );
  };
}
