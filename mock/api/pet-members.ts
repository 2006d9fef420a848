import { describeValue, type MemberProblem } from '../../common/http/api-error.ts';
import type { ExactJson } from '../../common/json/exact-json.ts';
import { isInt64 } from '../../common/json/int64.ts';
import { type NewPet, type Pet, petStatuses } from '../../common/json/pet.ts';
import { inWords } from '../../common/schemas.ts';

/** What the mock knows about a member of an animal. */
interface PetMember<IsOptional extends boolean, IsGiven extends boolean> {
  /** The valid values, to be read after "must be". */
  readonly expected: string;
  readonly isValid: (value: ExactJson) => boolean;
  readonly isOptional: IsOptional;
  /** True if a request of createPet gives it. The service assigns the others. */
  readonly isGiven: IsGiven;
}

type IsOptional<Name extends keyof Pet> = object extends Pick<Pet, Name> ? true : false;
type IsGiven<Name extends keyof Pet> = Name extends keyof NewPet ? true : false;

export type PetMemberName = keyof Pet;

export const AN_INT64 = 'a 64-bit integer';

/** Returns whether a value of JSON is a string. */
export function isString(value: ExactJson): value is string {
  return typeof value === 'string';
}

/** The members of an animal, in the order in which they are printed. Source: openapi.yaml#/components/schemas/Pet */
export const petMembers: {
  readonly [Name in PetMemberName]-?: PetMember<IsOptional<Name>, IsGiven<Name>>;
} = {
  id: { expected: AN_INT64, isValid: isInt64, isOptional: false, isGiven: false },
  name: { expected: 'a string', isValid: isString, isOptional: false, isGiven: true },
  categoryId: { expected: AN_INT64, isValid: isInt64, isOptional: false, isGiven: true },
  status: {
    expected: inWords(petStatuses),
    isValid: (value) => petStatuses.some((status) => status === value),
    isOptional: true,
    isGiven: true,
  },
};

export const petMemberNames = Object.keys(petMembers) as PetMemberName[];

/** Members of the body of createPet. */
export const newPetNames = petMemberNames.filter((name) => petMembers[name].isGiven);

/** Returns the members with these names that are present, in this order. */
export function pickMembers(body: object, names: readonly PetMemberName[]): Partial<Pet> {
  const all = body as Partial<Pet>;
  return Object.fromEntries(names.filter((name) => all[name] !== undefined).map((name) => [name, all[name]]));
}

/** Returns a problem for each member that is wrong or missing. */
export function findProblems(body: object, names: readonly PetMemberName[]): MemberProblem[] {
  const values = body as Readonly<Record<string, ExactJson | undefined>>;
  return names.flatMap((member) => {
    const { expected, isValid, isOptional } = petMembers[member];
    const value = values[member];
    if (value === undefined)
      return isOptional ? [] : [{ member, message: `${member} is required and must be ${expected}.` }];
    if (isValid(value)) return [];
    return [{ member, message: `${member} must be ${expected}, not ${describeValue(value)}.` }];
  });
}
