import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import v8 from 'node:v8';
import { createHideGiven, extendEnvironment, readOptions, splitCommand } from '../common/cli/read-options.ts';
import { describeStartFailure, type Program, runProgram } from '../common/cli/run-program.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import { GRACE } from '../common/http/create-close.ts';
import { toOneLine } from '../common/text/harmless-text.ts';
import { launchMock } from './launch-mock.ts';
import type { Mock } from './mock.ts';
import { mockCommand, resolveMockOptions } from './options.ts';
import { findProxyWorker, proxyMissing } from './start-proxy-worker.ts';

/** Maximum number of unknown properties of a data file to name. */
const MOST_NAMED = 10;

const { version } = createRequire(import.meta.url)('animal-store-mock/package.json');

/** Redacts the keys of the command line and the environment. */
const hide = createHideGiven();

await runProgram(mockCommand.name, () => startProgram(process.argv.slice(2)));

/** Starts the mock, and the checked proxy if it is installed. The mock does not wait for the proxy. */
async function startProgram(line: readonly string[]): Promise<Program> {
  const { own: argv, words } = splitCommand(line);
  if (argv[0] === 'proxy') {
    const instead = 'animal-store-proxy, or npm run proxy -- … in a checkout';
    throw new UsageError(`the proxy is now a command of its own: ${instead}`);
  }
  // PORT belongs to the command.
  const environment = extendEnvironment(words === undefined ? {} : { PORT: undefined });
  const { checkedProxy = true, ...options } = readOptions(mockCommand, argv, { environment, version });
  // A young generation that grows while the store is filled would use a third more memory from then on.
  v8.setFlagsFromString('--semi-space-growth-factor=1');
  const isInstalled = findProxyWorker() !== undefined;
  const config = resolveMockOptions({ ...options, checkedProxy: checkedProxy && isInstalled });
  // With a command, stdout is for its output and for violations.
  const logsRequests = words === undefined || options.log !== undefined;
  const { mock, proxyUrl, consoleUrl } = await launchMock(config, logsRequests);
  v8.setFlagsFromString('--semi-space-growth-factor=2');
  const checkedUrl = proxyUrl && reportProxy(proxyUrl);
  const close = async () => {
    // Open requests of the proxy are requests of the mock too, so both get the time once.
    await Promise.race([mock.close(), delay(GRACE, undefined, { ref: false })]);
    return 0;
  };
  const variables = async () => ({
    ANIMAL_STORE_URL: mock.url,
    ANIMAL_STORE_CHECKED_URL: await checkedUrl,
    ANIMAL_STORE_API_KEY: config.apiKeys[0],
  });
  const lines = [
    ...describeMock(mock, describeKey(options.apiKeys, argv)),
    consoleUrl && `console: ${consoleUrl}`,
    checkedProxy && !isInstalled && proxyMissing,
    describeUnknown(mock.unknownProperties),
  ];
  return {
    announcement: `${lines.filter(Boolean).join('\n')}\n`,
    command: words && { words, variables: variables() },
    close,
  };
}

/** Prints the URL of the checked proxy, or why it did not start. */
function reportProxy(proxyUrl: Promise<string>): Promise<string | undefined> {
  return proxyUrl.then(
    (url) => {
      process.stdout.write(`checked proxy listening on ${url}\n`);
      return url;
    },
    (error) => {
      const { message } = describeStartFailure(error, '--checked-port');
      const text = `the mock started without the checked proxy: ${message} --no-checked-proxy disables it.`;
      process.stderr.write(`animal-store-mock: ${hide(text)}\n`);
      return undefined;
    },
  );
}

/** Describes the API key without showing a key of the user. Examples of the docs fail with an inherited key. */
function describeKey(apiKeys: readonly string[] | undefined, argv: readonly string[]): string {
  const [testKey = ''] = mockCommand.schemas.apiKeys.default;
  if (apiKeys === undefined) return testKey;
  if (argv.some((word) => /^--api-key(?:=|$)/.test(word))) return 'as you set it (not shown)';
  const refused = apiKeys.includes(testKey) ? '' : `, so that ${testKey} gets a 401`;
  return `from ANIMAL_STORE_API_KEY (not shown)${refused}`;
}

/** Describes a mock that is listening. Programs read the first line. */
function describeMock({ url, animals }: Mock, apiKey: string): string[] {
  const shown = apiKey.includes(' ') ? '$ANIMAL_STORE_API_KEY' : apiKey;
  return [
    `animal-store-mock listening on ${url}`,
    `API key: ${apiKey}`,
    `animals: ${animals.size}`,
    `try: curl -H "Authorization: Bearer ${shown}" ${url}/pets`,
  ];
}

function describeUnknown(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const more = names.length - MOST_NAMED;
  const named = [...names.slice(0, MOST_NAMED), ...(more > 0 ? [`and ${more} more`] : [])];
  return `left out, not being in the contract: ${toOneLine(hide(named.join(', ')))}`;
}
