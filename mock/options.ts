import * as v from 'valibot';
import { commandName } from '../common/cli/command-name.ts';
import { failOnLevels, failOnNotes } from '../common/cli/fail-on-levels.ts';
import { logFormats } from '../common/cli/log-format.ts';
import {
  type CheckTogether,
  type CommandSpec,
  expectOptions,
  type Filled,
  fillDefaults,
  inGroup,
  option,
  type RowsOf,
} from '../common/cli/options.ts';
import { listenOptions, off, on } from '../common/cli/shared-options.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import { type ExactJson, isJsonObject } from '../common/json/exact-json.ts';
import * as schemas from '../common/schemas.ts';
import { inWords } from '../common/text/in-words.ts';
import { type Profile, profiles, USUAL_SEED } from '../fixtures/profiles.ts';
import { behaviourNames } from './choices/behaviours.ts';
import type { Difference } from './choices/choices.ts';
import { A_DELAY, type Delay, isDelay } from './faults/delay.ts';
import { MOST_REQUESTS } from './journal/journal.ts';
import { USUAL_REQUESTS } from './journal/request-filter.ts';
import type { MockOptions } from './mock-options.ts';
import type { AnimalInput } from './session/animals.ts';

const MOST_ANIMALS = 10_000_000;

const PORT = 4010;

const LAST_PORT = 65_535;

const LARGEST_SEED = 2 ** 32 - 1;

const profileNames = Object.keys(profiles) as Profile[];

const DATA = 'the path of a file, or in a program an array of animals';
const BEHAVIOUR = 'a name, JSON, a file, or in a program an object';
const isFile = (value: unknown) => v.is(schemas.file, value);
const isData = (value: unknown) => isFile(value) || Array.isArray(value);
const isBehaviour = (value: unknown) => isFile(value) || isJsonObject(value as ExactJson);

const AN_ORIGIN = 'an origin such as https://staging.example';
const origin = v.pipe(
  v.string(schemas.mustBe(AN_ORIGIN)),
  v.transform((url) => url.replace(/\/$/, '')),
  v.check((url) => /^https?:/.test(url) && URL.parse(url)?.origin === url, describeOrigin),
);
const origins = v.array(origin, `must be an array, each value ${AN_ORIGIN}`);

/** Describes what is no origin, and the origin that was meant by a URL with a path, or by a host with a port. */
function describeOrigin(issue: v.BaseIssue<unknown>): string {
  const given = String(issue.input);
  const meant = URL.parse(/^[^/:]+:\d+$/.test(given) ? `http://${given}` : given);
  const hint = meant !== null && /^https?:$/.test(meant.protocol) ? `. Did you mean ${meant.origin}?` : '';
  // What is in front of an @, or in a query, may be a secret.
  const isShown = !/[@?#]/.test(given);
  return (isShown ? schemas.mustBe(AN_ORIGIN)(issue) : `must be ${AN_ORIGIN}`) + hint;
}

/** Returns the port of the checked proxy next to a mock: a free one if the mock has a free one, or the last port of all. */
function findNextPort(port: number): number {
  return port === 0 || port === LAST_PORT ? 0 : port + 1;
}

/** The rows of `MockOptions`, in the order of the help. */
export const mockOptions = {
  ...inGroup('Server', {
    ...listenOptions,
    port: { ...listenOptions.port, default: PORT, variable: 'PORT' },
    corsOrigins: option('--cors-origin <origin>', 'allow cookies from pages of this origin, repeatable', {
      schema: origins,
      default: [],
      isRepeatable: true,
    }),
    tlsCert: option('--tls-cert <file>', 'serve HTTPS with the certificate in this PEM file', {
      schema: schemas.file,
    }),
    tlsKey: option('--tls-key <file>', 'use this key of the --tls-cert, in PEM', { schema: schemas.file }),
  }),
  ...inGroup('Data', {
    profile: option('--profile <name>', `use this set: ${inWords(profileNames)}`, {
      schema: schemas.oneOf(profileNames),
      default: 'default',
      defaultInWords: '',
    }),
    animals: option('--animals <n>', 'create this many animals', {
      schema: schemas.integer(0, MOST_ANIMALS),
      defaultInWords: '120, large: 100000',
    }),
    seed: option('--seed <n>', 'seed the generated animals', {
      schema: schemas.integer(0, LARGEST_SEED),
      default: USUAL_SEED,
    }),
    data: option('--data <file>', 'start with the animals in this JSON file', {
      schema: v.custom<string | readonly AnimalInput[]>(isData, schemas.mustBe(DATA)),
      conflicts: ['profile', 'animals'],
    }),
    watch: option('--watch', 'read the --data file again when it changes', off),
    save: option('--save', 'save the animals to the --data file when they change', {
      ...off,
      conflicts: ['watch'],
    }),
  }),
  ...inGroup('API', {
    apiKeys: option('--api-key <key>', 'accept this API key, repeatable', {
      schema: schemas.apiKeys,
      default: ['test-key'],
      isRepeatable: true,
    }),
    now: option('--now <time>', 'use this fixed time, such as 2030-12-05', { schema: schemas.time }),
    requireSession: option('--require-session', 'refuse requests that name no session', off),
  }),
  ...inGroup('Behaviour', {
    behaviour: option('--behaviour <name>', `use ${behaviourNames.slice(1).join(', ')}, JSON or a file`, {
      schema: v.custom<Difference | string>(isBehaviour, schemas.mustBe(BEHAVIOUR)),
      default: 'default',
    }),
  }),
  ...inGroup('Failures', {
    latency: option('--latency <ms>', 'delay each response: 200, or 50-200', {
      schema: v.custom<Delay>(isDelay, schemas.mustBe(A_DELAY)),
    }),
  }),
  ...inGroup('Tools', {
    checkedProxy: option('--no-checked-proxy', 'start without the checked proxy', off),
    checkedPort: option('--checked-port <n>', 'port of the checked proxy', {
      schema: schemas.port,
      default: findNextPort(PORT),
      defaultInWords: '--port + 1, or 0 for --port 0',
    }),
    admin: option('--no-admin', 'disable the control API at /__admin', on),
    adminToken: option('--admin-token <token>', 'require this bearer token in the control API', {
      schema: schemas.apiKey,
    }),
    journal: option('--journal <n>', `keep this many requests, at most ${MOST_REQUESTS}`, {
      schema: schemas.integer(0, MOST_REQUESTS),
      default: USUAL_REQUESTS,
    }),
  }),
  ...inGroup('Output', {
    log: option('--log <format>', `log requests: ${inWords(logFormats)}`, {
      schema: schemas.logFormat,
      default: 'pretty',
    }),
  }),
} satisfies RowsOf<MockOptions>;

const gateOptions = inGroup('Checks', {
  failOn: option('--fail-on <level>', 'exit with 1 on violations of this level, see below', {
    schema: schemas.oneOf(failOnLevels),
    conflicts: ['checkedPort', 'tryBehaviours'],
  }),
});

const trialOptions = inGroup('Behaviour', {
  tryBehaviours: option('--try-behaviours', 'find the values that break the command after --', {
    schema: schemas.flag,
    default: false,
    conflicts: ['behaviour', 'save'],
  }),
});

const reportOptions = inGroup('Output', {
  report: option('--report <file>', 'write a report: JSON, with --fail-on JUnit for .xml', {
    schema: schemas.file,
  }),
});

export type MockConfig = Filled<typeof mockOptions>;

const checkMock: CheckTogether<typeof mockOptions> = (values, nameOf) => {
  const { animals, profile, data, watch, save, port = PORT, checkedPort, checkedProxy } = values;
  if (checkedPort === port && port !== 0 && checkedProxy !== false)
    return `${nameOf('checkedPort')} must be another port than that of the mock, not ${port}. 0 is a free one.`;
  const ofFile = (watch && 'watch') || (save && 'save');
  const other = (profile !== undefined && 'profile') || (animals !== undefined && 'animals');
  // A profile on the command line overrides a file of the environment.
  if (ofFile && data === undefined && other)
    return `${nameOf(ofFile)} requires --data, which cannot be combined with ${nameOf(other)}. Leave one out.`;
  if (ofFile && typeof data !== 'string')
    return `${nameOf(ofFile)} requires --data, or data with the path of a file`;
  if (animals === undefined || profile === undefined || profile === 'default' || profile === 'large')
    return undefined;
  return `${nameOf('animals')} requires the profile default or large, not ${profile}`;
};

const commandOptions = { ...mockOptions, ...gateOptions, ...trialOptions, ...reportOptions };

const checkCommand: CheckTogether<typeof commandOptions> = (values, nameOf) => {
  const { failOn, checkedProxy, tryBehaviours, report } = values;
  if (failOn !== undefined && checkedProxy === false)
    return `${nameOf('failOn')} and ${nameOf('checkedProxy')} cannot be combined. Leave one out.`;
  if (report !== undefined && failOn === undefined && !tryBehaviours)
    return `${nameOf('report')} requires --fail-on or --try-behaviours`;
  return checkMock(values, nameOf);
};

const name = commandName('mock');

/** The command, with every option of the mock by its name in `MockOptions`. */
export const mockCommand = {
  name,
  description: 'An offline mock of the Animal Store Service.',
  example: 'npm start -- --port 4020',
  notes: {
    Commands: [
      `${name}               serves until Ctrl-C`,
      `${name} -- <command>  serves while the command runs`,
      `${name} learn         learns a behaviour from a HAR file`,
      `${name} compare       compares two deployments`,
    ],
    Levels: failOnNotes,
    Environment: [
      'Every option can be set as ANIMAL_STORE_<NAME>, such as ANIMAL_STORE_PORT.',
      'Booleans take true or false. Options override variables.',
      'The command gets the base URL of the mock as ANIMAL_STORE_URL.',
    ],
    Examples: [
      `${name} --port 0 --profile edge-cases`,
      `${name} --data animals.json --watch --latency 50-200`,
      `${name} --data animals.json --save`,
      `${name} --behaviour '{"order":"oldest"}'`,
      `${name} -- npm test`,
      `${name} --fail-on warning -- npm test`,
      `${name} --try-behaviours -- npm test`,
    ],
    'Exit codes': [
      '0  stopped',
      '2  wrong option, or the mock did not start, or --save could not write',
      'With a command: the code of the command',
      'With --fail-on: 0 passed, 1 failed, 2 no verdict, unless the command failed',
      'With --try-behaviours: 0 nothing breaks it, 1 something breaks it, 2 no result',
    ],
  },
  prefix: 'ANIMAL_STORE_',
  takesCommand: true,
  tasks: ['learn', 'compare'],
  options: commandOptions,
  usual: [
    ...['port', 'host', 'profile', 'data', 'watch', 'save'],
    ...['apiKeys', 'behaviour', 'latency', 'failOn'],
  ],
  together: ['data', 'profile', 'animals'],
  check: checkCommand,
} satisfies CommandSpec;

/** Checks the options and adds the defaults. @throws UsageError naming the option and what was expected of it. */
export function resolveMockOptions(given: MockOptions): MockConfig {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new UsageError('startMock takes an object of options, such as { port: 0 }');
  }
  const options = expectOptions(mockOptions, given, checkMock);
  const { checkedProxy = options.checkedPort !== undefined } = options;
  const { port = PORT } = options;
  const { checkedPort = findNextPort(port) } = options;
  return fillDefaults(mockOptions, { ...options, checkedProxy, checkedPort });
}
