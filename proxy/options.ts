import { createRequire } from 'node:module';
import { defineCommand, type FilledOptions, fillDefaults, option } from '../common/options.ts';
import { readOptions } from '../common/read-options.ts';
import * as kinds from '../common/value-kinds.ts';
import { failOnLevels } from './findings/fail-on.ts';

const { version } = createRequire(import.meta.url)('animal-store-proxy/package.json');

const failOn = kinds.oneOf(failOnLevels);

const apiKeys = kinds.repeatable({ ...kinds.text('a key'), secret: true });

const milliseconds = kinds.integer(1, 3_600_000, ', in milliseconds');

const baseUrl: kinds.ValueKind<URL> = {
  ...kinds.baseUrl,
  fromText: (text) => URL.parse(text),
  isValid: (value): value is URL => value instanceof URL && kinds.baseUrl.isValid(value.href),
};

const failOnOption = option(
  '--fail-on <level>',
  failOn,
  'never',
)(`set what fails the run: ${failOn.expected}`);

const reportOption = option(
  '--report <file>',
  kinds.file,
)('a report, written at the end: JUnit for .xml, otherwise JSON');

const apiKeysOption = option(
  '--api-key <key>',
  apiKeys,
  [],
  'ANIMAL_STORE_API_KEY',
)(
  'API key to redact in all output, in addition to those of requests; repeatable, separated by spaces in the variable',
);

const logOption = option(
  '--log <format>',
  kinds.logFormat,
  'pretty',
)(`how violations are logged: ${kinds.logFormat.expected}`);

/** The command, with its options; `timeout` is in ms. */
export const proxyCommand = defineCommand({
  name: 'animal-store-proxy',
  description: 'A proxy that forwards traffic unchanged and checks each exchange against openapi.yaml.',
  example: 'npm run proxy -- https://staging.example/v1 --port 4020',
  calls: [
    ['animal-store-proxy <upstream>', 'checks traffic until Ctrl-C'],
    [
      'animal-store-proxy <upstream> -- <command>',
      'checks while the command runs, with its base URL in ANIMAL_STORE_URL',
    ],
    ['animal-store-proxy check <file>', 'checks a HAR file; see check --help'],
  ],
  examples: [
    'animal-store-proxy https://staging.example/v1 --port 4020',
    'animal-store-proxy https://staging.example/v1 --fail-on error --report violations.xml -- npm run e2e',
    'animal-store-proxy check traffic.har --fail-on error',
  ],
  options: {
    upstream: option('<upstream>', baseUrl)('base URL of the deployment'),
    port: option('-p, --port <number>', kinds.port, 4011)('port to listen on; 0 picks a free one'),
    host: option('--host <name>', kinds.host, '127.0.0.1')('host name or address to listen on'),
    allowHosts: option(
      '--allow-host <name>',
      kinds.hostNames,
    )('name to allow as Host, in addition to those of this machine; repeatable'),
    allPaths: option(
      '--all-paths',
      kinds.flag,
      false,
    )('forward requests for any path, not only under that of the upstream'),
    failOn: failOnOption,
    report: reportOption,
    apiKeys: apiKeysOption,
    errors: option(
      '--errors',
      kinds.flag,
      false,
    )(
      'refuse instead of report: a request that breaks the contract gets 400 (401 if only its key is missing) and ' +
        'never reaches the upstream, a response 502, both with an Error body that names the violation',
    ),
    violationHeader: option(
      '--no-violation-header',
      kinds.offSwitch,
      true,
    )('leave out the header `sl-violations`'),
    console: option('--no-console', kinds.offSwitch, true)('leave out the console at `/__console/`'),
    timeout: option(
      '--timeout <ms>',
      milliseconds,
      30_000,
    )(
      'how long the upstream may be silent, or take for the headers of its response, before the client gets a 504',
    ),
    ca: option('--ca <file>', kinds.file)('certificates to trust in addition to the usual ones, in PEM'),
    insecure: option('--insecure', kinds.flag, false)('trust any certificate'),
    log: logOption,
  },
});

/** The command that checks a HAR file, with its options. */
export const checkCommand = defineCommand({
  name: 'animal-store-proxy check',
  description: 'Checks the exchanges of a HAR file against openapi.yaml, without connections.',
  example: 'npm run proxy -- check traffic.har --fail-on error',
  examples: [
    'animal-store-proxy check traffic.har --fail-on error',
    'animal-store-proxy check traffic.har --base-url https://staging.example/v1 --report violations.json',
    'curl https://ci.example/traffic.har | animal-store-proxy check -',
  ],
  options: {
    file: option('<file>', kinds.file)('HAR file of a browser, of Playwright or of a proxy; - is stdin'),
    baseUrl: option(
      '--base-url <url>',
      baseUrl,
    )('base URL of the deployment; without it, all paths under /v1 of any host count'),
    failOn: failOnOption,
    report: reportOption,
    apiKeys: apiKeysOption,
    log: logOption,
  },
});

/** What the command line says of a checked proxy. */
export type ProxyArguments = FilledOptions<typeof proxyCommand.options>;

/**
 * Reads the command line of `animal-store-proxy`; --help is answered on stdout, and so is --version.
 *
 * @throws UsageError naming the flag and what was expected of it.
 * @throws CommanderError with exitCode 0 after --help and --version.
 */
export function parseProxyArguments(argv: readonly string[]): ProxyArguments {
  return fillDefaults(proxyCommand, readOptions(proxyCommand, argv, { version }));
}

/** What the command line says of a check. */
export type CheckArguments = FilledOptions<typeof checkCommand.options>;

/** Reads what follows `check` on the command line, as `parseProxyArguments` does. */
export function parseCheckArguments(argv: readonly string[]): CheckArguments {
  return fillDefaults(checkCommand, readOptions(checkCommand, argv, { version }));
}
