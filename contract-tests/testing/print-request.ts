import { escapeControls } from '../../common/text/harmless-text.ts';
import type { SuiteRequest } from '../client/exchange.ts';
import { createTarget } from './run-suite.ts';

export const { apiKey, otherKey } = createTarget();

/** What another run has another of: the times in names and categories, and the key that no service has. */
const changing: readonly (readonly [found: RegExp | string, mask: string])[] = [
  [/(?<=contract-test )\d+/gi, '{run}'],
  [/\b7\d{18}\b/g, '{category}'],
  [otherKey, '{other key}'],
  [otherKey.slice(0, -1), '{start of the other key}'],
  [/(.)\1{99,}/g, '$1…'],
];

/** Prints a request in one line, without the valid key as it should be, as requests.txt has it. */
export function printRequest({
  method,
  path,
  headers,
  body = '',
  isInTwoParts,
  encoding,
}: SuiteRequest): string {
  const { Authorization: key = 'none', ...others } = headers;
  const shown = key === `Bearer ${apiKey}` ? others : { Authorization: key, ...others };
  const parts = [
    ...[method, path],
    ...Object.entries(shown).map(([name, value]) => `${name}: ${value}`),
    ...[encoding, isInTwoParts && 'in two parts', body].filter(Boolean),
  ];
  const text = escapeControls(parts.join(' | '));
  return changing.reduce((masked, [found, mask]) => masked.replaceAll(found, mask), text);
}
