import { type Choice, type FreeValues, PET } from './choice.ts';

/** Ids of new animals that have so many digits, or that are made of the time. */
type FreeIds = `random:${number}` | 'time';

/** Fewer digits would be used up by a few hundred animals. Those of the value `random` have up to 16, and longer ones are above 2^53. */
const PATTERN = '^(?:random:(?:[4-9]|1[0-5])|time)$';

const MICROSECONDS_OF_MILLISECOND = 1_000n;

/** How far apart ids of the same millisecond are. */
const STEP = 3n;

/** Ids run at most this far ahead of the time, in microseconds. */
const MOST_AHEAD = 1_000_000n;

const toDigits = (value: FreeIds) => Number(value.slice('random:'.length));

/** Draws a number whose first digit is not 0. */
function drawDigits(digits: number, random: () => number): bigint {
  const first = 1 + Math.floor(random() * 9);
  const others = Array.from({ length: digits - 1 }, () => Math.floor(random() * 10));
  return BigInt([first, ...others].join(''));
}

/** Of so many drawn ids at least one is free, unless animals have nearly all ids of so many digits. */
const MOST_DRAWS = 1_000;

const freeIds: FreeValues<FreeIds> = {
  expected: '`random:` and a number of digits from 4 to 15, or `time`',
  examples: ['random:6', 'time'],
  schema: { type: 'string', pattern: PATTERN },
  has: (value): value is FreeIds => typeof value === 'string' && new RegExp(PATTERN).test(value),
  effectOf: (value) =>
    value === 'time'
      ? {
          does: 'makes ids of the time',
          id: (next, { now }) =>
            BigInt(now.getTime()) * MICROSECONDS_OF_MILLISECOND + ((next * STEP) % MOST_AHEAD),
        }
      : {
          does: `gives random ids of ${toDigits(value)} digits`,
          id: (next, { random }, tries) => (tries < MOST_DRAWS ? drawDigits(toDigits(value), random) : next),
        },
};

export const ids = {
  about: 'Ids of new animals.',
  silentAt: PET,
  values: [
    { value: 'next', does: 'counts upwards' },
    {
      value: 'random',
      does: 'gives random ids',
      id: (_next, { random }) => BigInt(Math.floor(random() * Number.MAX_SAFE_INTEGER)) + 1n,
    },
    // Odd, so that a double cannot hold them.
    { value: 'large', does: 'gives ids above 2^53', id: (next) => 2n ** 60n + 2n * next + 1n },
    { value: 'negative', does: 'gives negative ids', id: (next) => -next },
  ],
  free: freeIds,
} as const satisfies Choice<FreeIds>;
