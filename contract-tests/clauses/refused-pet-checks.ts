import { invalidAnimals } from '../../fixtures/invalid-animals.ts';
import { createNewPet, findKnownCategory, isAddition, postAnimal } from '../core/additions.ts';
import type { Check } from '../core/check.ts';
import { type Context, statuses } from '../core/context.ts';
import { inParallel } from '../core/in-parallel.ts';
import { createBodiesWithFault } from '../core/no-new-pets.ts';
import { expectNoServerFault, outcomeOf, shorten } from '../core/read-exchange.ts';
import { Failed, Skipped } from '../core/result.ts';
import { runProperty } from '../core/run-property.ts';

/** Bodies that are no JSON object. */
const noObjects = ['', 'null', '[]', '[{"name":"Rex","categoryId":1}]', '"Rex"', '1', 'true'];

const malformed = [
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

/** The clauses about a field's value, for which bodies are made up besides. */
const madeUp: Readonly<Record<string, 'name' | 'categoryId' | 'status'>> = {
  'name-type': 'name',
  'category-type': 'categoryId',
  'status-value': 'status',
};

/** What is no NewPet is answered 400. Source: POST /pets */
export const refusedPetChecks: readonly Check[] = createRefusalChecks();

function createRefusalChecks(): Check[] {
  const bodies: Readonly<Record<string, readonly string[]>> = {
    'name-required': [
      '{"categoryId":1}',
      ...statuses.map((status) => `{"categoryId":1,"status":"${status}"}`),
      '{"Name":"Rex","categoryId":1}',
      '{}',
    ],
    'category-required': [
      '{"name":"Rex"}',
      ...statuses.map((status) => `{"name":"Rex","status":"${status}"}`),
      '{"name":"Rex","categoryID":1}',
    ],
    'name-type': bodiesWith('name', 'the name'),
    'category-type': [
      ...bodiesWith('categoryId', 'the categoryId'),
      `{"name":"Rex","categoryId":${'9'.repeat(400)}}`,
    ],
    'status-value': [...bodiesWith('status', 'the status'), '{"name":null,"categoryId":"1","status":"lost"}'],
    'body-required': noObjects,
    malformed,
  };
  return Object.entries(bodies).map(([name, all]) => ({
    clause: `create-pet/${name}`,
    needs: ['writes'],
    run: async (context) => {
      const category = await findKnownCategory(context);
      // With a category that there is, so that just one thing is wrong.
      const toBody = (text: string) =>
        text.replace(/"categoryId":1(?=[,}])/, `"categoryId":${category ?? 1n}`);
      await inParallel(all.map(toBody), (body) => expectRefused(context, body, category));
      if (name === 'body-required') await expectNeedsBody(context);
      const field = madeUp[name];
      if (field === undefined) return;
      const arbitrary = createBodiesWithFault(field, 'Rex', category ?? 1n);
      await runProperty(context.target, arbitrary, (body) => expectRefused(context, body, category));
    },
  }));
}

/** Which 4xx it is where not even the media type is told, or is another one, is left open. */
async function expectNeedsBody({ client }: Context): Promise<void> {
  for (const sent of [{}, { body: '{}', mediaType: 'text/plain' }]) {
    const exchange = await client.send({ method: 'POST', path: '/pets', ...sent });
    expectNoServerFault(exchange);
    if ((exchange.response?.status ?? 0) < 400) throw new Failed('a 4xx', outcomeOf(exchange), exchange);
  }
}

async function expectRefused(context: Context, body: string, category: bigint | undefined): Promise<void> {
  const exchange = await context.client.send({ method: 'POST', path: '/pets', body });
  expectNoServerFault(exchange);
  const isPerhapsUnknown = category === undefined && /"categoryId":1[,}]/.test(body);
  const status = exchange.response?.status ?? 0;
  if (isPerhapsUnknown && status !== 401 && status > 400 && status < 500) {
    throw new Skipped('it may be refused for its category: name one that there is (--category-id)');
  }
  // How large a body may be is not said either.
  if (status === 400 || (status === 413 && body.length > LARGE_BODY)) return;
  if (status === 403 && !(await canAdd(context))) {
    throw new Skipped('every animal is refused with 403: is the key allowed to add any (--read-only)?');
  }
  throw new Failed(`400 to ${shorten(body) || 'an empty body'}`, outcomeOf(exchange), exchange);
}

/** What a deployment may refuse for its size, in characters. */
const LARGE_BODY = 200;

async function canAdd(context: Context): Promise<boolean> {
  if (context.client.journal.some(isAddition)) return true;
  const exchange = await postAnimal(context, await createNewPet(context, 'allowed'));
  return exchange.response?.status !== 403;
}

function bodiesWith(field: string, what: string): string[] {
  return invalidAnimals
    .filter(({ why, fields }) => fields.length === 1 && fields[0] === field && why.startsWith(what))
    .map(({ json }) => json);
}
