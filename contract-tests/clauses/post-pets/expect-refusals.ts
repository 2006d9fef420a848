import fc from 'fast-check';
import { invalidAnimals } from '../../../fixtures/invalid-animals.ts';
import { createNewPet, findKnownCategory, isAddition, postAnimal } from '../../core/add-animal.ts';
import { type Context, statuses } from '../../core/context.ts';
import { inParallel } from '../../core/in-parallel.ts';
import { expectNoServerFault, outcomeOf, shorten } from '../../core/read-exchange.ts';
import { Failed, Skipped } from '../../core/result.ts';
import { runProperty } from '../../core/run-property.ts';

/** A deployment may refuse longer bodies for their size, in characters. */
const LARGE_BODY = 200;

/**
 * Expects 400 for each body. A category of 1 in a body becomes one that exists, so that it is not a second fault.
 *
 * @param createMore makes up more bodies with an existing category.
 */
export async function expectRefusals(
  context: Context,
  bodies: readonly string[],
  createMore?: (categoryId: bigint) => fc.Arbitrary<string>,
): Promise<void> {
  const category = await findKnownCategory(context);
  const toBody = (text: string) => text.replace(/"categoryId":1(?=[,}])/, `"categoryId":${category ?? 1n}`);
  const expectOne = (body: string) => expectRefusal(context, body, category);
  await inParallel(bodies.map(toBody), expectOne);
  if (createMore !== undefined) await runProperty(context.target, createMore(category ?? 1n), expectOne);
}

async function expectRefusal(context: Context, body: string, category: bigint | undefined): Promise<void> {
  const exchange = await context.client.send({ method: 'POST', path: '/pets', body });
  expectNoServerFault(exchange);
  const isPerhapsUnknown = category === undefined && /"categoryId":1[,}]/.test(body);
  const status = exchange.response?.status ?? 0;
  if (isPerhapsUnknown && status !== 401 && status > 400 && status < 500) {
    throw new Skipped('the category may be unknown: name an existing one (--category-id)');
  }
  if (status === 400 || (status === 413 && body.length > LARGE_BODY)) return;
  if (status === 403 && !(await canAdd(context))) {
    throw new Skipped('every animal is refused with 403: may the key add animals (--read-only)?');
  }
  throw new Failed(`400 for ${shorten(body) || 'an empty body'}`, outcomeOf(exchange), exchange);
}

async function canAdd(context: Context): Promise<boolean> {
  if (context.client.journal.some(isAddition)) return true;
  const exchange = await postAnimal(context, await createNewPet(context, 'allowed'));
  return exchange.response?.status !== 403;
}

/** Expects a 4xx without a body, and for a body of another media type; which one is left open. */
export async function expectRefusalOfMissingBody({ client }: Context): Promise<void> {
  for (const sent of [{}, { body: '{}', mediaType: 'text/plain' }]) {
    const exchange = await client.send({ method: 'POST', path: '/pets', ...sent });
    expectNoServerFault(exchange);
    if ((exchange.response?.status ?? 0) < 400) throw new Failed('a 4xx', outcomeOf(exchange), exchange);
  }
}

/** A field of NewPet. */
export type Field = 'name' | 'categoryId' | 'status';

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
