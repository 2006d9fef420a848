import {
  type Contract,
  findOperation,
  flattenSchema,
  jsonSchemaOf,
  type Schema,
} from '../../common/json/contract.ts';
import { isJson } from '../../common/json/is-json.ts';
import { makeValue } from './make-value.ts';

/** The members that every animal of the clauses has. A status is only in some of them. */
const ownMembers = ['name', 'categoryId'];

const made = new WeakMap<Contract, Readonly<Record<string, unknown>>>();

/** Returns the schema of the body of POST /pets. */
function findNewPetSchema(contract: Contract): Schema {
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

/**
 * Adds these members to a body that is an object, so that nothing else is wrong with it than what a clause has made wrong. A member that
 * the body has stays as it is.
 */
export function addFurtherMembers(contract: Contract, body: string): string {
  const members = Object.entries(listFurtherMembers(contract));
  const [, start, inner = ''] = /^(\s*\{)(.*)\}\s*$/s.exec(body) ?? [];
  if (members.length === 0 || start === undefined || !isJson(body)) return body;
  const own: object = JSON.parse(body);
  const lacking = members.filter(([name]) => !Object.hasOwn(own, name));
  if (lacking.length === 0) return body;
  const further = JSON.stringify(Object.fromEntries(lacking)).slice(1, -1);
  return `${start}${inner}${inner.trim() === '' ? '' : ','}${further}}`;
}
