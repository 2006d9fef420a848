import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDraft, type WrittenContract } from '../../tools/testing/create-draft.ts';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { findOperation, flattenSchema, jsonSchemaOf, loadContract, readListFacts } from './contract.ts';
import { readContract } from './read-draft.ts';

function readFault(file: string): string {
  try {
    readContract(file);
  } catch (error) {
    return (error as Error).message.replaceAll(file, 'FILE');
  }
  return 'no fault';
}

test.for<[title: string, text: string, message: string]>([
  [
    'YAML that is malformed',
    'openapi: 3.0.3\npaths: a: b',
    'It is neither YAML nor JSON: Nested mappings are',
  ],
  ['text', 'Hello', 'It is no OpenAPI document, because it has no member "openapi". Write it in OpenAPI 3.0'],
  ['nothing', '', 'It is no OpenAPI document'],
  ['Swagger', 'swagger: "2.0"', 'It is Swagger 2.0. Write it in OpenAPI 3.0'],
  [
    'OpenAPI 3.1',
    'openapi: 3.1.0\ninfo: {}',
    'It is OpenAPI 3.1.0, and Prism and Dredd together read only 3.0.',
  ],
  [
    'an alias that contains itself',
    'openapi: 3.0.3\ninfo: &a { b: *a }',
    'It has an alias of YAML that contains itself, or too many of them.',
  ],
  [
    'too many aliases',
    `openapi: 3.0.3\na: &a [${'1,'.repeat(20)}]\nb: &b [${'*a,'.repeat(20)}]\nc: [${'*b,'.repeat(20)}]`,
    'It has an alias of YAML that contains itself, or too many of them.',
  ],
  ['no paths', 'openapi: 3.0.3\ninfo: {}', '#/paths must be an object.'],
  [
    'a path that is text',
    'openapi: 3.0.3\ninfo: {}\npaths: { /pets: 1 }',
    '#/paths/~1pets must be an object.',
  ],
])('%s is refused with the reason', ([, text, message]) => {
  const file = join(createFolder({ 'next.yaml': text }), 'next.yaml');
  expect(readFault(file)).toContain(`--contract: FILE cannot be used. ${message}`);
});

test('a file that does not exist is named', () => {
  expect(readFault('/nowhere/next.yaml')).toBe(
    '--contract: FILE could not be read: ENOENT: no such file or directory',
  );
});

const pet = { $ref: 'pet.yaml#/Pet' };
const list = '/pets';
const one = '/pets/{petId}';

test.for<[title: string, change: (contract: WrittenContract) => void, message: string]>([
  [
    'lacks an operation',
    ({ paths }) => void delete paths[one],
    'It lacks the operation GET /pets/{petId} (#/paths/~1pets~1{petId}/get). Add it:',
  ],
  [
    'lacks two operations',
    ({ paths }) => void delete paths[list],
    'It lacks the operations GET /pets (#/paths/~1pets/get), POST /pets (#/paths/~1pets/post). Add them:',
  ],
  [
    'gives an operation another name',
    ({ paths }) => Object.assign(paths[list]?.get ?? {}, { operationId: 'getPets' }),
    '#/paths/~1pets/get/operationId must be listPets, as in openapi.yaml.',
  ],
  [
    'adds an operation without a name',
    ({ paths }) => Object.assign(paths[one] ?? {}, { delete: { responses: { 204: { description: '' } } } }),
    '#/paths/~1pets~1{petId}/delete needs an operationId',
  ],
  [
    'does not declare the parameter of a path',
    ({ paths }) => Object.assign(paths[one] ?? {}, { put: { operationId: 'putPet', responses: {} } }),
    '#/paths/~1pets~1{petId}/put: the path has the parameter petId, which parameters must declare, with in: path.',
  ],
  [
    'has a name twice',
    ({ paths }) => {
      const { parameters } = paths[one]?.get ?? {};
      Object.assign(paths[one] ?? {}, { delete: { operationId: 'getPet', parameters, responses: {} } });
    },
    '#/paths/~1pets~1{petId}/get and #/paths/~1pets~1{petId}/delete have the same operationId, getPet.',
  ],
  [
    'refers to another file',
    ({ components }) => Object.assign(components.schemas, { Pet: pet }),
    '#/components/schemas/Pet refers to another file, pet.yaml#/Pet. Make one file of them, for example with: npx @redocly/cli bundle FILE',
  ],
  [
    'refers to nothing',
    ({ components }) => Object.assign(components.schemas, { Pet: { $ref: '#/components/schemas/Dog' } }),
    '#/components/schemas/Pet refers to #/components/schemas/Dog, which the file does not have.',
  ],
  [
    'refers to another file in the default response',
    ({ paths }) =>
      Object.assign(paths[list]?.get?.responses as object, { default: { $ref: 'errors.yaml#/Error' } }),
    '#/paths/~1pets/get/responses/default refers to another file, errors.yaml#/Error.',
  ],
  [
    'has a type that is none',
    ({ components }) => Object.assign(components.schemas.Error ?? {}, { type: 'thing' }),
    '#/components/schemas/Error/type must be one of string, number, integer, boolean, array, object, not "thing".',
  ],
  [
    'has a pattern that is none',
    ({ components }) => Object.assign(components.schemas.Error ?? {}, { pattern: '([' }),
    '#/components/schemas/Error/pattern must be a regular expression, not "([".',
  ],
  [
    'has responses that are no object',
    ({ paths }) => Object.assign(paths[list]?.get ?? {}, { responses: [] }),
    '#/paths/~1pets/get/responses must be an object.',
  ],
  ...(
    [
      ['a bound that is text', { maximum: '50' }, 'maximum must be a number, not "50".'],
      ['a length that is text', { minLength: '3' }, 'minLength must be an integer of 0 or more, not "3".'],
      ['a length below 0', { maxLength: -1 }, 'maxLength must be an integer of 0 or more, not -1.'],
      [
        'a value twice',
        { enum: ['a', 'a'] },
        'enum must be an array of values, none of them twice, not ["a","a"].',
      ],
      ['values that are text', { enum: 'a' }, 'enum must be an array of values'],
      ['a switch for required members', { required: true }, 'required must be an array of names'],
      ['a text for required members', { required: 'a' }, 'required must be an array of names'],
      ['a required name twice', { required: ['a', 'a'] }, 'required must be an array of names'],
      [
        'examples',
        { examples: 'x' },
        'examples is no keyword of a schema in OpenAPI 3.0, so nothing would check it.',
      ],
      ['a misspelled keyword', { maxmum: 5 }, 'maxmum is no keyword of a schema in OpenAPI 3.0'],
      ['a list of types', { type: ['string', 'null'] }, 'type must be one of string, number,'],
    ] as const
  ).flatMap(([title, schema, message]): [string, (contract: WrittenContract) => void, string][] => [
    [
      `has ${title} in a member`,
      ({ components: { schemas } }) => Object.assign(schemas.NewPet?.properties as object, { age: schema }),
      `#/components/schemas/NewPet/properties/age/${message}`,
    ],
    [
      `has ${title} in a parameter`,
      ({ paths }) =>
        ((paths[list]?.get?.parameters ?? []) as object[]).push({ name: 'age', in: 'query', schema }),
      `#/paths/~1pets/get/parameters/2/schema/${message}`,
    ],
    [
      `has ${title} in the default response`,
      ({ paths }) =>
        Object.assign(paths[list]?.get?.responses as object, {
          default: { description: '', content: { 'application/json': { schema } } },
        }),
      `#/paths/~1pets/get/responses/default/content/application~1json/schema/${message}`,
    ],
  ]),
  [
    'has a header that is required by a text',
    ({ components }) => Object.assign(components, { headers: { Total: { required: 'yes' } } }),
    '#/components/headers/Total/required must be true or false, not "yes".',
  ],
  [
    'has another kind of key',
    ({ components }) =>
      Object.assign(components.securitySchemes as object, {
        bearerAuth: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      }),
    '#/components/securitySchemes/bearerAuth must have the type http and the scheme bearer',
  ],
  [
    'has another kind of key for an operation',
    ({ paths }) => Object.assign(paths[list]?.get ?? {}, { security: [{ basicAuth: [] }] }),
    '#/components/securitySchemes/basicAuth must have the type http and the scheme bearer',
  ],
  [
    'has a schema that is null or anything',
    ({ components }) =>
      Object.assign(components.schemas.NewPet?.properties as object, { age: { nullable: true } }),
    '#/components/schemas/NewPet/properties/age/nullable needs a type in the same schema.',
  ],
  [
    'has an unknown keyword next to a reference',
    ({ components }) =>
      Object.assign(components.schemas.NewPet?.properties as object, {
        age: { $ref: '#/components/schemas/PetStatus', maxmum: 5 },
      }),
    '#/components/schemas/NewPet/properties/age/maxmum is no keyword of a schema in OpenAPI 3.0',
  ],
  [
    'refers to a wrong schema where OpenAPI has none',
    (contract) => {
      Object.assign(contract, { 'x-ages': { 'young/old': { type: 'thing' } } });
      const age = { $ref: '#/x-ages/young~1old' };
      Object.assign(contract.components.schemas.NewPet?.properties as object, { age });
    },
    '#/x-ages/young~1old/type must be one of string, number, integer, boolean, array, object, not "thing".',
  ],
  [
    'has a text in place of a schema',
    ({ components }) => Object.assign(components.schemas.NewPet ?? {}, { additionalProperties: 'no' }),
    '#/components/schemas/NewPet/additionalProperties must be a schema, true or false, not "no".',
  ],
  [
    'has a text in a list of schemas',
    ({ components }) =>
      Object.assign(components.schemas.NewPet ?? {}, { anyOf: [{ type: 'object' }, 'Pet'] }),
    '#/components/schemas/NewPet/anyOf/1 must be an object, not "Pet".',
  ],
  [
    'has a schema that is itself',
    ({ components }) => Object.assign(components.schemas, { Age: { $ref: '#/components/schemas/Age' } }),
    '#/components/schemas/Age refers to itself, so it has no end.',
  ],
  [
    'has a schema that is a part of itself',
    ({ components: { schemas } }) => {
      const age = { $ref: '#/components/schemas/Age' };
      Object.assign(schemas, { Age: { properties: { of: age }, allOf: [{ anyOf: [age] }] } });
    },
    '#/components/schemas/Age refers to itself, so it has no end.',
  ],
  [
    'has a parameter without a place',
    ({ paths }) => ((paths[list]?.get?.parameters ?? []) as object[]).push({ name: 'age' }),
    '#/paths/~1pets/get/parameters/2 needs the member in.',
  ],
  [
    'has a parameter in no place',
    ({ paths }) => ((paths[list]?.get?.parameters ?? []) as object[]).push({ name: 'age', in: 'qurey' }),
    '#/paths/~1pets/get/parameters/2/in must be one of query, path, header, cookie, not "qurey".',
  ],
])('a draft that %s is refused with the place in it', ([, change, message]) => {
  expect(readFault(createDraft(change))).toContain(`--contract: FILE cannot be used. ${message}`);
});

test('a member may have the schema that it is in', () => {
  const file = createDraft(({ components: { schemas } }) => {
    const parent = { allOf: [{ $ref: '#/components/schemas/Pet' }] };
    const young = { type: 'array', items: { $ref: '#/components/schemas/Pet' } };
    Object.assign(schemas.Pet?.properties as object, { parent, young });
  });
  expect(readFault(file)).toBe('no fault');
});

test('a draft may have further operations, other names of parameters, and shared parts', () => {
  const file = createDraft(({ paths, components }) => {
    const { get = {} } = paths[one] ?? {};
    const { parameters: _, ...own } = get;
    delete paths[one];
    components.parameters = { Id: { name: 'id', in: 'path', required: true, schema: { type: 'integer' } } };
    paths['/pets/{id}'] = {
      parameters: [{ $ref: '#/components/parameters/Id' }] as never,
      get: own,
      delete: { operationId: 'deletePet', responses: { 204: { description: 'Removed.' } } },
    };
    components.schemas.Pet = {
      allOf: [
        { $ref: '#/components/schemas/NewPet' },
        { required: ['id'], properties: { id: { type: 'integer' } } },
      ],
    };
  });
  const contract = readContract(file);
  expect(contract.operations.map(({ operationId }) => operationId)).toEqual([
    'listPets',
    'createPet',
    'getPet',
    'deletePet',
  ]);
  const { path, parameters, responses } = findOperation(contract, 'getPet');
  expect(path).toBe('/pets/{id}');
  expect(parameters.map(({ name }) => name)).toEqual(['id']);
  const { properties = {}, required } = flattenSchema(contract, jsonSchemaOf(responses['200']?.content));
  expect(Object.keys(properties)).toEqual(['name', 'categoryId', 'status', 'id']);
  expect(required).toEqual(['name', 'categoryId', 'id']);
});

test('the bounds of limit and the values of status are those of the contract', () => {
  expect(readListFacts(loadContract())).toEqual({
    limit: { least: 1, most: 100, usual: 20 },
    statuses: ['available', 'pending', 'sold'],
  });
  const file = createDraft(({ paths, components }) => {
    const [limit] = (paths[list]?.get?.parameters ?? []) as { schema: object }[];
    if (limit !== undefined) limit.schema = { type: 'integer', maximum: 200 };
    components.schemas.PetStatus = { type: 'string', enum: ['available', 'reserved'] };
  });
  expect(readListFacts(readContract(file))).toEqual({
    limit: { most: 200 },
    statuses: ['available', 'reserved'],
  });
});
