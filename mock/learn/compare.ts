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

interface Comparison {
  /** The number of choices of which both sides show something. */
  readonly known: number;
  readonly different: readonly ChoiceName[];
  /** Responses to requests of both sides that only one of them did not predict. */
  readonly withoutChoice: readonly { readonly side: Side; readonly response: Unpredicted }[];
  /** The side whose lists are all empty, although the other one has animals, and the number that the other one listed. */
  readonly empty: { readonly side: Side; readonly other: Side; readonly listed: number } | undefined;
}

const NO_VALUE = 'no value';

/** Returns the value of a choice, or that no value explains all responses. Undefined if the side does not show it. */
function findVerdict({ file }: Side, name: ChoiceName): unknown {
  if (file.observed.includes(name)) return completeBehaviour(file.behaviour)[name];
  return file.unknown[name]?.length === 0 ? NO_VALUE : undefined;
}

export function compare(first: Side, second: Side): Comparison {
  const sides = [first, second];
  const both = choiceNames.filter((name) => sides.every((side) => findVerdict(side, name) !== undefined));
  const different = both.filter(
    (name) => !isSameLearned(name, findVerdict(first, name), findVerdict(second, name)),
  );
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
    withoutChoice,
    empty: findEmpty(first, second) ?? findEmpty(second, first),
  };
}

function findEmpty(side: Side, other: Side): Comparison['empty'] {
  const { longestList: listed = 0 } = other.file;
  return side.file.longestList === 0 && listed > 0 ? { side, other, listed } : undefined;
}

export function hasDrift({ different, withoutChoice, empty }: Comparison): boolean {
  // Without animals, nothing shows whether lists are still the same.
  return different.length + withoutChoice.length > 0 || empty !== undefined;
}

export function printComparison(first: Side, second: Side, comparison: Comparison): string {
  const { known, different, withoutChoice, empty } = comparison;
  const sides = [first, second];
  const unknown = choiceNames.length - known;
  const does = (side: Side, name: ChoiceName) => {
    const verdict = findVerdict(side, name);
    const what = verdict === NO_VALUE ? 'does what no value describes' : describeValueOf(name, verdict);
    return `${side.name} ${what}`;
  };
  const lines = [
    ...(empty
      ? [`animals: ${empty.side.name} lists none, ${empty.other.name} lists up to ${empty.listed}`]
      : []),
    ...different.flatMap((name) => [
      `${nameInWords(name)}: ${sides.map((side) => does(side, name)).join(', ')}`,
      ...sides.map((side) => `  ${side.name}: ${printEvidence(side.file, name)}`),
    ]),
    ...(withoutChoice.length > 0 ? ['Different, and no choice describes it:'] : []),
    ...printWithoutChoice(withoutChoice),
    [
      `${different.length} of ${known} choices differ.`,
      ...(withoutChoice.length > 0 ? [`Differences without a choice: ${withoutChoice.length}.`] : []),
      ...(unknown > 0 ? [`Not compared, because a side does not show them: ${unknown}.`] : []),
    ].join(' '),
  ];
  return `${lines.join('\n')}\n`;
}

/** Prints a line for each side and response, since one difference may be in the responses to many requests. */
function printWithoutChoice(withoutChoice: Comparison['withoutChoice']): readonly string[] {
  const alike = Map.groupBy(withoutChoice, ({ side, response }) =>
    JSON.stringify([side.name, response.received]),
  );
  return [...alike.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { request, received } = first.response;
    const more = others.length === 0 ? '' : `, also to ${others.length} other kinds of requests`;
    return [`  ${first.side.name}: ${request} → ${describeParts(received)}${more}`];
  });
}

function printEvidence({ evidence }: LearnedFile, name: ChoiceName): string {
  const shown = (evidence[name] ?? []).map(({ request, status }) => `${request} → ${status}`);
  return [...new Set(shown)].join(', ') || 'no single response';
}
