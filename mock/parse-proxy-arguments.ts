import { Command, Option } from 'commander';
import { type FailOn, failOnLevels } from './checked-proxy/fail-on.ts';
import { type LogFormat, logFormats } from './log-format.ts';
import { optionSpecs } from './option-specs.ts';
import { UsageError } from './options.ts';

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
 * Reads the command line of `animal-store-mock proxy`; --help is answered on stdout.
 *
 * @throws CommanderError for what it cannot make sense of and, with exitCode 0, after --help.
 * @throws UsageError for a value that cannot be.
 */
export function parseProxyArguments(argv: readonly string[]): ProxyArguments {
  const command = new Command('animal-store-mock proxy')
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
    port: Number(parse('port', port)),
    host: String(parse('host', host)),
    timeout: parseTimeout(timeout),
  };
}

/** Reads an option that the mock has too. */
function parse(name: 'port' | 'host', text: string): unknown {
  const spec = optionSpecs[name];
  const value = spec.fromText(text);
  if (!spec.isValid(value))
    throw new UsageError(`--${name} must be ${spec.expected}, not ${JSON.stringify(text)}`);
  return value;
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
