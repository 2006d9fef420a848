import { type Contract, flattenSchema, type Schema } from '../../common/json/contract.ts';

/** Texts of the formats of strings that OpenAPI and JSON Schema name. Source: OAS 3.0.3, Data Types */
const texts: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  uuid: '0b0c7a51-6f0f-4b6a-9d43-5d3a1d6f7a11',
  email: 'contract-test@animals.example',
  uri: 'https://animals.example/contract-test',
};

/** The text of a member without a format. It is repeated up to its least length. */
const PLAIN_TEXT = 'contract-test';

/** Maximum number of levels of a value that is made up. */
const MOST_LEVELS = 10;

/** Makes a value that a schema allows: its example, its default, or else a plain value of its type. */
export function makeValue(contract: Contract, schema: Schema, example?: unknown, depth = 0): unknown {
  const flat = flattenSchema(contract, schema) as Schema & Readonly<Record<string, unknown>>;
  const { oneOf, anyOf } = flat as { readonly oneOf?: readonly Schema[]; readonly anyOf?: readonly Schema[] };
  const given = example ?? flat.example ?? flat.default ?? flat.enum?.[0];
  if (given !== undefined || depth >= MOST_LEVELS) return given;
  const [choice] = oneOf ?? anyOf ?? [];
  if (choice !== undefined) return makeValue(contract, choice, undefined, depth + 1);
  switch (flat.type) {
    case 'string':
      return makeText(flat);
    case 'integer':
    case 'number':
      return makeNumber(flat);
    case 'boolean':
      return true;
    case 'array': {
      const one = makeValue(contract, flat.items ?? {}, undefined, depth + 1);
      return Array.from({ length: Number(flat.minItems ?? 0) }, () => one);
    }
    default:
      return makeObject(contract, flat, depth);
  }
}

function makeText({ format = '', minLength, maxLength }: Schema & Readonly<Record<string, unknown>>): string {
  const text = texts[format] ?? PLAIN_TEXT;
  return text.padEnd(Number(minLength ?? 0), text).slice(0, Number(maxLength ?? Number.POSITIVE_INFINITY));
}

/** Returns 1, or the number next to it that the bounds allow. */
function makeNumber(schema: Schema & Readonly<Record<string, unknown>>): number {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  const step = Number(schema.multipleOf ?? 1);
  const least = schema.exclusiveMinimum === true ? minimum + step : minimum;
  const most = schema.exclusiveMaximum === true ? maximum - step : maximum;
  const nearest = Math.min(Math.max(1, least), most);
  return schema.multipleOf === undefined ? nearest : Math.ceil(nearest / step) * step;
}

function makeObject(contract: Contract, { properties = {}, required = [] }: Schema, depth: number) {
  const members = required.map((name) => [
    name,
    makeValue(contract, properties[name] ?? {}, undefined, depth + 1),
  ]);
  return Object.fromEntries(members);
}
