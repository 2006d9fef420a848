import { bodyRules } from '../validate/body-rules.ts';
import { pathRules } from '../validate/path-rules.ts';
import { prismRules } from '../validate/prism-rules.ts';
import { requestRules } from '../validate/request-rules.ts';
import { responseRules } from '../validate/response-rules.ts';
import type { Rule } from '../validate/rule.ts';

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
