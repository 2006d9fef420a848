import { type Environment, isStartedByNpm } from '../common/environment.ts';
import type { LogFormat } from '../common/log-format.ts';
import { UsageError } from '../common/usage-error.ts';
import { isResizable, type Profile, profileSizes } from '../fixtures/profile-names.ts';
import type { LimitPolicy } from './api/validation.ts';
import { type OptionSpec, optionSpecs } from './option-specs.ts';

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
  readonly log?: LogFormat;
}

/** How a mock is started: every option valid and, where it has a default, present. */
export type MockConfig = Readonly<
  Required<Omit<MockOptions, 'animals' | 'data' | 'now'>> & {
    animals: number | undefined;
    data: string | undefined;
    now: Date | undefined;
  }
>;

/** The name of an option in `MockOptions`. */
export type OptionName = keyof typeof optionSpecs;

/** What a value that was not given is; README.md states the same. */
export const defaults = {
  port: 4010,
  host: '127.0.0.1',
  apiKeys: ['test-key'],
  seed: 1,
  profile: 'default',
  limitPolicy: 'reject',
  cors: true,
  log: 'pretty',
} as const satisfies MockOptions;

const CHECKED_PORT = 4011;

/** The default of an option in words, or undefined when it has none. */
export function describeDefault(name: OptionName): string | undefined {
  if (name === 'animals') return `${profileSizes.default}, for large ${profileSizes.large}`;
  if (name === 'checkedPort') return `${CHECKED_PORT}, or a free one with --port 0`;
  if (name === 'cors' || !Object.hasOwn(defaults, name)) return undefined;
  return String(defaults[name as keyof typeof defaults]);
}

/** What the command line says: a text, the texts of an option that may be repeated, or false for `--no-…`. */
export type ArgumentValues = Readonly<Partial<Record<OptionName, string | readonly string[] | boolean>>>;

/**
 * Checks the options and fills in the defaults.
 *
 * @throws UsageError naming the option and what was expected of it.
 */
export function resolveOptions(options: MockOptions): MockConfig {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    if (!Object.hasOwn(optionSpecs, name)) throw new UsageError(`there is no option ${name}`);
    expectValid(optionSpecs[name as OptionName], name, value);
  }
  expectNoConflict(options, (name) => name);
  return {
    animals: undefined,
    data: undefined,
    now: undefined,
    ...defaults,
    checkedProxy: options.checkedPort !== undefined,
    checkedPort: options.port === 0 ? 0 : CHECKED_PORT,
    ...(Object.fromEntries(given) as MockOptions),
  };
}

/**
 * Reads the options that the command line gives and, for those it does not, the environment. An empty variable counts as
 * not set; what the command line says of the animals to start with overrides all that variables say of them.
 *
 * @throws UsageError naming the flag or variable and what was expected of it.
 */
export function readOptions(values: ArgumentValues, environment: Environment = process.env): MockOptions {
  const isStartGiven = startOptions.some((name) => values[name] !== undefined);
  const options: Record<string, unknown> = {};
  const sources: Partial<Record<OptionName, string>> = {};
  for (const [name, spec] of Object.entries(optionSpecs) as [OptionName, OptionSpec][]) {
    const argument = values[name];
    const isIgnored = isStartGiven && startOptions.includes(name);
    const variable = isIgnored ? '' : (spec.variables.find((candidate) => environment[candidate]) ?? '');
    const given = argument ?? environment[variable];
    if (given === undefined) continue;
    const value = typeof given === 'string' ? spec.fromText(given) : given;
    const source = argument === undefined ? variable : longFlag(spec);
    expectValid(spec, source, value);
    options[name] = value;
    sources[name] = source;
  }
  expectNoConflict(options, (name) => sources[name] ?? name);
  return options;
}

/**
 * The flag that npm has kept to itself: of `npm start --port 1` the mock gets nothing but a variable of npm's. The same
 * variable comes from a user's npm configuration, so it is no more than a hint.
 */
export function findFlagKeptByNpm(environment: Environment = process.env): string | undefined {
  if (!isStartedByNpm(environment)) return undefined;
  return Object.values<OptionSpec>(optionSpecs)
    .map(longFlag)
    .find((flag) => `npm_config_${flag.replace(/^--(no-)?/, '').replaceAll('-', '_')}` in environment);
}

/** The options that say what the store starts with. */
const startOptions: readonly OptionName[] = ['profile', 'animals', 'data'];

function expectValid(spec: OptionSpec, source: string, value: unknown): void {
  if (spec.isValid(value)) return;
  const given = spec.secret ? '' : `, not ${JSON.stringify(value)}`;
  throw new UsageError(`${source} must be ${spec.expected}${given}`);
}

function expectNoConflict(options: MockOptions, nameOf: (name: OptionName) => string): void {
  const { data, profile = defaults.profile, animals } = options;
  const other = startOptions.find((name) => name !== 'data' && options[name] !== undefined);
  if (data !== undefined && other !== undefined) {
    const names = `${nameOf('data')} and ${nameOf(other)}`;
    throw new UsageError(`${names} cannot be combined: each says what the store starts with`);
  }
  if (animals !== undefined && !isResizable(profile)) {
    throw new UsageError(`${nameOf('animals')} goes with the profile default or large, not with ${profile}`);
  }
}

function longFlag({ flags }: OptionSpec): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? flags;
}
