import { type ChoiceName, choiceOf, type Difference, valuesOf } from '../../mock/choices/choices.ts';

/** Lists the values of a choice that are not its default, with examples of its free values. */
export function listValues(name: ChoiceName): readonly Difference[ChoiceName][] {
  const { free } = choiceOf(name);
  const all = [...valuesOf(name), ...(free?.examples ?? [])];
  return all.slice(1) as Difference[ChoiceName][];
}
