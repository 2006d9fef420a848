import { Command, InvalidArgumentError, Option } from 'commander';
import { clauses } from './clauses/clauses.ts';
import { reporters } from './reporters/reporters.ts';

/** Where a report goes. */
export interface ReporterChoice {
  readonly name: string;
  /** Undefined is stdout. */
  readonly file: string | undefined;
}

/** What the command line says. */
export interface VerifyArguments {
  /** Undefined with `--list` alone. */
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** Undefined leaves it to the target: on loopback they are allowed. */
  readonly allowsWrites: boolean | undefined;
  readonly timeout: number | undefined;
  readonly retries: number | undefined;
  readonly maxRate: number | undefined;
  readonly seed: number | undefined;
  readonly runs: number | undefined;
  readonly categoryId: string | undefined;
  /** The origin of POST /messages. */
  readonly quickstart: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The path of a file. */
  readonly ca: string | undefined;
  readonly insecure: boolean;
  /** The ids of the clauses that are wanted; none means all. */
  readonly only: readonly string[];
  readonly list: boolean;
  readonly reporters: readonly ReporterChoice[];
  /** The path of a file. */
  readonly baseline: string | undefined;
}

/**
 * Reads the command line of `animal-store-verify`; --help is answered on stdout.
 *
 * @throws CommanderError for what it cannot make sense of and, with exitCode 0, after --help.
 */
export function parseVerifyArguments(argv: readonly string[]): VerifyArguments {
  const command = createCommand().parse(argv, { from: 'user' });
  const { allowWrites, readOnly, header, reporter, only, ...options } = command.opts();
  if (allowWrites === true && readOnly === true) {
    command.error('error: --allow-writes and --read-only cannot be combined', { exitCode: 2 });
  }
  const crowded = findCrowded(reporter ?? []);
  if (crowded !== undefined)
    command.error(`error: two reports cannot both go to ${crowded}`, { exitCode: 2 });
  const [baseUrl] = command.args;
  if (baseUrl === undefined && options.list !== true) {
    command.error('error: the base URL of a deployment is missing, such as https://staging.example/v1');
  }
  return {
    baseUrl,
    allowsWrites: allowWrites === true ? true : readOnly === true ? false : undefined,
    headers: Object.fromEntries(header ?? []),
    only: (only ?? []).flat(),
    reporters: reporter ?? [{ name: 'terminal', file: undefined }],
    ...(options as Pick<VerifyArguments, 'insecure' | 'list'>),
  } as VerifyArguments;
}

/** Where more than one report would go; texts for people may follow each other on stdout. */
function findCrowded(choices: readonly ReporterChoice[]): string | undefined {
  const texts = ['terminal', 'github'];
  const taken = choices.map(({ name, file }) =>
    file === undefined && texts.includes(name) ? name : (file ?? 'stdout'),
  );
  const isMixed = taken.includes('stdout') && texts.some((name) => taken.includes(name));
  return isMixed ? 'stdout' : taken.find((place, index) => taken.indexOf(place) !== index);
}

function createCommand(): Command {
  return new Command('animal-store-verify')
    .description('Tells whether a deployment of the Animal Store Service conforms to its specification.')
    .argument('[base URL]', 'of the deployment, such as https://staging.example/v1', parseBaseUrl)
    .option('--api-key <key>', 'a key that the deployment accepts (env: ANIMAL_STORE_API_KEY)')
    .option(
      '--allow-writes',
      'let the suite add a few animals, which cannot be deleted; the default on loopback',
    )
    .option('--read-only', 'send no POST with the right key; the default elsewhere')
    .option('--timeout <ms>', 'how long an answer may take (default: 10000)', parseInteger(1, 3_600_000))
    .option(
      '--retries <count>',
      'how often to repeat what is answered 429 (default: 5)',
      parseInteger(0, 1000),
    )
    .option(
      '--max-rate <number>',
      'the most requests a second (default: any number)',
      parseInteger(1, 1_000_000),
    )
    .option('--seed <number>', 'seeds what is made up (default: 1)', parseInteger(0, 2 ** 31 - 1))
    .option(
      '--runs <count>',
      'how many cases a property is tried with (default: 25)',
      parseInteger(1, 100_000),
    )
    .option('--category-id <id>', 'a category that the deployment knows', parseInt64)
    .option('--quickstart <origin>', 'try POST /messages there too', parseOrigin)
    .option(
      '--header <line>',
      'a header for every request, as "Name: value"; repeatable',
      gather(parseHeader),
    )
    .option('--ca <file>', 'certificates to trust beside the usual ones, in PEM')
    .option('--insecure', 'accept a certificate that nobody vouches for', false)
    .option('--only <clause>', 'a clause or what its id begins with; repeatable', gather(parseClause))
    .option('--list', 'list every clause with its sentence, and do nothing else', false)
    .addOption(
      new Option(
        '--reporter <name>',
        `${Object.keys(reporters).join(', ')}, with =file to write a file; repeatable`,
      ).argParser(gather(parseReporter)),
    )
    .option('--baseline <file>', 'a report as JSON: fail only on clauses that did not fail then')
    .helpOption('--help', 'print this help')
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
}

function gather<T>(parse: (text: string) => T) {
  return (text: string, all: readonly T[] = []): T[] => [...all, parse(text)];
}

function parseBaseUrl(text: string): string {
  const url = URL.parse(text);
  const isBase =
    url !== null && /^https?:$/.test(url.protocol) && url.search + url.hash + url.username === '';
  if (!isBase) {
    throw new InvalidArgumentError(
      'It must be a URL such as https://staging.example/v1, with http or https and without a query, a fragment or a user.',
    );
  }
  return text;
}

function parseOrigin(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw new InvalidArgumentError('It must be an origin such as https://staging.example.');
}

function parseInteger(least: number, largest: number) {
  return (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= largest) return value;
    throw new InvalidArgumentError(`It must be an integer from ${least} to ${largest}.`);
  };
}

function parseInt64(text: string): string {
  if (/^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)) return text;
  throw new InvalidArgumentError('It must be an int64.');
}

function parseHeader(line: string): [string, string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*([\x20-\x7e]*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('It must be "Name: value".');
  if (/^(?:authorization|host|content-length|content-type|connection|transfer-encoding)$/i.test(name)) {
    throw new InvalidArgumentError(`${name} is the suite's own.`);
  }
  return [name, value];
}

function parseClause(text: string): string[] {
  const all = clauses.map(({ id }) => id);
  const ids = all.includes(text) ? [text] : all.filter((id) => id.startsWith(text));
  if (ids.length === 0) throw new InvalidArgumentError('No clause has such an id; --list shows all of them.');
  return ids;
}

function parseReporter(text: string): ReporterChoice {
  const [name = '', ...rest] = text.split('=');
  if (!Object.hasOwn(reporters, name)) {
    throw new InvalidArgumentError(`It must be one of ${Object.keys(reporters).join(', ')}.`);
  }
  return { name, file: rest.length === 0 ? undefined : rest.join('=') };
}
