import { expect, test } from 'vitest';
import { markDifference } from './mark-difference.ts';

test.for([
  ['the categoryId 9223372036854775807 when fetched by its id', '9223372036854774784', '5807', '4784'],
  ['401', '200', '401', '200'],
  ['at most 5 animals', '6', '5', '6'],
  ['the name "contract-test a Zoë" of the animal 7', '"contract-test a Zoe"', 'ë', 'e'],
  ['the name "contract-test two  spaces"', '"contract-test two spaces"', ' ', ''],
  ['the name "contract-test 🐈"', '"contract-test 🐕"', '🐈', '🐕'],
  ['the name "contract-test \u200b"', '"contract-test "', '\\u200b', ''],
  ['application/json', 'application/problem+json', '', 'problem+'],
  // Nothing that differs can be named.
  ['a status below 500', '500', '', ''],
  ['an array', 'no answer (socket hang up)', '', ''],
  ['a Pet', '"<mark>"', '', ''],
])('of %j and %j what differs is marked', ([expected = '', actual = '', ...marks]) => {
  const seen = markDifference(expected, actual).map(({ text }) => /<mark>(.*)<\/mark>/.exec(text)?.[1] ?? '');
  expect(seen).toEqual(marks);
});
