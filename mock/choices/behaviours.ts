import { describeValue, invalidRequest } from '../../common/http/api-error.ts';
import { type ExactJson, isJsonObject, printExactJson } from '../../common/json/exact-json.ts';
import { inWords } from '../../common/text/in-words.ts';
import { printSuggestion } from '../../common/text/suggest.ts';
import type { Behaviour, ChoiceName, ChoiceValue, Difference } from './choices.ts';
import {
  choiceNames,
  choiceOf,
  choices,
  defaultOf,
  hasValue,
  nameInWords,
  printValue,
  valuesOf,
} from './choices.ts';

export const namedBehaviours = {
  default: {},
  strict: {
    unknownParameters: 'refuse',
    unknownMembers: 'refuse',
    duplicateMembers: 'refuse',
    longestName: 255,
    emptyNames: 'refused',
    uniqueNames: 'required',
    categories: 'known',
    integerNotations: 'refused',
    otherMediaTypes: 415,
    malformedId: 400,
    schemeCase: 'exact',
  },
  lenient: {
    limitAbove100: 'clamp',
    limitBelow1: 'clamp',
    limitWord: 'default',
    limitFraction: 'truncate',
    limitLeadingZero: 'decimal',
    limitEmpty: 'default',
    invalidStatus: 'ignore',
    repeatedParameters: 'last',
    unknownMembers: 'keep',
  },
  slow: { listDelay: 1500 },
} as const satisfies Readonly<Record<string, Difference>>;

/** How much of an object a message repeats, in characters. */
const MOST_SHOWN = 200;

export const behaviourNames = Object.keys(namedBehaviours);

const defaults = choiceNames.map((name) => [name, defaultOf(name)]);
const defaultBehaviour = Object.fromEntries(defaults) as Behaviour;

export function completeBehaviour(difference: Difference): Behaviour {
  return Object.keys(difference).length === 0 ? defaultBehaviour : { ...defaultBehaviour, ...difference };
}

export function toDifference(behaviour: Difference): Difference {
  const isOther = ([name, value]: [string, unknown]) => defaultOf(name as ChoiceName) !== value;
  return Object.fromEntries(Object.entries(behaviour).filter(isOther));
}

export interface TriedValue {
  readonly choice: ChoiceName;
  readonly value: ChoiceValue;
  /** The behaviour with this value. */
  readonly behaviour: Difference;
}

/** Each listed value that is not the default. */
export const triedValues: readonly TriedValue[] = choiceNames.flatMap((choice) =>
  valuesOf(choice)
    .slice(1)
    .map((value) => ({ choice, value, behaviour: { [choice]: value } })),
);

/**
 * Reads a behaviour that a user gives: a name or the values that differ from the default.
 * @throws ApiError `invalid_request`, naming what is wrong.
 */
export function readBehaviour(given: unknown): Difference {
  if (typeof given === 'string') return readNamed(given);
  const object = (given ?? null) as ExactJson;
  if (!isJsonObject(object))
    throw invalidRequest(`The behaviour must be an object or a name, not ${describeValue(object)}.`);
  const members = Object.entries(object);
  const problems = members.flatMap(([name, value]) => findProblem(name, value) ?? []);
  if (problems.length > 0) throw invalidRequest(`The behaviour: ${problems.join('. ')}.`);
  return toDifference(Object.fromEntries(members.map(([name, value]) => [name, toValue(value)])));
}

/** Bigints of JSON become numbers, and an object is copied, because its owner may change it. */
function toValue(value: ExactJson) {
  if (typeof value === 'bigint') return Number(value);
  return isJsonObject(value) ? structuredClone(value) : value;
}

function findProblem(name: string, value: ExactJson): string | undefined {
  if (!Object.hasOwn(choices, name)) {
    const hint = printSuggestion(name, choiceNames) || '. docs/reference/unspecified.md lists the choices';
    return `there is no choice ${describeValue(name)}${hint}`;
  }
  if (hasValue(name as ChoiceName, toValue(value))) return undefined;
  const isNumber = valuesOf(name as ChoiceName).some((one) => typeof one === 'number' && `${one}` === value);
  const ofFree = choiceOf(name as ChoiceName).free?.findHint?.(value) ?? '';
  const hint = isNumber ? '. Write the number without quotes' : ofFree;
  return `${name} must be ${describeValues(name as ChoiceName)}, not ${describeGiven(value)}${hint}`;
}

function describeValues(name: ChoiceName): string {
  const { free } = choiceOf(name);
  return inWords([...valuesOf(name).map(String), ...(free === undefined ? [] : [free.expected])]);
}

/** Describes a value, an object with its members, of which one is wrong. */
function describeGiven(value: ExactJson): string {
  return isJsonObject(value) ? printExactJson(value).slice(0, MOST_SHOWN) : describeValue(value);
}

function readNamed(name: string): Difference {
  if (Object.hasOwn(namedBehaviours, name)) return namedBehaviours[name as keyof typeof namedBehaviours];
  const expected = `${inWords(behaviourNames)}, or an object`;
  throw invalidRequest(`The behaviour must be ${expected}, not ${describeValue(name)}.`);
}

/** Prints a difference in words, a line for each choice, such as "order: oldest". */
export function printDifference(difference: Difference): string[] {
  return Object.entries(difference).map(
    ([name, value]) => `${nameInWords(name as ChoiceName)}: ${printValue(value)}`,
  );
}

const describe = (name: ChoiceName) => {
  const { about, free } = choiceOf(name);
  const values = valuesOf(name);
  const allowed = free === undefined ? { enum: values } : { anyOf: [{ enum: values }, free.schema] };
  return { description: about, ...allowed, default: defaultOf(name) };
};

/** JSON Schema of a behaviour in a file. */
export const behaviourSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  description: 'Choices that differ from the default behaviour.',
  type: 'object',
  properties: {
    $schema: { type: 'string' },
    ...Object.fromEntries(choiceNames.map((name) => [name, describe(name)])),
  },
  additionalProperties: false,
};
