import type { FoundViolation } from '../exchange.ts';

/** Maximum number of violations of a rule at one place that are listed: a list of the contract has at most so many animals. */
export const MOST_ALIKE = 100;

/** Maximum number of violations of a message that are listed. */
const MOST_LISTED = 1_000;

/**
 * Lists the violations of a message, if they are many only some of each rule and place, errors first. The rest is counted: the last one
 * that is listed says how many more there are.
 */
export function listFew(found: readonly FoundViolation[]): readonly FoundViolation[] {
  if (found.length <= MOST_ALIKE) return found;
  const placeOf = ({ location }: FoundViolation) => location.map((key) => (/^\d+$/.test(key) ? '*' : key));
  const keyOf = (one: FoundViolation) =>
    JSON.stringify([one.rule, one.severity, one.missing, ...placeOf(one)]);
  const groups = [...Map.groupBy(found, keyOf).values()];
  const listed = groups.flatMap((alike) => shorten(alike, MOST_ALIKE));
  return shorten(
    listed.toSorted((one, other) => Number(other.severity === 'error') - Number(one.severity === 'error')),
    MOST_LISTED,
  );
}

function shorten(found: readonly FoundViolation[], most: number): readonly FoundViolation[] {
  const last = found[most - 1];
  if (found.length <= most || last === undefined) return found;
  const more = found.slice(most).reduce((sum, one) => sum + 1 + (one.more ?? 0), last.more ?? 0);
  return [...found.slice(0, most - 1), { ...last, more }];
}
