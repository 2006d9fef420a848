import * as v from 'valibot';
import { logFormats } from '../common/cli/log-format.ts';
import { type CommandSpec, expectOptions, fillDefaults } from '../common/cli/options.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import { MOST_REQUESTS } from '../common/journal/journal.ts';
import * as schemas from '../common/schemas.ts';
import { type Profile, profiles } from '../fixtures/profiles.ts';
import { listOrders } from './api/print-pets.ts';
import { limitPolicies } from './api/validation.ts';
import type { MockOptions } from './mock-options.ts';
import type { AnimalInput } from './session/animals.ts';
import { A_DELAY, type Delay, isDelay } from './session/delay.ts';

export const MOST_ANIMALS = 10_000_000;
const CHECKED_PORT = 4011;

const profileNames = Object.keys(profiles) as Profile[];

const mockSchemas = {
  port: v.optional(schemas.port, 4010),
  host: v.optional(schemas.host, '127.0.0.1'),
  allowHosts: v.optional(schemas.hostNames),
  apiKeys: v.optional(schemas.apiKeys, ['test-key']),
  seed: v.optional(schemas.integer(0, 2 ** 32 - 1), 1),
  profile: v.optional(schemas.oneOf(profileNames), 'default'),
  animals: v.optional(schemas.integer(0, MOST_ANIMALS)),
  data: v.optional(
    v.custom<string | readonly AnimalInput[]>(
      (value) => v.is(schemas.file, value) || Array.isArray(value),
      schemas.mustBe('the path of a file, or in a program an array of animals'),
    ),
  ),
  watch: v.optional(schemas.flag, false),
  limitPolicy: v.optional(schemas.oneOf(limitPolicies), 'reject'),
  order: v.optional(schemas.oneOf(listOrders), 'newest'),
  now: v.optional(schemas.time),
  cors: v.optional(schemas.flag, true),
  checkedProxy: v.optional(schemas.flag, false),
  checkedPort: v.optional(schemas.port, CHECKED_PORT),
  admin: v.optional(schemas.flag, true),
  adminToken: v.optional(schemas.apiKey),
  latency: v.optional(v.custom<Delay>(isDelay, schemas.mustBe(A_DELAY))),
  errorRate: v.optional(schemas.probability),
  journal: v.optional(schemas.integer(0, MOST_REQUESTS), 1_000),
  log: v.optional(schemas.logFormat, 'pretty'),
};

export type MockConfig = schemas.Members<typeof mockSchemas>;

/** The command, with every option of the mock by its name in `MockOptions`. */
export const mockCommand: CommandSpec<typeof mockSchemas> = {
  name: 'animal-store-mock',
  description: 'An offline stand-in for the Animal Store Service.',
  example: 'npm start -- --port 4020',
  calls: [
    ['animal-store-mock', 'serves until Ctrl-C'],
    ['animal-store-mock -- <command>', 'serves while the command runs, with its URL in ANIMAL_STORE_URL'],
  ],
  examples: [
    'animal-store-mock --port 0 --profile edge-cases',
    'animal-store-mock --data animals.json --watch --latency 50-200',
    'animal-store-mock -- npm test',
  ],
  prefix: 'ANIMAL_STORE_',
  variables: { port: 'PORT' },
  schemas: mockSchemas,
  options: {
    port: ['-p, --port <number>', 'listen on this port; 0 picks a free one'],
    host: ['--host <name>', 'listen on this host name or address'],
    allowHosts: ['--allow-host <name>', 'allow requests for this host name; repeatable'],
    apiKeys: ['--api-key <key>', 'accept this API key; repeatable'],
    seed: ['--seed <number>', 'seed the animals: the same seed gives the same ones'],
    profile: ['--profile <name>', `start with these animals: ${schemas.inWords(profileNames)}`],
    animals: [
      '--animals <number>',
      `start with this number of animals, at most ${MOST_ANIMALS}`,
      `${profiles.default.size}, for large ${profiles.large.size}`,
    ],
    data: ['--data <file.json>', 'start with the animals of this file, a JSON array'],
    watch: ['--watch', 'read the file of --data again when it changes'],
    limitPolicy: ['--limit-policy <policy>', 'reject a limit outside 1 to 100, or clamp it'],
    order: ['--order <order>', 'order lists: newest first, oldest first or random'],
    now: ['--now <time>', 'fix the time of the mock'],
    cors: ['--no-cors', 'refuse browser apps of other origins'],
    checkedProxy: ['--no-checked-proxy', 'start no checked proxy'],
    checkedPort: [
      '--checked-port <number>',
      'port of the checked proxy; 0 picks a free one',
      `${CHECKED_PORT}, or a free one with --port 0`,
    ],
    admin: ['--no-admin', 'disable the control API at /__admin'],
    adminToken: ['--admin-token <token>', 'require this bearer token in the control API'],
    latency: ['--latency <ms>', 'delay every response: 200, or 50-200'],
    errorRate: ['--error-rate <number>', 'answer this share of requests with a 500, from 0 to 1'],
    journal: ['--journal <number>', `record this number of requests, at most ${MOST_REQUESTS}`],
    log: [
      '--log <format>',
      `log each request: ${schemas.inWords(logFormats)}`,
      'pretty; with a command, only violations',
    ],
  },
  together: ['data', 'profile', 'animals'],
  check({ animals, profile, data, watch }, nameOf) {
    const rival = profile !== undefined ? 'profile' : 'animals';
    if (data !== undefined && (profile ?? animals) !== undefined)
      return `${nameOf('data')} and ${nameOf(rival)} cannot be combined: each says what the store starts with`;
    if (watch && typeof data !== 'string')
      return `${nameOf('watch')} needs a file of animals: --data, or data that is a path`;
    if (animals === undefined || profiles[profile ?? 'default'].isResizable) return undefined;
    return `${nameOf('animals')} goes with the profile default or large, not with ${profile}`;
  },
};

/** Checks the options and adds the defaults. @throws UsageError naming the option and what was expected of it. */
export function resolveMockOptions(given: MockOptions): MockConfig {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new UsageError('startMock takes an object of options, such as { port: 0 }');
  }
  const options = expectOptions(mockCommand, given);
  const { checkedProxy = options.checkedPort !== undefined } = options;
  const { checkedPort = options.port === 0 ? 0 : CHECKED_PORT } = options;
  return fillDefaults(mockCommand, { ...options, checkedProxy, checkedPort });
}
