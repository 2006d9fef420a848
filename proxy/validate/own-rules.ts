import { keyRules } from '../exchange.ts';

/** Rules that are not of JSON Schema and not of one exchange. docs/reference/animal-store-proxy.md explains each. */
export const ownRules = [
  keyRules.missing,
  keyRules.empty,
  'empty-parameter',
  'integer-format',
  'empty-path-parameter',
  'unsupported-media-type',
  'unexpected-body',
  'unknown-path',
  'unknown-method',
  'unknown-parameter',
  'unknown-member',
  'undocumented-status',
  'server-error',
  'error-body',
  'media-type',
  'json',
  'unreadable',
] as const;

/** The name of a rule that is not of JSON Schema and not of one exchange. */
export type OwnRule = (typeof ownRules)[number];
