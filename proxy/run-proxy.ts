import { createRequire } from 'node:module';
import { isContinuousIntegration } from '../common/cli/is-continuous-integration.ts';
import { expectOtherFiles, expectWritable } from '../common/cli/option-files.ts';
import { fillDefaults, longFlag } from '../common/cli/options.ts';
import { type Line, writeMessage } from '../common/cli/print-message.ts';
import { findGivenKeys, readOptions, splitCommand } from '../common/cli/read-options.ts';
import { type Program, runProgram } from '../common/cli/run-program.ts';
import type { Call } from '../common/cli/run-task.ts';
import { HarRecorder } from '../common/har/har-recorder.ts';
import type { Contract } from '../common/json/contract.ts';
import { hasColours } from '../common/text/paint.ts';
import { type Keys, redact } from '../common/text/redact.ts';
import { readTrust } from '../common/tls/read-trust.ts';
import { checkRecording } from './check-recording.ts';
import { listPoints } from './findings/coverage.ts';
import { endGate, type GateFiles } from './findings/end-gate.ts';
import type { ReportSubject } from './findings/print-run.ts';
import { printFindings, printRecording } from './findings/print-run.ts';
import { type CheckedProxy, type Findings, startCheckedProxy } from './index.ts';
import { checkCommand, expectPoints, type ProxyArguments, proxyCommand } from './options.ts';
import { readContract } from './read-contract.ts';

const { version } = createRequire(import.meta.url)('animal-store-proxy/package.json');
const { name } = proxyCommand;

/** Exit code of a run that would end with 0, but could not write one of its files. */
const NOT_WRITTEN = 2;

/**
 * Runs the command `animal-store-proxy`, or its command `check`.
 * @returns the exit code. @throws UsageError, HarError, or Node's own error if it cannot listen
 */
export async function runProxy(call: Call): Promise<number> {
  const { argv, environment } = call;
  const keys = findGivenKeys(argv, environment);
  if (argv[0] === 'check') return check({ argv: argv.slice(1), environment }, keys);
  return runProgram(name, await start(call, keys), call);
}

/** Starts the checked proxy. At the end it prints its findings, which may fail the run. */
async function start({ argv, environment }: Call, keys: Keys): Promise<Program> {
  const { own, words } = splitCommand(argv);
  const options = fillDefaults(
    proxyCommand.options,
    readOptions(proxyCommand, own, { environment, version }),
  );
  const { failOn, report, require, har, ...others } = options;
  const { upstream } = others;
  if (report !== undefined) expectWritable(report, '--report');
  expectOtherFiles({ '--contract': others.contract, '--report': report, '--har': har });
  const contract = await readGiven(others.contract, require);
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
    const findings = redactContract(proxy.readFindings(), keys);
    const gate = { failOn, require, commandFailure: failure && redact(failure, keys) };
    process.stdout.write(printFindings(findings, gate));
    const subject = { upstream: redact(upstream.href, keys), startedAt, endedAt: new Date(), ...gate };
    const code = end(findings, subject, { report, summary: environment.GITHUB_STEP_SUMMARY }, keys);
    if (failure === undefined) return endRecording(recorder, code, keys);
    recorder?.discard();
    return code;
  };
  const command = words && { words, variables: Promise.resolve({ ANIMAL_STORE_URL: proxy.url }) };
  // Nobody opens it there, and its token would stay in the log.
  const consoleUrl = isContinuousIntegration(environment) ? undefined : proxy.consoleUrl;
  const { url } = proxy;
  const announcement = announce(
    { consoleUrl, ...redact({ url, upstream: upstream.href, contract: others.contract, report, har }, keys) },
    failOn,
  );
  return { announcement, command, close };
}

async function check({ argv, environment }: Omit<Call, 'endSoon'>, keys: Keys): Promise<number> {
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
  const contract = await readGiven(options.contract, require);
  const startedAt = new Date();
  const write = (text: string) => void process.stdout.write(text);
  const checked = await checkRecording({
    ...options,
    contract,
    isColoured: hasColours(process.stdout),
    write,
  });
  const findings = redactContract(checked.findings, keys);
  const recording = redact(checked.recording, keys);
  write(printRecording(recording) + printFindings(findings, options, recording));
  const upstream = redact(baseUrl?.href ?? recording.baseUrls.join(', '), keys);
  const subject = { upstream, startedAt, endedAt: new Date(), failOn, require, recording };
  return end(findings, subject, { report, summary: environment.GITHUB_STEP_SUMMARY }, keys);
}

/** What the first lines name. */
interface Announced
  extends Pick<CheckedProxy, 'url' | 'consoleUrl'>,
    Pick<ProxyArguments, 'contract' | 'report' | 'har'> {
  readonly upstream: string;
}

/** @param announced without keys. */
function announce(
  { url, consoleUrl, upstream, contract, report, har }: Announced,
  failOn: ProxyArguments['failOn'],
): readonly Line[] {
  return [
    `checked proxy listening on ${url}`,
    `upstream: ${upstream}`,
    contract && `contract: the draft ${contract}`,
    consoleUrl && `console: ${consoleUrl}`,
    failOn !== 'never' && `--fail-on ${failOn}: violations of this level end the run with exit code 1`,
    report && `report: ${report}, written at the end`,
    har && `HAR file: ${har}, written at the end`,
  ];
}

/** Reads the contract. @throws UsageError for a wrong draft or point */
async function readGiven(
  file: string | undefined,
  require: readonly string[] | undefined,
): Promise<Contract> {
  const contract = await readContract(file, '--contract');
  expectPoints(require, listPoints(contract));
  return contract;
}

/** Redacts the path of a draft. The rest of the findings has no keys. */
function redactContract(findings: Findings, keys: Keys): Findings {
  const { contract } = findings;
  return contract === undefined ? findings : { ...findings, contract: redact(contract, keys) };
}

/** Writes the report and the summary, and prints why one cannot be written. @returns the exit code */
function end(findings: Findings, subject: ReportSubject, files: GateFiles, keys: Keys): number {
  const { exitCode, unwritten } = endGate(findings, subject, files);
  for (const failure of unwritten) writeMessage(name, failure, keys);
  return exitCode;
}

/** Completes the HAR file. @returns the exit code; 2 if it was 0 and the file cannot be written */
function endRecording(recorder: HarRecorder | undefined, exitCode: number, keys: Keys): number {
  const failure = recorder?.end();
  if (failure === undefined) return exitCode;
  writeMessage(name, failure, keys);
  return exitCode === 0 ? NOT_WRITTEN : exitCode;
}
