import official from '@seriousme/openapi-schema-validator/schemas/v3.0/schema.json' with { type: 'json' };
import {
  Ajv,
  type AnySchemaObject,
  type ErrorObject,
  type SchemaValidateFunction,
  type ValidateFunction,
} from 'ajv';
import { type ContractDocument, findByPointer, toPointer } from './contract.ts';

const { Schema, Parameter, Header, Discriminator, XML, ExternalDocumentation } = official.definitions;
const { required, allOf, anyOf, oneOf } = Schema.properties;

/** Our keyword for what the official schema cannot see. */
const USABLE = 'isUsable';

/**
 * The official definitions of what has schemas, with the changes that ajv needs: `exclusiveMinimum` is a switch only in draft 4, the
 * members next to `$ref` are checked as well, and ajv refuses a value twice and a list without schemas. It accepts `required: []`.
 */
const definitions: Readonly<Record<string, AnySchemaObject>> = {
  Schema: {
    ...Schema,
    properties: {
      ...Schema.properties,
      $ref: { type: 'string' },
      type: { enum: ['string', 'number', 'integer', 'boolean', 'array', 'object'] },
      multipleOf: { type: 'number', exclusiveMinimum: 0 },
      required: { ...required, minItems: 0 },
      enum: { type: 'array', minItems: 1, uniqueItems: true },
      allOf: { ...allOf, minItems: 1 },
      anyOf: { ...anyOf, minItems: 1 },
      oneOf: { ...oneOf, minItems: 1 },
      additionalProperties: {
        type: ['object', 'boolean'],
        anyOf: [{ $ref: '#/definitions/Schema' }, { type: 'boolean' }],
      },
    },
    [USABLE]: true,
  },
  ParameterLocation: { properties: { in: { enum: ['query', 'path', 'header', 'cookie'] } } },
  Parameter,
  Header,
  Discriminator,
  XML,
  ExternalDocumentation,
};

/** The definitions and what is in them. The official schema has more rules, which our validators do not need. */
const ofSchemas = new Set(Object.values(definitions).flatMap(listObjects));

/** What a validation knows. */
interface Validation {
  readonly document: ContractDocument;
  /** The references of the schemas that were checked. */
  readonly references: Set<string>;
}

const checkUse: SchemaValidateFunction = function (this: Validation, _schema, node: unknown) {
  const { $ref, nullable, type } = Object(node);
  if (typeof $ref === 'string') this.references.add($ref);
  checkUse.errors = [];
  if (refersToItself(this.document, node))
    checkUse.errors.push({
      keyword: USABLE,
      message:
        ' refers to itself, so it has no end. Only members and elements may refer to the schema that they are in.',
    });
  // Without a type it means nothing, and ajv refuses it. Source: OAS 3.0.3, Schema Object
  if (nullable === true && type === undefined)
    checkUse.errors.push({ keyword: USABLE, message: '/nullable needs a type in the same schema.' });
  return checkUse.errors.length === 0;
};

/** What validates, because it takes 0.2 s to compile: a whole document, and one schema. */
let checks: Readonly<Record<'document' | 'schema', ValidateFunction>> | undefined;

function createChecks() {
  // Its logger would name the formats that only other parts of a document have.
  const ajv = new Ajv({ allErrors: true, verbose: true, strict: false, passContext: true, logger: false })
    .addFormat('regex', isPattern)
    .addKeyword({ keyword: USABLE, validate: checkUse, errors: true });
  const { id: _, $schema: __, ...root } = official;
  // The part itself is checked in place of the reference, whose errors would be no help.
  const all = { ...root.definitions, ...definitions, Reference: false };
  ajv.addSchema({ ...root, $id: 'openapi', definitions: all });
  const compile = (id: string) => ajv.getSchema(id) as ValidateFunction;
  return { document: compile('openapi'), schema: compile('openapi#/definitions/Schema') };
}

/**
 * Finds the first schema, parameter or header of a document that is invalid in OpenAPI 3.0: validators leave out such a schema, and others with it,
 * and find nothing. Source: OAS 3.0.3, Schema Object, Parameter Object, Header Object
 *
 * @returns a sentence that begins with the place; undefined if there is none
 */
export function findWrongSchema(document: ContractDocument): string | undefined {
  checks ??= createChecks();
  const validation: Validation = { document, references: new Set() };
  checks.document.call(validation, document);
  const error = checks.document.errors?.find(isOfSchema);
  if (error !== undefined) return printError(error, '#');
  // A reference may lead to where OpenAPI has no schemas.
  for (const reference of validation.references) {
    checks.schema.call(validation, findByPointer(document, reference));
    const wrong = checks.schema.errors?.find(isOfSchema);
    if (wrong !== undefined) return printError(wrong, reference);
  }
  return undefined;
}

/** Returns whether an error is about a schema, a parameter or a header that was written, and not about the form of a reference. */
function isOfSchema({ keyword, parentSchema, data }: ErrorObject): boolean {
  if (keyword === USABLE) return true;
  // Members that tools have added elsewhere are harmless, and a reference has no other members.
  if (keyword === 'additionalProperties') return parentSchema === definitions.Schema;
  if (keyword === 'required' && Object(data).$ref !== undefined) return false;
  return keyword !== 'oneOf' && ofSchemas.has(parentSchema);
}

/** @param start pointer to what was checked */
function printError(error: ErrorObject, start: string): string {
  const { keyword, instancePath, params, parentSchema, data, message } = error;
  const at = `${start}${instancePath}`;
  if (keyword === USABLE) return `${at}${message}`;
  if (keyword === 'required') return `${at} needs the member ${params.missingProperty}.`;
  if (keyword !== 'additionalProperties')
    return `${at} must be ${describe(parentSchema)}, not ${shorten(JSON.stringify(data))}.`;
  const name = toPointer([params.additionalProperty]).slice(1);
  return `${at}${name} is no keyword of a schema in OpenAPI 3.0, so nothing would check it. Correct or remove it.`;
}

const words: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'an integer of 0 or more',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array of schemas',
  'object,boolean': 'a schema, true or false',
};

/** Describes what a definition expects. */
function describe({
  enum: values,
  type,
  format,
  exclusiveMinimum,
  uniqueItems,
  items,
}: AnySchemaObject = {}) {
  if (values !== undefined) return `one of ${values.join(', ')}`;
  if (format === 'regex') return 'a regular expression';
  if (exclusiveMinimum === 0) return 'a number above 0';
  if (uniqueItems) return `an array of ${items === undefined ? 'values' : 'names'}, none of them twice`;
  return words[type];
}

/** The longest value that a message shows, in characters. */
const LONGEST_VALUE = 60;

function shorten(json: string): string {
  return json.length <= LONGEST_VALUE ? json : `${json.slice(0, LONGEST_VALUE)}…`;
}

function isPattern(value: string): boolean {
  try {
    new RegExp(value, 'u');
    return true;
  } catch {
    return false;
  }
}

function listObjects(node: unknown): readonly unknown[] {
  return typeof node === 'object' && node !== null ? [node, ...Object.values(node).flatMap(listObjects)] : [];
}

/** Returns whether a value would be checked by a schema again, because references or combinations lead back to it. */
function refersToItself(document: ContractDocument, schema: unknown): boolean {
  const seen = new Set<unknown>();
  const listNext = (node: unknown): unknown[] => {
    const { $ref, allOf, anyOf, oneOf, not } = Object(node);
    return [
      typeof $ref === 'string' ? findByPointer(document, $ref) : undefined,
      allOf,
      anyOf,
      oneOf,
      not,
    ].flat();
  };
  const left = listNext(schema);
  while (left.length > 0) {
    const node = left.pop();
    if (node === schema && node !== undefined) return true;
    if (seen.has(node)) continue;
    seen.add(node);
    left.push(...listNext(node));
  }
  return false;
}
