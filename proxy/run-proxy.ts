import { createRequire } from 'node:module';
import { isAgent, logOnce } from '../common/cli/is-agent.ts';
import { isContinuousIntegration } from '../common/cli/is-continuous-integration.ts';
import { expectOtherFiles, expectWritable } from '../common/cli/option-files.ts';
import { fillDefaults, longFlag } from '../common/cli/options.ts';
import { writeMessage } from '../common/cli/print-message.ts';
import { findGivenKeys, readOptions, splitCommand } from '../common/cli/read-options.ts';
import { reportFailedStart } from '../common/cli/report-failed-start.ts';
import { type Program, runProgram } from '../common/cli/run-program.ts';
import type { Call } from '../common/cli/run-task.ts';
import { HarRecorder } from '../common/har/har-recorder.ts';
import type { Contract } from '../common/json/contract.ts';
import { hasColours } from '../common/text/paint.ts';
import { type Keys, redact } from '../common/text/redact.ts';
import { readTrust } from '../common/tls/read-trust.ts';
import { checkRecording } from './check-recording.ts';
import { listParts } from './findings/coverage.ts';
import { endRun } from './findings/end-run.ts';
import type { Run } from './findings/print-run.ts';
import { type Findings, startCheckedProxy } from './index.ts';
import { checkCommand, expectParts, type GateArguments, proxyCommand } from './options.ts';
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
  return reportFailedStart(proxyCommand, call, async () =>
    argv[0] === 'check'
      ? check({ ...call, argv: argv.slice(1) }, keys)
      : runProgram(name, await start(call, keys), call),
  );
}

/** Starts the checked proxy. At the end it prints its findings, which may fail the run. */
async function start({ argv, environment }: Call, keys: Keys): Promise<Program> {
  const { own, words } = splitCommand(argv);
  const given = readOptions(proxyCommand, own, { environment, version });
  const options = fillDefaults(proxyCommand.options, {
    ...given,
    ...(words && logOnce(environment, given.log)),
  });
  const { failOn, report, require, har, ...others } = options;
  const { upstream } = others;
  const contract = await readFiles(options, { '--har': har });
  const startedAt = new Date();
  const { curlOptions, ...trust } = await readTrust(others, (name) => longFlag(proxyCommand.options, name));
  const recorder = har === undefined ? undefined : new HarRecorder(har, { name, version });
  const proxy = await startCheckedProxy(
    { ...others, ...trust },
    { recorder, contract, keys, curlOptions },
  ).catch((error) => {
    recorder?.discard();
    throw error;
  });
  const shown = redact(
    { url: proxy.url, upstream: upstream.href, contract: options.contract, report, har },
    keys,
  );
  const close: Program['close'] = async (how) => {
    await proxy.close();
    const { commandFailure: failure } = how;
    if (failure !== undefined) recorder?.discard();
    const unrecorded = failure === undefined ? recorder?.end() : undefined;
    const ended = { endedAt: new Date(), ...redact({ ...how, unrecorded }, keys) };
    const run = { upstream: shown.upstream, startedAt, ...ended, failOn, require };
    const exitCode = end(proxy.readFindings(), run, report, environment, keys);
    if (unrecorded !== undefined) writeMessage(name, unrecorded, keys);
    return unrecorded !== undefined && exitCode === 0 ? NOT_WRITTEN : exitCode;
  };
  return {
    announcement: [
      `checked proxy listening on ${shown.url}`,
      `upstream: ${shown.upstream}`,
      shown.contract && `contract: the draft ${shown.contract}`,
      // Nobody opens it there, and its token would stay in the log.
      proxy.consoleUrl && !isContinuousIntegration(environment) && `console: ${proxy.consoleUrl}`,
      failOn !== 'never' && `--fail-on ${failOn}: violations of this level end the run with exit code 1`,
      shown.report && `report: ${shown.report}, written at the end`,
      shown.har && `HAR file: ${shown.har}, written at the end`,
    ],
    command: words && { words, variables: Promise.resolve({ ANIMAL_STORE_URL: proxy.url }) },
    close,
  };
}

/** Checks a HAR file. */
async function check({ argv, environment }: Call, keys: Keys): Promise<number> {
  const given = readOptions(checkCommand, argv, { environment, version });
  const options = fillDefaults(checkCommand.options, { ...given, ...logOnce(environment, given.log) });
  const { file, baseUrl, failOn, require, report, log } = options;
  const contract = await readFiles(options, { 'the HAR file': file });
  const startedAt = new Date();
  keys.add(options.apiKeys);
  const isColoured = hasColours(process.stdout);
  const { findings, ...checked } = await checkRecording({ file, baseUrl, log, contract, keys, isColoured });
  const recording = redact(checked.recording, keys);
  const upstream = redact(baseUrl?.href ?? recording.baseUrls.join(', '), keys);
  const run = { upstream, startedAt, endedAt: new Date(), failOn, require, recording };
  return end(findings, run, report, environment, keys);
}

/**
 * Expects files that can be written and that are different ones, and reads the contract.
 * @param others further files, by the option or the word that names each. @throws UsageError for a wrong file, draft or part
 */
async function readFiles(
  { contract: draft, report, require }: GateArguments,
  others: Readonly<Record<string, string | undefined>>,
): Promise<Contract> {
  if (report !== undefined) expectWritable(report, '--report');
  expectOtherFiles({ ...others, '--contract': draft, '--report': report });
  const contract = await readContract(draft, '--contract');
  expectParts(require, listParts(contract));
  return contract;
}

/** Prints and writes what a run has found, and prints why a file cannot be written. @returns the exit code */
function end(
  findings: Findings,
  run: Run,
  report: string | undefined,
  environment: Call['environment'],
  keys: Keys,
): number {
  const write = (text: string) => void process.stdout.write(text);
  const outputs = { write, report, summary: environment.GITHUB_STEP_SUMMARY, forAgent: isAgent(environment) };
  const { exitCode, unwritten } = endRun(findings, run, outputs);
  for (const failure of unwritten) writeMessage(name, failure, keys);
  return exitCode;
}
