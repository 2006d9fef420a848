import { isInt64 } from '../common/int64.ts';
import { defineCommand, fillDefaults, option } from '../common/options.ts';
import { readOptions } from '../common/read-options.ts';
import { UsageError } from '../common/usage-error.ts';
import { baseUrl, file, flag, integer, repeatable, text, type ValueKind } from '../common/value-kinds.ts';
import { clauses as allClauses } from './clauses/clauses.ts';
import { suiteVersion, targetDefaults } from './core/target.ts';
import { reporters } from './reporters/reporters.ts';

/** Where a report goes. */
export interface ReporterChoice {
  readonly name: string;
  /** Undefined is stdout. */
  readonly file: string | undefined;
}

const origin: ValueKind<string> = {
  ...baseUrl,
  expected: 'an origin such as https://staging.example',
  fromText: (text) => text.replace(/\/$/, ''),
  isValid: (value): value is string => /^https?:/.test(`${value}`) && URL.parse(`${value}`)?.origin === value,
};

const int64: ValueKind<string> = {
  expected: 'an int64',
  isValid: (value): value is string => /^-?\d{1,19}$/.test(`${value}`) && isInt64(BigInt(`${value}`)),
};

/** Headers that the suite sets by itself. */
const ownHeaders = /^(?:authorization|host|content-length|content-type|connection|transfer-encoding)$/i;

/** What HTTP can carry, as "Name: value". */
const headerLine = /^([!#$%&'*+.^_`|~\w-]+):\s*([\x20-\x7e]*)$/;

/** Whether every request may carry a header: HTTP can, and the suite does not set it by itself. */
export function isHeader(name: string, value: unknown): boolean {
  return typeof value === 'string' && headerLine.test(`${name}: ${value}`) && !ownHeaders.test(name);
}

const header = repeatable<readonly [name: string, value: string]>({
  secret: true,
  expected: '"Name: value"',
  fromText: (line) => {
    const [, name, value] = headerLine.exec(line) ?? [];
    if (ownHeaders.test(name ?? '')) throw new UsageError(`--header: ${name} is the suite's own.`);
    return name === undefined ? line : [name, value];
  },
  isValid: (value): value is [string, string] => Array.isArray(value),
});

/** The ids of the clauses that a text names: the one with this id, or those whose ids begin with it. */
export function findIds(text: string): string[] {
  const all = allClauses.map(({ id }) => id);
  return all.includes(text) ? [text] : all.filter((id) => id.startsWith(text));
}

const clauses = repeatable<readonly string[]>({
  expected: 'the id of a clause or what ids begin with; --list shows all of them',
  fromText: (text) => {
    const ids = findIds(text);
    return ids.length === 0 ? text : ids;
  },
  isValid: (value): value is string[] => Array.isArray(value),
});

const reporterNames = Object.keys(reporters).join(', ');

const reporter = repeatable<ReporterChoice>({
  expected: `one of ${reporterNames}`,
  fromText: (text) => {
    const [name = '', ...rest] = text.split('=');
    const isKnown = Object.hasOwn(reporters, name);
    return isKnown ? { name, file: rest.length === 0 ? undefined : rest.join('=') } : text;
  },
  isValid: (value): value is ReporterChoice => typeof value === 'object',
});

/** What is printed on stdout unless another reporter is. */
const terminal: ReporterChoice = { name: 'terminal', file: undefined };

const apiKey = {
  ...text(
    'a key alone, without "Bearer" before it, in printable ASCII without spaces, as an HTTP header carries it',
    /^[\x21-\x7e]+$/,
  ),
  secret: true,
};

const { concurrency, deadline, retries, runs, seed, settle, timeout } = targetDefaults;

/** The command, with its options; `timeout` and `deadline` are in ms. */
export const verifyCommand = defineCommand({
  name: 'animal-store-verify',
  description: 'Tells whether a deployment of the Animal Store Service conforms to its specification.',
  example: 'npm run verify -- https://staging.example/v1 --allow-writes',
  examples: [
    'ANIMAL_STORE_API_KEY=… animal-store-verify https://staging.example/v1',
    'ANIMAL_STORE_API_KEY=… animal-store-verify http://127.0.0.1:4010/v1 --allow-writes',
    'animal-store-verify --list',
  ],
  options: {
    baseUrl: option('[base URL]', baseUrl)('base URL of the deployment'),
    apiKey: option(
      '--api-key <key>',
      apiKey,
      undefined,
      'ANIMAL_STORE_API_KEY',
    )('a key that the deployment accepts; better in the variable, since npm prints the command that it runs'),
    allowWrites: option('--allow-writes', flag)('add about 60 animals, which nothing can delete'),
    readOnly: option('--read-only', flag)('send no POST with the valid key (the default)'),
    only: option(
      '--only <clause>',
      clauses,
    )('try the clauses with this id or beginning of an id; repeatable'),
    list: option('--list', flag, false)('list every clause, and what is left open; do nothing else'),
    reporter: option('--reporter <name>', reporter, [terminal])(
      `${reporterNames}, with =file to write a file beside the one on stdout; repeatable`,
    ),
    verbose: option('--verbose', flag, false)('print the passed clauses too on a terminal'),
    strict: option('--strict', flag, false)('exit with 1 too if the service conforms only in part'),
    baseline: option(
      '--baseline <file>',
      file,
    )('a report as JSON: fail only on clauses that did not fail then'),
    quickstart: option('--quickstart <origin>', origin)('try POST /messages there too'),
    categoryId: option(
      '--category-id <id>',
      int64,
    )('a category that the deployment knows, where it refuses others and has no animals yet'),
    timeout: option('--timeout <ms>', integer(1, 3_600_000), timeout)('how long an answer may take'),
    deadline: option(
      '--deadline <ms>',
      integer(1, 86_400_000),
      deadline,
    )('how long the run may take, all waiting included; what is left then is skipped'),
    retries: option('--retries <count>', integer(0, 1000), retries)('how often to try again after a 429'),
    settle: option(
      '--settle <ms>',
      integer(0, 60_000),
      settle,
    )('how long a list may lag behind: an animal that it has by then was late, which is advised against'),
    concurrency: option(
      '--concurrency <count>',
      integer(1, 100),
      concurrency,
    )(
      'the most requests that are open at once; fewer after a 429, and one after a 503 or no answer, which is asked again alone',
    ),
    maxRate: option('--max-rate <number>', integer(1, 1_000_000))('the most requests a second'),
    seed: option('--seed <number>', integer(0, 2 ** 31 - 1), seed)('seeds what is made up'),
    runs: option('--runs <count>', integer(1, 100_000), runs)('cases to try for each property'),
    headers: option(
      '--header <line>',
      header,
    )('a header for every request, as "Name: value", such as a gateway wants; repeatable'),
    ca: option('--ca <file>', file)('certificates to trust beside the usual ones, in PEM'),
    insecure: option('--insecure', flag, false)('trust any certificate'),
  },
  defaultTexts: { reporter: 'terminal', maxRate: 'any number' },
  rivals: { names: ['allowWrites', 'readOnly'], reason: '' },
  check({ baseUrl, apiKey, list, reporter = [] }) {
    const crowded = findCrowded(reporter);
    if (crowded !== undefined) return `two reports cannot both go to ${crowded}`;
    if (list === true) return undefined;
    if (baseUrl === undefined)
      return 'the base URL of a deployment is missing, such as https://staging.example/v1';
    if (apiKey !== undefined) return undefined;
    return 'an API key is needed: --api-key, or ANIMAL_STORE_API_KEY in the environment';
  },
});

/** The options of a command line, completed. */
export type VerifyArguments = ReturnType<typeof parseVerifyArguments>;

/**
 * Reads the command line of `animal-store-verify`, and the key from the environment; --help is answered on stdout, and so is --version.
 *
 * @throws UsageError naming the flag and what was expected of it.
 * @throws CommanderError with exitCode 0 after --help and --version.
 */
export function parseVerifyArguments(argv: readonly string[]) {
  const given = fillDefaults(verifyCommand, readOptions(verifyCommand, argv, { version: suiteVersion }));
  const { allowWrites = false, readOnly, headers = [], reporter, only = [], ...others } = given;
  return {
    ...others,
    allowsWrites: allowWrites,
    headers: Object.fromEntries(headers),
    only: only.flat(),
    reporters: reporter.some(({ file }) => file === undefined) ? reporter : [...reporter, terminal],
  };
}

/** Where more than one report would go; texts for people may follow each other on stdout. */
function findCrowded(choices: readonly ReporterChoice[]): string | undefined {
  const isText = ({ name, file }: ReporterChoice) => file === undefined && reporters[name]?.isText === true;
  const taken = choices.map((choice) => (isText(choice) ? choice.name : (choice.file ?? 'stdout')));
  const isMixed = taken.includes('stdout') && choices.some(isText);
  return isMixed ? 'stdout' : taken.find((place, index) => taken.indexOf(place) !== index);
}
