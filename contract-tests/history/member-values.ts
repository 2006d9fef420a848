import { isDeepStrictEqual } from 'node:util';
import type { Member } from '../../common/json/animal-facts.ts';
import type { ExactJson, JsonObject } from '../../common/json/exact-json.ts';
import { isInt64, parseInt64 } from '../../common/json/int64.ts';

/** The one member that others may change: the specification calls it state-like, and leaves its transitions unspecified. */
export const STATUS = 'status';

/** Returns whether a value is one that a member may have, as far as types, formats and lists of values say. */
export function isValueOf({ type, format, values }: Member, value: ExactJson | undefined): boolean {
  if (type === 'integer') return isInt64(value);
  if (type === 'boolean') return typeof value === 'boolean';
  if (type !== 'string') return true;
  if (typeof value !== 'string') return false;
  return values?.includes(value) ?? (format !== 'date-time' || !Number.isNaN(Date.parse(value)));
}

/** Returns the value that a filter asks for; undefined if it may not have this text, or if nobody can say what a text means. */
export function readFilterValue(filter: Member, text: string): ExactJson | undefined {
  const ofType: Readonly<Record<string, ExactJson | undefined>> = {
    integer: parseInt64(text),
    boolean: { true: true, false: false }[text],
    string: text,
  };
  const value = ofType[filter.type ?? ''];
  return value !== undefined && isValueOf(filter, value) ? value : undefined;
}

/** Returns whether an object has each required member of some, and only valid values of them. */
export function hasValidMembers(object: JsonObject, members: readonly Member[]): boolean {
  return members.every((member) => {
    const value = object[member.name];
    return value === undefined ? !member.isRequired : isValueOf(member, value);
  });
}

/** The character that decoders write for what is no character. */
const REPLACEMENT = '\ufffd';

/**
 * Returns whether two values of a member are the same. UTF-8 has no half of a surrogate pair, so that U+FFFD or ? may replace it, and
 * one point in time has several notations.
 */
export function isSameValue(
  { format }: Pick<Member, 'format'>,
  one: ExactJson | undefined,
  other: ExactJson | undefined,
): boolean {
  if (one === other) return true;
  if (typeof one === 'object' && typeof other === 'object') return isDeepStrictEqual(one, other);
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  if (format === 'date-time') return Date.parse(one) === Date.parse(other);
  const [first, second] = [one.toWellFormed(), other.toWellFormed()];
  const isReplaced = `${first}${second}`.includes(REPLACEMENT);
  return isReplaced && first.replaceAll('?', REPLACEMENT) === second.replaceAll('?', REPLACEMENT);
}
