import { bodyRules } from './body-rules.ts';
import { pathRules } from './path-rules.ts';
import { prismRules } from './prism-rules.ts';
import { requestRules } from './request-rules.ts';
import { responseRules } from './response-rules.ts';
import type { Rule } from './rule.ts';

/** The rules for one message that are no keywords of JSON Schema. */
export const ownRules: readonly Pick<Rule<never>, 'id' | 'meaning' | 'severity'>[] = [
  ...Object.entries(prismRules).flatMap(([code, { rule = code, meaning }]) =>
    meaning === undefined ? [] : [{ id: rule, meaning, severity: 'error' as const }],
  ),
  ...requestRules,
  ...pathRules,
  ...bodyRules,
  ...responseRules,
];
