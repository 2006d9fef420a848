/** Milliseconds, or a range of them such as `'50-200'`. */
export type Delay = number | string;

export const LONGEST_DELAY = 600_000;

export const A_DELAY = `milliseconds up to ${LONGEST_DELAY}, such as 200, or 50-200 for any from 50 to 200`;

// No schema here: users import the types of this file, and do not install valibot.
export function isDelay(value: unknown): value is Delay {
  return readRange(value) !== undefined;
}

/** Picks a time, in milliseconds. @param random returns numbers from 0 up to 1. */
export function pickDelay(delay: Delay, random: () => number): number {
  const [least, most] = readRange(delay) ?? [0, 0];
  return least === most ? least : least + random() * (most - least);
}

function readRange(value: unknown): [least: number, most: number] | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const [, least, most = least] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(String(value)) ?? [];
  if (least === undefined || Number(least) > Number(most) || Number(most) > LONGEST_DELAY) return undefined;
  return [Number(least), Number(most)];
}
