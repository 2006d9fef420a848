import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { stringify } from 'yaml';
import { flattenSchema } from '../../../common/json/contract.ts';
import { loadContract } from '../../../common/load-contract.ts';
import type { Schema } from '../../../common/schema.ts';
import { behaviourNames, behaviourSchema } from '../../choices/behaviours.ts';
import type { Operation } from '../../session/control-operation.ts';

type Json = Readonly<Record<string, unknown>>;

interface NamedOperation extends Operation {
  readonly name: string;
}

interface Server {
  readonly url: string;
  readonly description: string;
}

/** Groups of operations, by the first segment of their path. The others are in the last one. */
const tags = {
  animals: 'Animals of the store.',
  snapshots: 'Saved animals.',
  profiles: 'Generated animals.',
  settings: 'Time, API keys and behaviour.',
  faults: 'Simulated failures.',
  requests: 'Requests that the mock has received.',
  responses: 'Responses of the mock.',
  violations: 'Differences between requests or responses and the contract.',
  mock: 'The mock, its sessions, and this document.',
} as const;

const info = {
  title: 'Control API of the Animal Store mock',
  version: '1.0.0',
  description:
    'Controls a mock from tests in any language: animals, faults, settings, sessions and requests. All bodies are JSON. ' +
    'The API has no CORS headers and refuses pages of other sites. Under `/sessions/{name}` each session has the same. ' +
    'The header `X-Animal-Store-Session: {name}` selects a session too.',
};

const adminToken = {
  type: 'http',
  scheme: 'bearer',
  description: 'Token of `--admin-token`. Without this option, only this machine may use the control API.',
};

const error = {
  description: 'Body of every error.',
  type: 'object',
  required: ['code', 'message', 'status'],
  properties: {
    code: { description: 'Code of the error, for programs.', type: 'string' },
    message: { description: 'Description of the error, for people.', type: 'string' },
    status: { description: 'The HTTP status code of the response.', type: 'integer' },
    problems: {
      description: 'The members of an animal that are wrong. Absent for other errors.',
      type: 'array',
      items: {
        type: 'object',
        required: ['member', 'message'],
        properties: {
          member: { type: 'string' },
          message: { description: 'Sentence that begins with the member.', type: 'string' },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
};

const refuse = (description: string, example?: Json) => {
  const schema = { $ref: '#/components/schemas/Error' };
  return { description, content: { 'application/json': { schema, ...(example && { example }) } } };
};

const responses = {
  Done: { description: 'Done.' },
  Invalid: refuse('The request is invalid. The message names the value and what was expected.', {
    code: 'invalid_request',
    message: 'The fault: status must be an integer from 200 to 599, not 600.',
    status: 400,
  }),
  NotFound: refuse('Not found.', { code: 'not_found', message: 'No animal has the id 7.', status: 404 }),
  Refused: refuse(
    'The mock refuses the request. 400: no JSON, an invalid session name, or two. 401: no token. 403: a page of another ' +
      'site, a Host that is not allowed, or the control API is disabled. 405: another method. 413: above 64 MiB. 429: ' +
      'a new session while all sessions are in use.',
  ),
};

const health = {
  operationId: 'health',
  summary: 'Check whether the mock runs',
  description: 'Requires no key and no token.',
  tags: ['mock'],
  security: [],
  responses: {
    200: {
      description: 'The mock runs.',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['status'],
            properties: { status: { const: 'ok' } },
            additionalProperties: false,
          },
        },
      },
    },
    '4XX': { $ref: '#/components/responses/Refused' },
  },
};

/** Creates the OpenAPI document of the control API. @param server the address of the request */
export function createControlDocument(
  operations: readonly NamedOperation[],
  server: Server = { url: '/', description: 'The mock that serves this document.' },
): Json {
  const schemas: Record<string, unknown> = { ...describeAnimals(), ...describeBehaviour(), Error: error };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = `/__admin${operation.path}`;
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: describeOperation(operation, schemas),
    };
  }
  return {
    openapi: '3.1.0',
    info,
    servers: [server],
    security: [{}, { adminToken: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: { ...paths, '/health': { get: health } },
    components: { securitySchemes: { adminToken }, responses, schemas },
  };
}

/** Prints a document for every reader of YAML: without anchors, and with quotes around what looks like a date. */
export function printYaml(document: object): string {
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 120, version: '1.1' });
}

/** @param schemas receives the schemas that have a name */
function describeOperation(operation: NamedOperation, schemas: Record<string, unknown>): Json {
  const { name, method, path, about, details, param, body, query, result } = operation;
  const { mediaType = 'application/json' } = operation;
  const convert = (schema: Schema) => nameSchemas(toJson(schema), schemas) as Json;
  const [, segment = ''] = operation.path.split('/');
  const inPath = /\{(\w+)\}/.exec(path)?.[1];
  const { properties = {} } = query ? (toJson(query) as { properties?: Readonly<Record<string, Json>> }) : {};
  const parameters = [
    ...(param ? [describeParameter(inPath ?? '', 'path', convert(param))] : []),
    ...Object.entries(properties).map(([one, schema]) => describeParameter(one, 'query', schema)),
  ];
  const takesAnything = param ?? body ?? query;
  return {
    operationId: name.replace(/\.(\w)/, (_dot, letter: string) => letter.toUpperCase()),
    summary: about,
    ...(details !== undefined && { description: details }),
    tags: [Object.hasOwn(tags, segment) ? segment : 'mock'],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: convert(body) } } },
    }),
    responses: {
      ...(result === undefined
        ? { 204: { $ref: '#/components/responses/Done' } }
        : { [method === 'POST' ? 201 : 200]: describeResult(mediaType, convert(result), schemas) }),
      ...(takesAnything && { 400: { $ref: '#/components/responses/Invalid' } }),
      ...(param && { 404: { $ref: '#/components/responses/NotFound' } }),
      '4XX': { $ref: '#/components/responses/Refused' },
    },
  };
}

function describeResult(mediaType: string, schema: Json, schemas: Readonly<Record<string, unknown>>): Json {
  const name = /\w+$/.exec(String(schema.$ref))?.[0] ?? '';
  const { description = 'The result.' } = { ...schema, ...(schemas[name] as Json | undefined) };
  const isJson = mediaType === 'application/json';
  return {
    description,
    content: { [mediaType]: { schema: isJson ? schema : { type: 'string', contentSchema: schema } } },
  };
}

/** Describes a parameter. An object in a query is JSON. */
function describeParameter(
  name: string,
  place: 'path' | 'query',
  { description, examples, ...schema }: Json,
): Json {
  const [example] = (examples ?? []) as readonly unknown[];
  const shown = example !== undefined && { example };
  return {
    name,
    in: place,
    description,
    ...(place === 'path' && { required: true }),
    ...(schema.type === 'object'
      ? { content: { 'application/json': { schema, ...shown } } }
      : { schema, ...shown }),
  };
}

/** Returns the JSON Schema of what is sent. */
function toJson(schema: Schema): object {
  const { $schema: _, ...json } = toJsonSchema(schema as GenericSchema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    ignoreActions: ['check'],
    overrideSchema: ({ valibotSchema: { type }, jsonSchema }) => {
      // What a custom schema takes is in its metadata.
      if (type === 'custom') return jsonSchema;
      return type === 'object' ? { ...jsonSchema, additionalProperties: false } : undefined;
    },
  });
  return json;
}

/** Moves each schema that has a title to the schemas with a name, and refers to it. */
function nameSchemas(node: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(node)) return node.map((one) => nameSchemas(one, schemas));
  if (typeof node !== 'object' || node === null) return node;
  const members = Object.entries(node).map(([name, one]) => [name, nameSchemas(one, schemas)]);
  const { title, ...schema } = Object.fromEntries(members);
  if (typeof title !== 'string') return Object.fromEntries(members);
  schemas[title] = schema;
  return { $ref: `#/components/schemas/${title}` };
}

/** Describes animals as the contract has them. An animal to add may have an id. */
function describeAnimals(): Json {
  const contract = loadContract();
  const { properties = {}, required = [] } = flattenSchema(contract, contract.schemas.Pet);
  const members = Object.entries(properties).map(([name, schema]) => [name, flattenSchema(contract, schema)]);
  const animal = { type: 'object', properties: Object.fromEntries(members), additionalProperties: false };
  return {
    NewAnimal: {
      description: 'An animal to add. Without an id it gets the next free id.',
      ...animal,
      required: required.filter((name) => name !== 'id'),
      examples: [{ name: 'Rex', categoryId: 1, status: 'sold' }],
    },
    Animal: {
      description: 'An animal of the store.',
      ...animal,
      required,
      examples: [{ id: 1, name: 'Rex', categoryId: 1, status: 'sold' }],
    },
  };
}

function describeBehaviour(): Json {
  const { $schema: _, properties, ...schema } = behaviourSchema;
  const { $schema: __, ...choices } = properties as Json;
  return {
    Behaviour: { ...schema, properties: choices },
    BehaviourName: { description: 'Name of a behaviour.', enum: behaviourNames },
  };
}
