import type { Behaviour } from '../../common/behaviour/choices.ts';
import { type Pet, type PetStatus, petStatuses } from '../../common/json/pet.ts';
import { inWords } from '../../common/schemas.ts';

/** A query parameter of listPets that selects animals. */
interface ListFilter<Value> {
  /** The valid values, to be read after "must be". */
  readonly expected: string;
  /** Returns the value that a query gives, or undefined for an invalid one. */
  readonly parse: (text: string) => Value | undefined;
  readonly matches: (pet: Pet, value: Value, behaviour: Behaviour) => boolean;
  /** The choice of what happens with an invalid value. @default it is refused */
  readonly whenInvalid?: 'invalidStatus';
}

/** The values that each filter of listPets takes. */
interface FilterTypes {
  readonly status: PetStatus;
}

/** The filters of listPets. Source: openapi.yaml#/paths/~1pets/get/parameters */
export const listFilters: { readonly [Name in keyof FilterTypes]: ListFilter<FilterTypes[Name]> } = {
  status: {
    expected: inWords(petStatuses),
    parse: (text) => petStatuses.find((status) => status === text),
    matches: ({ status }, wanted, { listsWithoutStatus }) => (status ?? listsWithoutStatus) === wanted,
    whenInvalid: 'invalidStatus',
  },
};

export type FilterName = keyof FilterTypes;

/** The values of the filters that a query gives. */
export type FilterValues = { readonly [Name in FilterName]?: FilterTypes[Name] };

export const filterNames = Object.keys(listFilters) as FilterName[];

/** Creates the function that returns whether an animal matches every filter of a query. */
export function createMatch(values: FilterValues, behaviour: Behaviour): (pet: Pet) => boolean {
  const given = filterNames.filter((name) => values[name] !== undefined);
  return (pet) => given.every((name) => matchesOne(name, pet, values[name], behaviour));
}

function matchesOne<Name extends FilterName>(
  name: Name,
  pet: Pet,
  value: FilterValues[Name],
  behaviour: Behaviour,
): boolean {
  return value === undefined || listFilters[name].matches(pet, value, behaviour);
}
