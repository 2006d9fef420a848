import * as v from 'valibot';
import { commandName } from '../common/cli/command-name.ts';
import { failOnLevels, failOnNotes } from '../common/cli/fail-on-levels.ts';
import { logFormats } from '../common/cli/log-format.ts';
import {
  type CommandSpec,
  expectOptions,
  type Filled,
  fillDefaults,
  inGroup,
  option,
  type RowsOf,
} from '../common/cli/options.ts';
import { listenOptions, off, proxyVariables, trustOptions } from '../common/cli/shared-options.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import * as schemas from '../common/schemas.ts';
import { inWords } from '../common/text/in-words.ts';
import { printSuggestion } from '../common/text/suggest.ts';
import { trimKey } from '../common/text/trim-key.ts';
import type { CheckedProxyOptions } from './checked-proxy-options.ts';

const PORT = 4011;

/** Parts of the contract, separated by commas. `expectParts` compares them with the contract, which may be a draft. */
const pointList = v.pipe(
  v.array(v.string()),
  v.transform((texts) => texts.flatMap((text) => text.split(',').map((part) => part.trim()))),
);

/** @throws UsageError naming the first of the --require parts that the contract does not have */
export function expectParts(required: readonly string[] = [], parts: readonly string[]): void {
  const unknown = required.find((part) => !parts.includes(part));
  if (unknown === undefined) return;
  const hint = printSuggestion(unknown, parts);
  throw new UsageError(
    `--require must be parts such as listPets,createPet:400, not ${JSON.stringify(unknown)}${hint}`,
  );
}

const STRINGS = 'must be an array of strings';
const keysToRedact = v.array(v.pipe(v.string('must be a string'), v.transform(trimKey)), STRINGS);
const baseUrl = v.pipe(
  schemas.createBaseUrl(),
  v.transform((url) => new URL(url)),
);

const connectionOptions = {
  upstream: option('<upstream>', 'base URL of the deployment', { schema: baseUrl, isRequired: true }),
  ...inGroup('Connection', { ...listenOptions, port: { ...listenOptions.port, default: PORT } }),
  ...inGroup('Checks', { block: option('--block', 'refuse exchanges that break the contract', off) }),
};

const contractOptions = inGroup('Checks', {
  contract: option('--contract <file>', 'check against this draft of openapi.yaml', {
    schema: schemas.file,
  }),
});

const outputOptions = inGroup('Output', {
  log: option('--log <format>', `log violations: ${inWords(logFormats)}`, {
    schema: schemas.logFormat,
    default: 'pretty',
  }),
  apiKeys: option('--api-key <key>', 'redact this key in all output, repeatable', {
    schema: keysToRedact,
    default: [],
    variable: 'ANIMAL_STORE_API_KEY',
    isRepeatable: true,
  }),
});

const pem = v.string('must be in PEM');

/** The rows of `CheckedProxyOptions`. Certificates are in PEM, and the proxy says nothing unless a program asks. */
export const startOptions = {
  ...connectionOptions,
  ...contractOptions,
  ...trustOptions,
  ...outputOptions,
  port: listenOptions.port,
  log: { ...outputOptions.log, default: 'silent' },
  ca: { schema: pem },
  clientCert: { schema: pem },
  clientKey: { schema: pem },
  write: { schema: schemas.callback<NonNullable<CheckedProxyOptions['write']>>() },
  onViolation: { schema: schemas.callback<NonNullable<CheckedProxyOptions['onViolation']>>() },
} satisfies RowsOf<CheckedProxyOptions>;

/** Checks the options and adds the defaults. @throws UsageError naming the option and what was expected of it. */
export function resolveProxyOptions(given: CheckedProxyOptions): Filled<typeof startOptions> {
  if (typeof given !== 'object' || given === null)
    throw new UsageError("startCheckedProxy takes an object of options, such as { upstream: 'http://…' }");
  return fillDefaults(startOptions, expectOptions(startOptions, given));
}

const gateOptions = inGroup('Checks', {
  failOn: option('--fail-on <level>', 'exit with 1 on this level, see below', {
    schema: schemas.oneOf(failOnLevels),
    default: 'never',
  }),
  require: option('--require <parts>', 'exit with 1 if traffic does not reach these, repeatable', {
    schema: pointList,
    isRepeatable: true,
  }),
  report: option('--report <file>', 'write a report: JUnit for .xml, otherwise JSON', {
    schema: schemas.file,
  }),
});

const exitCodes = ['0  passed', '1  failed (--fail-on, --require)', '2  no verdict, or wrong option'];

const sharedNotes = {
  Parts: ['listPets, createPet:400, listPets?status=sold, createPet.status'],
  Levels: failOnNotes,
  Environment: ['ANIMAL_STORE_API_KEY  the same as --api-key'],
};

const name = commandName('proxy');

/** The command that forwards traffic. */
export const proxyCommand = {
  name,
  description: 'A proxy that forwards traffic unchanged and checks each exchange against openapi.yaml.',
  example: 'npm run proxy -- https://staging.example/v1 --port 4020',
  notes: {
    Commands: [
      `${name} <upstream>               checks traffic until Ctrl-C`,
      `${name} <upstream> -- <command>  checks while the command runs`,
      `${name} check <file>             checks a HAR file`,
    ],
    ...sharedNotes,
    Environment: [...sharedNotes.Environment, proxyVariables],
    Examples: [
      `${name} https://staging.example/v1 --port 4020`,
      `${name} https://staging.example/v1 --fail-on error -- npm run e2e`,
      `${name} https://staging.example/v1 --har traffic.har`,
      `${name} https://staging.example/v1 --contract openapi-next.yaml`,
      `${name} check traffic.har --fail-on error`,
    ],
    'Exit codes': [...exitCodes, 'With a command: its code, if that is not 0'],
  },
  takesCommand: true,
  tasks: ['check'],
  usual: ['port', 'block', 'contract', 'failOn', 'require', 'report', 'ca', 'insecure', 'har', 'log'],
  options: {
    ...connectionOptions,
    ...contractOptions,
    ...gateOptions,
    ...trustOptions,
    ...inGroup('Output', {
      har: option('--har <file>', 'write the traffic to this HAR file', { schema: schemas.file }),
    }),
    ...outputOptions,
  },
} satisfies CommandSpec;

/** The command that reads a HAR file. */
export const checkCommand = {
  name: `${name} check`,
  description: 'Checks the exchanges of a HAR file against openapi.yaml, without connections.',
  example: 'npm run proxy -- check traffic.har --fail-on error',
  notes: {
    ...sharedNotes,
    Examples: [
      `${name} check traffic.har --fail-on error`,
      `${name} check traffic.har --base-url https://staging.example/v1`,
      `curl https://ci.example/traffic.har | ${name} check -`,
    ],
    'Exit codes': exitCodes,
  },
  options: {
    file: option('<file>', 'HAR file, - for stdin', { schema: schemas.file, isRequired: true }),
    ...inGroup('Checks', {
      baseUrl: option('--base-url <url>', 'check requests to this deployment only', { schema: baseUrl }),
    }),
    ...contractOptions,
    ...gateOptions,
    ...outputOptions,
  },
} satisfies CommandSpec;

/** The options of both commands that decide about a run. */
export type GateArguments = Filled<typeof gateOptions & typeof contractOptions>;
