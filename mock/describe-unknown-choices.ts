import { type ChoiceName, choiceNames, nameInWords } from './choices/choices.ts';
import type { UnknownChoices } from './files/load-behaviour.ts';

/** Longest line that names the reasons too, in characters. */
const LONGEST_WITH_REASONS = 200;

/** Describes the choices that a learned file does not know. @returns undefined if it knows all of them */
export function describeUnknownChoices(unknown: UnknownChoices): string | undefined {
  const gaps = Object.entries(unknown);
  if (gaps.length === 0) return undefined;
  const use = gaps.length === 1 ? 'is unknown and uses' : 'are unknown and use';
  const count = `${gaps.length} of ${choiceNames.length} choices ${use} the default`;
  const describe = (hasReasons: boolean) => {
    const words = gaps.map(([name, reason]) => {
      const inWords = nameInWords(name as ChoiceName);
      return hasReasons ? `${inWords} (${reason})` : inWords;
    });
    return `${count}: ${words.join(', ')}`;
  };
  const whole = describe(true);
  return whole.length <= LONGEST_WITH_REASONS ? whole : describe(false);
}
