import { expect, test } from 'vitest';
import { hasNestedQuantifiers } from './has-nested-quantifiers.ts';

test.for([
  '^(a+)+$',
  '^(?:.*)*$',
  '(?<word>\\w+\\s?)+$',
  '^(a+|b)*$',
  '^(\\p{L}+)+$',
  '^([a-z]{1,64}){1,64}$',
  '^(a[a-z]*)+$',
  '^(.*,)*$',
  '^((a+)b?)+$',
  '^((a+)+b)?$',
  '^(?=(a+)+$).',
  '^(a?a?)*$',
  '^(\\b[a-z]+)+$',
  '^([\\]a]+)+$',
  '^((a|b)+)*$',
  '^((b|a*)b)+$',
])('%s repeats what is repeated', (pattern) => {
  expect(hasNestedQuantifiers(pattern)).toBe(true);
});

test.for([
  '^[a-z]+$',
  '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  '^\\S+@\\S+\\.\\S+$',
  '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?Z)?$',
  '^([0-9a-f]{2}:){5}[0-9a-f]{2}$',
  '^(\\d{1,3}\\.){3}\\d{1,3}$',
  '^[A-Z][a-z]*( [A-Z][a-z]*)*$',
  '^(0|[1-9]\\d*)(\\.(0|[1-9]\\d*)){2}(-([0-9a-z-]+)(\\.[0-9a-z-]+)*)?$',
  '^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,}$',
  '^(foo|bar)*$',
  '^((a|b)(c|d))+$',
  '^\\(a+\\)+$',
  '^[(a+)+]+$',
  '^([^\\n]*\\n)*$',
  '(?!x).+',
  '^(a+)?$',
  '^(a+){1}$',
])('%s can match each text in one way', (pattern) => {
  expect(hasNestedQuantifiers(pattern)).toBe(false);
});
