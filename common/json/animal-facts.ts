import { type Contract, flattenSchema, jsonSchemaOf, type Schema } from './contract.ts';

/** A member of an animal, or a filter of lists that is named like one. */
export interface Member {
  readonly name: string;
  readonly type: string | undefined;
  readonly format: string | undefined;
  /** The only values that it may have. Undefined if it may have any of its type. */
  readonly values: readonly string[] | undefined;
  readonly isRequired: boolean;
}

/** What a contract says about animals and their lists. */
export interface AnimalFacts {
  /** The members of Pet. */
  readonly pet: readonly Member[];
  /** The members of NewPet. */
  readonly newPet: readonly Member[];
  /** The query parameters of GET /pets that are named like a member of Pet: a list has only animals with their values. */
  readonly filters: readonly Member[];
  /** The bounds of `limit`. One that the contract does not have is undefined. */
  readonly limit: { readonly least?: number; readonly most?: number; readonly usual?: number };
}

const read = new WeakMap<Contract, AnimalFacts>();

/** Reads the members of animals, and the parameters of their lists. It reads each contract once. */
export function readAnimalFacts(contract: Contract): AnimalFacts {
  const facts = read.get(contract) ?? createFacts(contract);
  read.set(contract, facts);
  return facts;
}

function createFacts(contract: Contract): AnimalFacts {
  const operationOf = (id: string) => contract.operations.find(({ operationId }) => operationId === id);
  const list = operationOf('listPets');
  const pets = flattenSchema(contract, jsonSchemaOf(list?.responses['200']?.content));
  const pet = listMembers(contract, pets.items);
  const parameters = (list?.parameters ?? []).filter((one) => one.in === 'query');
  const filters = parameters.filter(({ name }) => pet.some((member) => member.name === name));
  const limit = parameters.find(({ name }) => name === 'limit');
  const { minimum, maximum, default: usual } = flattenSchema(contract, limit?.schema);
  return {
    pet,
    newPet: listMembers(contract, jsonSchemaOf(operationOf('createPet')?.requestBody?.content)),
    filters: filters.map(({ name, schema, required = false }) =>
      createMember(contract, name, schema, required),
    ),
    limit: {
      ...(minimum !== undefined && { least: minimum }),
      ...(maximum !== undefined && { most: maximum }),
      ...(typeof usual === 'number' && { usual }),
    },
  };
}

function listMembers(contract: Contract, schema: Schema | undefined): readonly Member[] {
  const { properties = {}, required = [] } = flattenSchema(contract, schema);
  return Object.entries(properties).map(([name, one]) =>
    createMember(contract, name, one, required.includes(name)),
  );
}

function createMember(contract: Contract, name: string, schema: Schema, isRequired: boolean): Member {
  const { type, format, enum: values } = flattenSchema(contract, schema);
  return { name, type, format, values: values?.filter((value) => typeof value === 'string'), isRequired };
}
