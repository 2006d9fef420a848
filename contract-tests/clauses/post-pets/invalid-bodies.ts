import fc from 'fast-check';
import { invalidAnimals } from '../../../fixtures/invalid-animals.ts';
import { statuses } from '../../core/context.ts';

type Field = 'name' | 'categoryId' | 'status';

/** Bodies that are not JSON. */
export const malformedBodies: readonly string[] = [
  ' \n ',
  '{',
  '{"name":"Rex","categoryId":1',
  '{"name":"Rex","categoryId":1}}',
  "{'name':'Rex','categoryId':1}",
  '{"name":"Rex","categoryId":1,}',
  '{"name":"Rex","categoryId":1} Rex',
  '{"name":"Rex","categoryId":1}\n{"name":"Rex","categoryId":1}',
  '{"name":"Rex","categoryId":1,"x":NaN}',
  '{"name":"Rex",/* no */"categoryId":1}',
  '{name:"Rex","categoryId":1}',
  '{"name":"Rex","categoryId":01}',
  '{"name":"R\nex","categoryId":1}',
  'Rex',
];

const moreInvalidBodies: Readonly<Record<Field, readonly string[]>> = {
  name: [],
  categoryId: [`{"name":"Rex","categoryId":${'9'.repeat(400)}}`],
  status: ['{"name":null,"categoryId":"1","status":"lost"}'],
};

/** Bodies with an invalid value in a field; all but the last have no other fault. */
export function listInvalidBodies(field: Field): string[] {
  const bodies = invalidAnimals
    .filter(({ why, fields }) => fields.length === 1 && fields[0] === field && why.startsWith(`the ${field}`))
    .map(({ json }) => json);
  return [...bodies, ...moreInvalidBodies[field]];
}

const notStrings = fc
  .oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.string({ maxLength: 5 }), { maxLength: 2 }),
    fc.dictionary(fc.string({ maxLength: 5 }), fc.integer(), { maxKeys: 2 }),
  )
  .map((value) => JSON.stringify(value));

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

const notStatuses = fc.oneof(
  fc
    .string({ maxLength: 12 })
    .filter((text) => !statuses.some((status) => status === text))
    .map((text) => JSON.stringify(text)),
  fc.constantFrom(...statuses).map((status) => JSON.stringify(status.toUpperCase())),
  fc.constantFrom(...statuses).map((status) => JSON.stringify(` ${status}`)),
  notStrings,
);

const invalidValues = { name: notStrings, categoryId: notInt64s, status: notStatuses };

/** Makes up bodies whose only fault is the value of a field. The category is the deployment's. */
export function createInvalidBodies(field: Field): (categoryId: bigint) => fc.Arbitrary<string> {
  return (categoryId) =>
    invalidValues[field].map((value) => {
      const members = { name: '"Rex"', categoryId, [field]: value };
      const printed = Object.entries(members).map(([name, text]) => `"${name}":${text}`);
      return `{${printed.join(',')}}`;
    });
}
