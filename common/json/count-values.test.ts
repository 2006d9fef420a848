import { expect, test } from 'vitest';
import { hasManyValues } from './count-values.ts';

const many = `${'0,'.repeat(14_998)}0`;

test.for([
  ['an array', `[${many}]`, `[${many},0]`],
  ['an object', `{${many.replaceAll('0', '"a":0')}}`, `{${many.replaceAll('0', '"a":0')},"a":0}`],
  ['arrays in arrays', '['.repeat(14_999), '['.repeat(15_001)],
  ['objects in objects', '{"a":'.repeat(14_999), '{"a":'.repeat(15_001)],
  [
    'strings',
    `["${'[{,:\\"\\\\'.repeat(9_000)}",${many.slice(2)}]`,
    `["${'[{,:\\"\\\\'.repeat(9_000)}",${many}]`,
  ],
  ['what is not closed', `[${many},`.slice(0, -1), `[${many},`],
] as const)('the values of %s are counted', ([, few, more]) => {
  expect([hasManyValues(Buffer.from(few)), hasManyValues(Buffer.from(more))]).toEqual([false, true]);
});
