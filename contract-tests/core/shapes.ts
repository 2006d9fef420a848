import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { loadContract } from '../../common/contract.ts';
import { type ExactJson, isJsonObject } from '../../common/exact-json.ts';
import { showValue } from './show-value.ts';

/** The name of a schema of openapi.yaml. */
export type ShapeName = 'Pet' | 'Error';

const ajv = new Ajv({ allErrors: true });
formats.default(ajv);
ajv.addVocabulary(['components', 'example']);
ajv.addSchema({ $id: 'contract', components: { schemas: loadContract().schemas } });

/**
 * Says what of a value is not as a schema of openapi.yaml wants it, or undefined. ajv judges the shape, which knows only
 * doubles; whether an integer is within int64 is looked at besides.
 */
export function findFault(shape: ShapeName, value: ExactJson): string | undefined {
  const validate = ajv.getSchema(`contract#/components/schemas/${shape}`);
  if (validate === undefined) throw new Error(`openapi.yaml has no schema ${shape}.`);
  if (!validate(toDoubles(value))) {
    const [{ instancePath = '', message = '' } = {}] = validate.errors ?? [];
    const member = isJsonObject(value) ? value[instancePath.slice(1)] : undefined;
    return `${shape}${instancePath} ${message}${member === undefined ? '' : `, and is ${showValue(member)}`}`;
  }
  return shape === 'Pet' ? findInt64Fault(value) : undefined;
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
