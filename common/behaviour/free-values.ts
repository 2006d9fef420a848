/** Values of a choice that are set by name or learned, but neither drawn nor tried. */
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

/** Members of an animal by which lists can be grouped. */
const groupMembers = ['status', 'categoryId'] as const;

/** Orders of lists by a member, and by ids among animals that have the same one. A minus puts the largest first. */
export type FreeOrder = `${'' | '-'}${(typeof groupMembers)[number]},${'' | '-'}id`;

const ORDER_PATTERN = `^-?(?:${groupMembers.join('|')}),-?id$`;

/** All free orders, for observers. */
export const groupedOrders: readonly FreeOrder[] = groupMembers.flatMap((member) =>
  (['', '-'] as const).flatMap((first) =>
    (['', '-'] as const).map((second) => `${first}${member},${second}id` as const),
  ),
);

/** Free values for the order of lists. */
export const freeOrders: FreeValues<FreeOrder> = {
  expected: '`status,id`, `categoryId,id`, or one of them with a minus before a member',
  examples: ['status,id'],
  schema: { type: 'string', pattern: ORDER_PATTERN },
  has: (value): value is FreeOrder => typeof value === 'string' && new RegExp(ORDER_PATTERN).test(value),
  does: (value) => `sorts lists by ${value.replace(',', ', then by ').replaceAll('-', 'descending ')}`,
};

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

/** Values of Cache-Control that a mock may send: nothing that could end the header or name a key. */
const CACHE_PATTERN = '^[A-Za-z][A-Za-z0-9=, -]{0,63}$';

/** Free values for Cache-Control. */
export const freeCaching: FreeValues<string> = {
  expected: 'a Cache-Control of at most 64 letters, digits, `=`, `,`, `-` and spaces',
  examples: ['private, max-age=15'],
  schema: { type: 'string', pattern: CACHE_PATTERN },
  has: (value): value is string => typeof value === 'string' && new RegExp(CACHE_PATTERN).test(value),
  does: (value) => `sends ${value}`,
};

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

/** ETags of a part of the responses. As listed values they would make each trial a run longer. */
export type PartialETags = 'lists' | 'animals';

/** Free values for ETags. */
export const freeETags: FreeValues<PartialETags> = {
  expected: '`lists` or `animals`',
  examples: ['lists', 'animals'],
  schema: { type: 'string', pattern: '^(?:lists|animals)$' },
  has: (value): value is PartialETags => value === 'lists' || value === 'animals',
  does: (value) => `sends a weak one, and 304, for ${value === 'lists' ? 'lists' : 'single animals'} only`,
};

/** The rarest way with taken names. As a listed value it would make each trial a run longer. */
export const freeConflict: FreeValues<typeof CONFLICT_IN_ANY_CASE> = {
  expected: `\`${CONFLICT_IN_ANY_CASE}\``,
  examples: [CONFLICT_IN_ANY_CASE],
  schema: { type: 'string', pattern: `^${CONFLICT_IN_ANY_CASE}$` },
  has: (value): value is typeof CONFLICT_IN_ANY_CASE => value === CONFLICT_IN_ANY_CASE,
  does: () => 'refuses it in any case with 409',
};
