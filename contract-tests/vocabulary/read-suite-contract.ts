import { UsageError } from '../../common/cli/usage-error.ts';
import {
  type Contract,
  findOperation,
  flattenSchema,
  loadContract,
  type Operation,
  readListFacts,
  type Schema,
  toPointer,
} from '../../common/json/contract.ts';
import { petStatuses } from '../../common/json/pet.ts';
import { readContract } from '../../common/json/read-draft.ts';
import { compileBodies, compileNewPet, findBodySchemas } from './find-schema-fault.ts';
import { listFurtherMembers } from './further-members.ts';

/** The largest limit that clauses compare with a list of the default length. */
const LEAST_MAXIMUM = 21;

/**
 * Reads the contract for the suite. A draft may change what its document says, and not what the sentences of the specification are
 * about: ids, names, categories, statuses and the limit of a list.
 *
 * @param option the name of the option, as the user gave it. @throws UsageError naming the place in the draft
 */
export function readSuiteContract(file: string | undefined, option: string): Contract {
  const contract = readContract(file, option);
  if (!contract.isDraft) return contract;
  const problem = findUnusable(contract);
  if (problem === undefined) return contract;
  throw new UsageError(`${option}: ${file} cannot be used. ${problem}`);
}

function findUnusable(contract: Contract): string | undefined {
  return (
    findRequiredParameter(contract) ??
    findMissingStatus(contract) ??
    findWrongList(contract) ??
    findWrongParameter(contract) ??
    findWrongMember(contract) ??
    findUnreadable(contract)
  );
}

const standard = ['listPets', 'createPet', 'getPet'] as const;

function pointerOf({ path, method }: Operation, ...keys: readonly string[]): string {
  return toPointer(['paths', path, method.toLowerCase(), ...keys]);
}

/** The suite sends no other parameters with the three operations. */
function findRequiredParameter(contract: Contract): string | undefined {
  for (const id of standard) {
    const operation = findOperation(contract, id);
    const found = operation.parameters.find((one) => one.required === true && one.in !== 'path');
    if (found !== undefined)
      return `${pointerOf(operation)}: the parameter ${found.name} is required, and the suite sends none. Make it optional, or check traffic with animal-store-proxy --contract.`;
  }
  return undefined;
}

/** A 400 of GET /pets is an addition of openapi.yaml: the specification does not document it, and no clause expects it. */
const OPTIONAL_STATUS = 'listPets 400';

/** The clauses expect these statuses, and could only accuse a deployment that has others. */
function findMissingStatus(contract: Contract): string | undefined {
  for (const id of standard) {
    const { responses } = findOperation(contract, id);
    const wanted = Object.keys(findOperation(loadContract(), id).responses);
    const missing = wanted.find((one) => !(one in responses) && `${id} ${one}` !== OPTIONAL_STATUS);
    if (missing !== undefined)
      return `${pointerOf(findOperation(contract, id), 'responses')} lacks ${missing}, which the clauses expect. Keep it, or check traffic with animal-store-proxy --contract.`;
  }
  return undefined;
}

function findWrongList(contract: Contract): string | undefined {
  const { found, at } = findBodySchemas(contract)['listed Pet'];
  const isArray = Object.keys(flattenSchema(contract, found)).length > 0;
  return isArray
    ? undefined
    : `${at} must be an array of animals in application/json, because the clauses read one.`;
}

function findWrongParameter(contract: Contract): string | undefined {
  const at = pointerOf(findOperation(contract, 'listPets'), 'parameters');
  const { limit, statuses } = readListFacts(contract);
  const { least, most = 0, usual = 0 } = limit;
  const isLimit = least === 1 && most >= LEAST_MAXIMUM && usual >= 1 && usual < most;
  if (!isLimit)
    return `${at}: limit must have the minimum 1, a maximum of ${LEAST_MAXIMUM} or more, and a smaller default, because the clauses request such lists.`;
  const missing = petStatuses.filter((status) => !statuses.includes(status));
  return missing.length === 0
    ? undefined
    : `${at}: status must have the values ${petStatuses.join(', ')}, because the clauses add such animals.`;
}

const types = { id: 'integer', name: 'string', categoryId: 'integer' } as const;

function findWrongMember(contract: Contract): string | undefined {
  const bodies = findBodySchemas(contract);
  const typeOf = (schema: Schema | undefined) => flattenSchema(contract, schema).type;
  for (const { found, at } of [bodies.Pet, bodies['added Pet']]) {
    const { properties = {} } = flattenSchema(contract, found);
    const wrong = Object.entries(types).find(([name, type]) => typeOf(properties[name]) !== type);
    if (wrong === undefined) continue;
    const [name, type] = wrong;
    return `${at}: ${name} must have the type ${type}, because the clauses compare it.`;
  }
  return undefined;
}

/** Finds a schema that ajv cannot read, and a required member for which no value can be made. */
function findUnreadable(contract: Contract): string | undefined {
  try {
    compileBodies(contract);
    return findUnmakeable(contract) ?? findForbidden(contract);
  } catch (error) {
    return `${(error as Error).message}.`;
  }
}

/** The animals that clauses add, apart from what a draft requires further. */
const usualAnimals = [
  { name: 'Rex', categoryId: 1 },
  ...petStatuses.map((status) => ({ name: 'Rex', categoryId: 1, status })),
];

function findUnmakeable(contract: Contract): string | undefined {
  const isNewPet = compileNewPet(contract);
  const { status: _, ...further } = listFurtherMembers(contract);
  const [animal] = usualAnimals;
  if (isNewPet({ ...listFurtherMembers(contract), ...animal })) return undefined;
  const wrong = isNewPet.errors?.find(({ instancePath, params }) => {
    const [name = params.missingProperty] = instancePath.split('/').slice(1);
    return Object.hasOwn(further, name);
  });
  if (wrong === undefined) return undefined;
  const at = pointerOf(findOperation(contract, 'createPet'), 'requestBody');
  return `${at}: the required member ${wrong.instancePath.slice(1)} needs an example, because the suite cannot make a value of it: ${wrong.message}.`;
}

/** Finds an animal of the clauses that a draft forbids. Names and categories are found in lists, if there are others. */
function findForbidden(contract: Contract): string | undefined {
  const isNewPet = compileNewPet(contract);
  for (const one of usualAnimals) {
    const animal = { ...listFurtherMembers(contract), ...one };
    if (isNewPet(animal)) continue;
    const wrong = isNewPet.errors?.find(({ instancePath }) => !/^\/(?:name|categoryId)$/.test(instancePath));
    if (wrong === undefined) continue;
    const at = pointerOf(findOperation(contract, 'createPet'), 'requestBody');
    const fault = `${wrong.instancePath.slice(1)} ${wrong.message}`.trim();
    return `${at}: the clauses add animals such as ${JSON.stringify(animal)}, which it forbids: ${fault}. Allow them, or check traffic with animal-store-proxy --contract.`;
  }
  return undefined;
}
