import { isResizable, type Profile, profileSizes } from '../fixtures/profiles.ts';
import type { LogFormat } from './log-format.ts';
import { type OptionSpec, optionSpecs } from './option-specs.ts';
import type { LimitPolicy } from './validation.ts';

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

/** The default of an option in words, or undefined when it has none. */
export function describeDefault(name: OptionName): string | undefined {
  if (name === 'animals') return `${profileSizes.default}, for large ${profileSizes.large}`;
  if (name === 'cors' || !Object.hasOwn(defaults, name)) return undefined;
  return String(defaults[name as keyof typeof defaults]);
}

/** An option that cannot be, as a sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
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
  const config = {
    animals: undefined,
    data: undefined,
    now: undefined,
    ...defaults,
    ...(Object.fromEntries(given) as MockOptions),
  };
  expectNoConflict(options, config.profile);
  return config;
}

/**
 * Reads the options that the command line gives and, for those it does not, the environment.
 * An empty variable counts as not set.
 *
 * @throws UsageError naming the flag or variable and what was expected of it.
 */
export function readOptions(
  values: ArgumentValues,
  environment: NodeJS.ProcessEnv = process.env,
): MockOptions {
  const options: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries<OptionSpec>(optionSpecs)) {
    const variable = spec.variables.find((candidate) => environment[candidate]) ?? '';
    const argument = values[name as OptionName];
    const given = argument ?? environment[variable];
    if (given === undefined) continue;
    const value = typeof given === 'string' ? spec.fromText(given) : given;
    expectValid(spec, argument === undefined ? variable : longFlag(spec), value);
    options[name] = value;
  }
  return options;
}

function expectValid(spec: OptionSpec, source: string, value: unknown): void {
  if (spec.isValid(value)) return;
  const given = spec.secret ? '' : `, not ${JSON.stringify(value)}`;
  throw new UsageError(`${source} must be ${spec.expected}${given}`);
}

function expectNoConflict({ data, profile, animals }: MockOptions, resolvedProfile: Profile): void {
  if (data !== undefined && (profile ?? animals) !== undefined) {
    const other = profile === undefined ? 'animals' : 'profile';
    throw new UsageError(`data and ${other} cannot be combined: each says what the store starts with`);
  }
  if (animals !== undefined && !isResizable(resolvedProfile)) {
    throw new UsageError(`animals goes with the profile default or large, not with ${resolvedProfile}`);
  }
}

function longFlag({ flags }: OptionSpec): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? flags;
}
