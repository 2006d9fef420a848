import type { Violation } from '../app/store.ts';

export const isError = ({ severity }: Violation): boolean => severity === 'error';

/** Returns the message of a violation in plain words: `name must be a string`, and at its place `must be a string`. */
export function describeViolation({ message }: Violation, isAtPlace = false): string {
  const [, side, part, name, rule] =
    /^(Request|Response) (\w+)(?: (?:property|parameter) (.+?))? must (.*)$/s.exec(message) ?? [];
  if (rule === undefined) return message;
  const where = side === 'Response' && !isAtPlace ? ' in the response' : '';
  const [, missing] = /^have required property '(.*)'$/s.exec(rule) ?? [];
  if (missing) return `${isAtPlace || name === undefined ? '' : `${name}.`}${missing} is missing${where}`;
  const plain = rule
    .replace(/^be (string|number|boolean)/, 'be a $1')
    .replace(/^be (integer|array|object)/, 'be an $1')
    .replace(/^be >=/, 'be at least')
    .replace(/^be <=/, 'be at most')
    .replace(/^NOT/, 'not')
    .replace(/^be equal to one of the allowed values/, 'be one of');
  return `${isAtPlace ? '' : `${name ?? `the ${part}`} `}must ${plain}${where}`;
}
