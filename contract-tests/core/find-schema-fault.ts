import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { loadContract } from '../../common/contract.ts';
import { type ExactJson, isJsonObject } from '../../common/exact-json.ts';
import type { Exchange } from './exchange.ts';
import { showValue } from './expect-response.ts';
import { readJson } from './read-exchange.ts';
import { Failed } from './result.ts';

const ajv = new Ajv({ allErrors: true });
formats.default(ajv);
ajv.addVocabulary(['components', 'example']);
ajv.addSchema({ $id: 'contract', components: { schemas: loadContract().schemas } });

/**
 * Says what is wrong with a value by a schema of openapi.yaml, or undefined. Ajv reads integers as doubles, so the range of
 * int64 is checked separately.
 *
 * @param value undefined for a body that is not JSON.
 */
export function findSchemaFault(schema: 'Pet' | 'Error', value: ExactJson | undefined): string | undefined {
  if (value === undefined) return 'no JSON';
  const validate = ajv.getSchema(`contract#/components/schemas/${schema}`);
  if (validate === undefined) throw new Error(`openapi.yaml has no schema ${schema}.`);
  if (!validate(toDoubles(value))) {
    const [{ instancePath = '', message = '' } = {}] = validate.errors ?? [];
    const member = isJsonObject(value) ? value[instancePath.slice(1)] : undefined;
    return `${schema}${instancePath} ${message}${member === undefined ? '' : `, and is ${showValue(member)}`}`;
  }
  return schema === 'Pet' ? findInt64Fault(value) : undefined;
}

/** @throws Failed when the body of a response is not a Pet. */
export function expectPet(exchange: Exchange): void {
  const fault = findSchemaFault('Pet', readJson(exchange));
  if (fault !== undefined) throw new Failed('a Pet', fault, exchange);
}

function findInt64Fault(value: ExactJson): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const fault = (['id', 'categoryId'] as const).find((name) => {
    const member = value[name];
    return typeof member === 'bigint' && BigInt.asIntN(64, member) !== member;
  });
  return fault === undefined ? undefined : `Pet/${fault} must be within int64, and is ${value[fault]}`;
}

function toDoubles(value: ExactJson): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(toDoubles);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toDoubles(member)]));
}
