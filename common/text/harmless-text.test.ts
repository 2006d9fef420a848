import { expect, test } from 'vitest';
import { escapeControls, showControls, toHarmless, toOneLine } from './harmless-text.ts';

test('controls are shown, in a way that JSON reads as what they are', () => {
  const text =
    '\0\x07\x1b\x7f\x80\x9b\x9f\u061c\u200b\u200d\u200e\u200f\u2028\u202a\u202e\u2060\u2066\u2069\ufeff' +
    '\u00a0\u3000\u00ad\u034f\u115f\u17b4\u180e\u206a\u3164\ufe0f\ufff9\u{1d173}\u{e0041}';
  expect(JSON.parse(`"${toHarmless(text)}"`)).toBe(text);
  expect(JSON.parse(toHarmless(JSON.stringify({ text }, null, 2)))).toEqual({ text });
  expect(toHarmless(text)).toMatch(/^[\x20-\x7e]+$/);
  expect(toHarmless('\x1b[2J\u202egpj.exe')).toBe('\\u001b[2J\\u202egpj.exe');
});

test('line feeds stay where there may be lines, and other text is as it was', () => {
  expect(toHarmless('a\r\n\tb')).toBe('a\\r\n\\tb');
  expect(toOneLine('a\r\n\tb\u2028c \x1b[1m')).toBe('a b c \\u001b[1m');
  expect(escapeControls('a\nb')).toBe('a\\nb');
  expect(toHarmless('añ日本語👩  ')).toBe('añ日本語👩  ');
});

const commands = [
  'a ##[stop-commands]x',
  '##vso[task.setvariable]',
  '::error::x',
  '  ::error::x',
  'a\n \t::set-env name=A',
];

test.for(commands)('the command of a CI runner in %j is broken, and JSON reads it as it is', (text) => {
  for (const print of [toHarmless, toOneLine]) expect(print(text)).not.toMatch(/##\w*\[|^\s*::/m);
  expect(JSON.parse(toHarmless(JSON.stringify({ text }, null, 2)))).toEqual({ text });
  expect(showControls(text.replace('\t', ''))).toBe(text.replace('\t', ''));
});

test('a broken command is readable, and other text stays', () => {
  expect(toHarmless('\n##[error] ::error::x')).toBe('\n#\\u0023[error] ::error::x');
  expect(toHarmless('# [x] #[x] ## [x] 1: a::b')).toBe('# [x] #[x] ## [x] 1: a::b');
});
