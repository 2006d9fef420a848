import type { FreeValues } from './free-values.ts';

const memberTypes = ['string', 'number', 'boolean', 'array', 'object', 'null'] as const;

/** JSON type of a member. */
export type MemberType = (typeof memberTypes)[number];

/** Further members, by their names. */
export type FurtherMembers = Readonly<Record<string, MemberType>>;

/** Further members of animals. Lists lack those of `single`. */
export type AnimalMembers = Readonly<Record<string, MemberType | FurtherMembers>>;

/** The member of a value that has the members of a single animal. */
export const SINGLE = 'single';

/** The further members of an animal in a list, or of a single one. */
export function membersOf(value: AnimalMembers, isSingle: boolean): FurtherMembers {
  const all = Object.entries(value).flatMap(([name, type]): [string, MemberType][] => {
    if (typeof type === 'string') return [[name, type]];
    return isSingle ? Object.entries(type) : [];
  });
  return Object.fromEntries(all);
}

/** A name without what could be a sentence or an address, which is no member of the contract. */
const NAME = '^(?!(?:id|name|categoryId|status|code|message|__proto__)$)[a-zA-Z_][a-zA-Z0-9_.-]{0,39}$';

/** Returns whether a member can be a value. */
export function isMemberName(name: string): boolean {
  return new RegExp(NAME).test(name);
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function areMembers(value: unknown): value is FurtherMembers {
  if (!isObject(value)) return false;
  const entries = Object.entries(value);
  const isOne = ([name, type]: [string, unknown]) =>
    isMemberName(name) && memberTypes.some((known) => known === type);
  return entries.length > 0 && entries.every(isOne);
}

const membersSchema = {
  type: 'object',
  minProperties: 1,
  propertyNames: { pattern: NAME },
  additionalProperties: { enum: memberTypes },
};

const TYPES = memberTypes.join(', ');

/** Values that are further members of animals. */
export const freeAnimalMembers: FreeValues<AnimalMembers> = {
  expected: `an object with the type of each member (${TYPES}), and in \`${SINGLE}\` those that lists lack`,
  examples: [{ updatedAt: 'string', tags: 'array' }, { [SINGLE]: { links: 'object' } }],
  schema: {
    ...membersSchema,
    properties: { [SINGLE]: { anyOf: [{ enum: memberTypes }, membersSchema] } },
  },
  has: (value): value is AnimalMembers => {
    if (!isObject(value)) return false;
    const { [SINGLE]: single, ...others } = value as Record<string, unknown>;
    if (!isObject(single)) return areMembers(value);
    return areMembers(single) && (Object.keys(others).length === 0 || areMembers(others));
  },
  isSameLearned: (one, other) =>
    [true, false].every((isSingle) => areAlike(membersOf(one, isSingle), membersOf(other, isSingle))),
  does: (value) => {
    const [all, single] = [Object.keys(membersOf(value, false)), Object.keys(membersOf(value, true))];
    const others = single.filter((name) => !all.includes(name));
    const parts = [
      ...(all.length > 0 ? [`adds ${all.join(', ')}`] : []),
      ...(others.length > 0 ? [`adds ${others.join(', ')} outside lists`] : []),
    ];
    return parts.join(' and ');
  },
};

/** Values that are further members of all Errors. */
export const freeErrorMembers: FreeValues<FurtherMembers> = {
  expected: `an object with the type of each member (${TYPES})`,
  examples: [{ timestamp: 'string', path: 'string' }],
  schema: membersSchema,
  has: areMembers,
  isSameLearned: areAlike,
  does: (value) => `adds ${Object.keys(value).join(', ')}`,
};

/** Returns whether members have the same names and types. A run may have seen only nulls. */
function areAlike(one: FurtherMembers, other: FurtherMembers): boolean {
  const names = Object.keys(one);
  const isSame = (name: string) =>
    one[name] === other[name] || one[name] === 'null' || other[name] === 'null';
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(name))
  );
}
