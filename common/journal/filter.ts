import * as v from 'valibot';
import { readMembers } from '../read-members.ts';
import { mustBe } from '../schemas.ts';

export function digits(expected: string, pattern: RegExp) {
  const isValid = (value: unknown) => pattern.test(String(value));
  return v.optional(v.pipe(v.custom<number | string>(isValid, mustBe(expected)), v.transform(Number)));
}

/** A time in milliseconds, from a program or from a query. */
export function milliseconds(longest: number) {
  const expected = `milliseconds up to ${longest}`;
  const isValid = (value: unknown) => /^\d{1,9}$/.test(String(value)) && Number(value) <= longest;
  return v.optional(v.pipe(v.custom<number | string>(isValid, mustBe(expected)), v.transform(Number)));
}

export const id = digits('an id', /^\d{1,15}$/);

const SINCE = 'a Date, a time such as 2026-11-21T09:30:00Z, or an id';
const isSince = (value: unknown) => v.is(id, value) || !Number.isNaN(readTime(value));

/** A Date is a string here, since filters are read as JSON. */
export const since = v.optional(v.custom<number | string>(isSince, mustBe(SINCE)));

/** Reads `until`, from a program or from a query. @throws ApiError `invalid_request`, also for other members. */
export function readUntil(filter: object): number | undefined {
  return readMembers('The filter', filter, { until: id }).until;
}

/** Members of a filter that was read. Others have the names of the members of the entries. */
interface ReadMembers {
  readonly since?: number | string;
  readonly until?: number;
}

/** Creates the check of an entry by the members of a filter that was read. */
export function createMatch<Entry extends { readonly id: number; readonly time: Date }>(
  filter: ReadMembers,
): (entry: Entry) => boolean {
  const { since, until, ...others } = filter;
  const members = Object.entries(others);
  const isId = v.is(id, since);
  const earliest = readTime(since);
  return (entry) =>
    members.every(([name, value]) => entry[name as keyof Entry] === value) &&
    (until === undefined || entry.id <= until) &&
    (since === undefined || (isId ? entry.id > Number(since) : entry.time.getTime() >= earliest));
}

function readTime(value: unknown): number {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
}
