import type { Hook } from '../service/types.ts';
import { type Choice, emptyFor, integers, LIST, replacing } from './choice.ts';

const INTEGER = /^(?:0|-?[1-9]\d*)$/;
const isFraction = (text: string) => /^-?(?:\d+\.\d*|\.\d+)$/.test(text);
const hasZero = (text: string) => /^-?0\d+$/.test(text);
const isEmpty = (text: string) => text === '';
const isWord = (text: string) =>
  ![isFraction, hasZero, isEmpty].some((isOther) => isOther(text)) && !INTEGER.test(text);
const isAbove = (text: string) => INTEGER.test(text) && Number(text) > 100;
const isBelow = (text: string) => INTEGER.test(text) && Number(text) < 1;

const refuse = { value: 'refuse', does: 'refuses it with 400' } as const;

/** Creates a hook that uses the default limit, or another one. */
const using = (isMeant: (text: string) => boolean, ...texts: readonly string[]): Hook =>
  replacing('limit', (text) => (isMeant(text) ? texts : undefined));

const usingTruncated = (isMeant: (text: string) => boolean): Hook =>
  replacing('limit', (text) => (isMeant(text) ? [String(Math.trunc(Number(text)))] : undefined));

const usesDefault = (isMeant: (text: string) => boolean) =>
  ({ value: 'default', does: 'uses 20', ...using(isMeant) }) as const;
const usesOne = (isMeant: (text: string) => boolean) =>
  ({ value: 'one', does: 'uses 1', ...using(isMeant, '1') }) as const;
const isNone = (isMeant: (text: string) => boolean) =>
  ({ value: 'none', does: 'returns an empty list', ...emptyFor('limit', isMeant) }) as const;

export const limitAbove100 = {
  about: 'A limit above 100.',
  silentAt: LIST,
  values: [
    refuse,
    { value: 'clamp', does: 'clamps it to 100', ...using(isAbove, '100') },
    usesDefault(isAbove),
  ],
  free: integers(1, 99, 30, (limit) => ({
    does: `clamps it to ${limit}`,
    ...using(isAbove, String(limit)),
  })),
} as const satisfies Choice<number>;

export const limitBelow1 = {
  about: 'A limit below 1.',
  silentAt: LIST,
  values: [
    refuse,
    { value: 'clamp', does: 'clamps it to 1', ...using(isBelow, '1') },
    usesDefault(isBelow),
    isNone(isBelow),
  ],
} as const satisfies Choice;

export const limitWord = {
  about: 'A limit that is no number, such as `abc`.',
  silentAt: LIST,
  values: [refuse, usesDefault(isWord), usesOne(isWord), isNone(isWord)],
} as const satisfies Choice;

export const limitFraction = {
  about: 'A limit with a fraction, such as `2.5`.',
  silentAt: LIST,
  values: [
    refuse,
    usesDefault(isFraction),
    { value: 'truncate', does: 'drops the fraction', ...usingTruncated(isFraction) },
  ],
} as const satisfies Choice;

export const limitLeadingZero = {
  about: 'A limit with a leading zero, such as `02`.',
  silentAt: LIST,
  values: [
    refuse,
    usesDefault(hasZero),
    { value: 'decimal', does: 'drops the zero', ...usingTruncated(hasZero) },
  ],
} as const satisfies Choice;

export const limitEmpty = {
  about: 'An empty limit, as in `?limit=`.',
  silentAt: LIST,
  values: [refuse, usesDefault(isEmpty), usesOne(isEmpty), isNone(isEmpty)],
} as const satisfies Choice;
