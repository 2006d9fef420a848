import { type ContractDocument, findByPointer, toPointer } from './contract.ts';

type Written = Readonly<Record<string, unknown>>;

/** A requirement of a value: a test, and the words for people. */
interface Requirement {
  readonly isMet: (value: unknown) => boolean;
  readonly words: string;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isRecord = (value: unknown): value is Written =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
const isUnique = (values: readonly unknown[]) =>
  new Set(values.map((value) => JSON.stringify(value))).size === values.length;

const anything: Requirement = { isMet: () => true, words: 'anything' };
const text: Requirement = { isMet: isText, words: 'a text' };
const number: Requirement = { isMet: Number.isFinite, words: 'a number' };
const aboveZero: Requirement = {
  isMet: (value) => Number.isFinite(value) && Number(value) > 0,
  words: 'a number above 0',
};
const count: Requirement = { isMet: isCount, words: 'an integer of 0 or more' };
const boolean: Requirement = { isMet: (value) => typeof value === 'boolean', words: 'true or false' };
const object: Requirement = { isMet: isRecord, words: 'an object' };
const schemaOrBoolean: Requirement = {
  isMet: (value) => boolean.isMet(value) || isRecord(value),
  words: 'a schema, true or false',
};
const schemas: Requirement = {
  isMet: (value) => Array.isArray(value) && value.length > 0 && value.every(isRecord),
  words: 'an array of schemas',
};
const values: Requirement = {
  isMet: (value) => Array.isArray(value) && value.length > 0 && isUnique(value),
  words: 'an array of values, none of them twice',
};
const names: Requirement = {
  isMet: (value) => Array.isArray(value) && value.every(isText) && isUnique(value),
  words: 'an array of names, none of them twice',
};
const pattern: Requirement = {
  isMet: (value) => isText(value) && isPattern(value),
  words: 'a regular expression',
};
/** The types of a schema. Source: OAS 3.0.3, Schema Object */
const types = ['string', 'number', 'integer', 'boolean', 'array', 'object'];
const type: Requirement = {
  isMet: (value) => types.some((one) => one === value),
  words: `one of ${types.join(', ')}`,
};

function isPattern(value: string): boolean {
  try {
    new RegExp(value, 'u');
    return true;
  } catch {
    return false;
  }
}

/** The keywords of a schema. Source: OAS 3.0.3, Schema Object */
const keywords: Readonly<Record<string, Requirement>> = {
  $ref: text,
  title: text,
  multipleOf: aboveZero,
  maximum: number,
  exclusiveMaximum: boolean,
  minimum: number,
  exclusiveMinimum: boolean,
  maxLength: count,
  minLength: count,
  pattern,
  maxItems: count,
  minItems: count,
  uniqueItems: boolean,
  maxProperties: count,
  minProperties: count,
  required: names,
  enum: values,
  type,
  allOf: schemas,
  oneOf: schemas,
  anyOf: schemas,
  not: object,
  items: object,
  properties: object,
  additionalProperties: schemaOrBoolean,
  description: text,
  format: text,
  default: anything,
  nullable: boolean,
  discriminator: object,
  readOnly: boolean,
  writeOnly: boolean,
  xml: object,
  externalDocs: object,
  example: anything,
  deprecated: boolean,
};

const places = ['query', 'path', 'header', 'cookie'];
const parameterMembers: Readonly<Record<string, Requirement>> = {
  name: text,
  in: { isMet: (value) => places.some((one) => one === value), words: `one of ${places.join(', ')}` },
  required: boolean,
  schema: object,
};

/** The members of a header. Source: OAS 3.0.3, Header Object */
const headerMembers: Readonly<Record<string, Requirement>> = { required: boolean, schema: object };

/** The part of a document that has schemas. */
type Part = 'pathItem' | 'operation' | 'parameter' | 'header' | 'body' | 'media' | 'encoding' | 'schema';

/** Where a part has other parts: one, a list, or by names. */
interface Inner {
  readonly one?: Readonly<Record<string, Part>>;
  readonly list?: Readonly<Record<string, Part>>;
  readonly named?: Readonly<Record<string, Part>>;
}

/** A response and the body of a request have the same inner parts. Source: OAS 3.0.3, Specification */
const inner: Readonly<Record<Part, Inner>> = {
  pathItem: {
    one: {
      get: 'operation',
      put: 'operation',
      post: 'operation',
      delete: 'operation',
      options: 'operation',
      head: 'operation',
      patch: 'operation',
      trace: 'operation',
    },
    list: { parameters: 'parameter' },
  },
  operation: {
    one: { requestBody: 'body' },
    list: { parameters: 'parameter' },
    named: { responses: 'body' },
  },
  parameter: { one: { schema: 'schema' }, named: { content: 'media' } },
  header: { one: { schema: 'schema' }, named: { content: 'media' } },
  body: { named: { content: 'media', headers: 'header' } },
  media: { one: { schema: 'schema' }, named: { encoding: 'encoding' } },
  encoding: { named: { headers: 'header' } },
  schema: {
    one: { items: 'schema', not: 'schema', additionalProperties: 'schema' },
    list: { allOf: 'schema', oneOf: 'schema', anyOf: 'schema' },
    named: { properties: 'schema' },
  },
};

/** The members of a part that are checked. */
const membersOf: Readonly<Partial<Record<Part, Readonly<Record<string, Requirement>>>>> = {
  schema: keywords,
  parameter: parameterMembers,
  header: headerMembers,
};

const componentParts: Readonly<Record<string, Part>> = {
  schemas: 'schema',
  parameters: 'parameter',
  headers: 'header',
  requestBodies: 'body',
  responses: 'body',
};

/**
 * Finds the first schema, parameter or header of a document that is invalid in OpenAPI 3.0: validators leave out such a schema, and others with it,
 * and find nothing. Source: OAS 3.0.3, Schema Object, Parameter Object, Header Object
 *
 * @returns a sentence that begins with the place; undefined if there is none
 */
export function findWrongSchema(document: ContractDocument): string | undefined {
  const visited = new Set<string>();
  const visitAll = (parts: Iterable<[keys: readonly string[], node: unknown, part: Part]>) => {
    for (const [keys, node, part] of parts) {
      const found = visit(keys, node, part);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const visit = (keys: readonly string[], node: unknown, part: Part): string | undefined => {
    const at = toPointer(keys);
    if (visited.has(`${part} ${at}`)) return undefined;
    visited.add(`${part} ${at}`);
    if (typeof node === 'boolean' && keys.at(-1) === 'additionalProperties') return undefined;
    if (!isRecord(node)) return `${at} must be an object.`;
    const { $ref } = node;
    const wrong = findWrongMember(at, node, part);
    if (wrong !== undefined) return wrong;
    if (part === 'schema' && refersToItself(document, node))
      return `${at} refers to itself, so it has no end. Only members and elements may refer to the schema that they are in.`;
    if (isText($ref)) return visit(readPointer($ref), findByPointer(document, $ref), part);
    return visitAll(listInner(keys, node, inner[part]));
  };
  const { components } = document;
  const ofComponents = Object.entries(componentParts).flatMap(([section, part]) =>
    listNamed(['components', section], Object(components)[section], part),
  );
  const paths = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/'))
    .map(([path, item]): Visit => [['paths', path], item, 'pathItem']);
  return visitAll([...ofComponents, ...paths]);
}

/** Returns whether a value would be checked by a schema again, because references or combinations lead back to it. */
function refersToItself(document: ContractDocument, schema: Written): boolean {
  const seen = new Set<unknown>();
  const listNext = (node: unknown): unknown[] => {
    const { $ref, allOf, anyOf, oneOf, not } = Object(node);
    return [isText($ref) ? findByPointer(document, $ref) : undefined, allOf, anyOf, oneOf, not].flat();
  };
  const left = listNext(schema);
  while (left.length > 0) {
    const node = left.pop();
    if (node === schema) return true;
    if (!isRecord(node) || seen.has(node)) continue;
    seen.add(node);
    left.push(...listNext(node));
  }
  return false;
}

type Visit = [keys: readonly string[], node: unknown, part: Part];

function listInner(keys: readonly string[], node: Written, { one = {}, list = {}, named = {} }: Inner) {
  return [
    ...Object.entries(one).flatMap(([name, part]): Visit[] =>
      name in node ? [[[...keys, name], node[name], part]] : [],
    ),
    ...Object.entries(list).flatMap(([name, part]) =>
      Array.isArray(node[name]) ? listNamed([...keys, name], { ...node[name] }, part) : [],
    ),
    ...Object.entries(named).flatMap(([name, part]) => listNamed([...keys, name], node[name], part)),
  ];
}

/** Lists parts by their names. A response may be an extension, and a member of an animal may have any name. */
function listNamed(keys: readonly string[], nodes: unknown, part: Part): Visit[] {
  if (nodes === undefined) return [];
  if (!isRecord(nodes)) return [[keys, nodes, part]];
  const isExtension = (name: string) => keys.at(-1) === 'responses' && name.startsWith('x-');
  return Object.entries(nodes)
    .filter(([name]) => !isExtension(name))
    .map(([name, node]) => [[...keys, name], node, part]);
}

function readPointer(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function findWrongMember(at: string, node: Written, part: Part): string | undefined {
  const known = membersOf[part] ?? {};
  for (const [name, value] of Object.entries(node)) {
    const requirement = Object.hasOwn(known, name) ? known[name] : undefined;
    const place = `${at}/${name}`;
    if (requirement === undefined) {
      if (part !== 'schema' || name.startsWith('x-')) continue;
      return `${place} is no keyword of a schema in OpenAPI 3.0, so nothing would check it. Correct or remove it.`;
    }
    if (!requirement.isMet(value))
      return `${place} must be ${requirement.words}, not ${shorten(JSON.stringify(value))}.`;
  }
  const isReference = '$ref' in node;
  const lacking = ['name', 'in'].find((name) => part === 'parameter' && !isReference && !(name in node));
  if (lacking !== undefined) return `${at} needs the member ${lacking}.`;
  // Without a type it means nothing, and ajv refuses it. Source: OAS 3.0.3, Schema Object
  if (part === 'schema' && node.nullable === true && node.type === undefined)
    return `${at}/nullable needs a type in the same schema.`;
  return undefined;
}

/** The longest value that a message shows, in characters. */
const LONGEST_VALUE = 60;

function shorten(json: string): string {
  return json.length <= LONGEST_VALUE ? json : `${json.slice(0, LONGEST_VALUE)}…`;
}
