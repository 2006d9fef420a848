import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { loadContract } from '../../common/contract.ts';
import { type ExactJson, isJsonObject } from '../../common/exact-json.ts';
import { type Exchange, readJson, readObject } from './exchange.ts';
import { findJsonFault } from './find-json-fault.ts';
import { Failed } from './result.ts';
import { showValue } from './show-value.ts';

const ajv = new Ajv({ allErrors: true });
formats.default(ajv);
ajv.addVocabulary(['components', 'example']);
ajv.addSchema({ $id: 'contract', components: { schemas: loadContract().schemas } });

/** Those that were compiled; ajv takes longer to find one than to use it. */
const validators: { [schema: string]: ValidateFunction | undefined } = {};

/**
 * Finds what is wrong with a value by a schema of openapi.yaml. Ajv reads integers as doubles, so the range of int64
 * is checked separately.
 *
 * @param value undefined for a body that is not JSON.
 */
export function findSchemaFault(schema: 'Pet' | 'Error', value: ExactJson | undefined): string | undefined {
  if (value === undefined) return 'no JSON';
  validators[schema] ??= ajv.getSchema(`contract#/components/schemas/${schema}`);
  const validate = validators[schema];
  if (validate === undefined) throw new Error(`openapi.yaml has no schema ${schema}.`);
  if (!validate(toNumbers(value))) {
    const [{ instancePath = '', message = '' } = {}] = validate.errors ?? [];
    const member = isJsonObject(value) ? value[instancePath.slice(1)] : undefined;
    return `${schema}${instancePath} ${message}${member === undefined ? '' : `, and is ${showValue(member)}`}`;
  }
  return schema === 'Pet' ? findInt64Fault(value) : undefined;
}

/** Finds what is wrong with the body of a response by a schema of openapi.yaml; where it is not JSON, from where on. */
export function findBodyFault(schema: 'Pet' | 'Error', exchange: Exchange): string | undefined {
  const value = readJson(exchange);
  return value === undefined ? describeNoJson(exchange) : findSchemaFault(schema, value);
}

/** Says how the body of a response is not JSON. */
export function describeNoJson({ response, failure }: Exchange): string {
  const { body, length } = response ?? {};
  if (failure !== undefined) return failure;
  if (body === undefined || body.length === 0) return 'an empty body';
  // Of a long body only the beginning is kept.
  const place = length === undefined ? findJsonFault(body.toString('utf8')) : undefined;
  return place === undefined ? 'no JSON' : `not JSON ${place}`;
}

/** @param ignored fields that may have any value. @throws Failed when the body of a response is not a Pet. */
export function expectPet(exchange: Exchange, ignored: readonly string[] = []): void {
  const usual = { name: '', categoryId: 0n, status: 'sold' };
  const pet = readObject(exchange);
  const others = Object.entries(usual).filter(([field]) => ignored.includes(field));
  const fault =
    pet === undefined || others.length === 0
      ? findBodyFault('Pet', exchange)
      : findSchemaFault('Pet', { ...pet, ...Object.fromEntries(others) });
  if (fault !== undefined) throw new Failed('a Pet', fault, exchange);
}

/** The integers of an object as numbers, as ajv reads them; no schema here looks deeper. */
function toNumbers(value: ExactJson): unknown {
  if (!isJsonObject(value)) return value;
  const members: Record<string, unknown> = { ...value };
  for (const name in members) if (typeof members[name] === 'bigint') members[name] = Number(members[name]);
  return members;
}

function findInt64Fault(value: ExactJson): string | undefined {
  const { id = 0n, categoryId = 0n } = isJsonObject(value) ? value : {};
  for (const [name, member] of Object.entries({ id, categoryId })) {
    const isOutside = typeof member === 'bigint' && BigInt.asIntN(64, member) !== member;
    if (isOutside) return `Pet/${name} must be within int64, and is ${member}`;
  }
  return undefined;
}
