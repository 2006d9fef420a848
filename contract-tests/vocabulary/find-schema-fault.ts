import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { loadContract } from '../../common/json/contract.ts';
import { type ExactJson, isJsonObject } from '../../common/json/exact-json.ts';
import { Failed } from '../client/clause-errors.ts';
import type { Exchange } from '../client/exchange.ts';
import { findShape } from '../client/find-shape.ts';
import { toJsonText } from '../client/show-value.ts';
import type { BodyProblem } from '../failures/failure.ts';
import type { Context } from './context.ts';

type SchemaName = 'Pet' | 'Error';

const ajv = addFormats.default(new Ajv({ allErrors: true }));
// Ajv reads integers as doubles, so `findInt64Fault` checks this format.
ajv.addFormat('int64', true);
ajv.addVocabulary(['components', 'example']);
const { schemas } = loadContract();
ajv.addSchema({ $id: 'contract', components: { schemas } });
const toValidator = (name: SchemaName) => ajv.compile({ $ref: `contract#/components/schemas/${name}` });
const validators = { Pet: toValidator('Pet'), Error: toValidator('Error') };

/** Finds what is wrong with a value by a schema of openapi.yaml. @param value undefined for a body that is not JSON */
export function findSchemaFault(schema: SchemaName, value: ExactJson | undefined): BodyProblem | undefined {
  if (value === undefined) return { is: 'no JSON' };
  if (!isJsonObject(value)) return { is: 'another type', shape: findShape(value) };
  const validate = validators[schema];
  if (!validate(toNumbers(value))) {
    const [{ instancePath: pointer = '', message: rule = '', params = {} } = {}] = validate.errors ?? [];
    const [name = params.missingProperty] = pointer.split('/').slice(1);
    const wrong = isJsonObject(value) ? value[pointer.slice(1)] : undefined;
    return { is: 'invalid', schema, member: name, pointer, rule, value: toJsonText(wrong) };
  }
  return schema === 'Pet' ? findInt64Fault(value) : undefined;
}

export function findBodyFault(schema: SchemaName, exchange: Exchange): BodyProblem | undefined {
  return exchange.json === undefined ? findNoJson(exchange) : findSchemaFault(schema, exchange.json);
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
  const usual = { name: '', categoryId: 0n, status: 'sold' };
  const { object: pet } = exchange;
  const others = Object.entries(usual).filter(([field]) => ignored.includes(field));
  const fault =
    pet === undefined || others.length === 0
      ? findBodyFault('Pet', exchange)
      : findSchemaFault('Pet', { ...pet, ...Object.fromEntries(others) });
  if (fault !== undefined) throw new Failed({ kind: 'body', expected: 'Pet', problem: fault }, exchange);
}

/** Turns the integers of an object into numbers, as ajv reads them; no schema looks deeper. */
function toNumbers(value: ExactJson): unknown {
  if (!isJsonObject(value)) return value;
  const members: Record<string, unknown> = { ...value };
  for (const name in members) if (typeof members[name] === 'bigint') members[name] = Number(members[name]);
  return members;
}

const int64Members = Object.entries(schemas.Pet?.properties ?? {}).flatMap(([name, { format }]) =>
  format === 'int64' ? [name] : [],
);

/** Returns what is wrong with an integer of a Pet that is outside int64. */
function findInt64Fault(value: ExactJson): BodyProblem | undefined {
  if (!isJsonObject(value)) return undefined;
  for (const name of int64Members) {
    const member = value[name];
    const isOutside = typeof member === 'bigint' && BigInt.asIntN(64, member) !== member;
    if (isOutside) {
      const rule = 'must be within int64';
      return { is: 'invalid', schema: 'Pet', member: name, pointer: `/${name}`, rule, value: `${member}` };
    }
  }
  return undefined;
}
