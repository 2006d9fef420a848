import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { type Contract, flattenSchema } from '../../common/json/contract.ts';
import { type ExactJson, isJsonObject, type JsonObject } from '../../common/json/exact-json.ts';
import type { Exchange } from '../client/exchange.ts';
import { findShape } from '../client/find-shape.ts';
import { toJsonText } from '../client/show-value.ts';
import type { BodyProblem } from '../failures/failure.ts';

/** The schemas of the contract that clauses check bodies by. */
type SchemaName = 'Pet' | 'Error';

interface Validator {
  readonly validate: ValidateFunction;
  /** The members that are an int64, which ajv reads as doubles. */
  readonly int64Members: readonly string[];
}

const compiled = new WeakMap<Contract, Readonly<Record<SchemaName, Validator>>>();

/** Returns the validators of a contract, which the first call compiles. */
function validatorsOf(contract: Contract): Readonly<Record<SchemaName, Validator>> {
  const validators = compiled.get(contract) ?? compile(contract);
  compiled.set(contract, validators);
  return validators;
}

function compile(contract: Contract): Readonly<Record<SchemaName, Validator>> {
  const { schemas } = contract;
  const ajv = addFormats.default(new Ajv({ allErrors: true }));
  ajv.addVocabulary(['components']);
  const create = (name: SchemaName): Validator => {
    const { properties = {} } = flattenSchema(contract, schemas[name]);
    const isInt64 = (member: string) => flattenSchema(contract, properties[member]).format === 'int64';
    return {
      validate: ajv.compile({ $ref: `#/components/schemas/${name}`, components: { schemas } }),
      int64Members: Object.keys(properties).filter(isInt64),
    };
  };
  return { Pet: create('Pet'), Error: create('Error') };
}

/** Finds what is wrong with a value by a schema of a contract. @param value undefined for a body that is not JSON */
export function findSchemaFault(
  schema: SchemaName,
  value: ExactJson | undefined,
  contract: Contract,
): BodyProblem | undefined {
  if (value === undefined) return { is: 'no JSON' };
  if (!isJsonObject(value)) return { is: 'another type', shape: findShape(value) };
  const { validate, int64Members } = validatorsOf(contract)[schema];
  if (!validate(toNumbers(value))) {
    const [fault] = validate.errors ?? [];
    if (fault === undefined) return undefined;
    const { instancePath: pointer, message: rule = '' } = fault;
    return {
      is: 'invalid',
      schema,
      member: memberOf(fault),
      pointer,
      rule,
      value: toJsonText(value[pointer.slice(1)]),
    };
  }
  return findInt64Fault(value, schema, int64Members);
}

/** Returns the member that an error of ajv is about: the first part of its place, or the member that is missing. */
function memberOf({ instancePath, params }: ErrorObject): string | undefined {
  const [name] = instancePath.split('/').slice(1);
  return name ?? params.missingProperty;
}

/** Finds what is wrong with the body of an exchange. */
export function findBodyFault(schema: SchemaName, exchange: Exchange): BodyProblem | undefined {
  const { json, contract } = exchange;
  return json === undefined ? findNoJson(exchange) : findSchemaFault(schema, json, contract);
}

/** Returns why a body is not JSON. */
export function findNoJson({ response, failure, noJson }: Exchange): BodyProblem {
  if (failure !== undefined) return { is: 'incomplete', why: failure.reason };
  if (response?.body.length === 0) return { is: 'empty' };
  return { is: 'no JSON', ...(noJson && { why: noJson }) };
}

/** Returns what a body is that is not of the expected type. */
export function findOtherType(exchange: Exchange): BodyProblem {
  const { json } = exchange;
  const { shape } = exchange;
  return json === undefined || shape === undefined ? findNoJson(exchange) : { is: 'another type', shape };
}

/** Returns what is wrong with an integer that is outside int64. */
function findInt64Fault(
  value: JsonObject,
  schema: SchemaName,
  members: readonly string[],
): BodyProblem | undefined {
  for (const name of members) {
    const member = value[name];
    const isOutside = typeof member === 'bigint' && BigInt.asIntN(64, member) !== member;
    if (isOutside) {
      const rule = 'must be within int64';
      return { is: 'invalid', schema, member: name, pointer: `/${name}`, rule, value: `${member}` };
    }
  }
  return undefined;
}

/** How deeply a value is read. */
const MOST_LEVELS = 100;

/** Returns a value with numbers in place of the bigints of exact JSON, as validators read it. */
function toNumbers(value: unknown, depth = 0): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null || depth >= MOST_LEVELS) return value;
  if (Array.isArray(value)) return value.map((one) => toNumbers(one, depth + 1));
  if (!isJsonObject(value as never)) return value;
  const members: Record<string, unknown> = { ...value };
  for (const name in members) members[name] = toNumbers(members[name], depth + 1);
  return members;
}
