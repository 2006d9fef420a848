import type { Hook } from '../service/types.ts';
import { duplicateMembers, integerNotations, unknownMembers } from './body-members.ts';
import { categories } from './categories.ts';
import type { Choice, Effect, FreeValues } from './choice.ts';
import { getDelay, listDelay } from './delays.ts';
import { errorCodes, errorMembers, malformedId, refusedMember } from './errors.ts';
import { etag } from './etag.ts';
import { animalMembers } from './further-members.ts';
import { allow, challenge, charset, deprecationHeaders, location } from './headers.ts';
import { ids } from './ids.ts';
import {
  limitAbove100,
  limitBelow1,
  limitEmpty,
  limitFraction,
  limitLeadingZero,
  limitWord,
} from './limits.ts';
import { otherMediaTypes } from './media-types.ts';
import { emptyNames, longestName, nameCharacters, shortestName, uniqueNames } from './names.ts';
import { statusWhenOmitted } from './new-status.ts';
import { order } from './order.ts';
import { pageSize } from './page-size.ts';
import { head, otherMethods, trailingSlash, unknownPaths, unknownPathWithoutKey } from './paths.ts';
import { repeatedParameters, unknownParameters } from './query-parameters.ts';
import { schemeCase } from './scheme-case.ts';
import { invalidStatus, listsWithoutStatus, statusCase, statusLists } from './status-filter.ts';

/**
 * All choices, in the order of their hooks: what a request means comes before what a body may be, and both before the reply.
 * Source: docs/reference/unspecified.md
 */
export const choices = {
  trailingSlash,
  head,
  schemeCase,
  statusCase,
  repeatedParameters,
  statusLists,
  invalidStatus,
  listsWithoutStatus,
  limitEmpty,
  limitWord,
  limitFraction,
  limitLeadingZero,
  limitBelow1,
  limitAbove100,
  pageSize,
  listDelay,
  order,
  otherMediaTypes,
  duplicateMembers,
  integerNotations,
  unknownMembers,
  longestName,
  shortestName,
  nameCharacters,
  emptyNames,
  categories,
  uniqueNames,
  statusWhenOmitted,
  ids,
  getDelay,
  malformedId,
  otherMethods,
  unknownPathWithoutKey,
  unknownParameters,
  refusedMember,
  location,
  deprecationHeaders,
  animalMembers,
  unknownPaths,
  errorCodes,
  errorMembers,
  charset,
  challenge,
  allow,
  etag,
} as const;

export type ChoiceName = keyof typeof choices;

type FreeValue<One> = One extends { readonly free: FreeValues<infer Value> } ? Value : never;

/** A value for each choice. */
export type Behaviour = {
  readonly [Name in ChoiceName]:
    | (typeof choices)[Name]['values'][number]['value']
    | FreeValue<(typeof choices)[Name]>;
};

export type ChoiceValue = Behaviour[ChoiceName];

/** The choices that differ from the default: the form in files, options and reports. */
export type Difference = Partial<Behaviour>;

export const choiceNames = Object.keys(choices) as ChoiceName[];

export function choiceOf(name: ChoiceName): Choice<ChoiceValue> {
  return choices[name] as unknown as Choice<ChoiceValue>;
}

/** Lists the values of a choice that are not free; the first is the default. */
export function valuesOf(name: ChoiceName): readonly ChoiceValue[] {
  return choiceOf(name).values.map(({ value }) => value as ChoiceValue);
}

/** Returns the default value of a choice, which is what the plain service does. */
export function defaultOf(name: ChoiceName): ChoiceValue {
  return choiceOf(name).values[0]?.value as ChoiceValue;
}

export function effectOf(name: ChoiceName, value: unknown): Effect | undefined {
  const { values, free } = choiceOf(name);
  return (
    values.find((one) => one.value === value) ??
    (free?.has(value) === true ? free.effectOf(value) : undefined)
  );
}

export function hasValue(name: ChoiceName, value: unknown): value is ChoiceValue {
  return effectOf(name, value) !== undefined;
}

export function hooksOf(difference: Difference): readonly Hook[] {
  return choiceNames.flatMap((name) => {
    const value = difference[name];
    return value === undefined || value === defaultOf(name) ? [] : (effectOf(name, value) ?? []);
  });
}

/** Returns the name of a choice in words, such as "limit above 100". */
export function nameInWords(name: ChoiceName): string {
  return name.replace(/[A-Z]|\d+/g, (part) => ` ${part.toLowerCase()}`);
}

/** Returns whether two values of a choice, which were learned, may be of the same deployment. */
export function isSameLearned(name: ChoiceName, one: unknown, other: unknown): boolean {
  const { free } = choiceOf(name);
  const areNumbers = typeof one === 'number' && typeof other === 'number' && one > 0 && other > 0;
  if (areNumbers) return Math.abs(one - other) <= (free?.precision ?? 0);
  const areFree = free?.has(one) === true && free.has(other);
  return areFree && free.isSameLearned !== undefined ? free.isSameLearned(one, other) : one === other;
}

export function printValue(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Describes a value, to be read after the name of a deployment, such as "clamps it to 100". */
export function describeValueOf(name: ChoiceName, value: unknown): string {
  return effectOf(name, value)?.does ?? printValue(value);
}
