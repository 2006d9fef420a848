import { writeFileSync } from 'node:fs';
import { expectWritable, readCertificates, readOptionFile } from '../common/option-files.ts';
import { MOST_ADDED, printCatalogue } from './clauses/clauses.ts';
import { createDeadline } from './core/deadline.ts';
import { hideKeys } from './core/hide-keys.ts';
import { createSendRequest, type SendRequest } from './core/send-request.ts';
import { resolveTarget, type Target } from './core/target.ts';
import { createProgress } from './create-progress.ts';
import { expectReady } from './expect-ready.ts';
import type { ReporterChoice, VerifyArguments } from './options.ts';
import { CouldNotTell, conclude, concludeAgainst, exitCodes, type Report, type Verdict } from './report.ts';
import type { PrintOptions } from './reporters/print-options.ts';
import { type Reporter, reporters } from './reporters/reporters.ts';
import { listClauses, type RunOptions, reportUntried, runSuite } from './run.ts';

/**
 * Verifies a deployment as the command line says, and writes the reports.
 *
 * @param interruption ends the run; what was tried is reported.
 * @returns the exit code: 0 conforms, also in part; 1 does not conform, with --strict also in part; 2 no verdict.
 * @throws CouldNotTell, UsageError
 */
export async function verify(command: VerifyArguments, interruption?: AbortSignal): Promise<number> {
  const { list, only, baseline: file, reporters: choices, strict, verbose: isVerbose, ...args } = command;
  if (list) {
    process.stdout.write(printCatalogue());
    return 0;
  }
  const target = await toTarget(args);
  const baseline = file === undefined ? undefined : await readBaseline(file);
  const writers = choices.map((choice) => createWriter(choice, { isVerbose, baseline }));
  const signal = createDeadline(target, interruption);
  // A server may serve no more than one connection at a time.
  const sendRequest = createSendRequest(target);
  const startedAt = new Date();
  let requests = 0;
  const count: SendRequest = (...asked) => {
    requests += 1;
    return sendRequest(...asked);
  };
  const { hint, accepted } = await expectReady(target, count, signal).catch((error: Error) => {
    const report = reportUntried(target, { only, startedAt, requests, reason: error.message });
    // Who reads the terminal is told by the error itself.
    for (const [index, { name, file }] of choices.entries())
      if (name !== 'terminal' || file !== undefined) writers[index]?.(report);
    throw error;
  });
  process.stderr.write(hideKeys(`${hint === undefined ? '' : `${hint}\n`}${announce(target)}`, target));
  const report = await runWithProgress(target, { only, sendRequest, signal, accepted });
  for (const write of writers) write(report);
  if (baseline === undefined) return toExitCode(report.verdict, strict);
  const { verdict, worse } = concludeAgainst(report, baseline);
  const what = worse.length === 0 ? 'nothing is worse' : `worse: ${worse.join(', ')}`;
  const then = new Date(baseline.startedAt).toISOString();
  process.stderr.write(`Compared with the baseline of ${then}: ${what}\n`);
  return toExitCode(verdict, strict);
}

function toExitCode(verdict: Verdict, strict: boolean): number {
  return strict && verdict === 'conforms in part' ? 1 : exitCodes[verdict];
}

async function runWithProgress(
  target: Target,
  options: RunOptions & { readonly sendRequest: SendRequest; readonly signal: AbortSignal },
): Promise<Report> {
  const progress = createProgress(process.stderr, listClauses(target, options.only).length);
  options.signal.addEventListener('abort', progress.clear);
  const sendRequest = progress.watch(options.sendRequest);
  return runSuite(target, { ...options, sendRequest, onResult: progress.onResult }).finally(progress.end);
}

type TargetArguments = Omit<
  VerifyArguments,
  'list' | 'only' | 'baseline' | 'reporters' | 'strict' | 'verbose'
>;

async function toTarget({
  baseUrl = '',
  apiKey = '',
  categoryId,
  ca,
  ...others
}: TargetArguments): Promise<Target> {
  return resolveTarget({
    ...{ ...others, baseUrl, apiKey },
    categoryId: categoryId === undefined ? undefined : BigInt(categoryId),
    ca: ca === undefined ? undefined : await readCertificates(ca),
    caFile: ca,
  });
}

async function readBaseline(file: string): Promise<Report> {
  const text = await readOptionFile(file, '--baseline');
  try {
    const report = JSON.parse(text) as Report;
    if (report.version !== 2 || Number.isNaN(Date.parse(report.startedAt)))
      throw new Error('It has another form.');
    conclude(report);
    return report;
  } catch {
    throw new CouldNotTell(
      `--baseline: ${file} is not a report of version 2. Write one with --reporter json=<file>.`,
    );
  }
}

function announce({ baseUrl, allowsWrites }: Target): string {
  const mode = allowsWrites
    ? `The suite adds about ${MOST_ADDED} animals, most of them named "contract-test …", and nothing can delete them.`
    : 'The run is read-only. --allow-writes tests the rest.';
  return `Verifying ${baseUrl}. ${mode}\n`;
}

/** Before the run, whose report would be lost if its file could not be written. */
function createWriter({ name, file }: ReporterChoice, options: PrintOptions): (report: Report) => void {
  const { print } = reporters[name] as Reporter;
  const { stdout } = process;
  if (file === undefined) return (report) => void stdout.write(print(report, { ...options, stream: stdout }));
  expectWritable(file, '--reporter');
  return (report) => writeFileSync(file, print(report, options));
}
