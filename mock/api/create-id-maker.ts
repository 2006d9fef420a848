import type { Behaviour } from '../../common/behaviour/choices.ts';
import { toDigits } from '../../common/behaviour/free-values.ts';

/** Makes an id from the next integer. */
type MakeId = (next: bigint) => bigint;

/** What ids are made of. */
interface IdSource {
  /** Returns numbers from 0 up to 1. */
  readonly random: () => number;
  readonly now: () => Date;
}

/** Of so many drawn ids at least one is free, unless animals have nearly all ids of so many digits. */
const MOST_DRAWS = 1_000;

const MICROSECONDS_OF_MILLISECOND = 1_000n;

/** How far apart ids of the same millisecond are. */
const STEP = 3n;

/** Ids run at most this far ahead of the time, in microseconds. */
const MOST_AHEAD = 1_000_000n;

/** Creates a function that makes ids of new animals as the behaviour requires. */
export function createIdMaker(ids: Exclude<Behaviour['ids'], 'next'>, { random, now }: IdSource): MakeId {
  if (ids === 'random') return () => BigInt(Math.floor(random() * Number.MAX_SAFE_INTEGER)) + 1n;
  // Odd, so that a double cannot hold them.
  if (ids === 'large') return (next) => 2n ** 60n + 2n * next + 1n;
  if (ids === 'negative') return (next) => -next;
  if (ids === 'time') {
    return (next) => BigInt(now().getTime()) * MICROSECONDS_OF_MILLISECOND + ((next * STEP) % MOST_AHEAD);
  }
  const digits = toDigits(ids);
  let draws = 0;
  return (next) => {
    draws += 1;
    return draws > MOST_DRAWS ? next : drawDigits(digits, random);
  };
}

/** Draws a number whose first digit is not 0. */
function drawDigits(digits: number, random: () => number): bigint {
  const first = 1 + Math.floor(random() * 9);
  const others = Array.from({ length: digits - 1 }, () => Math.floor(random() * 10));
  return BigInt([first, ...others].join(''));
}
