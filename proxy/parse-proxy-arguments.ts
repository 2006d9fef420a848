import { Command, Option } from 'commander';
import { type LogFormat, logFormats } from '../common/log-format.ts';
import { UsageError } from '../common/usage-error.ts';
import { type FailOn, failOnLevels } from './findings/fail-on.ts';

/** What the command line says of a checked proxy. */
export interface ProxyArguments {
  readonly upstream: URL;
  readonly port: number;
  readonly host: string;
  readonly timeout: number;
  /** The path of a file. */
  readonly ca: string | undefined;
  readonly insecure: boolean;
  readonly violationHeader: boolean;
  readonly errors: boolean;
  readonly failOn: FailOn;
  /** The path of a file. */
  readonly report: string | undefined;
  readonly log: LogFormat;
}

const LONGEST_TIMEOUT = 3_600_000;

/**
 * Reads the command line of `animal-store-proxy`; --help is answered on stdout.
 *
 * @throws CommanderError for what it cannot make sense of and, with exitCode 0, after --help.
 * @throws UsageError for a value that cannot be.
 */
export function parseProxyArguments(argv: readonly string[]): ProxyArguments {
  const command = new Command('animal-store-proxy')
    .description('A proxy that hands every byte on as it is and judges each exchange by openapi.yaml.')
    .argument('<upstream>', 'base URL of the deployment, such as https://staging.example/v1')
    .option('-p, --port <number>', 'port to listen on; 0 picks a free one', '4011')
    .option('-h, --host <name>', 'host name or address to listen on', '127.0.0.1')
    .option('--timeout <ms>', 'how long the upstream may be silent', '30000')
    .option('--ca <file>', 'certificates to trust beside the usual ones, in PEM')
    .option('--insecure', 'accept a certificate that nobody vouches for', false)
    .option('--no-violation-header', 'leave the header sl-violations out of responses')
    .option('--errors', 'refuse what breaks the contract: 400 for a request, 502 for a response', false)
    .addOption(
      new Option('--fail-on <severity>', 'end with exit code 1 if there was such a violation')
        .choices(failOnLevels)
        .default('never'),
    )
    .option('--report <file>', 'write what was found to this file at the end: JUnit for .xml, otherwise JSON')
    .addOption(
      new Option('--log <format>', 'a line for each violation').choices(logFormats).default('pretty'),
    )
    .helpOption('--help', 'print this help')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .parse(argv, { from: 'user' });
  const { port, host, timeout, ...others } = command.opts();
  return {
    ...(others as Omit<ProxyArguments, 'upstream' | 'port' | 'host' | 'timeout'>),
    upstream: parseUpstream(command.args[0] ?? ''),
    port: parsePort(port),
    host: parseHost(host),
    timeout: parseTimeout(timeout),
  };
}

function parsePort(text: string): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 0 && value <= 65_535) return value;
  throw new UsageError(`--port must be an integer from 0 to 65535, not ${JSON.stringify(text)}`);
}

function parseHost(text: string): string {
  if (/^\S+$/.test(text)) return text;
  throw new UsageError(`--host must be a host name or an IP address, not ${JSON.stringify(text)}`);
}

function parseTimeout(text: string): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= LONGEST_TIMEOUT) return value;
  const expected = `an integer from 1 to ${LONGEST_TIMEOUT}, in milliseconds`;
  throw new UsageError(`--timeout must be ${expected}, not ${JSON.stringify(text)}`);
}

function parseUpstream(text: string): URL {
  const url = URL.parse(text);
  const isBase =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.search === '' &&
    url.hash === '' &&
    url.username + url.password === '';
  if (isBase) return url;
  throw new UsageError('the upstream must be a base URL such as https://staging.example/v1');
}
