import { defineCommand, expectOptions, type FilledOptions, fillDefaults, option } from '../common/options.ts';
import * as kinds from '../common/value-kinds.ts';
import { isResizable, type Profile, profiles } from '../fixtures/profiles.ts';
import { type LimitPolicy, limitPolicies } from './api/validation.ts';

/** How a mock is to be started. */
export interface MockOptions {
  /** The port to listen on; 0 picks a free one. @default 4010 */
  readonly port?: number;
  /** The host name or address to listen on. @default '127.0.0.1' */
  readonly host?: string;
  /** The API keys to accept. @default ['test-key'] */
  readonly apiKeys?: readonly string[];
  /** The same seed gives the same animals; an unsigned 32-bit integer. @default 1 */
  readonly seed?: number;
  /** What the store starts with. @default 'default' */
  readonly profile?: Profile;
  /** How many animals the store starts with, for the profiles default and large. @default 120 and 100,000 */
  readonly animals?: number;
  /** The path of a JSON file of animals to start with, instead of a profile. */
  readonly data?: string;
  /** What is done with a limit outside its bounds. @default 'reject' */
  readonly limitPolicy?: LimitPolicy;
  /** The time at which the clock of the mock stands still. @default the clock runs */
  readonly now?: Date;
  /** Whether browser apps of other origins may call. @default true */
  readonly cors?: boolean;
  /** Whether a checked proxy is started beside the mock. @default false, or true when `checkedPort` is given */
  readonly checkedProxy?: boolean;
  /** The port of the checked proxy; 0 picks a free one. @default 4011, or 0 when `port` is 0 */
  readonly checkedPort?: number;
  /** How requests are logged, on stdout. @default 'pretty' */
  readonly log?: kinds.LogFormat;
}

const profile = kinds.oneOf(Object.keys(profiles) as Profile[]);
const MOST_ANIMALS = 10_000_000;
const SEEDS = 2 ** 32;
const CHECKED_PORT = 4011;

const key = kinds.text('printable ASCII without spaces, as an HTTP header carries it', /^[\x21-\x7e]+$/);

const time: kinds.ValueKind<Date> = {
  expected: 'an ISO 8601 date, or a time with its offset, such as 2030-12-05T00:00:00Z',
  fromText: parseTime,
  isValid: (value): value is Date => value instanceof Date && !Number.isNaN(value.getTime()),
};

const group = 'what the store starts with';

/** The command, with every option of the mock by its name in `MockOptions`. */
export const mockCommand = defineCommand({
  name: 'animal-store-mock',
  description: 'An offline stand-in for the Animal Store Service.',
  example: 'npm start -- --port 4020',
  prefix: 'ANIMAL_STORE_',
  options: {
    port: option('-p, --port <number>', kinds.port, 'port to listen on; 0 picks a free one', {
      variables: ['PORT'],
      default: 4010,
    }),
    host: option('-h, --host <name>', kinds.host, 'host name or address to listen on', {
      variables: ['HOST'],
      default: '127.0.0.1',
    }),
    apiKeys: option(
      '--api-key <key>',
      key,
      'API key to accept; give it again for more, or separate them by spaces in the variable',
      { default: ['test-key'], secret: true, repeatable: true },
    ),
    seed: option('--seed <number>', kinds.integer(0, SEEDS - 1), 'the same seed gives the same animals', {
      default: 1,
    }),
    profile: option('--profile <name>', profile, `${group}: ${profile.expected}`, {
      default: 'default',
      group,
    }),
    animals: option(
      '--animals <number>',
      kinds.integer(0, MOST_ANIMALS),
      `how many animals the store starts with, ${MOST_ANIMALS} at most`,
      { defaultText: `${profiles.default.size}, for large ${profiles.large.size}`, group },
    ),
    data: option('--data <file.json>', kinds.file, 'start with the animals of this file, a JSON array', {
      conflicts: ['profile', 'animals'],
      group,
    }),
    limitPolicy: option(
      '--limit-policy <policy>',
      kinds.oneOf(limitPolicies),
      'a limit outside 1 to 100: reject it with a 400, or clamp it to the nearest bound',
      { default: 'reject' },
    ),
    now: option('--now <time>', time, 'the time at which the clock of the mock stands still'),
    cors: option('--no-cors', kinds.offSwitch, 'refuse browser apps of other origins', { default: true }),
    checkedProxy: option('--no-checked-proxy', kinds.offSwitch, 'start no checked proxy beside the mock', {
      default: false,
    }),
    checkedPort: option(
      '--checked-port <number>',
      kinds.port,
      'port of the checked proxy; 0 picks a free one',
      {
        default: CHECKED_PORT,
        defaultText: `${CHECKED_PORT}, or a free one with --port 0`,
      },
    ),
    log: option('--log <format>', kinds.logFormat, `a line for each request: ${kinds.logFormat.expected}`, {
      default: 'pretty',
    }),
  },
  check({ animals, profile = 'default' }, nameOf) {
    if (animals === undefined || isResizable(profile)) return undefined;
    return `${nameOf('animals')} goes with the profile default or large, not with ${profile}`;
  },
});

/** How a mock is started: every option valid and, where it has a default, present. */
export type MockConfig = FilledOptions<typeof mockCommand.options>;

/**
 * Checks the options and fills in the defaults.
 *
 * @throws UsageError naming the option and what was expected of it.
 */
export function resolveMockOptions(options: MockOptions): MockConfig {
  expectOptions(mockCommand, options);
  const { checkedProxy = options.checkedPort !== undefined } = options;
  const { checkedPort = options.port === 0 ? 0 : CHECKED_PORT } = options;
  return fillDefaults(mockCommand, { ...options, checkedProxy, checkedPort });
}

/** A time without an offset would mean another moment on another machine, so it is not one. */
function parseTime(text: string): unknown {
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)) return text;
  const day = text.slice(0, 10);
  const isDay = new Date(day).toJSON()?.startsWith(day) ?? false;
  const time = new Date(text);
  return isDay && !Number.isNaN(time.getTime()) ? time : text;
}
