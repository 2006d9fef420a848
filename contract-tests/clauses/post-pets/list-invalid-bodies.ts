import fc from 'fast-check';
import { invalidAnimals } from '../../../fixtures/invalid-animals.ts';

export const malformedBodies = [
  ...['{', '{"name":"Rex","categoryId":1', '{"name":"Rex","categoryId":1}}'],
  ...["{'name':'Rex','categoryId':1}", '{"name":"Rex","categoryId":1,}', '{"name":"Rex","categoryId":1} Rex'],
  '{"name":"Rex","categoryId":1}\n{"name":"Rex","categoryId":1}',
  ...['{name:"Rex","categoryId":1}', '{"name":"Rex","categoryId":01}', '{"name":"Rex","categoryId":+1}'],
  ...['{"name":"R\nex","categoryId":1}', 'Rex', ' \n '],
];

const moreInvalidBodies: Readonly<Record<string, readonly string[]>> = {
  categoryId: [
    `{"name":"Rex","categoryId":${'9'.repeat(400)}}`,
    ...[`"${'9'.repeat(25)}"`, '[1]', '{"id":1}'].map((value) => `{"name":"Rex","categoryId":${value}}`),
  ],
  status: [
    // Words that other stores have for a status.
    ...['reserved', 'adopted', 'archived', 'unavailable', 'unknown', 'draft'].map(
      (status) => `{"name":"Rex","categoryId":1,"status":"${status}"}`,
    ),
    ...[`"${'9'.repeat(25)}"`, '{"value":"sold"}'].map(
      (status) => `{"name":"Rex","categoryId":1,"status":${status}}`,
    ),
    '{"name":null,"categoryId":"1","status":"lost"}',
  ],
};

/** Lists bodies with an invalid value in a field; all but the last have no other fault. */
export function listInvalidBodies(field: 'name' | 'categoryId' | 'status'): string[] {
  const bodies = invalidAnimals
    .filter(({ why, fields }) => fields.length === 1 && fields[0] === field && why.startsWith(`the ${field}`))
    .map(({ json }) => json);
  return [...bodies, ...(moreInvalidBodies[field] ?? [])];
}

/** Values that are not an int64; as JSON text, since doubles cannot hold all of them. */
const notInt64s = fc.oneof(
  fc.bigInt({ min: 2n ** 63n, max: 2n ** 80n }).map(String),
  fc.bigInt({ min: 10n ** 38n, max: 10n ** 40n }).map(String),
  fc.bigInt({ min: -(2n ** 80n), max: -(2n ** 63n) - 1n }).map(String),
  fc.tuple(fc.integer(), fc.integer({ min: 1, max: 9 })).map(([whole, tenth]) => `${whole}.${tenth}`),
  fc.string({ maxLength: 10 }).map((text) => JSON.stringify(text)),
  fc.integer().map((number) => `"${number}"`),
  fc.constantFrom('true', 'false', 'null', '[]', '[1]', '{}'),
);

export const invalidCategories = notInt64s.map((value) => `{"name":"Rex","categoryId":${value}}`);
