import {
  defineCommand,
  type FilledOptions,
  fillDefaults,
  flag,
  host,
  integer,
  inWords,
  logFormats,
  offSwitch,
  oneOf,
  port,
  text,
} from '../common/options.ts';
import { readOptions } from '../common/read-options.ts';
import { failOnLevels } from './findings/fail-on.ts';

/** The command, with its options; `upstream` is a URL, `ca` and `report` are paths of files, `timeout` is in ms. */
export const proxyCommand = defineCommand({
  name: 'animal-store-proxy',
  description: 'A proxy that hands every byte on as it is and judges each exchange by openapi.yaml.',
  example: 'npm run proxy -- https://staging.example/v1 --port 4020',
  options: {
    upstream: {
      expected: 'a base URL such as https://staging.example/v1',
      fromText: (text) => URL.parse(text) ?? text,
      isValid: isBaseUrl,
      flags: '<upstream>',
      description: 'base URL of the deployment, such as https://staging.example/v1',
      secret: true,
    },
    port: {
      ...port,
      flags: '-p, --port <number>',
      description: 'port to listen on; 0 picks a free one',
      default: 4011,
    },
    host: {
      ...host,
      flags: '-h, --host <name>',
      description: 'host name or address to listen on',
      default: '127.0.0.1',
    },
    failOn: {
      ...oneOf(failOnLevels),
      flags: '--fail-on <severity>',
      description: `end with exit code 1 if there was a violation this severe: ${inWords(failOnLevels)}`,
      default: 'never',
    },
    report: {
      ...text('the path of a file'),
      flags: '--report <file>',
      description:
        'write what was found to this file at the end: JUnit if its name ends in .xml, otherwise JSON',
    },
    errors: {
      ...flag,
      flags: '--errors',
      description:
        'refuse instead of report: a request that breaks the contract gets 400 (401 if only its key is missing) and ' +
        'never reaches the upstream, a response 502, both with an Error body that names the violation',
      default: false,
    },
    violationHeader: {
      ...offSwitch,
      flags: '--no-violation-header',
      description: 'leave the header `sl-violations` out of responses',
      default: true,
    },
    timeout: {
      ...integer(1, 3_600_000, ', in milliseconds'),
      flags: '--timeout <ms>',
      description: 'how long the upstream may be silent before the client gets a 504',
      default: 30_000,
    },
    ca: {
      ...text('the path of a file'),
      flags: '--ca <file>',
      description: 'certificates to trust beside the usual ones, in PEM',
    },
    insecure: {
      ...flag,
      flags: '--insecure',
      description: 'trust any certificate',
      default: false,
    },
    log: {
      ...oneOf(logFormats),
      flags: '--log <format>',
      description: `how violations are logged: ${inWords(logFormats)}`,
      default: 'pretty',
    },
  },
});

/** What the command line says of a checked proxy. */
export type ProxyArguments = FilledOptions<typeof proxyCommand.options>;

/**
 * Reads the command line of `animal-store-proxy`; --help is answered on stdout.
 *
 * @throws UsageError naming the flag and what was expected of it.
 * @throws CommanderError with exitCode 0 after --help.
 */
export function parseProxyArguments(argv: readonly string[]): ProxyArguments {
  return fillDefaults(proxyCommand, readOptions(proxyCommand, argv));
}

function isBaseUrl(value: unknown): value is URL {
  if (!(value instanceof URL) || !/^https?:$/.test(value.protocol)) return false;
  return value.search + value.hash + value.username + value.password === '';
}
