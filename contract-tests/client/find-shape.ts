import { type ExactJson, isJsonObject } from '../../common/json/exact-json.ts';
import type { Shape } from '../failures/failure.ts';
import { showValue } from './show-value.ts';

/** Number of members of an object that a message names. */
const MOST_MEMBERS = 5;

/** Returns what a JSON value is. @param shorten of a long value, without a key at its cut */
export function findShape(value: ExactJson, shorten = (text: string) => text): Shape {
  if (Array.isArray(value)) return { is: 'array', length: value.length };
  if (!isJsonObject(value)) return { is: 'value', value: shorten(showValue(value)) };
  const { id, name } = value;
  if (typeof id === 'bigint' && typeof name === 'string') return { is: 'animal', id: String(id) };
  return { is: 'object', members: Object.keys(value).slice(0, MOST_MEMBERS) };
}
