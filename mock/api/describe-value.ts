import type { ExactJson } from '../../common/exact-json.ts';

const LONGEST = 40;

/** Names a JSON value for an error message, in a few words whatever its size. */
export function describeValue(value: ExactJson): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'number') return describeNumber(value);
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST).toWellFormed()}…`;
}

/** What is a number and no bigint is no integer, or an integer of very many digits; rounded, it could look like one. */
function describeNumber(value: number): string {
  if (!Number.isFinite(value)) return 'a number far too large';
  return Number.isInteger(value) ? 'a number with a fraction' : String(value);
}
