import { basename } from 'node:path';
import { completeBehaviour } from '../../common/behaviour/behaviours.ts';
import type { ChoiceName } from '../../common/behaviour/choices.ts';
import { choiceNames, describeValueOf, nameInWords } from '../../common/behaviour/choices.ts';
import type { Learned, Shown } from './learn.ts';
import { readLearned } from './learned-file.ts';

/** A learned behaviour with the name of its deployment, which is the name of the file. */
interface Side {
  readonly name: string;
  readonly learned: Learned;
}

/**
 * Compares two files that `--learn` wrote, and prints the choices that differ, with the evidence of both.
 * @returns the text, and whether something differs. @throws UsageError for a file that cannot be used
 */
export function compare(
  first: string,
  second: string,
): { readonly text: string; readonly hasDrift: boolean } {
  const sides = [first, second].map((file): Side => {
    return { name: basename(file).replace(/\.json$/, ''), learned: readLearned(file) };
  });
  const isObserved = (name: ChoiceName) => sides.every(({ learned }) => learned.observed.includes(name));
  const both = choiceNames.filter(isObserved);
  const chosenBy = ({ learned }: Side, name: ChoiceName) => completeBehaviour(learned.behaviour)[name];
  const different = both.filter((name) => new Set(sides.map((side) => chosenBy(side, name))).size > 1);
  const lines = different.flatMap((name) => [
    `${nameInWords(name)}: ${sides.map((side) => `${side.name} ${describeValueOf(name, chosenBy(side, name))}`).join(', ')}`,
    ...sides.map((side) => `  ${side.name}: ${printEvidence(side.learned.evidence[name])}`),
  ]);
  const oneSided = sides.flatMap((side, index) => {
    const other = sides[1 - index]?.learned.observed ?? [];
    const missing = other.filter((name) => !side.learned.observed.includes(name));
    return missing.map((name) => `  ${nameInWords(name)}, in ${side.name}: ${side.learned.unknown[name]}`);
  });
  const text = [
    ...lines,
    ...(oneSided.length === 0 ? [] : ['Not observed on one side:', ...oneSided]),
    `${different.length} of ${both.length} choices differ.`,
  ];
  return { text: `${text.join('\n')}\n`, hasDrift: different.length > 0 };
}

function printEvidence(evidence: readonly Shown[] = []): string {
  return evidence.map(({ request, status }) => `${request} → ${status}`).join(', ') || 'no single response';
}
