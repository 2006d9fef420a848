import * as v from 'valibot';
import { choices, type Difference } from '../common/behaviour/choices.ts';
import { logFormats } from '../common/cli/log-format.ts';
import { type CommandSpec, expectOptions, fillDefaults } from '../common/cli/options.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import { MOST_REQUESTS } from '../common/journal/journal.ts';
import { type ExactJson, isJsonObject } from '../common/json/exact-json.ts';
import * as schemas from '../common/schemas.ts';
import { type Profile, profiles } from '../fixtures/profiles.ts';
import type { MockOptions } from './mock-options.ts';
import type { AnimalInput } from './session/animals.ts';
import { A_DELAY, type Delay, isDelay } from './session/delay.ts';

export const MOST_ANIMALS = 10_000_000;
const CHECKED_PORT = 4011;

const profileNames = Object.keys(profiles) as Profile[];

const DATA = 'the path of a file, or in a program an array of animals';
const BEHAVIOUR = 'a name, JSON, a file, or in a program an object';
const isFile = (value: unknown) => v.is(schemas.file, value);
const isData = (value: unknown) => isFile(value) || Array.isArray(value);
const isBehaviour = (value: unknown) => isFile(value) || isJsonObject(value as ExactJson);

const mockSchemas = {
  port: v.optional(schemas.port, 4010),
  host: v.optional(schemas.host, '127.0.0.1'),
  allowHosts: v.optional(schemas.hostNames),
  apiKeys: v.optional(schemas.apiKeys, ['test-key']),
  seed: v.optional(schemas.integer(0, 2 ** 32 - 1), 1),
  profile: v.optional(schemas.oneOf(profileNames), 'default'),
  animals: v.optional(schemas.integer(0, MOST_ANIMALS)),
  data: v.optional(v.custom<string | readonly AnimalInput[]>(isData, schemas.mustBe(DATA))),
  ...v.entriesFromList(['watch', 'checkedProxy'], v.optional(schemas.flag, false)),
  behaviour: v.optional(v.custom<Difference | string>(isBehaviour, schemas.mustBe(BEHAVIOUR)), 'default'),
  order: v.optional(schemas.oneOf(choices.order.values)),
  limitPolicy: v.optional(schemas.oneOf(['reject', 'clamp'])),
  now: v.optional(schemas.time),
  cors: v.optional(schemas.flag, true),
  corsOrigins: v.optional(v.array(schemas.origin), []),
  ...v.entriesFromList(['tlsCert', 'tlsKey'], v.optional(schemas.file)),
  checkedPort: v.optional(schemas.port, CHECKED_PORT),
  admin: v.optional(schemas.flag, true),
  adminToken: v.optional(schemas.apiKey),
  latency: v.optional(v.custom<Delay>(isDelay, schemas.mustBe(A_DELAY))),
  errorRate: v.optional(schemas.probability),
  journal: v.optional(schemas.integer(0, MOST_REQUESTS), 1_000),
  log: v.optional(schemas.logFormat, 'pretty'),
};

const commandSchemas = {
  ...mockSchemas,
  // Only the command has these.
  tryBehaviours: v.optional(schemas.flag, false),
  maxRuns: v.optional(schemas.integer(5, 10_000), 80),
  report: v.optional(schemas.file),
};

export type MockConfig = schemas.Members<typeof mockSchemas>;

/** The command, with every option of the mock by its name in `MockOptions`. */
export const mockCommand: CommandSpec<typeof commandSchemas> = {
  name: 'animal-store-mock',
  description: 'An offline mock of the Animal Store Service.',
  example: 'npm start -- --port 4020',
  notes: {
    Commands: [
      'animal-store-mock               serves until Ctrl-C',
      'animal-store-mock -- <command>  serves while the command runs',
    ],
    Environment: [
      'Every option can be set as ANIMAL_STORE_<NAME>, such as ANIMAL_STORE_PORT.',
      'Booleans take true or false. Options override variables.',
      'The command gets the base URL of the mock as ANIMAL_STORE_URL.',
    ],
    Examples: [
      'animal-store-mock --port 0 --profile edge-cases',
      'animal-store-mock --data animals.json --watch --latency 50-200',
      `animal-store-mock --behaviour '{"order":"oldest"}'`,
      'animal-store-mock -- npm test',
      'animal-store-mock --try-behaviours -- npm test',
    ],
    'Exit codes': [
      '0  stopped',
      '2  wrong option, or the mock did not start',
      'With a command: the code of the command',
      'With --try-behaviours: 0 nothing breaks it, 1 something breaks it, 2 no result',
    ],
  },
  prefix: 'ANIMAL_STORE_',
  variables: { port: 'PORT' },
  schemas: commandSchemas,
  options: {
    port: ['-p, --port <n>', 'listen on this port, 0 for a free port'],
    host: ['--host <name>', 'listen on this name or address'],
    allowHosts: ['--allow-host <name>', 'allow this name in the Host header, repeatable'],
    cors: ['--no-cors', 'refuse pages of other origins'],
    corsOrigins: ['--cors-origin <origin>', 'allow cookies from pages of this origin, repeatable'],
    tlsCert: ['--tls-cert <file>', 'serve HTTPS with the certificate in this PEM file'],
    tlsKey: ['--tls-key <file>', 'use this key of the --tls-cert, in PEM'],
    profile: ['--profile <name>', `use this set: ${schemas.inWords(profileNames)}`, ''],
    animals: ['--animals <n>', 'create this many animals', '120, large: 100000'],
    seed: ['--seed <n>', 'seed the generated animals'],
    data: ['--data <file>', 'start with the animals in this JSON file'],
    watch: ['--watch', 'read the --data file again when it changes'],
    apiKeys: ['--api-key <key>', 'accept this API key, repeatable'],
    behaviour: ['--behaviour <name>', 'use this behaviour: a name, JSON or a file'],
    order: ['--order <name>', `sort lists: ${schemas.inWords(choices.order.values)}`, ''],
    limitPolicy: ['--limit-policy <name>', 'reject or clamp a wrong limit', 'reject'],
    tryBehaviours: ['--try-behaviours', 'find the choices that break the command after --'],
    maxRuns: ['--max-runs <n>', 'run the command at most this often'],
    report: ['--report <file>', 'write what was found to this JSON file'],
    now: ['--now <time>', 'use this fixed time, such as 2030-12-05'],
    latency: ['--latency <ms>', 'delay each response: 200, or 50-200'],
    errorRate: ['--error-rate <n>', 'answer this share of requests with 500: 0 to 1'],
    checkedProxy: ['--no-checked-proxy', 'start without the checked proxy'],
    checkedPort: ['--checked-port <n>', 'port of the checked proxy'],
    admin: ['--no-admin', 'disable the control API at /__admin'],
    adminToken: ['--admin-token <token>', 'require this bearer token in the control API'],
    journal: ['--journal <n>', `keep this many requests, at most ${MOST_REQUESTS}`],
    log: ['--log <format>', `log requests: ${schemas.inWords(logFormats)}`],
  },
  groups: {
    Server: ['port', 'host', 'allowHosts', 'cors', 'corsOrigins', 'tlsCert', 'tlsKey'],
    Data: ['profile', 'animals', 'seed', 'data', 'watch'],
    API: ['apiKeys', 'now'],
    Behaviour: ['behaviour', 'order', 'limitPolicy', 'tryBehaviours', 'maxRuns', 'report'],
    Failures: ['latency', 'errorRate'],
    Tools: ['checkedProxy', 'checkedPort', 'admin', 'adminToken', 'journal'],
    Output: ['log'],
  },
  together: ['data', 'profile', 'animals'],
  check({ animals, profile, data, watch, behaviour, tryBehaviours, maxRuns, report, ...others }, nameOf) {
    const { order, limitPolicy } = others;
    const short = order === undefined ? 'limitPolicy' : 'order';
    const hasShort = (order ?? limitPolicy) !== undefined;
    if (behaviour !== undefined && hasShort)
      return `${nameOf('behaviour')} and ${nameOf(short)} cannot be combined. Leave one out.`;
    if (tryBehaviours && (behaviour !== undefined || hasShort))
      return `${nameOf(hasShort ? short : 'behaviour')} and ${nameOf('tryBehaviours')} cannot be combined. Leave one out.`;
    if (!tryBehaviours && (maxRuns ?? report) !== undefined)
      return `${nameOf(maxRuns === undefined ? 'report' : 'maxRuns')} requires --try-behaviours`;
    const rival = profile !== undefined ? 'profile' : 'animals';
    if (data !== undefined && (profile ?? animals) !== undefined)
      return `${nameOf('data')} and ${nameOf(rival)} cannot be combined. Each sets the animals of the start.`;
    if (watch && typeof data !== 'string')
      return `${nameOf('watch')} requires --data, or data with the path of a file`;
    if (animals === undefined || /^(?:default|large)$/.test(profile ?? 'default')) return undefined;
    return `${nameOf('animals')} requires the profile default or large, not ${profile}`;
  },
};

/** Checks the options and adds the defaults. @throws UsageError naming the option and what was expected of it. */
export function resolveMockOptions(given: MockOptions): MockConfig {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new UsageError('startMock takes an object of options, such as { port: 0 }');
  }
  const own = { schemas: mockSchemas, check: mockCommand.check };
  const options = expectOptions(own as Pick<CommandSpec<typeof mockSchemas>, 'schemas'>, given);
  const { checkedProxy = options.checkedPort !== undefined } = options;
  const { checkedPort = options.port === 0 ? 0 : CHECKED_PORT } = options;
  return fillDefaults({ schemas: mockSchemas }, { ...options, checkedProxy, checkedPort });
}
