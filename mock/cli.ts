import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import v8 from 'node:v8';
import { GRACE } from '../common/create-close.ts';
import { toOneLine } from '../common/harmless-text.ts';
import {
  createHideGiven,
  extendEnvironment,
  findFlagKeptByNpm,
  isStartedByNpm,
  readOptions,
  splitCommand,
} from '../common/read-options.ts';
import { describeStartFailure, type Program, runProgram } from '../common/run-program.ts';
import { UsageError } from '../common/usage-error.ts';
import { launchMock, type Mock } from './launch-mock.ts';
import { mockCommand, resolveMockOptions } from './options.ts';
import { findProxyWorker, proxyMissing } from './start-proxy-worker.ts';

/** The most unknown properties of a data file that are named. */
const MOST_NAMED = 10;

const { version } = createRequire(import.meta.url)('animal-store-mock/package.json');

/** Hides the keys that the command line and the environment give. */
const hide = createHideGiven();

await runProgram(mockCommand.name, () => runMock(process.argv.slice(2)), isStartedByNpm());

/**
 * Starts the mock as the command line says, and the checked proxy beside it, which the mock does not wait for. Of a command
 * that runs beside them stdout is for what that prints, and for violations, unless --log says otherwise.
 */
async function runMock(line: readonly string[]): Promise<Program> {
  const { own: argv, words } = splitCommand(line);
  if (argv[0] === 'proxy') {
    const instead = 'animal-store-proxy, or npm run proxy -- … in a checkout';
    throw new UsageError(`the proxy is now a command of its own: ${instead}`);
  }
  // PORT belongs to the command.
  const environment = extendEnvironment(words === undefined ? {} : { PORT: undefined });
  const { checkedProxy = true, ...options } = readOptions(mockCommand, argv, { environment, version });
  const kept = argv.length === 0 ? findFlagKeptByNpm(mockCommand) : undefined;
  // What fills the store stays: a young generation that grows for it would keep a third more memory from then on.
  v8.setFlagsFromString('--semi-space-growth-factor=1');
  const isBeside = checkedProxy && findProxyWorker() !== undefined;
  const config = resolveMockOptions({ ...options, checkedProxy: isBeside });
  const { mock, proxyUrl, consoleUrl } = await launchMock(
    config,
    words === undefined || options.log !== undefined,
  );
  v8.setFlagsFromString('--semi-space-growth-factor=2');
  const checkedUrl = proxyUrl?.then(
    (url) => {
      process.stdout.write(`checked proxy listening on ${url}\n`);
      return url;
    },
    (error) => {
      process.stderr.write(`animal-store-mock: ${hide(describeProxyFailure(error))}\n`);
      return undefined;
    },
  );
  const close = async () => {
    // The open requests of the proxy are the mock's; both together have the time of one.
    await Promise.race([mock.close(), delay(GRACE, undefined, { ref: false })]);
    return 0;
  };
  const variables = async () => ({
    ANIMAL_STORE_URL: mock.url,
    ANIMAL_STORE_CHECKED_URL: await checkedUrl,
    ANIMAL_STORE_API_KEY: config.apiKeys[0],
  });
  return {
    announcement: announce(
      mock,
      consoleUrl,
      describeKey(options.apiKeys, argv),
      checkedProxy && !isBeside,
      kept,
    ),
    command: words && { words, variables: variables() },
    close,
    abandon: close,
  };
}

function describeProxyFailure(error: unknown): string {
  const { message } = describeStartFailure(error, '--checked-port');
  return `the mock started without the checked proxy: ${message} --no-checked-proxy disables it.`;
}

/** Describes the API key; a key of the user's own is not shown. An inherited one refuses the requests that the docs show. */
function describeKey(apiKeys: readonly string[] | undefined, argv: readonly string[]): string {
  const [testKey = ''] = mockCommand.options.apiKeys.default;
  if (apiKeys === undefined) return testKey;
  if (argv.some((word) => /^--api-key(?:=|$)/.test(word))) return 'as you set it (not shown)';
  const refused = apiKeys.includes(testKey) ? '' : `, so that ${testKey} gets a 401`;
  return `from ANIMAL_STORE_API_KEY (not shown)${refused}`;
}

/** What a user wants to know first; the first line is stable. */
function announce(
  { url, animals, unknownProperties }: Mock,
  consoleUrl: string | undefined,
  apiKey: string,
  isProxyMissing: boolean,
  kept?: string,
): string {
  const shown = apiKey.includes(' ') ? '$ANIMAL_STORE_API_KEY' : apiKey;
  const lines = [
    `animal-store-mock listening on ${url}`,
    `API key: ${apiKey}`,
    `animals: ${animals.size}`,
    `try: curl -H "Authorization: Bearer ${shown}" ${url}/pets`,
  ];
  if (consoleUrl !== undefined) lines.push(`console: ${consoleUrl}`);
  if (isProxyMissing) lines.push(proxyMissing);
  if (unknownProperties.length > 0) {
    const more = unknownProperties.length - MOST_NAMED;
    const named = [...unknownProperties.slice(0, MOST_NAMED), ...(more > 0 ? [`and ${more} more`] : [])];
    lines.push(`left out, not being in the contract: ${toOneLine(hide(named.join(', ')))}`);
  }
  if (kept !== undefined) {
    const hint = `options go after --, as in: ${mockCommand.example}`;
    lines.push(`npm kept ${kept} to itself, if you gave it: ${hint}`);
  }
  return `${lines.join('\n')}\n`;
}
