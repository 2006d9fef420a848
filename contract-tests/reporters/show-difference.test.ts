import { expect, test } from 'vitest';
import { showDifference } from './show-difference.ts';

const long = (end: string) => JSON.stringify('a'.repeat(70) + end);

test.for([
  ['"Rex"', '"REX"', '"Rex"', '"REX"'],
  ['7', undefined, '7', 'nothing'],
  // Texts that look alike are told apart by their code points.
  ['"ä"', '"a\u0308"', '"ä" (U+00E4)', '"a\u0308" (U+0061 U+0308)'],
  ['"Rex"', '"Rex\u200b"', '"Rex" (nothing more)', '"Rex\u200b" (U+200B)'],
  // Of a long text the part around the difference is shown.
  [
    long(`1${'b'.repeat(30)}`),
    long('2'),
    `…"${'a'.repeat(20)}1${'b'.repeat(19)}"… (101 characters, from 51 on)`,
    `…"${'a'.repeat(20)}2" (71 characters, from 51 on)`,
  ],
] as const)('%j and %j are shown as %j and %j', ([first, second, one, other]) => {
  expect(showDifference(first, second)).toEqual([one, other]);
});
