import { isInt64 } from '../common/int64.ts';
import { defineCommand, fillDefaults, flag, integer, text, type ValueKind } from '../common/options.ts';
import { type Environment, readOptions } from '../common/read-options.ts';
import { UsageError } from '../common/usage-error.ts';
import { catalogue } from './catalogue.ts';
import { targetDefaults } from './core/target.ts';
import { reporters } from './reporters/reporters.ts';

/** Where a report goes. */
export interface ReporterChoice {
  readonly name: string;
  /** Undefined is stdout. */
  readonly file: string | undefined;
}

/** Headers that the suite sets by itself. */
const ownHeaders = /^(?:authorization|host|content-length|content-type|connection|transfer-encoding)$/i;

const header: ValueKind<readonly [name: string, value: string]> = {
  expected: '"Name: value"',
  fromText: parseHeader,
  isValid: (value): value is [string, string] => Array.isArray(value),
};

const clause: ValueKind<readonly string[]> = {
  expected: 'the id of a clause or what ids begin with; --list shows all of them',
  fromText: findClauses,
  isValid: (value): value is string[] => Array.isArray(value),
};

const reporter: ValueKind<ReporterChoice> = {
  expected: `one of ${Object.keys(reporters).join(', ')}`,
  fromText: parseReporter,
  isValid: (value): value is ReporterChoice => typeof value === 'object',
};

/** The command, with its options; `ca` and `baseline` are paths of files, `timeout` is in ms. */
export const verifyCommand = defineCommand({
  name: 'animal-store-verify',
  description: 'Tells whether a deployment of the Animal Store Service conforms to its specification.',
  example: 'npm run verify -- https://staging.example/v1 --read-only',
  options: {
    baseUrl: {
      ...text(
        'a URL such as https://staging.example/v1, with http or https and without a query, a fragment or a user',
      ),
      isValid: isBaseUrl,
      flags: '[base URL]',
      description: 'base URL of the deployment, such as https://staging.example/v1',
      secret: true,
    },
    apiKey: {
      ...text('a key'),
      flags: '--api-key <key>',
      variables: ['ANIMAL_STORE_API_KEY'],
      description:
        'a key that the deployment accepts; better in the variable, since npm prints the command that it runs',
      secret: true,
    },
    allowWrites: {
      ...flag,
      flags: '--allow-writes',
      description: 'let the suite add a few animals, which cannot be deleted; the default on loopback',
      conflicts: ['readOnly'],
    },
    readOnly: {
      ...flag,
      flags: '--read-only',
      description: 'send no POST with the right key; the default elsewhere',
    },
    only: {
      ...clause,
      flags: '--only <clause>',
      description: 'try some clauses, by id or by what their ids begin with; repeatable',
      repeatable: true,
    },
    list: {
      ...flag,
      flags: '--list',
      description: 'list every clause with its sentence, and what is left open; do nothing else',
      default: false,
    },
    reporter: {
      ...reporter,
      flags: '--reporter <name>',
      description: `${Object.keys(reporters).join(', ')}, with =file to write a file; repeatable`,
      default: [{ name: 'terminal', file: undefined }],
      defaultText: 'terminal',
      repeatable: true,
    },
    baseline: {
      ...text('the path of a file'),
      flags: '--baseline <file>',
      description: 'a report as JSON: fail only on clauses that did not fail then',
    },
    quickstart: {
      expected: 'an origin such as https://staging.example',
      fromText: parseOrigin,
      isValid: (value): value is string =>
        /^https?:/.test(`${value}`) && URL.parse(`${value}`)?.origin === value,
      flags: '--quickstart <origin>',
      description: 'try POST /messages there too',
    },
    categoryId: {
      ...text('an int64'),
      isValid: (value): value is string =>
        /^-?\d{1,19}$/.test(String(value)) && isInt64(BigInt(String(value))),
      flags: '--category-id <id>',
      description: 'a category that the deployment knows, where it refuses others and has no animals yet',
    },
    timeout: {
      ...integer(1, 3_600_000),
      flags: '--timeout <ms>',
      description: 'how long an answer may take',
      defaultText: String(targetDefaults.timeout),
    },
    retries: {
      ...integer(0, 1000),
      flags: '--retries <count>',
      description: 'how often to repeat what is answered 429',
      defaultText: String(targetDefaults.retries),
    },
    maxRate: {
      ...integer(1, 1_000_000),
      flags: '--max-rate <number>',
      description: 'the most requests a second',
      defaultText: 'any number',
    },
    seed: {
      ...integer(0, 2 ** 31 - 1),
      flags: '--seed <number>',
      description: 'the same seed makes up the same animals',
      defaultText: String(targetDefaults.seed),
    },
    runs: {
      ...integer(1, 100_000),
      flags: '--runs <count>',
      description: 'how many cases a property is tried with',
      defaultText: String(targetDefaults.runs),
    },
    headers: {
      ...header,
      flags: '--header <line>',
      description: 'a header for every request, as "Name: value", such as a gateway wants; repeatable',
      secret: true,
      repeatable: true,
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
  },
  check({ baseUrl, list, reporter = [] }) {
    const crowded = findCrowded(reporter);
    if (crowded !== undefined) return `two reports cannot both go to ${crowded}`;
    if (baseUrl !== undefined || list === true) return undefined;
    return 'the base URL of a deployment is missing, such as https://staging.example/v1';
  },
});

/** What the command line says; without a word on writes the target decides. */
export type VerifyArguments = ReturnType<typeof parseVerifyArguments>;

/**
 * Reads the command line of `animal-store-verify`, and the key from the environment; --help is answered on stdout.
 *
 * @throws UsageError naming the flag and what was expected of it.
 * @throws CommanderError with exitCode 0 after --help.
 */
export function parseVerifyArguments(argv: readonly string[], environment?: Environment) {
  const given = fillDefaults(verifyCommand, readOptions(verifyCommand, argv, environment));
  const { allowWrites, readOnly, headers = [], reporter, only = [], ...others } = given;
  return {
    ...others,
    allowsWrites: allowWrites ?? (readOnly ? false : undefined),
    headers: Object.fromEntries(headers),
    only: only.flat(),
    reporters: reporter,
  };
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

function isBaseUrl(value: unknown): value is string {
  const url = URL.parse(String(value));
  return url !== null && /^https?:$/.test(url.protocol) && url.search + url.hash + url.username === '';
}

function parseOrigin(text: string): string {
  const url = URL.parse(text);
  return url !== null && url.href === `${url.origin}/` ? url.origin : text;
}

function parseHeader(line: string): unknown {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*([\x20-\x7e]*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) return line;
  if (ownHeaders.test(name)) throw new UsageError(`--header: ${name} is the suite's own.`);
  return [name, value];
}

function findClauses(text: string): unknown {
  const all = catalogue.map(({ id }) => id);
  const ids = all.includes(text) ? [text] : all.filter((id) => id.startsWith(text));
  return ids.length === 0 ? text : ids;
}

function parseReporter(text: string): unknown {
  const [name = '', ...rest] = text.split('=');
  if (!Object.hasOwn(reporters, name)) return text;
  return { name, file: rest.length === 0 ? undefined : rest.join('=') };
}
