import { type TriedValue, triedValues } from '../choices/behaviours.ts';
import { type ChoiceName, type ChoiceValue, nameInWords, printValue, valuesOf } from '../choices/choices.ts';

export interface ChoiceValues {
  readonly choice: ChoiceName;
  readonly values: readonly ChoiceValue[];
}

export function groupValues(all: readonly TriedValue[]): ChoiceValues[] {
  const groups = Map.groupBy(all, ({ choice }) => choice);
  return [...groups].map(([choice, own]) => ({ choice, values: own.map(({ value }) => value) }));
}

export function findNeverActing(acting: readonly TriedValue[]): ChoiceValues[] {
  const names = new Set(acting.map(({ choice, value }) => `${choice} ${value}`));
  return groupValues(triedValues.filter(({ choice, value }) => !names.has(`${choice} ${value}`)));
}

/** Prints values by choice; a choice with all of its values is only named. */
export function printValues(groups: readonly ChoiceValues[]): string {
  const print = ({ choice, values }: ChoiceValues) => {
    const isAll = values.length === valuesOf(choice).length - 1;
    return isAll ? nameInWords(choice) : `${nameInWords(choice)} (${values.map(printValue).join(', ')})`;
  };
  return groups.map(print).join(', ');
}
