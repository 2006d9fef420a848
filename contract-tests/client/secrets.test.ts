import { expect, test } from 'vitest';
import { redact } from '../../common/text/redact.ts';
import { createTarget } from '../testing/run-suite.ts';
import { keysOf, redactAndCut } from './secrets.ts';

const key = '0123456789';
const headers = { 'X-Gateway': 'Token gate-secret', 'X-Zone': 'zone-secret' };
const create = () => createTarget({ apiKey: key, headers, proxySecrets: ['ann-secret'] });

const base64 = (text: string) => Buffer.from(text).toString('base64');

test.for([
  [`the key ${key}.`, 'the key [key].'],
  ['of a gateway gate-secret', 'of a gateway [key]'],
  ['of another header zone-secret', 'of another header [key]'],
  ['of a proxy ann-secret', 'of a proxy [key]'],
  [`${key}x`, '<the key with x after it>'],
  [`x${key}`, '<the key with x before it>'],
  [base64(`${key}:`), '<the key: in base64>'],
  [base64(`contract-test:${key}`), '<contract-test:the key in base64>'],
  [`without its beginning ${key.slice(2)}x`, 'without its beginning [key]'],
  [
    'in full width, without its first letter １２３４５６７８９',
    'in full width, without its first letter [key]',
  ],
  [`the end of it ${key.slice(4)}`, 'the end of it [key]'],
  [`a short end ${key.slice(5)}`, `a short end ${key.slice(5)}`],
  ['nothing', 'nothing'],
] as const)('of %j is shown: %s', ([text, shown]) => {
  expect(redact(text, keysOf(create()))).toBe(shown);
});

/** How many characters more than those that are kept are looked at. */
const margin = 15 * 'Token gate-secret'.length;

test.for<[what: string, text: string, longest: number, cut: string]>([
  ['a short text', `a ${key}`, 100, 'a [key]'],
  ['a text of that length', 'a'.repeat(100), 100, 'a'.repeat(100)],
  ['a longer text', 'a'.repeat(101), 100, 'a'.repeat(100)],
  ['a key at the end', `${'a'.repeat(95)}${key}`, 100, `${'a'.repeat(95)}[key]`],
  ['a key at the end of what is looked at', `${'a'.repeat(95 + margin)}${key}${key}`, 100, 'a'.repeat(100)],
  // What is cut off begins in a key: the rest of it cannot be recognised.
  ['nothing but keys', `a${key.repeat(1_000)}`, 1_000, `a${'[key]'.repeat(200)}`.slice(0, 375)],
  ['keys that become nearly nothing', `a${key.repeat(1_000)}`, 100, 'a'],
])('of %s no half of a key is left', ([, text, longest, cut]) => {
  const shown = redactAndCut(text, longest, create());
  expect(shown.length).toBeLessThanOrEqual(longest);
  expect(shown).not.toContain(key.slice(0, 3));
  expect(shown).toBe(cut);
});
