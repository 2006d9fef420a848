import type { FoundViolation } from '../exchange.ts';

/** Maximum number of violations of a rule at one place that are listed: a list of the contract has at most so many animals. */
export const MOST_ALIKE = 100;

/** Lists at most so many violations of each rule and place. The last one that is listed says how many more there are. */
export function listFew(found: readonly FoundViolation[]): readonly FoundViolation[] {
  if (found.length <= MOST_ALIKE) return found;
  const placeOf = ({ location }: FoundViolation) => location.map((key) => (/^\d+$/.test(key) ? '*' : key));
  const keyOf = (one: FoundViolation) =>
    JSON.stringify([one.rule, one.severity, one.missing, ...placeOf(one)]);
  return [...Map.groupBy(found, keyOf).values()].flatMap((alike) => {
    const listed = alike.slice(0, MOST_ALIKE);
    const more = alike.length - listed.length;
    return more === 0
      ? listed
      : listed.map((one, index) => (index === MOST_ALIKE - 1 ? { ...one, more } : one));
  });
}
