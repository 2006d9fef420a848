import type { ExactJson, JsonObject } from '../../common/json/exact-json.ts';
import { isJsonObject } from '../../common/json/exact-json.ts';
import type { Pet } from '../../common/json/pet.ts';
import type { Hook } from '../service/types.ts';
import { type Choice, type FreeValues, PET } from './choice.ts';

const memberTypes = ['string', 'number', 'boolean', 'array', 'object', 'null'] as const;

export type MemberType = (typeof memberTypes)[number];

export type FurtherMembers = Readonly<Record<string, MemberType>>;

/** Members of the contract. */
const taken = ['id', 'name', 'categoryId', 'status', 'code', 'message'];

/** A name without what could be a sentence or an address, which is no member of the contract. */
const NAME = `^(?!(?:${taken.join('|')}|__proto__)$)[a-zA-Z_][a-zA-Z0-9_.-]{0,39}$`;

/** Returns whether a member can be a value. */
export function isMemberName(name: string): boolean {
  return new RegExp(NAME).test(name);
}

function areMembers(value: unknown): value is FurtherMembers {
  if (!isJsonObject(value as ExactJson)) return false;
  const entries = Object.entries(value as object);
  const isOne = ([name, type]: [string, unknown]) =>
    isMemberName(name) && memberTypes.some((known) => known === type);
  return entries.length > 0 && entries.every(isOne);
}

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

/** Creates the values that are members with their types. @param example of them */
export function freeMembers(
  example: FurtherMembers,
  adding: (members: FurtherMembers) => Hook,
): FreeValues<FurtherMembers> {
  return {
    expected: `an object with the type of each member (${memberTypes.join(', ')})`,
    examples: [example],
    schema: {
      type: 'object',
      minProperties: 1,
      propertyNames: { pattern: NAME },
      additionalProperties: { enum: memberTypes },
    },
    has: areMembers,
    findHint: (value) => {
      const name = Object.keys(Object(value)).find((one) => taken.includes(one));
      return name === undefined ? '' : `. ${name} is taken`;
    },
    isSameLearned: areAlike,
    effectOf: (members) => ({ does: `adds ${Object.keys(members).join(', ')}`, ...adding(members) }),
  };
}

/** Merges the types of two values of a member. Null says nothing about the other values. */
export function mergeTypes(one: MemberType | undefined, other: MemberType): MemberType | undefined {
  if (one === undefined || one === 'null' || one === other) return other;
  return other === 'null' ? one : undefined;
}

export function typeOf(value: ExactJson | undefined): MemberType {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'boolean';
  return isJsonObject(value) ? 'object' : 'number';
}

interface MemberSource {
  readonly number: bigint;
  readonly time: Date;
  /** Path that links lead to. */
  readonly path: string;
}

/** Names of members that are times, such as `createdAt`, `due_date` and `timestamp`. */
const TIME = /(?:[a-z]At|_at|[dD]ate|[tT]ime|timestamp)$/;

const LINKS = /^_?links$/;

/** Returns sample values for members, the same ones for the same source. */
export function inventMembers(members: FurtherMembers, { number, time, path }: MemberSource): JsonObject {
  const samples: Readonly<Record<MemberType, (name: string) => ExactJson>> = {
    string: (name) => (TIME.test(name) ? time.toISOString() : `${name} ${number}`),
    number: () => number,
    boolean: () => number % 2n === 0n,
    array: () => [],
    object: (name) => (LINKS.test(name) ? { self: path } : {}),
    null: () => null,
  };
  return Object.fromEntries(Object.entries(members).map(([name, type]) => [name, samples[type](name)]));
}

/** The time that the animal with the id 0 has, where animals show when they were added. */
const FIRST_TIME = Date.UTC(2028, 0, 1);

/** Number of different times, in minutes: about two years. */
const MOST_MINUTES = 2n ** 20n;

const MILLISECONDS_OF_MINUTE = 60_000;

/** Returns a time that grows with the id, because the mock does not keep when an animal was added. */
function inventTime(id: bigint): Date {
  const minutes = ((id % MOST_MINUTES) + MOST_MINUTES) % MOST_MINUTES;
  return new Date(FIRST_TIME + Number(minutes) * MILLISECONDS_OF_MINUTE);
}

/** Creates a hook that adds members to animals. The contract may have one of them. */
const adding = (members: FurtherMembers): Hook => ({
  reply: (answer, { operation, basePath }) => {
    const { value } = answer;
    if (value === undefined || operation === undefined || operation === 'createMessage') return answer;
    const add = (pet: Pet) => {
      const source = { number: pet.id, time: inventTime(pet.id), path: `${basePath}/pets/${pet.id}` };
      const invented = Object.entries(inventMembers(members, source));
      return { ...pet, ...Object.fromEntries(invented.filter(([name]) => !Object.hasOwn(pet, name))) };
    };
    return { ...answer, value: Array.isArray(value) ? value.map(add) : add(value as Pet) };
  },
});

export const animalMembers = {
  about: 'Further members of animals.',
  silentAt: PET,
  values: [
    { value: 'none', does: 'adds none' },
    { value: 'createdAt', does: 'adds createdAt', ...adding({ createdAt: 'string' }) },
    { value: 'links', does: 'adds links', ...adding({ links: 'object' }) },
  ],
  free: freeMembers({ updatedAt: 'string', tags: 'array' }, adding),
} as const satisfies Choice<FurtherMembers>;
