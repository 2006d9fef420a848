import { createRequire } from 'node:module';
import { isContinuousIntegration } from '../common/cli/is-continuous-integration.ts';
import { expectOtherFiles, expectWritable } from '../common/cli/option-files.ts';
import { fillDefaults, longFlag } from '../common/cli/options.ts';
import { createHideGiven, readOptions, splitCommand } from '../common/cli/read-options.ts';
import { type Program, runProgram } from '../common/cli/run-program.ts';
import type { Call } from '../common/cli/run-task.ts';
import { HarRecorder } from '../common/har/har-recorder.ts';
import { toOneLine } from '../common/text/harmless-text.ts';
import { hasColours } from '../common/text/paint.ts';
import { readTrust } from '../common/tls/read-trust.ts';
import { checkRecording } from './check-recording.ts';
import { listPoints } from './findings/coverage.ts';
import { endGate, type GateFiles } from './findings/end-gate.ts';
import { printFindings, printRecording } from './findings/print-findings.ts';
import type { ReportSubject } from './findings/print-report.ts';
import { type CheckedProxy, type Findings, startCheckedProxy } from './index.ts';
import { checkCommand, expectPoints, type ProxyArguments, proxyCommand } from './options.ts';
import { readContract } from './read-contract.ts';

const { version } = createRequire(import.meta.url)('animal-store-proxy/package.json');
const { name } = proxyCommand;

/** Exit code of a run that would end with 0, but could not write one of its files. */
const NOT_WRITTEN = 2;

type Hide = ReturnType<typeof createHideGiven>;

/**
 * Runs the command `animal-store-proxy`, or its command `check`.
 * @returns the exit code. @throws UsageError, HarError, or Node's own error if it cannot listen
 */
export async function runProxy(call: Call): Promise<number> {
  const { argv, environment } = call;
  const hide = createHideGiven(argv, environment);
  if (argv[0] === 'check') return check({ argv: argv.slice(1), environment }, hide);
  return runProgram(name, await start(call, hide), call);
}

/** Starts the checked proxy. At the end it prints its findings, which may fail the run. */
async function start({ argv, environment }: Call, hide: Hide): Promise<Program> {
  const { own, words } = splitCommand(argv);
  const options = fillDefaults(
    proxyCommand.options,
    readOptions(proxyCommand, own, { environment, version }),
  );
  const { failOn, report, require, har, ...others } = options;
  const { upstream } = others;
  if (report !== undefined) expectWritable(report, '--report');
  expectOtherFiles({ '--contract': others.contract, '--report': report, '--har': har });
  const contract = readGiven(others.contract, require, hide);
  const startedAt = new Date();
  const trust = await readTrust(others, (name) => longFlag(proxyCommand.options, name));
  const isColoured = hasColours(process.stdout);
  // The summary counts them.
  const logsRepeats = words === undefined;
  const checked = { ...others, ...trust, isColoured, logsRepeats };
  const recorder = har === undefined ? undefined : new HarRecorder(har, { name, version });
  const proxy = await startCheckedProxy(checked, { recorder, contract }).catch((error) => {
    recorder?.discard();
    throw error;
  });
  const close = async (failure?: string) => {
    await proxy.close();
    const findings = proxy.readFindings();
    const gate = { failOn, require, commandFailure: failure && hide(failure) };
    process.stdout.write(printFindings(findings, gate));
    const subject = { upstream: hide(upstream.href), startedAt, endedAt: new Date(), ...gate };
    const code = end(findings, subject, { report, summary: environment.GITHUB_STEP_SUMMARY }, hide);
    if (failure === undefined) return endRecording(recorder, code, hide);
    recorder?.discard();
    return code;
  };
  const command = words && { words, variables: Promise.resolve({ ANIMAL_STORE_URL: proxy.url }) };
  // Nobody opens it there, and its token would stay in the log.
  const consoleUrl = isContinuousIntegration(environment) ? undefined : proxy.consoleUrl;
  const announcement = announce({ url: proxy.url, consoleUrl }, options, hide);
  return { announcement, command, close };
}

async function check({ argv, environment }: Omit<Call, 'endSoon'>, hide: Hide): Promise<number> {
  const options = fillDefaults(
    checkCommand.options,
    readOptions(checkCommand, argv, { environment, version }),
  );
  const { baseUrl, failOn, require, report } = options;
  if (report !== undefined) expectWritable(report, '--report');
  expectOtherFiles({
    'the recording': options.file,
    '--contract': options.contract,
    '--report': report,
  });
  const contract = readGiven(options.contract, require, hide);
  const startedAt = new Date();
  const write = (text: string) => void process.stdout.write(text);
  const { findings, recording } = await checkRecording({
    ...options,
    contract,
    isColoured: hasColours(process.stdout),
    write,
  });
  const shown = { ...recording, file: hide(recording.file), baseUrls: recording.baseUrls.map(hide) };
  write(printRecording(shown) + printFindings(findings, options));
  const upstream = hide(baseUrl?.href ?? recording.baseUrls.join(', '));
  const subject = { upstream, startedAt, endedAt: new Date(), failOn, require, recording: shown };
  return end(findings, subject, { report, summary: environment.GITHUB_STEP_SUMMARY }, hide);
}

function announce(
  { url, consoleUrl }: Pick<CheckedProxy, 'url' | 'consoleUrl'>,
  { upstream, contract, failOn, report, har }: ProxyArguments,
  hide: Hide,
): string {
  const lines = [
    `checked proxy listening on ${hide(url)}`,
    `upstream: ${hide(upstream.href)}`,
    contract && `contract: the draft ${toOneLine(hide(contract))}`,
    consoleUrl && `console: ${consoleUrl}`,
    failOn !== 'never' && `--fail-on ${failOn}: violations of this level end the run with exit code 1`,
    report && `report: ${hide(report)}, written at the end`,
    har && `HAR file: ${hide(har)}, written at the end`,
  ];
  return `${lines.filter(Boolean).join('\n')}\n`;
}

/** Reads the contract. The path of a draft, which the output repeats, has no keys. @throws UsageError for a wrong draft or point */
function readGiven(file: string | undefined, require: readonly string[] | undefined, hide: Hide) {
  const contract = readContract(file, '--contract');
  expectPoints(require, listPoints(contract));
  return contract.draft === undefined ? contract : { ...contract, draft: hide(contract.draft) };
}

/** Writes the report and the summary, and prints why one cannot be written. @returns the exit code */
function end(findings: Findings, subject: ReportSubject, files: GateFiles, hide: Hide): number {
  const { exitCode, unwritten } = endGate(findings, subject, files);
  for (const failure of unwritten) process.stderr.write(`${name}: ${toOneLine(hide(failure))}\n`);
  return exitCode;
}

/** Completes the HAR file. @returns the exit code; 2 if it was 0 and the file cannot be written */
function endRecording(recorder: HarRecorder | undefined, exitCode: number, hide: Hide): number {
  const failure = recorder?.end();
  if (failure === undefined) return exitCode;
  process.stderr.write(`${name}: ${toOneLine(hide(failure))}\n`);
  return exitCode === 0 ? NOT_WRITTEN : exitCode;
}
