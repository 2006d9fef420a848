import type { Cause } from '../failures/failure.ts';

type CauseOf<Name extends Cause['cause']> = Cause & { readonly cause: Name };

/** The texts of the probable causes, to be read after "probably". */
const causes: { readonly [Name in Cause['cause']]: (cause: CauseOf<Name>) => string } = {
  'turned into null': () => 'turned into null',
  'turned into another type': ({ type }) => `turned into a ${type}`,
  'rounded to a double': () => 'rounded to what a double can hold',
  'cut to 32 bits': () => 'cut to 32 bits',
  trimmed: () => 'trimmed',
  cut: ({ characters }) => `cut after ${characters} characters`,
  'case changed': () => 'its case was changed',
  'read as Latin-1': () => 'UTF-8 was read as Latin-1',
  'stored as ASCII': () => 'stored as Latin-1 or ASCII, with ? for other characters',
  'earlier response repeated': () => 'the response to an earlier equal body was sent again',
  late: ({ ms }) => `late: the animal was there ${ms.toLocaleString('en')} ms after it was added`,
  stale: ({ age }) =>
    age === undefined ? 'stale: the same list as before an animal was added' : `stale: its Age is ${age} s`,
  'cached without the key': () => 'cached: the same request without the valid key returned 401 before',
};

export const causeNames = Object.keys(causes);

/** Describes a probable cause in words. */
export function describeCause<Name extends Cause['cause']>(cause: CauseOf<Name>): string {
  const describe = causes[cause.cause as Name] as (one: CauseOf<Name>) => string;
  return describe(cause);
}
