import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import {
  type Contract,
  findOperation,
  flattenSchema,
  jsonSchemaOf,
  type Schema,
  toPointer,
} from '../../common/json/contract.ts';
import {
  type ExactJson,
  isJsonObject,
  type JsonObject,
  parseExactJson,
} from '../../common/json/exact-json.ts';
import { isInt64 } from '../../common/json/int64.ts';
import { Failed } from '../client/clause-errors.ts';
import type { Exchange } from '../client/exchange.ts';
import { findShape } from '../client/find-shape.ts';
import { toJsonText } from '../client/show-value.ts';
import type { Target } from '../client/target.ts';
import type { BodyProblem } from '../failures/failure.ts';
import type { Context } from './context.ts';
import { toComponents, toJsonSchema, toNumbers } from './to-json-schema.ts';

/** Bodies that clauses check by a schema: the response of GET /pets/{petId}, an element of a list, the response of POST, a refusal. */
type BodyName = 'Pet' | 'listed Pet' | 'added Pet' | 'Error';

/** A body with its schema. */
interface Body {
  readonly schema: 'Pet' | 'Error';
  readonly validate: ValidateFunction;
  /** Members that are an int64, which ajv reads as doubles. */
  readonly int64Members: readonly string[];
}

type Bodies = Readonly<Record<BodyName, Body>>;

const compiled = new WeakMap<Contract, Bodies>();

/** Returns the validators of a contract. @throws Error for a schema that ajv cannot read, naming its place */
export function compileBodies(contract: Contract): Bodies {
  const known = compiled.get(contract);
  if (known !== undefined) return known;
  const compileOne = createCompile(contract);
  const compile = (schema: Body['schema'], placed: PlacedSchema): Body => {
    const { properties = {} } = flattenSchema(contract, placed.found);
    const hasFormat = (one: Schema) => flattenSchema(contract, one).format === 'int64';
    const int64Members = Object.entries(properties).flatMap(([name, one]) => (hasFormat(one) ? [name] : []));
    return { schema, validate: compileOne(placed), int64Members };
  };
  const places = findBodySchemas(contract);
  const bodies: Bodies = {
    Pet: compile('Pet', places.Pet),
    'listed Pet': compile('Pet', places['listed Pet']),
    'added Pet': compile('Pet', places['added Pet']),
    Error: compile('Error', places.Error),
  };
  compiled.set(contract, bodies);
  return bodies;
}

/** Creates a function that compiles a schema of a contract. It throws an Error that names the place of the schema. */
function createCompile(contract: Contract): (placed: PlacedSchema) => ValidateFunction {
  // A draft may have members that ajv does not know.
  const ajv = addFormats.default(new Ajv({ allErrors: true, strict: !contract.isDraft }));
  ajv.addFormat('int64', true);
  ajv.addVocabulary(['components']);
  ajv.addSchema({ $id: 'contract', components: toComponents(contract) });
  return ({ at, found }) => {
    try {
      const text = JSON.stringify(toJsonSchema(found)).replaceAll('"$ref":"#/', '"$ref":"contract#/');
      return ajv.compile(JSON.parse(text));
    } catch (error) {
      throw new Error(`${at} cannot be read: ${(error as Error).message}`);
    }
  };
}

const newPets = new WeakMap<Contract, ValidateFunction>();

/** Returns the validator of an animal to add. @throws Error for a schema that ajv cannot read, naming its place */
export function compileNewPet(contract: Contract): ValidateFunction {
  const known = newPets.get(contract);
  if (known !== undefined) return known;
  const { method, path, requestBody } = findOperation(contract, 'createPet');
  const at = toPointer(['paths', path, method.toLowerCase(), 'requestBody']);
  const validate = createCompile(contract)({ at, found: jsonSchemaOf(requestBody?.content) ?? {} });
  newPets.set(contract, validate);
  return validate;
}

/** Returns whether a text is an animal to add by the schemas of a contract. */
export function isNewPetOf(contract: Contract, body: string): boolean {
  try {
    const value = parseExactJson(body);
    const { categoryId } = Object(value);
    const isWithin = typeof categoryId !== 'bigint' || isInt64(categoryId);
    return isWithin && compileNewPet(contract)(toNumbers(value));
  } catch {
    return false;
  }
}

/** A schema, and where it is in the document. */
interface PlacedSchema {
  readonly found: Schema;
  readonly at: string;
}

/** Finds the schemas of the bodies that clauses check. */
export function findBodySchemas(contract: Contract): Readonly<Record<BodyName, PlacedSchema>> {
  const ofResponse = (id: Parameters<typeof findOperation>[1], status: string): PlacedSchema => {
    const { method, path, responses } = findOperation(contract, id);
    const at = toPointer(['paths', path, method.toLowerCase(), 'responses', status]);
    return { found: jsonSchemaOf(responses[status]?.content) ?? {}, at };
  };
  const list = ofResponse('listPets', '200');
  const { items = {} } = flattenSchema(contract, list.found);
  return {
    Pet: ofResponse('getPet', '200'),
    'listed Pet': { ...list, found: items },
    'added Pet': ofResponse('createPet', '201'),
    Error: ofResponse('listPets', '401'),
  };
}

/**
 * Finds what is wrong with a value by a schema of the contract. @param value undefined for a body that is not JSON
 * @param ignored members that may have any value
 */
export function findSchemaFault(
  contract: Contract,
  name: BodyName,
  value: ExactJson | undefined,
  ignored: readonly string[] = [],
): BodyProblem | undefined {
  if (value === undefined) return { is: 'no JSON' };
  if (!isJsonObject(value)) return { is: 'another type', shape: findShape(value) };
  const { schema, validate, int64Members } = compileBodies(contract)[name];
  if (!validate(toNumbers(value))) {
    const fault = validate.errors?.find((error) => !ignored.includes(memberOf(error) ?? ''));
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
  return findInt64Fault(value, schema, int64Members, ignored);
}

/** Returns the member that an error of ajv is about: the first part of its place, or the member that is missing. */
function memberOf({ instancePath, params }: ErrorObject): string | undefined {
  const [name] = instancePath.split('/').slice(1);
  return name ?? params.missingProperty;
}

/** Finds what is wrong with the body of an exchange. */
export function findBodyFault(
  name: BodyName,
  exchange: Exchange,
  { contract }: Pick<Target, 'contract'>,
  ignored?: readonly string[],
): BodyProblem | undefined {
  return exchange.json === undefined
    ? findNoJson(exchange)
    : findSchemaFault(contract, name, exchange.json, ignored);
}

/** Returns why a body is not JSON. */
export function findNoJson({ response, failure, beginning, isUtf8 }: Exchange): BodyProblem {
  if (failure !== undefined) return { is: 'incomplete', why: failure.reason };
  if (response?.body.length === 0) return { is: 'empty' };
  if (!isUtf8) return { is: 'not UTF-8' };
  return { is: 'no JSON', ...(beginning && { surplus: beginning.surplus }) };
}

/** Returns what a body is that is not of the expected type. */
export function findOtherType(exchange: Exchange): BodyProblem {
  const { json } = exchange;
  const { shape } = exchange;
  return json === undefined || shape === undefined ? findNoJson(exchange) : { is: 'another type', shape };
}

/** @param ignored fields that may have any value. @throws Failed when the body of a response is not a Pet */
export function expectPet(context: Context, exchange: Exchange, ignored: readonly string[] = []): void {
  context.compare(exchange, exchange.object ? [exchange.object] : []);
  const name = exchange.request.method === 'POST' ? 'added Pet' : 'Pet';
  const fault = findBodyFault(name, exchange, context.target, ignored);
  if (fault !== undefined) throw new Failed({ kind: 'body', expected: 'Pet', problem: fault }, exchange);
}

/** Returns what is wrong with an integer that is outside int64. */
function findInt64Fault(
  value: JsonObject,
  schema: Body['schema'],
  int64Members: readonly string[],
  ignored: readonly string[],
): BodyProblem | undefined {
  for (const name of int64Members) {
    const member = value[name];
    const isOutside = typeof member === 'bigint' && BigInt.asIntN(64, member) !== member;
    if (isOutside && !ignored.includes(name)) {
      const rule = 'must be within int64';
      return { is: 'invalid', schema, member: name, pointer: `/${name}`, rule, value: `${member}` };
    }
  }
  return undefined;
}
