import * as v from 'valibot';
import { commandName } from '../common/cli/command-name.ts';
import { type Environment, readOwnCall } from '../common/cli/environment.ts';
import { isAgent } from '../common/cli/is-agent.ts';
import { type CommandSpec, type Filled, fillDefaults, inGroup, option } from '../common/cli/options.ts';
import { readOptions } from '../common/cli/read-options.ts';
import { findReports } from '../common/cli/report-failed-start.ts';
import type { Call } from '../common/cli/run-task.ts';
import { off, proxyVariables, trustOptions } from '../common/cli/shared-options.ts';
import { file, integer, list, mustBe } from '../common/schemas.ts';
import { paceOptions } from './client/limit-options.ts';
import { suiteVersion } from './client/target.ts';
import { reporters } from './reporters/reporters.ts';
import {
  categoryOptions,
  deploymentOptions,
  headerLine,
  knownOptions,
  selectionOptions,
} from './resolve-verify-options.ts';
import { requiredIds } from './rules/clauses.ts';

const reporterNames = Object.keys(reporters).join(', ');

const reporter = v.pipe(
  v.string(),
  v.check((text) => Object.hasOwn(reporters, text.replace(/=.*$/s, '')), mustBe(`one of ${reporterNames}`)),
  v.transform((text) => {
    const [name = '', ...rest] = text.split('=');
    return { name, file: rest.length === 0 ? undefined : rest.join('=') };
  }),
  v.check(({ file }) => file !== '', 'must have a file after =, such as json=report.json'),
);

/** A reporter and its file, or stdout. */
export type ReporterChoice = v.InferOutput<typeof reporter>;

const verifyOptions = {
  // --list needs no deployment and no key.
  baseUrl: { ...deploymentOptions.baseUrl, isRequired: false },
  ...inGroup('Safety', {
    allowWrites: { ...deploymentOptions.allowWrites, isRequired: false, default: false },
    apiKey: { ...deploymentOptions.apiKey, isRequired: false },
    apiKeyCommand: option('--api-key-command <command>', 'run this to get the API key', {
      schema: v.pipe(v.string(), v.nonEmpty('must be a command that prints a key')),
    }),
  }),
  ...inGroup('Selection', {
    only: selectionOptions.only,
    list: option('--list', 'list the clauses and what is unspecified, then exit', off),
  }),
  ...inGroup('Result', {
    reporter: option('--reporter <name>', `${reporterNames} (=file)`, {
      schema: list(reporter, `one of ${reporterNames}`),
      default: [],
      defaultInWords: '',
      isRepeatable: true,
    }),
    verbose: option('--verbose', 'print passed clauses too', off),
    strict: option('--strict', 'exit with 1 if data is missing, or a known failure is fixed', off),
    atLeast: option('--at-least <number>', 'exit with 2 if fewer required clauses were tested', {
      schema: integer(1, requiredIds.length),
    }),
    ...knownOptions,
    har: option('--har <file>', 'write all requests and responses to this HAR file', { schema: file }),
  }),
  ...paceOptions,
  ...categoryOptions,
  ...inGroup('Test data', {
    headers: option('--header <line>', 'add this "Name: value" to each request, repeatable', {
      schema: list(headerLine, '"Name: value"'),
      default: [],
      isRepeatable: true,
    }),
  }),
  ...trustOptions,
};

const name = commandName('verify');

/** The command, with its options; `timeout` and `deadline` are in ms. */
export const verifyCommand = {
  name,
  description: 'Checks whether a deployment of the Animal Store Service conforms to its specification.',
  example: 'npm run verify -- https://staging.example/v1 --allow-writes',
  notes: {
    Environment: ['ANIMAL_STORE_API_KEY  the same as --api-key', proxyVariables],
    Examples: [
      `${name} https://staging.example/v1`,
      `${name} http://127.0.0.1:4010/v1 --allow-writes`,
      `${name} https://staging.example/v1 --har run.har`,
      `${name} --list`,
      `${name} compare yesterday.json today.json`,
    ],
    'Exit codes': [
      '0  the deployment conforms, also in part (see --strict)',
      '1  the deployment does not conform, or is not as --strict asks',
      '2  no verdict, too little tested for --at-least, the run ended early, or wrong option',
      '130 and 143  stopped by SIGINT and SIGTERM',
    ],
  },
  together: ['apiKey', 'apiKeyCommand'],
  options: verifyOptions,
  tasks: ['compare'],
  usual: [
    ...['allowWrites', 'apiKey', 'only', 'list', 'reporter'],
    ...['strict', 'known', 'maxRate', 'wait', 'headers'],
  ],
  check({ baseUrl, apiKey, apiKeyCommand, list, reporter = [] }: Partial<Filled<typeof verifyOptions>>) {
    const crowded = findCrowded(reporter);
    if (crowded !== undefined) return `Two reports cannot go to ${crowded}. Give one another =file.`;
    if (list === true) return undefined;
    if (baseUrl === undefined) return 'The base URL is missing. Give one such as https://staging.example/v1.';
    if ((apiKey ?? apiKeyCommand) !== undefined) return undefined;
    return 'The API key is missing. Set ANIMAL_STORE_API_KEY or give --api-key.';
  },
} satisfies CommandSpec;

/** Options of the command with their defaults. */
export type VerifyArguments = ReturnType<typeof parseVerifyArguments>;

/**
 * Reads the command line as `readOptions` does. Unless a reporter prints on stdout, it gets the report for a terminal, or for an agent that
 * runs the command.
 */
export function parseVerifyArguments(
  argv: readonly string[],
  environment: Environment = readOwnCall().environment,
) {
  const given = readOptions(verifyCommand, argv, { version: suiteVersion, environment });
  const { reporter, headers, ...others } = fillDefaults(verifyOptions, given);
  const forAgent = isAgent(environment);
  const ofStdout: ReporterChoice = { name: forAgent ? 'agent' : 'terminal', file: undefined };
  return {
    ...others,
    headers: Object.fromEntries(headers),
    reporters: reporter.some(({ file }) => file === undefined) ? reporter : [...reporter, ofStdout],
    showsProgress: !forAgent,
  };
}

/** Finds the reporters on a command line that could not be read as a whole, so that they can say why. */
export function findReporters(call: Omit<Call, 'endSoon'>): readonly ReporterChoice[] {
  const values = findReports(call, '--reporter', { fileOf: (text) => /=(.*)/s.exec(text)?.[1] });
  const choices = values.flatMap((text) => {
    const { success, output } = v.safeParse(reporter, text);
    return success ? [output] : [];
  });
  const crowded = findCrowded(choices);
  return choices.filter((choice) => (choice.file ?? 'stdout') !== crowded);
}

/** Returns where more than one report would go; reports for people may follow each other on stdout. */
function findCrowded(choices: readonly ReporterChoice[]): string | undefined {
  const isText = ({ name, file }: ReporterChoice) => file === undefined && reporters[name]?.isText === true;
  const taken = choices.map((choice) => (isText(choice) ? choice.name : (choice.file ?? 'stdout')));
  const isMixed = taken.includes('stdout') && choices.some(isText);
  return isMixed ? 'stdout' : taken.find((place, index) => taken.indexOf(place) !== index);
}
