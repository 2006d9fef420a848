import { type ChoiceName, choiceNames, nameInWords } from './choices/choices.ts';

/** Describes the choices that a learned file does not know. @returns undefined if it knows all of them */
export function describeUnknownChoices(unknown: readonly ChoiceName[]): string | undefined {
  if (unknown.length === 0) return undefined;
  const use = unknown.length === 1 ? 'is unknown and uses' : 'are unknown and use';
  return `${unknown.length} of ${choiceNames.length} choices ${use} the default: ${unknown.map(nameInWords).join(', ')}`;
}
