import { MOST_REQUESTS } from '../common/control/create-journal.ts';
import { defineCommand, expectOptions, type FilledOptions, fillDefaults, option } from '../common/options.ts';
import { UsageError } from '../common/usage-error.ts';
import * as kinds from '../common/value-kinds.ts';
import { isResizable, type Profile, profiles } from '../fixtures/profiles.ts';
import type { ListOrder } from './api/print-pets.ts';
import type { LimitPolicy } from './api/validation.ts';
import type { AnimalInput } from './control/create-animals.ts';
import { delayText } from './control/delay.ts';
import * as settings from './control/setting-kinds.ts';

/** How a mock is to be started. */
export interface MockOptions {
  /** The port to listen on; 0 picks a free one. @default 4010 */
  readonly port?: number;
  /** The host name or address to listen on. @default '127.0.0.1' */
  readonly host?: string;
  /** Host names to allow in requests, in addition to IP addresses, localhost and `host`. @default [] */
  readonly allowHosts?: readonly string[];
  /** The API keys to accept. @default ['test-key'] */
  readonly apiKeys?: readonly string[];
  /** The same seed gives the same animals; an unsigned 32-bit integer. @default 1 */
  readonly seed?: number;
  /** What the store starts with. @default 'default' */
  readonly profile?: Profile;
  /** How many animals the store starts with, for the profiles default and large. @default 120 and 100,000 */
  readonly animals?: number;
  /** What to start with instead of a profile: the path of a JSON file of animals, or animals. */
  readonly data?: string | readonly AnimalInput[];
  /** Whether the file of `data` is read again when it changes, and is then what a reset goes back to. @default false */
  readonly watch?: boolean;
  /** What is done with a limit outside its bounds. @default 'reject' */
  readonly limitPolicy?: LimitPolicy;
  /** The order of lists: of creation, the newest or the oldest first, or another each time. @default 'newest' */
  readonly order?: ListOrder;
  /** The time at which the clock of the mock stands still. @default the clock runs */
  readonly now?: Date | string;
  /** Whether browser apps of other origins may call. @default true */
  readonly cors?: boolean;
  /** Whether a checked proxy is started beside the mock. @default false, or true when `checkedPort` is given */
  readonly checkedProxy?: boolean;
  /** The port of the checked proxy; 0 picks a free one. @default 4011, or 0 when `port` is 0 */
  readonly checkedPort?: number;
  /** Whether the control API is at `/__admin`. @default true */
  readonly admin?: boolean;
  /** The bearer token that the control API wants; it is needed where `host` is no loopback address. @default none */
  readonly adminToken?: string;
  /** How long every request waits: milliseconds, or from some to others as in `'50-200'`. @default 0 */
  readonly latency?: number | string;
  /** How likely a request is answered with a 500, from 0 to 1; the same for the same seed. @default 0 */
  readonly errorRate?: number;
  /** How many requests are kept, for `requests` and `waitForRequest`; 0 is none. @default 1,000 */
  readonly journal?: number;
  /** How many sessions there may be beside the mock's own store; 0 is none. @default 1,000 */
  readonly maxSessions?: number;
  /** How requests are logged, on stdout. @default 'pretty' */
  readonly log?: kinds.LogFormat;
}

export const MOST_ANIMALS = 10_000_000;
export const MOST_SESSIONS = 100_000;
const CHECKED_PORT = 4011;

const profile = kinds.oneOf(Object.keys(profiles) as Profile[]);
const seed = kinds.integer(0, 2 ** 32 - 1);

const data: kinds.ValueKind<string | readonly AnimalInput[]> = {
  expected: `${kinds.file.expected}, or in a program an array of animals`,
  isValid: (value): value is string | AnimalInput[] => kinds.file.isValid(value) || Array.isArray(value),
};

const rate: kinds.ValueKind<number> = {
  expected: 'a number from 0 to 1, such as 0.05',
  fromText: (text) => (/^(?:0|1|0?\.\d{1,15}|1\.0+)$/.test(text) ? Number(text) : text),
  isValid: (value): value is number => typeof value === 'number' && value >= 0 && value <= 1,
};

/** The command, with every option of the mock by its name in `MockOptions`. */
export const mockCommand = defineCommand({
  name: 'animal-store-mock',
  description: 'An offline stand-in for the Animal Store Service.',
  example: 'npm start -- --port 4020',
  calls: [
    ['animal-store-mock', 'serves until Ctrl-C'],
    [
      'animal-store-mock -- <command>',
      'serves while the command runs, and tells it where in ANIMAL_STORE_URL',
    ],
  ],
  examples: [
    'animal-store-mock --port 0 --profile edge-cases',
    'animal-store-mock --data animals.json --watch --latency 50-200',
    'animal-store-mock -- npm test',
  ],
  prefix: 'ANIMAL_STORE_',
  options: {
    port: option('-p, --port <number>', kinds.port, 4010, 'PORT')('port to listen on; 0 picks a free one'),
    host: option('--host <name>', kinds.host, '127.0.0.1')('host name or address to listen on'),
    allowHosts: option(
      '--allow-host <name>',
      kinds.hostNames,
    )('host name to allow in requests; repeat it for more, or separate them by spaces in the variable'),
    apiKeys: option('--api-key <key>', settings.apiKeys, ['test-key'])(
      'API key to accept; give it again for more, or separate them by spaces in the variable',
    ),
    seed: option('--seed <number>', seed, 1)('the same seed gives the same animals'),
    profile: option(
      '--profile <name>',
      profile,
      'default',
    )(`what the store starts with: ${profile.expected}`),
    animals: option(
      '--animals <number>',
      kinds.integer(0, MOST_ANIMALS),
    )(`how many animals the store starts with, ${MOST_ANIMALS} at most`),
    data: option('--data <file.json>', data)('start with the animals of this file, a JSON array'),
    watch: option('--watch', kinds.flag, false)('read the file of --data again when it changes'),
    limitPolicy: option(
      '--limit-policy <policy>',
      settings.limitPolicy,
      'reject',
    )('a limit outside 1 to 100: reject it with a 400, or clamp it to the nearest bound'),
    order: option(
      '--order <order>',
      settings.listOrder,
      'newest',
    )('the order of lists: newest or oldest first, or random, another each time'),
    now: option('--now <time>', settings.time)('the time at which the clock of the mock stands still'),
    cors: option('--no-cors', kinds.offSwitch, true)('refuse browser apps of other origins'),
    checkedProxy: option(
      '--no-checked-proxy',
      kinds.offSwitch,
      false,
    )('start no checked proxy beside the mock'),
    checkedPort: option(
      '--checked-port <number>',
      kinds.port,
      CHECKED_PORT,
    )('port of the checked proxy; 0 picks a free one'),
    admin: option('--no-admin', kinds.offSwitch, true)('have no control API at /__admin'),
    adminToken: option('--admin-token <token>', { ...settings.apiKeys, repeatable: false } as const)(
      'bearer token that the control API wants; without one it is off where --host is not a loopback address',
    ),
    latency: option('--latency <ms>', delayText)('how long every request waits: 200, or 50-200'),
    errorRate: option(
      '--error-rate <number>',
      rate,
    )('how likely a request is answered with a 500, from 0 to 1; the same for the same seed'),
    journal: option(
      '--journal <number>',
      kinds.integer(0, MOST_REQUESTS),
      1_000,
    )(`how many requests are kept to be looked at, ${MOST_REQUESTS} at most; 0 is none`),
    maxSessions: option(
      '--max-sessions <number>',
      kinds.integer(0, MOST_SESSIONS),
      1_000,
    )(`how many sessions there may be at a time, ${MOST_SESSIONS} at most; 0 is none`),
    log: option(
      '--log <format>',
      kinds.logFormat,
      'pretty',
    )(`a line for each request: ${kinds.logFormat.expected}`),
  },
  defaultTexts: {
    animals: `${profiles.default.size}, for large ${profiles.large.size}`,
    checkedPort: `${CHECKED_PORT}, or a free one with --port 0`,
    log: 'pretty; beside a command, violations alone',
  },
  rivals: { names: ['data', 'profile', 'animals'], reason: ': each says what the store starts with' },
  check({ animals, profile = 'default', data, watch }, nameOf) {
    if (watch && typeof data !== 'string')
      return `${nameOf('watch')} needs a file of animals: --data, or data that is a path`;
    if (animals === undefined || isResizable(profile)) return undefined;
    return `${nameOf('animals')} goes with the profile default or large, not with ${profile}`;
  },
});

/** How a mock is started: every option valid and, where it has a default, present. */
export type MockConfig = FilledOptions<typeof mockCommand.options>;

/** Checks the options and fills in the defaults. @throws UsageError naming the option and what was expected of it. */
export function resolveMockOptions(given: MockOptions): MockConfig {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new UsageError('startMock takes an object of options, such as { port: 0 }');
  }
  const { now, ...others } = given;
  // A text that is no time stays one, which is then refused.
  const time = (typeof now === 'string' ? settings.parseTime(now) : now) as Date;
  const options = now === undefined ? others : { ...others, now: time };
  expectOptions(mockCommand, options);
  const { checkedProxy = options.checkedPort !== undefined } = options;
  const { checkedPort = options.port === 0 ? 0 : CHECKED_PORT } = options;
  return fillDefaults(mockCommand, { ...options, checkedProxy, checkedPort });
}
