import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { describeFileError, expectWritable } from '../common/cli/option-files.ts';
import { createHideGiven, extendEnvironment, readOptions, splitCommand } from '../common/cli/read-options.ts';
import { replaceFile } from '../common/cli/replace-file.ts';
import { onEnd, type Program, serve } from '../common/cli/run-program.ts';
import { describeStartFailure, runTask } from '../common/cli/run-task.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import { toOneLine } from '../common/text/harmless-text.ts';
import { findAuthority } from '../common/tls/read-server-tls.ts';
import { printTrial, type Trial, tryBehaviours } from './behaviours/try-behaviours.ts';
import { launchMock } from './launch-mock.ts';
import { mockCommand, resolveMockOptions } from './options.ts';
import { findProxyWorker, proxyMissing } from './start-proxy-worker.ts';

const { version } = createRequire(import.meta.url)('animal-store-mock/package.json');

const { name } = mockCommand;
const hide = createHideGiven();

await runTask(name, async () => {
  const line = readLine(process.argv.slice(2));
  return line.tryBehaviours ? runTrial(line) : serve(name, await startProgram(line));
});

type Line = ReturnType<typeof readLine>;

function readLine(line: readonly string[]) {
  const { own, words } = splitCommand(line);
  // PORT belongs to the command.
  const environment = extendEnvironment(words === undefined ? {} : { PORT: undefined });
  const all = readOptions(mockCommand, own, { environment, version });
  const { tryBehaviours, maxRuns, report, ...options } = all;
  if (tryBehaviours && words === undefined)
    throw new UsageError(`--try-behaviours requires a command: ${name} --try-behaviours -- npm test`);
  // The other words, for the line that tries a behaviour.
  const ofTrial = /^--(?:try-behaviours|(?:max-runs|report)(?:=.*)?)$/;
  const isOther = (word: string, at: number) =>
    !ofTrial.test(word) && !/^--(?:max-runs|report)$/.test(own[at - 1] ?? '');
  const given = own.filter(isOther);
  return { given, words, options, tryBehaviours, maxRuns, report };
}

/** Starts the mock, and the checked proxy if it is installed. The mock does not wait for the proxy. */
async function startProgram({ words, options: { checkedProxy = true, ...options } }: Line): Promise<Program> {
  const isInstalled = findProxyWorker() !== undefined;
  const config = resolveMockOptions({ ...options, checkedProxy: checkedProxy && isInstalled });
  // With a command, stdout is for its output and for violations.
  const logsRequests = words === undefined || options.log !== undefined;
  const { mock, proxyUrl, consoleUrl } = await launchMock(config, logsRequests);
  const checkedUrl = proxyUrl && reportProxy(proxyUrl);
  const variables = async () => ({
    ANIMAL_STORE_URL: mock.url,
    ANIMAL_STORE_CHECKED_URL: await checkedUrl,
    ANIMAL_STORE_API_KEY: config.apiKeys[0],
    ...(config.tlsCert && { NODE_EXTRA_CA_CERTS: findAuthority(config.tlsCert) }),
  });
  // A key of the user is not printed.
  const [testKey] = options.apiKeys === undefined ? config.apiKeys : [];
  const { url, animals, unknownProperties: unknown } = mock;
  const { behaviour } = mock.settings();
  // Programs read the first line.
  const lines = [
    `animal-store-mock listening on ${url}`,
    `API key: ${testKey ?? 'as you set it (not shown)'}`,
    `animals: ${animals.size}`,
    Object.keys(behaviour).length > 0 && `behaviour: ${JSON.stringify(behaviour)}`,
    `try: curl -H "Authorization: Bearer ${testKey ?? '$ANIMAL_STORE_API_KEY'}" ${url}/pets`,
    consoleUrl && `console: ${consoleUrl}`,
    checkedProxy && !isInstalled && proxyMissing,
    unknown.length > 0 && `left out, because not in the contract: ${toOneLine(hide(unknown.join(', ')))}`,
  ];
  return {
    announcement: `${lines.filter(Boolean).join('\n')}\n`,
    command: words && { words, variables: variables() },
    close: () => mock.close().then(() => 0),
  };
}

/** Prints the URL of the checked proxy, or why it did not start. */
async function reportProxy(proxyUrl: Promise<string>): Promise<string | undefined> {
  try {
    const url = await proxyUrl;
    process.stdout.write(`checked proxy listening on ${url}\n`);
    return url;
  } catch (error) {
    const { message } = describeStartFailure(error as Error, '--checked-port');
    const text = `the mock started without the checked proxy: ${message} --no-checked-proxy disables it.`;
    process.stderr.write(`animal-store-mock: ${hide(text)}\n`);
    return undefined;
  }
}

/** Finds the choices that break the command. @returns the exit code */
async function runTrial({ given, words = [], options, maxRuns = 80, report }: Line): Promise<number> {
  if (report !== undefined) expectWritable(report, '--report');
  const ending = new AbortController();
  onEnd((signal) => {
    ending.abort();
    process.exit(128 + constants.signals[signal]);
  });
  const { isTTY } = process.stderr;
  const onProgress = (text: string) => void process.stderr.write(isTTY ? `\r\x1b[K${text}` : `${text}\n`);
  const trial = { given, words, maxRuns, hide, onProgress, signal: ending.signal };
  const result = await tryBehaviours(options, trial).finally(() => isTTY && onProgress(''));
  process.stdout.write(printTrial(result));
  const isWritten = report === undefined || writeTrial(report, result);
  if (result.causes.length > 0) return 1;
  return result.untested.length > 0 || !isWritten ? 2 : 0;
}

/** Writes the report of a trial. @returns false if it could not be written */
function writeTrial(report: string, result: Trial): boolean {
  try {
    replaceFile(report, `${JSON.stringify(result, null, 2)}\n`);
    return true;
  } catch (error) {
    const failure = `the report could not be written to ${report}: ${describeFileError(error)}`;
    process.stderr.write(`${name}: ${toOneLine(hide(failure))}\n`);
    return false;
  }
}
