import type { Violation } from '../../common/journal/violation.ts';

export const isError = ({ severity }: Pick<Violation, 'severity'>): boolean => severity === 'error';

/** Prints what a rule requires, to be read after "must". */
const requirements: Readonly<Record<string, (expected: string) => string>> = {
  type: (expected) => `be ${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}`,
  minimum: (expected) => `be at least ${expected}`,
  maximum: (expected) => `be at most ${expected}`,
  enum: (expected) => `be one of: ${expected}`,
};

/** Describes a violation in plain words: `name must be a string`, and at its place `must be a string`. */
export function describeViolation(violation: Violation, isAtPlace = false): string {
  const { location, rule, expected, missing, message } = violation;
  const [side, part, ...names] = location;
  const name = names.join('.');
  const where = side === 'response' && !isAtPlace ? ' in the response' : '';
  if (missing !== undefined) {
    const owner = isAtPlace || name === '' ? '' : `${name}.`;
    return `${owner}${missing} is missing${where}`;
  }
  const print = requirements[rule];
  if (print === undefined || expected === undefined) return message;
  const subject = isAtPlace ? '' : `${name || `the ${part}`} `;
  return `${subject}must ${print(expected)}${where}`;
}
