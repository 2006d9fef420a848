import { type Choice, type ChoiceName, choices, type Difference } from '../../common/behaviour/choices.ts';

/** Lists the values of a choice that are not its default, with examples of its free values. */
export function listValues(name: ChoiceName): readonly Difference[ChoiceName][] {
  const { values, free }: Choice = choices[name];
  const all = free === undefined ? values : [...values, ...free.examples];
  return all.slice(1) as Difference[ChoiceName][];
}
