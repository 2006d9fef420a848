import type { AnimalFacts, Member as Fact } from '../../common/json/animal-facts.ts';
import type { ExactJson } from '../../common/json/exact-json.ts';
import { isInt64, parseInt64 } from '../../common/json/int64.ts';
import { inWords } from '../../common/text/in-words.ts';

interface Values {
  readonly name: string;
  /** To be read after "must be". */
  readonly expected: string;
  /** The only valid values, if the contract lists them. */
  readonly values?: readonly string[];
  readonly isValid: (value: ExactJson) => boolean;
}

export interface Member extends Values {
  readonly isRequired: boolean;
  /** True if a request of createPet gives it. The service assigns the others. */
  readonly isGiven: boolean;
}

export interface Parameter extends Values {
  /** Returns the value that a text means, which may be invalid. */
  readonly read: (text: string) => ExactJson;
}

/** What the service knows of openapi.yaml. */
export interface ServiceContract {
  /** The members of an animal, in the order in which they are printed. */
  readonly members: readonly Member[];
  /** Its bounds are those of the contract. */
  readonly limit: Parameter & { readonly usual: number };
  /** The other parameters of listPets: each selects the animals that have its value in the member of its name. */
  readonly filters: readonly Parameter[];
}

export function createServiceContract({ pet, newPet, filters, limit }: AnimalFacts): ServiceContract {
  const { least = 1, most = Number.MAX_SAFE_INTEGER, usual = most } = limit;
  return {
    members: pet.map((fact) => ({
      ...createValues(fact),
      isRequired: fact.isRequired,
      isGiven: newPet.some(({ name }) => name === fact.name),
    })),
    limit: {
      name: 'limit',
      expected: `an integer from ${least} to ${most}`,
      isValid: (value) => isInt64(value) && value >= least && value <= most,
      read: readInteger,
      usual,
    },
    filters: filters.map((fact) => ({
      ...createValues(fact),
      read: fact.type === 'integer' ? readInteger : (text) => text,
    })),
  };
}

const readInteger = (text: string): ExactJson => parseInt64(text) ?? text;

const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** The types of OpenAPI, and those of its formats that the service checks. */
const types: Readonly<Record<string, Omit<Values, 'name'>>> = {
  integer: { expected: 'a 64-bit integer', isValid: isInt64 },
  string: { expected: 'a string', isValid: (value) => typeof value === 'string' },
  'date-time': {
    expected: 'a time such as 2028-01-31T12:00:00Z',
    isValid: (value) => typeof value === 'string' && DATE_TIME.test(value),
  },
  boolean: { expected: 'true or false', isValid: (value) => typeof value === 'boolean' },
  number: {
    expected: 'a number',
    isValid: (value) => typeof value === 'number' || typeof value === 'bigint',
  },
};

const anything: Omit<Values, 'name'> = { expected: 'a value', isValid: () => true };

function createValues({ name, type = '', format = '', values }: Fact): Values {
  if (values === undefined) return { name, ...(types[format] ?? types[type] ?? anything) };
  return { name, values, expected: inWords(values), isValid: (value) => values.some((one) => one === value) };
}
