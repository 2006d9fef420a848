import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createBatchedWrite } from '../common/create-batched-write.ts';
import { expectWritable, readCertificates } from '../common/option-files.ts';
import { hasColours } from '../common/paint.ts';
import { createHideGiven, isStartedByNpm, splitCommand } from '../common/read-options.ts';
import { type Program, runProgram, runTask } from '../common/run-program.ts';
import { checkRecording } from './check-recording.ts';
import { type FailOn, gateExitCodes, readFailOn, readGate } from './findings/fail-on.ts';
import { printFindings, printRecording } from './findings/print-findings.ts';
import { printReport, type ReportSubject } from './findings/print-report.ts';
import { type CheckedProxy, type Findings, startCheckedProxy } from './index.ts';
import {
  type CheckArguments,
  type ProxyArguments,
  parseCheckArguments,
  parseProxyArguments,
} from './options.ts';
import { createProgress } from './recorded/create-progress.ts';

/** Hides the keys that the command line and the environment give. */
const hide = createHideGiven();

const isColoured = hasColours(process.stdout);

const [first, ...others] = process.argv.slice(2);
if (first === 'check') await runTask('animal-store-proxy', () => check(parseCheckArguments(others)));
else await runProgram('animal-store-proxy', start, isStartedByNpm());

/** Starts the checked proxy as the command line says; at its end, or that of the command beside it, it tells what it found, which may fail the run. */
async function start(): Promise<Program> {
  const { own, words } = splitCommand(process.argv.slice(2));
  const options = parseProxyArguments(own);
  const { ca, failOn, report, upstream } = options;
  if (report !== undefined) expectWritable(report, '--report');
  const write = createBatchedWrite(process.stdout);
  const startedAt = new Date();
  const certificates = ca === undefined ? undefined : await readCertificates(ca);
  const proxy = await startCheckedProxy({ ...options, ca: certificates, caFile: ca, isColoured, write });
  const close = async () => {
    await proxy.close();
    const findings = proxy.readFindings();
    write(printFindings(findings, failOn));
    const subject = { upstream: hide(upstream.href), startedAt, endedAt: new Date(), failOn };
    return end(findings, subject, report);
  };
  const command = words && { words, variables: Promise.resolve({ ANIMAL_STORE_URL: proxy.url }) };
  return { announcement: announce(proxy, options), command, close, abandon: proxy.close };
}

/** Checks a HAR file as the command line says. @returns the exit code. */
async function check(options: CheckArguments): Promise<number> {
  const { baseUrl, failOn, report } = options;
  if (report !== undefined) expectWritable(report, '--report');
  const startedAt = new Date();
  const progress = createProgress(hide(options.file));
  const write = (text: string) => {
    progress.clear();
    return writeOut(text);
  };
  const { findings, recording } = await checkRecording({
    ...options,
    isColoured,
    write,
    onProgress: progress.update,
  }).finally(progress.stop);
  const told = { ...recording, file: hide(recording.file), baseUrls: recording.baseUrls.map(hide) };
  await write(printRecording(told) + printFindings(findings, failOn));
  const upstream = hide(baseUrl?.href ?? recording.baseUrls.join(', '));
  const subject = { upstream, startedAt, endedAt: new Date(), failOn, recording: told };
  return end(findings, subject, report);
}

/** Writes to stdout, and waits while nobody reads it; a reader that has gone gets nothing more. */
async function writeOut(text: string): Promise<void> {
  const { stdout } = process;
  if (!stdout.writable || stdout.write(text)) return;
  await Promise.race([once(stdout, 'drain'), once(stdout, 'close')]).catch(() => {});
}

function announce({ url, consoleUrl }: CheckedProxy, { upstream, failOn, report }: ProxyArguments): string {
  const lines = [
    `checked proxy listening on ${hide(url)}`,
    `upstream: ${hide(upstream.href)}`,
    ...(consoleUrl === undefined ? [] : [`console: ${consoleUrl}`]),
    ...(failOn === 'never' ? [] : [`gate: it ends with exit code 1 if there was ${inWords(failOn)}`]),
    ...(report === undefined ? [] : [`report: ${hide(report)}, written at the end`]),
  ];
  return `${lines.join('\n')}\n`;
}

function inWords(failOn: FailOn): string {
  const { level, side } = readFailOn(failOn);
  return `${level === 'error' ? 'an error' : 'an error or a warning'}${side ? ` in a ${side}` : ''}`;
}

/** Writes the report. @returns the exit code: that of the gate, or 2 if the report of a kept gate is lost. */
function end(findings: Findings, subject: ReportSubject, report: string | undefined): number {
  const isReported = report === undefined || writeReport(report, printReport(report, findings, subject));
  return gateExitCodes[readGate(findings, subject.failOn)] || (isReported ? 0 : 2);
}

/** @returns whether it was written. */
function writeReport(file: string, text: string): boolean {
  try {
    writeFileSync(file, text);
    return true;
  } catch (error) {
    const reason = hide((error as Error).message);
    process.stderr.write(`animal-store-proxy: the report could not be written: ${reason}\n`);
    return false;
  }
}
