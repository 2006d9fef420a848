import * as v from 'valibot';
import { type CommandSpec, fillDefaults } from '../common/cli/options.ts';
import { readOptions } from '../common/cli/read-options.ts';
import { parseInt64 } from '../common/json/int64.ts';
import { baseUrl, file, flag, integer, list, mustBe, origin } from '../common/schemas.ts';
import { clauses } from './clauses/clauses.ts';
import { suiteVersion, targetDefaults } from './client/target.ts';
import { reporters } from './reporters/reporters.ts';

const int64 = v.pipe(
  v.custom<bigint | number>(
    (value) =>
      typeof value === 'number' ? Number.isSafeInteger(value) : parseInt64(`${value}`) !== undefined,
    mustBe('an int64, in a program as a bigint or a safe integer'),
  ),
  v.transform((value) => BigInt(value)),
);

const KEY = 'must be a key without "Bearer" before it, in printable ASCII without spaces';

const CLAUSE = 'the id of a clause or the start of ids, as --list prints them';

const clauseId = v.custom<string>((start) => findIds(`${start}`).length > 0, mustBe(CLAUSE));
const only = v.pipe(
  list(clauseId, CLAUSE),
  v.transform((starts) => starts.flatMap(findIds)),
);

function findIds(start: string): string[] {
  const all = clauses.map(({ id }) => id);
  return all.includes(start) ? [start] : all.filter((id) => id.startsWith(start));
}

/** Schemas of the options that the command and `verifyDeployment` share. */
export const sharedSchemas = {
  baseUrl,
  apiKey: v.pipe(v.string(KEY), v.regex(/^[\x21-\x7e]+$/, KEY)),
  allowWrites: flag,
  only: v.optional(only, []),
  quickstart: v.optional(origin),
  categoryId: v.optional(int64),
  timeout: v.optional(integer(1, 3_600_000), targetDefaults.timeout),
  deadline: v.optional(integer(1, 86_400_000), targetDefaults.deadline),
  retries: v.optional(integer(0, 1000), targetDefaults.retries),
  settle: v.optional(integer(0, 60_000), targetDefaults.settle),
  concurrency: v.optional(integer(1, 100), targetDefaults.concurrency),
  maxRate: v.optional(integer(1, 1_000_000)),
  wait: v.optional(integer(0, 3_600_000), targetDefaults.wait),
  seed: v.optional(integer(0, 2 ** 31 - 1), targetDefaults.seed),
  runs: v.optional(integer(1, 100_000), targetDefaults.runs),
  ...v.entriesFromList(['known', 'ca', 'clientCert', 'clientKey'], v.optional(file)),
  clientPassphrase: v.optional(v.string()),
  insecure: v.optional(flag, false),
};

const headerPattern = /^([!#$%&'*+.^_`|~\w-]+):\s*([\x20-\x7e]*)$/;

const ownHeaders = /^(?:authorization|host|content-length|content-type|connection|transfer-encoding)$/i;

/** Header that users may set: HTTP can carry it, and the suite does not set it. */
export const headerLine = v.pipe(
  v.string(),
  v.regex(headerPattern, 'must be "Name: value"'),
  v.transform((line) => headerPattern.exec(line)?.slice(1) as [name: string, value: string]),
  v.check(
    ([name]) => !ownHeaders.test(name),
    ({ input: [name] }) => `must be another header: the suite sets ${name}`,
  ),
);

const reporterNames = Object.keys(reporters).join(', ');

const reporter = v.pipe(
  v.string(),
  v.check((text) => Object.hasOwn(reporters, text.replace(/=.*$/s, '')), mustBe(`one of ${reporterNames}`)),
  v.transform((text) => {
    const [name = '', ...rest] = text.split('=');
    return { name, file: rest.length === 0 ? undefined : rest.join('=') };
  }),
);

/** A reporter and its file, or stdout. */
export type ReporterChoice = v.InferOutput<typeof reporter>;

/** Printed on stdout unless another reporter is. */
const terminal: ReporterChoice = { name: 'terminal', file: undefined };

const verifySchemas = {
  ...sharedSchemas,
  baseUrl: v.optional(baseUrl),
  apiKey: v.optional(sharedSchemas.apiKey),
  apiKeyCommand: v.optional(v.pipe(v.string(), v.nonEmpty('must be a command that prints a key'))),
  ...v.entriesFromList(['allowWrites', 'list', 'open', 'verbose', 'strict'], v.optional(flag, false)),
  ...v.entriesFromList(['readOnly', 'updateKnown', 'learnAnimals', 'keepNames'], v.optional(flag)),
  ...v.entriesFromList(['lastFailed', 'learn'], v.optional(file)),
  reporter: v.optional(list(reporter, `one of ${reporterNames}`), ['terminal']),
  headers: v.optional(list(headerLine, '"Name: value"'), []),
};

/** The command, with its options; `timeout` and `deadline` are in ms. */
export const verifyCommand: CommandSpec<typeof verifySchemas> = {
  name: 'animal-store-verify',
  description: 'Checks whether a deployment of the Animal Store Service conforms to its specification.',
  example: 'npm run verify -- https://staging.example/v1 --allow-writes',
  notes: {
    Environment: ['ANIMAL_STORE_API_KEY  the same as --api-key'],
    Examples: [
      'animal-store-verify https://staging.example/v1',
      'animal-store-verify http://127.0.0.1:4010/v1 --allow-writes',
      'animal-store-verify https://staging.example/v1 --learn staging.json',
      'animal-store-verify compare staging.json production.json',
      'animal-store-verify --list',
    ],
    'Exit codes': [
      '0  the deployment conforms, also in part (see --strict)',
      '1  the deployment does not conform',
      '2  no verdict, or wrong option',
      '130 and 143  stopped by SIGINT and SIGTERM',
    ],
  },
  variables: { apiKey: 'ANIMAL_STORE_API_KEY', clientPassphrase: 'ANIMAL_STORE_CLIENT_PASSPHRASE' },
  together: ['apiKey', 'apiKeyCommand'],
  schemas: verifySchemas,
  options: {
    baseUrl: ['[base URL]', 'base URL of the deployment'],
    readOnly: ['--read-only', 'send no POST (default)'],
    allowWrites: ['--allow-writes', 'also test POST; adds up to 60 animals you cannot delete'],
    apiKey: ['--api-key <key>', 'send this API key'],
    apiKeyCommand: ['--api-key-command <command>', 'run this to get a key, again when it expires'],
    only: ['--only <clause>', 'test only clauses whose ids start with this, repeatable'],
    lastFailed: ['--last-failed <report>', 'test only clauses that failed in this JSON report'],
    quickstart: ['--quickstart <url>', 'test POST /messages at this origin too'],
    list: ['--list', 'list the clauses and what is unspecified, then exit'],
    reporter: ['--reporter <name>', 'terminal, junit, json, html, github, markdown (=file)', ''],
    open: ['--open', 'open the HTML report in a browser'],
    verbose: ['--verbose', 'print passed clauses too'],
    strict: ['--strict', 'exit with 1 if the deployment conforms only in part'],
    known: ['--known <file>', 'accept the failures in this YAML file'],
    updateKnown: ['--update-known', 'write the failures of this run to the --known file'],
    learn: ['--learn <file>', 'write the behaviour of the deployment for the mock'],
    learnAnimals: ['--learn-animals', 'add the listed animals, with made-up names'],
    keepNames: ['--keep-names', 'keep the names, which may be personal data'],
    timeout: ['--timeout <ms>', 'wait this long for a response'],
    deadline: ['--deadline <ms>', 'end the run after this time'],
    retries: ['--retries <n>', 'retry a request this often after a 429'],
    settle: ['--settle <ms>', 'wait this long for new animals in lists'],
    concurrency: ['--concurrency <n>', 'open at most this many requests at once'],
    maxRate: ['--max-rate <n>', 'send at most this many requests per second', '50, on loopback any'],
    wait: ['--wait <ms>', 'wait this long until the deployment answers'],
    categoryId: ['--category-id <id>', 'use this category, which the deployment knows'],
    seed: ['--seed <n>', 'seed the random values'],
    runs: ['--runs <n>', 'try this many cases for each property'],
    headers: ['--header <line>', 'add this "Name: value" to each request, repeatable'],
    ca: ['--ca <file>', 'trust the certificates in this PEM file too'],
    clientCert: ['--client-cert <file>', 'send the client certificate in this PEM file'],
    clientKey: ['--client-key <file>', 'use this key of the client certificate, in PEM'],
    clientPassphrase: ['--client-passphrase <text>', 'decrypt the --client-key'],
    insecure: ['--insecure', 'trust any certificate'],
  },
  groups: {
    Safety: ['readOnly', 'allowWrites', 'apiKey', 'apiKeyCommand'],
    Selection: ['only', 'lastFailed', 'quickstart', 'list'],
    Result: ['reporter', 'open', 'verbose', 'strict', 'known', 'updateKnown'],
    Behaviour: ['learn', 'learnAnimals', 'keepNames'],
    Pace: ['timeout', 'deadline', 'retries', 'settle', 'concurrency', 'maxRate', 'wait'],
    'Test data': ['categoryId', 'seed', 'runs', 'headers'],
    TLS: ['ca', 'clientCert', 'clientKey', 'clientPassphrase', 'insecure'],
  },
  check({ baseUrl, apiKey, allowWrites, readOnly, list, reporter = [], ...others }) {
    const { learn, learnAnimals, keepNames, known, updateKnown, only, lastFailed, apiKeyCommand } = others;
    if (updateKnown && known === undefined) return '--update-known requires --known <file>.';
    if (only && lastFailed !== undefined)
      return '--only and --last-failed cannot be combined. Leave one out.';
    if (learnAnimals && learn === undefined) return '--learn-animals requires --learn <file>.';
    if (keepNames && !learnAnimals) return '--keep-names requires --learn-animals.';
    if (allowWrites && readOnly) return '--allow-writes and --read-only cannot be combined. Leave one out.';
    const crowded = findCrowded(reporter);
    if (crowded !== undefined) return `Two reports cannot go to ${crowded}. Give one another =file.`;
    if (list === true) return undefined;
    if (baseUrl === undefined) return 'The base URL is missing. Give one such as https://staging.example/v1.';
    if ((apiKey ?? apiKeyCommand) !== undefined) return undefined;
    return 'The API key is missing. Set ANIMAL_STORE_API_KEY or give --api-key.';
  },
};

const compareSchemas = { first: file, second: file, failOnDrift: v.optional(flag, false) };

/** The command that compares two learned behaviours. */
export const compareCommand: CommandSpec<typeof compareSchemas> = {
  name: 'animal-store-verify compare',
  description: 'Compares two behaviours that --learn wrote.',
  example: 'npm run verify -- compare staging.json production.json',
  notes: {
    'Exit codes': ['0  compared', '1  choices differ, with --fail-on-drift', '2  wrong option or file'],
  },
  schemas: compareSchemas,
  options: {
    first: ['<first>', 'file of --learn'],
    second: ['<second>', 'file of --learn of another deployment'],
    failOnDrift: ['--fail-on-drift', 'exit with 1 if a choice differs'],
  },
  groups: { Result: ['failOnDrift'] },
};

export type VerifyArguments = ReturnType<typeof parseVerifyArguments>;

/** Reads the command line as `readOptions` does. The terminal gets a report unless another reporter prints on stdout. */
export function parseVerifyArguments(argv: readonly string[]) {
  const given = readOptions(verifyCommand, argv, { version: suiteVersion });
  const { reporter = [terminal], headers = [] } = given;
  const { readOnly, reporter: _, ...others } = fillDefaults(verifyCommand, given);
  return {
    ...others,
    headers: Object.fromEntries(headers),
    reporters: reporter.some(({ file }) => file === undefined) ? reporter : [...reporter, terminal],
  };
}

/** Returns where more than one report would go; reports for people may follow each other on stdout. */
function findCrowded(choices: readonly ReporterChoice[]): string | undefined {
  const isText = ({ name, file }: ReporterChoice) => file === undefined && reporters[name]?.isText === true;
  const taken = choices.map((choice) => (isText(choice) ? choice.name : (choice.file ?? 'stdout')));
  const isMixed = taken.includes('stdout') && choices.some(isText);
  return isMixed ? 'stdout' : taken.find((place, index) => taken.indexOf(place) !== index);
}
