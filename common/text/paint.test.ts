import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createPaint, hasColours } from './paint.ts';

test('a text is painted only where colours are shown', () => {
  expect(createPaint(true)('red', 'error')).toBe('\u001b[31merror\u001b[39m');
  expect(createPaint(true)('yellow', 'warning')).toBe('\u001b[33mwarning\u001b[39m');
  expect(createPaint(false)('red', 'error')).toBe('error');
});

test('a terminal shows colours, and a pipe shows none, but for FORCE_COLOR', () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  const pipe = new PassThrough();
  const terminal = Object.assign(new PassThrough(), { isTTY: true, getColorDepth: () => 8 });
  vi.stubEnv('NO_COLOR', undefined).stubEnv('FORCE_COLOR', undefined);
  expect([hasColours(terminal), hasColours(pipe)]).toEqual([true, false]);
  vi.stubEnv('FORCE_COLOR', '1');
  expect(hasColours(pipe)).toBe(true);
});
