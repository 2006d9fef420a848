import { logFormats } from '../common/log-format.ts';
import { profiles } from '../fixtures/profile-names.ts';
import { limitPolicies } from './api/validation.ts';

/** What there is to know of an option, wherever its value comes from. */
export interface OptionSpec {
  /** As on the command line. */
  readonly flags: string;
  /** The environment variables that stand in for it, the first one that is set winning. */
  readonly variables: readonly string[];
  readonly description: string;
  /** What a value must be, to be read after "must be". */
  readonly expected: string;
  /** Turns a text into a value, which may still be an invalid one. */
  readonly fromText: (text: string) => unknown;
  readonly isValid: (value: unknown) => boolean;
  /** Whether the value is kept out of messages. */
  readonly secret?: boolean;
}

const MOST_ANIMALS = 10_000_000;
const SEEDS = 2 ** 32;

/** What the variable of a `--no-…` option says, as the value of the option. */
const switches = new Map([
  ['true', false],
  ['1', false],
  ['false', true],
  ['0', true],
]);

/** Every option of the mock, by its name in `MockOptions`. */
export const optionSpecs = {
  port: {
    flags: '-p, --port <number>',
    variables: ['ANIMAL_STORE_PORT', 'PORT'],
    description: 'port to listen on; 0 picks a free one',
    ...integer(0, 65_535),
  },
  host: {
    flags: '-h, --host <name>',
    variables: ['ANIMAL_STORE_HOST', 'HOST'],
    description: 'host name or address to listen on',
    expected: 'a host name or an IP address',
    fromText: (text) => text,
    isValid: (value) => typeof value === 'string' && /^\S+$/.test(value),
  },
  apiKeys: {
    flags: '--api-key <key>',
    variables: ['ANIMAL_STORE_API_KEY'],
    description: 'API key to accept; give it again for more, or separate them by spaces in the variable',
    expected: 'printable ASCII without spaces, as an HTTP header carries it',
    // One key from the command line comes as an array already.
    fromText: (text) => text.trim().split(/\s+/),
    isValid: (value) => Array.isArray(value) && value.length > 0 && value.every(isKey),
    secret: true,
  },
  seed: {
    flags: '--seed <number>',
    variables: ['ANIMAL_STORE_SEED'],
    description: 'the same seed gives the same animals',
    ...integer(0, SEEDS - 1),
  },
  profile: {
    flags: '--profile <name>',
    variables: ['ANIMAL_STORE_PROFILE'],
    description: `what the store starts with: ${inWords(profiles)}`,
    ...oneOf(profiles),
  },
  animals: {
    flags: '--animals <number>',
    variables: ['ANIMAL_STORE_ANIMALS'],
    description: `how many animals the store starts with, ${MOST_ANIMALS} at most`,
    ...integer(0, MOST_ANIMALS),
  },
  data: {
    flags: '--data <file.json>',
    variables: ['ANIMAL_STORE_DATA'],
    description: 'start with the animals of this file, a JSON array',
    expected: 'the path of a file',
    fromText: (text) => text,
    isValid: (value) => typeof value === 'string' && value !== '',
  },
  limitPolicy: {
    flags: '--limit-policy <policy>',
    variables: ['ANIMAL_STORE_LIMIT_POLICY'],
    description: 'a limit outside 1 to 100: reject it with a 400, or clamp it to the nearest bound',
    ...oneOf(limitPolicies),
  },
  now: {
    flags: '--now <time>',
    variables: ['ANIMAL_STORE_NOW'],
    description: 'the time at which the clock of the mock stands still',
    expected: 'an ISO 8601 date, or a time with its offset, such as 2030-12-05T00:00:00Z',
    fromText: parseTime,
    isValid: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  },
  cors: {
    flags: '--no-cors',
    variables: ['ANIMAL_STORE_NO_CORS'],
    description: 'refuse browser apps of other origins',
    ...switchedOff(),
  },
  checkedProxy: {
    flags: '--no-checked-proxy',
    variables: ['ANIMAL_STORE_NO_CHECKED_PROXY'],
    description: 'start no checked proxy beside the mock',
    ...switchedOff(),
  },
  checkedPort: {
    flags: '--checked-port <number>',
    variables: ['ANIMAL_STORE_CHECKED_PORT'],
    description: 'port of the checked proxy; 0 picks a free one',
    ...integer(0, 65_535),
  },
  log: {
    flags: '--log <format>',
    variables: ['ANIMAL_STORE_LOG'],
    description: `a line for each request: ${inWords(logFormats)}`,
    ...oneOf(logFormats),
  },
} as const satisfies Record<string, OptionSpec>;

type Values = Pick<OptionSpec, 'expected' | 'fromText' | 'isValid'>;

function switchedOff(): Values {
  return {
    expected: 'true or false',
    fromText: (text) => switches.get(text) ?? text,
    isValid: (value) => typeof value === 'boolean',
  };
}

function integer(least: number, largest: number): Values {
  return {
    expected: `an integer from ${least} to ${largest}`,
    fromText: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : text),
    isValid: (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= largest,
  };
}

function oneOf(values: readonly string[]): Values {
  return {
    expected: inWords(values),
    fromText: (text) => text,
    isValid: (value) => values.includes(value as string),
  };
}

function inWords(values: readonly string[]): string {
  return `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

function isKey(value: unknown): boolean {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
}

/** A time without an offset would mean another moment on another machine, so it is not one. */
function parseTime(text: string): unknown {
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)) return text;
  const day = text.slice(0, 10);
  const isDay = new Date(day).toJSON()?.startsWith(day) ?? false;
  const time = new Date(text);
  return isDay && !Number.isNaN(time.getTime()) ? time : text;
}
