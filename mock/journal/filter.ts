import * as v from 'valibot';
import { readMembers } from '../../common/read-members.ts';
import { mustBe } from '../../common/schemas.ts';

/** Bounds of a number, as a JSON Schema has them. */
interface Range {
  readonly minimum: number;
  readonly maximum?: number;
  readonly default?: number;
}

/** Creates the schema of a number in a filter, from a program or from a query. */
export function digits(about: string, expected: string, range: Range) {
  const { minimum, maximum = 999_999_999_999_999 } = range;
  const isValid = (value: unknown) =>
    /^\d{1,15}$/.test(String(value)) && Number(value) >= minimum && Number(value) <= maximum;
  return v.optional(
    v.pipe(
      v.custom<number | string>(isValid, mustBe(expected)),
      v.metadata({ type: 'integer', ...range, description: about }),
      v.transform(Number),
    ),
  );
}

/** Creates the schema of an id in a filter. */
export const id = (about: string) => digits(about, 'an id', { minimum: 0 });

const isId = (value: unknown) => /^\d{1,15}$/.test(String(value));

const SINCE = 'a Date, a time such as 2026-11-21T09:30:00Z, or an id';
const isSince = (value: unknown) => isId(value) || !Number.isNaN(readTime(value));

/** A Date is a string here, since filters are read as JSON. */
export const since = v.optional(
  v.pipe(
    v.custom<number | string>(isSince, mustBe(SINCE)),
    v.metadata({
      anyOf: [
        { type: 'integer', minimum: 0 },
        { type: 'string', format: 'date-time' },
      ],
      description: 'Earliest time of arrival, or the id before the first one.',
    }),
  ),
);

export const untilMembers = { until: id('Id of the last one.') };

/** Reads `until`, from a program or from a query. @throws ApiError `invalid_request`, also for other members. */
export function readUntil(filter: object): number | undefined {
  return readMembers('The filter', filter, untilMembers).until;
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
  const isAfterId = isId(since);
  const earliest = readTime(since);
  return (entry) =>
    members.every(([name, value]) => entry[name as keyof Entry] === value) &&
    (until === undefined || entry.id <= until) &&
    (since === undefined || (isAfterId ? entry.id > Number(since) : entry.time.getTime() >= earliest));
}

function readTime(value: unknown): number {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
}
