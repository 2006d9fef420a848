import { expect, test } from 'vitest';
import { escapeXml } from '../../../common/text/print-junit.ts';
import type { Failure } from '../../failures/failure.ts';
import { sampleFailures } from '../../testing/sample-failures.ts';
import { describeFailures, findValues } from '../describe-failures.ts';
import { markDifference } from './mark-difference.ts';

const { member, status, count, header, id, filter, added, body } = sampleFailures;
const nameOf = (expected: string, received: string) => ({
  ...member,
  expected: JSON.stringify(`contract-test ${expected}`),
  received: JSON.stringify(`contract-test ${received}`),
});

test.for<[failure: Failure, expected: string, received: string]>([
  [{ ...member, expected: '9223372036854775807', received: '9223372036854774784' }, '5807', '4784'],
  [{ ...status, expected: 401 }, '401', '201'],
  [{ ...count, received: 6, isAtLeast: false }, '5', '6'],
  [nameOf('a Zoë', 'a Zoe'), 'ë', 'e'],
  [nameOf('two  spaces', 'two spaces'), ' ', ''],
  [nameOf('🐈', '🐕'), '🐈', '🐕'],
  [{ ...header, received: 'application/problem+json' }, '', 'problem+'],
  [{ ...id, idProblem: 'not requested', expected: '1234567', received: '1234568' }, '7', '8'],
  [{ ...id, idProblem: 'not requested', expected: '123456', received: '123457' }, '123456', '123457'],
  [{ ...id, idProblem: 'not requested', expected: '123456', received: '1234567' }, '', '7'],
  [filter, 'sold', '&quot;pending&quot;'],
  [sampleFailures['error status'], '404', '418'],
  [sampleFailures['mixed up'], '&quot;A&quot;', '&quot;B&quot;'],
  // These compare no two values.
  [{ kind: 'header', header: 'Content-Type', operation: 'GET /pets' }, '', ''],
  [{ ...header, header: 'WWW-Authenticate' }, '', ''],
  [{ kind: 'status', expected: 200, operation: 'GET /pets', noResponse: 'cut' }, '', ''],
  [{ ...id, idProblem: 'twice' }, '', ''],
  [{ ...status, expected: '4xx' }, '', ''],
  [added, '', ''],
  [body, '', ''],
])('of the texts of %o what differs is marked', ([failure, ...marks]) => {
  const { expected, received } = describeFailures([failure]);
  const marked = markDifference(expected, received, findValues([failure]));
  expect(marked.map(({ text }) => /<mark>(.+)<\/mark>/.exec(text)?.[1] ?? '')).toEqual(marks);
  // The texts stay as they are.
  const texts = marked.map(({ text }) => text.replace(/<mark>(.+)<\/mark>/, '$1'));
  expect(texts).toEqual([expected, received].map(escapeXml));
});

test.for<[what: string, texts: [string, string], values: [string, string]]>([
  ['are the same', ['a 7', 'b 7'], ['7', '7']],
  ['are in one text only', ['a 7', 'b 8'], ['7', '9']],
  ['are in the other text only', ['a 7', 'b 8'], ['9', '8']],
])('nothing is marked if the values %s', ([, texts, values]) => {
  expect(markDifference(...texts, values).map(({ text }) => text)).toEqual(texts);
});
