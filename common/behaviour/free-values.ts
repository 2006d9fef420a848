/** Values of a choice that are set by name or learned, but not tried. */
export interface FreeValues<Value> {
  /** The values, to be read after "must be". */
  readonly expected: string;
  readonly examples: readonly [Value, ...Value[]];
  /** JSON Schema of the values. */
  readonly schema: object;
  has(value: unknown): value is Value;
  /** By how much two numbers may differ that are learned from the same deployment. @default 0 */
  readonly precision?: number;
  /** Returns whether two of the values may be learned from the same deployment. @default only equal ones may */
  isSameLearned?(one: Value, other: Value): boolean;
  /** Listed values that another run may show of the same deployment. @default none */
  readonly shownInstead?: readonly unknown[];
  /** Describes what a deployment with a value does, to be read after its name. */
  does(value: Value): string;
}

/** Ids of new animals that have so many digits, or that are made of the time. */
export type FreeIds = `random:${number}` | 'time';

/** Numbers of digits that random ids can have: fewer ones would be used up by a few hundred animals. Those of the value `random` have up to 16, and longer ones are above 2^53. */
const ID_PATTERN = '^(?:random:(?:[4-9]|1[0-5])|time)$';

/** Free values for ids of new animals. */
export const freeIds: FreeValues<FreeIds> = {
  expected: '`random:` and a number of digits from 4 to 15, or `time`',
  examples: ['random:6', 'time'],
  schema: { type: 'string', pattern: ID_PATTERN },
  has: (value): value is FreeIds => typeof value === 'string' && new RegExp(ID_PATTERN).test(value),
  does: (value) =>
    value === 'time' ? 'makes ids of the time' : `gives random ids of ${toDigits(value)} digits`,
};

/** Returns the number of digits of an id such as `random:6`. */
export function toDigits(value: Exclude<FreeIds, 'time'>): number {
  return Number(value.slice('random:'.length));
}

/** Creates free values that are integers. @param does describes what a deployment with an integer does */
export function createIntegers(
  least: number,
  most: number,
  example: number,
  does: (value: number) => string,
): FreeValues<number> {
  return {
    expected: `an integer from ${least} to ${most}`,
    examples: [example],
    schema: { type: 'integer', minimum: least, maximum: most },
    has: (value): value is number =>
      typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most,
    does,
  };
}

const CONFLICT_IN_ANY_CASE = 'conflictIgnoringCase';

/** The rarest way with taken names. As a listed value it would make each trial a run longer. */
export const freeConflict: FreeValues<typeof CONFLICT_IN_ANY_CASE> = {
  expected: `\`${CONFLICT_IN_ANY_CASE}\``,
  examples: [CONFLICT_IN_ANY_CASE],
  schema: { type: 'string', pattern: `^${CONFLICT_IN_ANY_CASE}$` },
  has: (value): value is typeof CONFLICT_IN_ANY_CASE => value === CONFLICT_IN_ANY_CASE,
  does: () => 'refuses it in any case with 409',
};
