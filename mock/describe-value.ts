import type { ExactJson } from '../common/exact-json.ts';

const LONGEST = 40;

/** Names a JSON value for an error message, in a few words whatever its size. */
export function describeValue(value: ExactJson): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
