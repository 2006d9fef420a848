import { Ajv } from 'ajv';
import { loadContract } from '../../common/json/contract.ts';
import { type ExactJson, isJsonObject } from '../../common/json/exact-json.ts';
import type { Exchange } from '../client/exchange.ts';
import { Failed } from '../client/result.ts';
import { showValue } from '../client/show-value.ts';
import type { Context } from './context.ts';

type SchemaName = 'Pet' | 'Error';

// Ajv reads integers as doubles, so `findInt64Fault` checks the format. Ajv refuses a contract with any other format.
const ajv = new Ajv({ allErrors: true, formats: { int64: true } });
ajv.addVocabulary(['components', 'example']);
const { schemas } = loadContract();
ajv.addSchema({ $id: 'contract', components: { schemas } });
const toValidator = (name: SchemaName) => ajv.compile({ $ref: `contract#/components/schemas/${name}` });
const validators = { Pet: toValidator('Pet'), Error: toValidator('Error') };

/** Finds what is wrong with a value by a schema of openapi.yaml. @param value undefined for a body that is not JSON */
export function findSchemaFault(schema: SchemaName, value: ExactJson | undefined): string | undefined {
  if (value === undefined) return 'no JSON';
  const validate = validators[schema];
  if (!validate(toNumbers(value))) {
    const [{ instancePath = '', message = '' } = {}] = validate.errors ?? [];
    const member = isJsonObject(value) ? value[instancePath.slice(1)] : undefined;
    return `${schema}${instancePath} ${message}${member === undefined ? '' : `, and is ${showValue(member)}`}`;
  }
  return schema === 'Pet' ? findInt64Fault(value) : undefined;
}

export function findBodyFault(schema: SchemaName, exchange: Exchange): string | undefined {
  return exchange.json === undefined ? describeNoJson(exchange) : findSchemaFault(schema, exchange.json);
}

export function describeNoJson({ response, failure }: Exchange): string {
  return failure ?? (response?.body.length === 0 ? 'an empty body' : 'no JSON');
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
  if (fault !== undefined) throw new Failed('a Pet', fault, exchange);
}

/** Turns the integers of an object into numbers, as ajv reads them; no schema looks deeper. */
function toNumbers(value: ExactJson): unknown {
  if (!isJsonObject(value)) return value;
  const members: Record<string, unknown> = { ...value };
  for (const name in members) if (typeof members[name] === 'bigint') members[name] = Number(members[name]);
  return members;
}

/** Returns what is wrong with an integer that is outside int64. */
function findInt64Fault(value: ExactJson): string | undefined {
  const { id = 0n, categoryId = 0n } = isJsonObject(value) ? value : {};
  for (const [name, member] of Object.entries({ id, categoryId })) {
    const isOutside = typeof member === 'bigint' && BigInt.asIntN(64, member) !== member;
    if (isOutside) return `Pet/${name} must be within int64, and is ${member}`;
  }
  return undefined;
}
