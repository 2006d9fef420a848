import { expectOtherFiles } from '../common/cli/option-files.ts';
import { longFlag } from '../common/cli/options.ts';
import { printLines, writeMessage } from '../common/cli/print-message.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import { HarRecorder } from '../common/har/har-recorder.ts';
import { redact } from '../common/text/redact.ts';
import { Client, type ClientOptions, createDeadline } from './client/client.ts';
import { MOST_ADDED } from './client/run-limits.ts';
import { keysOf } from './client/secrets.ts';
import { suiteVersion, type Target } from './client/target.ts';
import { toSentExchange } from './client/to-sent-exchange.ts';
import { type VerifyArguments, verifyCommand } from './options.ts';
import { createWriters } from './report-writers.ts';
import { createTarget, findIds } from './resolve-verify-options.ts';
import { listClauses, printCatalogue } from './rules/clauses.ts';
import { runKeyCommand } from './run-key-command.ts';
import { createProgress, noProgress } from './runner/create-progress.ts';
import { expectReady } from './runner/expect-ready.ts';
import { type KnownFailure, readKnown } from './runner/known-failures.ts';
import { exitCodes, listShortfalls, type Report } from './runner/report.ts';
import { reportUntried } from './runner/report-untried.ts';
import { runSuite } from './runner/run.ts';

/** Exit code of a run that would end with 0, but could not write one of its files. */
const NOT_WRITTEN = 2;

/**
 * Verifies a deployment as the command line says, and writes the reports.
 *
 * @param interruption ends the run; what was tried is reported.
 * @returns the exit code: 0 conforms, also in part; 1 does not conform, or is not as --strict asks; 2 no verdict, fewer clauses tested
 * than --at-least asks, or a file could not be written and the code would be 0.
 * @throws CouldNotTell, UsageError
 */
export async function verify(command: VerifyArguments, interruption?: AbortSignal): Promise<number> {
  if (command.list) {
    process.stdout.write(printCatalogue());
    return 0;
  }
  const { known: knownFile } = command;
  const only = findIds(command.only, '--only');
  const target = await findTarget(command, interruption);
  expectTestable(only, target);
  const known = knownFile === undefined ? undefined : await readKnown(knownFile, '--known');
  const { reporters, verbose: isVerbose } = command;
  const { har } = command;
  const reports = reporters.map(({ name, file }) => [`--reporter ${name}=${file}`, file] as const);
  expectOtherFiles({ '--known': knownFile, '--har': har, ...Object.fromEntries(reports) });
  const writers = createWriters(reporters, { isVerbose }, keysOf(target));
  const creator = { name: 'animal-store-verify', version: suiteVersion };
  const recorder = har === undefined ? undefined : new HarRecorder(har, creator);
  const tried = await run(target, {
    only,
    known,
    interruption,
    showsProgress: command.showsProgress,
    onSent: recorder && ((sent) => recorder.add(toSentExchange(sent), keysOf(target))),
    onUntried: (untried) => {
      // Who reads the terminal sees the error itself.
      for (const { name, file, write } of writers)
        if (file !== undefined || !['terminal', 'agent'].includes(name)) write(untried);
    },
  }).catch((error) => {
    recorder?.discard();
    throw error;
  });
  const { strict, atLeast } = command;
  const given = {
    ...(known !== undefined && { known: known.length }),
    ...(strict && ({ strict } as const)),
    ...(atLeast !== undefined && { atLeast }),
  };
  const report: Report = { ...tried, options: { ...tried.options, ...given } };
  const isRecorded = reportUnwritten(recorder?.end(), target);
  const failed = writers.filter(({ write }) => !write(report));
  const isWritten = failed.length === 0 && isRecorded;
  const exitCode = exitCodes[report.verdict] || reportShortfalls(report);
  return exitCode === 0 && !isWritten ? NOT_WRITTEN : exitCode;
}

/** @throws UsageError if none of the chosen clauses can be tested, before anything is sent */
function expectTestable(only: readonly string[], { allowsWrites }: Target): void {
  if (allowsWrites || !listClauses(only).every(({ isOfWrites }) => isOfWrites)) return;
  throw new UsageError(
    '--only chooses clauses that need POST, which adds animals that nobody can delete. Test them on staging, with --allow-writes.',
  );
}

/** Prints why a run that would pass is not as --strict or --at-least ask. @returns the exit code, 0 if it is */
function reportShortfalls(report: Report): number {
  const shortfalls = listShortfalls(report);
  const lines = shortfalls.map(
    ({ reason }) => `${verifyCommand.name}: ${reason}. The report has the details.`,
  );
  process.stderr.write(printLines(lines));
  return shortfalls[0]?.code ?? 0;
}

/** Completes the options of the target, with the key of --api-key-command. */
async function findTarget(command: VerifyArguments, interruption?: AbortSignal): Promise<Target> {
  const { baseUrl = '', apiKeyCommand } = command;
  const printed = apiKeyCommand === undefined ? '' : await runKeyCommand(apiKeyCommand, interruption);
  const apiKey = command.apiKey ?? printed;
  const nameOf = (name: string) => longFlag(verifyCommand.options, name);
  return createTarget({ ...command, baseUrl, apiKey }, nameOf);
}

interface RunPlan {
  readonly only: readonly string[];
  readonly known: readonly KnownFailure[] | undefined;
  readonly interruption: AbortSignal | undefined;
  readonly showsProgress: boolean;
  readonly onSent: ClientOptions['onSent'];
  /** Called with a report if the deployment cannot be tested. */
  readonly onUntried: (report: Report) => void;
}

async function run(
  target: Target,
  { only, known, interruption, showsProgress, onSent, onUntried }: RunPlan,
): Promise<Report> {
  const signal = createDeadline(target, interruption);
  const client = new Client(target, { signal, patience: 0, onSent });
  const startedAt = new Date();
  const { hint, ...ready } = await expectReady(target, client).catch((error: Error) => {
    onUntried(reportUntried(client, only, startedAt, error.message));
    throw error;
  });
  process.stderr.write(printLines(redact([hint ?? '', announce(target)], keysOf(target))));
  const { onTable, clear } = showsProgress ? createProgress(process.stderr) : noProgress;
  signal.addEventListener('abort', clear);
  const sendsUnspecified = onSent !== undefined;
  return runSuite(target, { only, known, sendsUnspecified, ...ready, onTable, onSent }).finally(clear);
}

/** Prints why the HAR file could not be written. @returns false if there is a failure */
function reportUnwritten(failure: string | undefined, target: Target): boolean {
  if (failure === undefined) return true;
  writeMessage(verifyCommand.name, failure, keysOf(target));
  return false;
}

function announce({ baseUrl, allowsWrites }: Target): string {
  const mode = allowsWrites
    ? `It adds up to ${MOST_ADDED} animals, most of them named "contract-test …". They cannot be deleted.`
    : 'The run is read-only. It does not test POST /pets.';
  return `Verifying ${baseUrl}. ${mode}`;
}
