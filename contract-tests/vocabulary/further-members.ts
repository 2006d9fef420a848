import {
  type Contract,
  findOperation,
  flattenSchema,
  jsonSchemaOf,
  type Schema,
} from '../../common/json/contract.ts';
import { isJson } from '../../common/json/is-json.ts';
import { makeValue } from './make-value.ts';

/** The members of an animal that clauses give a value of their own. */
const ownMembers = ['name', 'categoryId', 'status'];

const made = new WeakMap<Contract, Readonly<Record<string, unknown>>>();

/** Returns the schema of the body of POST /pets. */
export function findNewPetSchema(contract: Contract): Schema {
  return flattenSchema(contract, jsonSchemaOf(findOperation(contract, 'createPet').requestBody?.content));
}

/** Returns the other members that a contract requires of an animal to add, with values that it allows. */
export function listFurtherMembers(contract: Contract): Readonly<Record<string, unknown>> {
  const known = made.get(contract);
  if (known !== undefined) return known;
  const { properties = {}, required = [] } = findNewPetSchema(contract);
  const others = required.filter((name) => !ownMembers.includes(name));
  const members = Object.fromEntries(
    others.map((name) => [name, makeValue(contract, properties[name] ?? {})]),
  );
  made.set(contract, members);
  return members;
}

/** Adds these members to a body that is an object, so that nothing else is wrong with it than what a clause has made wrong. */
export function addFurtherMembers(contract: Contract, body: string): string {
  const further = JSON.stringify(listFurtherMembers(contract)).slice(1, -1);
  const [, start, inner = ''] = /^(\s*\{)(.*)\}\s*$/s.exec(body) ?? [];
  if (further === '' || start === undefined || !isJson(body)) return body;
  return `${start}${inner}${inner.trim() === '' ? '' : ','}${further}}`;
}
