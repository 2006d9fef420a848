import * as v from 'valibot';
import { readMembers } from '../../common/read-members.ts';
import { mustBe } from '../../common/schemas.ts';

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

export const id = (about: string) => digits(about, 'an id', { minimum: 0 });

export const since = id('Id of the one before the first one.');

export const untilMembers = { until: id('Id of the last one.') };

/** Reads `until`, from a program or from a query. @throws ApiError `invalid_request`, also for other members. */
export function readUntil(filter: object): number | undefined {
  return readMembers('The filter', filter, untilMembers).until;
}

/** Members of a filter that was read. Others have the names of the members of the entries. */
interface ReadMembers {
  readonly since?: number;
  readonly until?: number;
}

export function createMatch<Entry extends { readonly id: number }>({
  since = 0,
  until = Number.POSITIVE_INFINITY,
  ...others
}: ReadMembers): (entry: Entry) => boolean {
  const members = Object.entries(others);
  return (entry) =>
    entry.id > since &&
    entry.id <= until &&
    members.every(([name, value]) => entry[name as keyof Entry] === value);
}
