import type { Behaviour } from '../../common/behaviour/choices.ts';
import { type Pet, type PetStatus, petStatuses } from '../../common/json/pet.ts';
import { inWords } from '../../common/schemas.ts';
import type { BehaviourSource } from './behaviour-source.ts';

/** A query parameter of listPets that selects animals. */
interface ListFilter<Value> {
  /** The valid values, to be read after "must be". */
  readonly expected: string;
  /** Returns the value that the texts of a query give, which are one unless they are a union, or undefined for an invalid one. */
  readonly parse: (texts: readonly string[], source: BehaviourSource) => Value | undefined;
  readonly matches: (pet: Pet, value: Value, behaviour: Behaviour) => boolean;
  /** The choice of what happens with an invalid value. @default it is refused */
  readonly whenInvalid?: 'invalidStatus';
}

/** The values that each filter of listPets takes. */
interface FilterTypes {
  readonly status: readonly PetStatus[];
}

/** The filters of listPets. Source: openapi.yaml#/paths/~1pets/get/parameters */
export const listFilters: { readonly [Name in keyof FilterTypes]: ListFilter<FilterTypes[Name]> } = {
  status: {
    expected: inWords(petStatuses),
    parse: parseStatuses,
    matches: ({ status }, wanted, { listsWithoutStatus }) =>
      wanted.some((one) => one === (status ?? listsWithoutStatus)),
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

/** Returns the statuses that texts name, with commas and in any case as the behaviour has it, or undefined if one is invalid. */
function parseStatuses(texts: readonly string[], source: BehaviourSource): PetStatus[] | undefined {
  const { statusCase, statusLists } = source.behaviour;
  const parts = statusLists === 'union' ? texts.flatMap((text) => text.split(',')) : texts;
  const toCompared = (part: string) => (statusCase === 'any' ? part.toLowerCase() : part);
  const found = parts.map((part) => petStatuses.find((status) => status === toCompared(part)));
  const statuses = found.filter((status) => status !== undefined);
  if (statuses.length < parts.length) return undefined;
  if (parts.length > texts.length) source.noteActed('statusLists');
  if (statuses.some((status, index) => status !== parts[index])) source.noteActed('statusCase');
  return statuses;
}
