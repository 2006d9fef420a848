import { completeBehaviour } from '../choices/behaviours.ts';
import {
  type ChoiceName,
  choiceNames,
  describeValueOf,
  isSameLearned,
  nameInWords,
} from '../choices/choices.ts';
import { describeParts } from './describe-learned.ts';
import type { Unpredicted } from './find-unpredicted.ts';
import type { LearnedFile } from './learned-file.ts';

/** A learned behaviour with the name that the comparison gives it. */
export interface Side {
  readonly name: string;
  readonly file: LearnedFile;
}

export interface Comparison {
  /** The number of choices that both know. */
  readonly known: number;
  readonly different: readonly ChoiceName[];
  /** Choices that one side knows, and for which no value explains the other. */
  readonly undescribed: readonly { readonly name: ChoiceName; readonly side: Side }[];
  /** Responses to requests of both sides that only one of them did not predict. */
  readonly withoutChoice: readonly { readonly side: Side; readonly response: Unpredicted }[];
  /** The side whose lists are all empty, although the other one has animals, and the number that the other one listed. */
  readonly empty: { readonly side: Side; readonly other: Side; readonly listed: number } | undefined;
}

export function compare(first: Side, second: Side): Comparison {
  const sides = [first, second];
  const isObserved = ({ file }: Side, name: ChoiceName) => file.observed.includes(name);
  const chosenBy = ({ file }: Side, name: ChoiceName) => completeBehaviour(file.behaviour)[name];
  const both = choiceNames.filter((name) => sides.every((side) => isObserved(side, name)));
  const different = both.filter(
    (name) => !isSameLearned(name, chosenBy(first, name), chosenBy(second, name)),
  );
  const missing = sides.flatMap((side, index) => {
    const other = sides[1 - index] as Side;
    const names = choiceNames.filter((name) => !isObserved(side, name) && isObserved(other, name));
    return names.map((name) => ({ name, side }));
  });
  const hasNoValue = ({ name, side }: { readonly name: ChoiceName; readonly side: Side }) =>
    side.file.unknown[name]?.length === 0;
  const print = ({ request, received }: Unpredicted) => JSON.stringify([request, received]);
  const withoutChoice = sides.flatMap((side, index) => {
    const { requests, notPredicted } = (sides[1 - index] as Side).file;
    const others = new Set(notPredicted.map(print));
    const own = side.file.notPredicted.filter(
      (one) => requests.includes(one.request) && !others.has(print(one)),
    );
    return own.map((response) => ({ side, response }));
  });
  return {
    known: both.length,
    different,
    undescribed: missing.filter(hasNoValue),
    withoutChoice,
    empty: findEmpty(first, second) ?? findEmpty(second, first),
  };
}

function findEmpty(side: Side, other: Side): Comparison['empty'] {
  const { longestList: listed = 0 } = other.file;
  return side.file.longestList === 0 && listed > 0 ? { side, other, listed } : undefined;
}

export function hasDrift({ different, undescribed, withoutChoice, empty }: Comparison): boolean {
  // Without animals, nothing shows whether lists are still the same.
  return different.length + undescribed.length + withoutChoice.length > 0 || empty !== undefined;
}

export function printComparison(first: Side, second: Side, comparison: Comparison): string {
  const { known, different, undescribed, withoutChoice, empty } = comparison;
  const sides = [first, second];
  const unknown = choiceNames.length - known - undescribed.length;
  const does = ({ name: side, file }: Side, name: ChoiceName) =>
    `${side} ${describeValueOf(name, completeBehaviour(file.behaviour)[name])}`;
  const lines = [
    ...(empty
      ? [`animals: ${empty.side.name} lists none, ${empty.other.name} lists up to ${empty.listed}`]
      : []),
    ...different.flatMap((name) => [
      `${nameInWords(name)}: ${sides.map((side) => does(side, name)).join(', ')}`,
      ...sides.map((side) => `  ${side.name}: ${printEvidence(side.file, name)}`),
    ]),
    ...printGroup(
      'Known on one side, and no value describes the other:',
      undescribed.map(({ name, side }) => `  ${nameInWords(name)}, in ${side.name}`),
    ),
    ...printGroup(
      'Different, and no choice describes it:',
      withoutChoice.map(
        ({ side, response }) => `  ${side.name}: ${response.request} → ${describeParts(response.received)}`,
      ),
    ),
    [
      `${different.length} of ${known} choices differ.`,
      ...(undescribed.length > 0 ? [`Of ${undescribed.length} more, no value describes one side.`] : []),
      ...(withoutChoice.length > 0 ? [`Differences without a choice: ${withoutChoice.length}.`] : []),
      ...(unknown > 0 ? [`Not compared, because a side does not show them: ${unknown}.`] : []),
    ].join(' '),
  ];
  return `${lines.join('\n')}\n`;
}

function printGroup(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

function printEvidence({ evidence }: LearnedFile, name: ChoiceName): string {
  const shown = (evidence[name] ?? []).map(({ request, status }) => `${request} → ${status}`);
  return [...new Set(shown)].join(', ') || 'no single response';
}
