import type { Contract, Schema } from '../../common/json/contract.ts';
import { isJsonObject } from '../../common/json/exact-json.ts';

type Written = Readonly<Record<string, unknown>>;

/** Members of a Schema Object that JSON Schema does not have, or that say nothing about a value. Source: OAS 3.0.3, Schema Object */
const others = new Set([
  'discriminator',
  'readOnly',
  'writeOnly',
  'xml',
  'externalDocs',
  'example',
  'deprecated',
]);

/** Members whose value is a schema, a list of schemas, and schemas by name. */
const nested = {
  one: ['items', 'not', 'additionalProperties'],
  several: ['allOf', 'anyOf', 'oneOf'],
} as const;

/** Returns a schema of OpenAPI 3.0 as JSON Schema of draft 7. Source: OAS 3.0.3, Schema Object */
export function toJsonSchema(schema: Schema): object {
  const written = schema as Written;
  // Members next to a reference mean nothing.
  if (typeof written.$ref === 'string') return { $ref: written.$ref };
  const { nullable, exclusiveMinimum, exclusiveMaximum, minimum, maximum, ...rest } = written;
  const entries = Object.entries(rest).filter(([name]) => !others.has(name) && !name.startsWith('x-'));
  return {
    ...Object.fromEntries(entries.map(([name, value]) => [name, convert(name, value)])),
    ...toBound('inimum', minimum, exclusiveMinimum),
    ...toBound('aximum', maximum, exclusiveMaximum),
    ...(nullable === true && typeof rest.type === 'string' && { type: [rest.type, 'null'] }),
  };
}

function convert(name: string, value: unknown): unknown {
  if (name === 'properties') return convertAll(value as Readonly<Record<string, Schema>>);
  if (nested.several.some((one) => one === name)) return (value as readonly Schema[]).map(toJsonSchema);
  const isSchema = nested.one.some((one) => one === name) && typeof value === 'object' && value !== null;
  return isSchema ? toJsonSchema(value as Schema) : value;
}

/** In OpenAPI 3.0 a bound is exclusive by a switch, and in JSON Schema by its name. */
function toBound(end: 'inimum' | 'aximum', bound: unknown, isExclusive: unknown): object {
  if (bound === undefined) return {};
  return isExclusive === true ? { [`exclusiveM${end}`]: bound } : { [`m${end}`]: bound };
}

function convertAll(schemas: Readonly<Record<string, Schema>>): Readonly<Record<string, object>> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, toJsonSchema(schema)]));
}

/** Returns the schemas of a contract that references name, as JSON Schema. */
export function toComponents({ schemas }: Contract): { readonly schemas: Readonly<Record<string, object>> } {
  return { schemas: convertAll(schemas) };
}

/** How deeply a value is read. */
const MOST_LEVELS = 100;

/** Returns a value with numbers in place of the bigints of exact JSON, as validators read it. */
export function toNumbers(value: unknown, depth = 0): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null || depth >= MOST_LEVELS) return value;
  if (Array.isArray(value)) return value.map((one) => toNumbers(one, depth + 1));
  if (!isJsonObject(value as never)) return value;
  const members: Record<string, unknown> = { ...value };
  for (const name in members) members[name] = toNumbers(members[name], depth + 1);
  return members;
}
