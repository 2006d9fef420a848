import { expect, test } from 'vitest';
import { PageLimit } from './page-limit.ts';

/** Notes responses: what each was, and how many ms after the request before it was sent. */
function isNone(...responses: readonly (readonly ['list' | 'page' | '429', ms: number])[]): boolean {
  const pages = new PageLimit();
  let at = 0;
  for (const [what, ms] of responses) {
    at += ms;
    pages.note({ at, isTooMany: what !== 'list', isPageFor503: what === 'page' });
  }
  return pages.isNone;
}

test.for([
  ['three pages, each long after a list', ['list', 'page'], 1_250, true],
  ['three pages sooner after a list', ['list', 'page'], 1_249, false],
  ['pages after each other, which count once', ['list', 'page', 'page', 'page', 'page', 'page'], 1_250, true],
  ['429, however slow', ['list', '429'], 5_000, false],
] as const)('%s', ([, round, ms, expected]) => {
  const rounds = [round, round, round].flat().map((what) => [what, ms] as const);
  expect(isNone(...rounds)).toBe(expected);
  expect(isNone(...rounds.slice(0, -round.length))).toBe(false);
});
