import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { isAgent, logOnce } from '../common/cli/is-agent.ts';
import { isContinuousIntegration } from '../common/cli/is-continuous-integration.ts';
import { describeFileError, expectOtherFiles, expectWritable } from '../common/cli/option-files.ts';
import { writeMessage } from '../common/cli/print-message.ts';
import { findGivenKeys, readOptions, splitCommand } from '../common/cli/read-options.ts';
import { replaceFile } from '../common/cli/replace-file.ts';
import { reportFailedStart } from '../common/cli/report-failed-start.ts';
import { onEnd, type Program, runProgram } from '../common/cli/run-program.ts';
import { type Call, describeStartFailure } from '../common/cli/run-task.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import { redact } from '../common/text/redact.ts';
import { printTrial } from './assumptions/print-trial.ts';
import { type Trial, tryBehaviours } from './assumptions/try-behaviours.ts';
import { type ChoiceName, choiceNames, nameInWords } from './choices/choices.ts';
import { findBehaviourFile } from './files/load-behaviour.ts';
import { findAuthority } from './files/read-server-tls.ts';
import { launchMock } from './launch-mock.ts';
import { runCompare, runLearn } from './learn/run-learn.ts';
import { isOnEveryAddress, listNetworkUrls } from './network-urls.ts';
import { mockCommand, resolveMockOptions } from './options.ts';
import { findProxyThread, type GateEnd, proxyMissing } from './start-proxy-thread.ts';

const { version } = createRequire(import.meta.url)('animal-store-mock/package.json');

const { name } = mockCommand;

/** Exit code of a program that a signal ended, without the number of the signal. */
const SIGNALLED = 128;

/** Runs the command `animal-store-mock`, or its commands `learn` and `compare`. @returns the exit code. @throws UsageError, or Node's own error if it cannot listen */
export async function runMock(call: Call): Promise<number> {
  const [first, ...argv] = call.argv;
  if (first === 'learn') return runLearn({ ...call, argv }, version);
  if (first === 'compare') return runCompare({ ...call, argv }, version);
  return reportFailedStart(mockCommand, call, async () => {
    const line = readLine(call);
    return line.tryBehaviours ? runTrial(line) : runProgram(name, await startProgram(line), call);
  });
}

type Line = ReturnType<typeof readLine>;

function readLine({ argv, environment }: Call) {
  const { own, words } = splitCommand(argv);
  // PORT belongs to the command.
  const variables = words === undefined ? environment : { ...environment, PORT: undefined };
  const given = readOptions(mockCommand, own, { environment: variables, version });
  const { tryBehaviours, report, failOn, ...options } = given;
  if (tryBehaviours && words === undefined)
    throw new UsageError(`--try-behaviours requires a command: ${name} --try-behaviours -- npm test`);
  const keys = findGivenKeys(argv, environment);
  const forAgent = isAgent(environment);
  const gate = failOn && { failOn, report, summary: environment.GITHUB_STEP_SUMMARY, forAgent };
  // Nobody opens a console there.
  const showsConsole = !isContinuousIntegration(environment);
  return {
    others: omitTrial(own),
    words,
    options: { ...options, ...(words && gate && logOnce(environment, options.log)) },
    tryBehaviours,
    report,
    gate,
    forAgent,
    showsConsole,
    keys,
  };
}

/** Returns the words of a command line that a trial does not need, for the line that tries one behaviour. */
function omitTrial(own: readonly string[]): string[] {
  const ofTrial = /^--(?:try-behaviours|report(?:=.*)?)$/;
  return own.filter((word, at) => !ofTrial.test(word) && own[at - 1] !== '--report');
}

/** Starts the mock, and the checked proxy if it is installed. The mock waits for the proxy only if the proxy is its gate. */
async function startProgram({
  words,
  keys,
  gate,
  showsConsole,
  options: { checkedProxy = true, ...options },
}: Line): Promise<Program> {
  const isInstalled = findProxyThread() !== undefined;
  expectReport(gate?.report, options);
  const config = resolveMockOptions({ ...options, checkedProxy: checkedProxy && isInstalled });
  // With a command, only violations are logged.
  const logsRequests = words === undefined || options.log !== undefined;
  const { mock, close, origin, proxyUrl, consoleOff, isNewFile } = await launchMock(config, {
    logsRequests,
    gate,
  });
  const checkedUrl = gate ? proxyUrl : proxyUrl && reportProxy(proxyUrl, words !== undefined, keys);
  const variables = async () => ({
    ANIMAL_STORE_URL: mock.url,
    ANIMAL_STORE_CHECKED_URL: (await checkedUrl) && mock.checkedUrl,
    ANIMAL_STORE_API_KEY: config.apiKeys[0],
    ...(config.tlsCert && { NODE_EXTRA_CA_CERTS: findAuthority(config.tlsCert) }),
  });
  // A key of the user is not printed.
  const [testKey] = options.apiKeys === undefined ? config.apiKeys : [];
  const { animals, unknownProperties: unknown, unknownChoices } = mock;
  const shown = redact(
    {
      data: String(config.data),
      gaps: describeUnknown(unknownChoices),
      report: gate?.report,
      unknown: unknown.join(', '),
    },
    keys,
  );
  const { behaviour } = mock.settings();
  const key = testKey ?? '$ANIMAL_STORE_API_KEY';
  // A certificate of mkcert or of a team is often unknown to curl.
  const tried = config.requireSession ? mock.session('w1').url : mock.url;
  const curl = config.tlsCert === undefined ? 'curl' : 'curl -k';
  const isUnchecked = proxyUrl !== undefined && gate === undefined;
  // Programs read the first line up to the space after the URL.
  const announcement = [
    `animal-store-mock listening on ${origin}/v1${isUnchecked ? ' (the checked proxy below shows violations)' : ''}`,
    ...printNetwork(`${origin}/v1`),
    `API key: ${testKey ?? 'as you set it (not shown)'}`,
    `animals: ${animals.size}`,
    config.save && `saved to: ${shown.data}${isNewFile ? ', a new file' : ''}`,
    Object.keys(behaviour).length > 0 && `behaviour: ${JSON.stringify(behaviour)}`,
    shown.gaps,
    `try: ${curl} -H "Authorization: Bearer ${key}" ${quote(`${tried}/pets`)}`,
    showsConsole && consoleOff === undefined && `console: ${new URL('/', mock.url)}`,
    // Who gives --no-admin knows that it is off.
    showsConsole && config.admin && consoleOff,
    checkedProxy && !isInstalled && proxyMissing,
    gate && `--fail-on ${gate.failOn}: every request to this address is checked`,
    shown.report && `report: ${shown.report}, written at the end`,
    shown.unknown && `left out, because not in the contract: ${shown.unknown}`,
  ];
  return {
    announcement,
    command: words && { words, variables: variables() },
    close: async (how) => endGate(await close(redact(how, keys)), keys),
  };
}

/** @throws UsageError if the report cannot be written, or would replace another file of the mock */
function expectReport(report: string | undefined, { data, behaviour }: Line['options']): void {
  if (report !== undefined) expectWritable(report, '--report');
  const dataFile = typeof data === 'string' ? data : undefined;
  expectOtherFiles({ '--data': dataFile, '--behaviour': findBehaviourFile(behaviour), '--report': report });
}

/** Describes the choices that a learned file does not know. @returns undefined if it knows all of them */
function describeUnknown(unknown: readonly ChoiceName[]): string | undefined {
  if (unknown.length === 0) return undefined;
  const use = unknown.length === 1 ? 'is unknown and uses' : 'are unknown and use';
  return `${unknown.length} of ${choiceNames.length} choices ${use} the default: ${unknown.map(nameInWords).join(', ')}`;
}

/** Prints the addresses of a mock that listens on every address, for a phone in the same network. */
function printNetwork(url: string): string[] {
  if (!isOnEveryAddress(url)) return [];
  const urls = listNetworkUrls(url);
  if (urls.length === 0) return ['network: no address found, except those that only this machine reaches'];
  return urls.map((one) => `network: ${one}`);
}

/** Quotes a URL with an IPv6 address, whose brackets are a pattern in some shells. */
function quote(url: string): string {
  return url.includes('[') ? `"${url}"` : url;
}

/** Prints why the report could not be written. @returns the exit code */
function endGate(end: GateEnd | undefined, keys: Line['keys']): number {
  for (const failure of end?.unwritten ?? []) writeMessage(name, failure, keys);
  return end?.exitCode ?? 0;
}

/** Prints the URL of the checked proxy, or why it did not start. */
async function reportProxy(
  proxyUrl: Promise<string>,
  hasCommand: boolean,
  keys: Line['keys'],
): Promise<string | undefined> {
  try {
    const url = await proxyUrl;
    (hasCommand ? process.stderr : process.stdout).write(`checked proxy listening on ${url}\n`);
    return url;
  } catch (error) {
    const { message } = describeStartFailure(error, { portFlag: '--checked-port', hasCommand });
    const text = `the mock started without the checked proxy: ${message} --no-checked-proxy disables it.`;
    process.stderr.write(`${name}: ${redact(text, keys)}\n`);
    return undefined;
  }
}

/** Finds the values that break the command. @returns the exit code */
async function runTrial(line: Line): Promise<number> {
  const { others, words = [], options, report, forAgent, keys } = line;
  expectReport(report, options);
  const ending = new AbortController();
  let endedBy: number | undefined;
  onEnd((signal) => {
    const exitCode = SIGNALLED + constants.signals[signal];
    // A second signal does not wait for the result.
    if (endedBy !== undefined) process.exit(exitCode);
    endedBy = exitCode;
    ending.abort();
  });
  const { isTTY } = process.stderr;
  const onProgress = (text: string) => {
    if (!forAgent) process.stderr.write(isTTY ? `\r\x1b[K${text}` : `${text}\n`);
  };
  const onMessage = (text: string) => void process.stderr.write(isTTY ? `\r\x1b[K${text}\n` : `${text}\n`);
  const trial = { given: others, words, keys, onProgress, onMessage, signal: ending.signal };
  const result = await tryBehaviours(options, trial).finally(() => isTTY && onProgress(''));
  if (result !== undefined) process.stdout.write(printTrial(result, forAgent));
  const isWritten = result === undefined || report === undefined || writeTrial(report, result, keys);
  if (endedBy !== undefined) return endedBy;
  if (result === undefined) return 2;
  const { causes, unstable, untested } = result;
  if (causes.length > 0) return 1;
  return isWritten && unstable.length === 0 && untested.length === 0 ? 0 : 2;
}

/** Writes the report of a trial. @returns false if it could not be written */
function writeTrial(report: string, result: Trial, keys: Line['keys']): boolean {
  try {
    replaceFile(report, `${JSON.stringify(result, null, 2)}\n`);
    return true;
  } catch (error) {
    writeMessage(name, `the report could not be written to ${report}: ${describeFileError(error)}`, keys);
    return false;
  }
}
