import { type JsonObject, printExactJson } from '../../common/exact-json.ts';
import { invalidAnimals } from '../../fixtures/invalid-animals.ts';
import { findCategory, findKnownCategory } from '../additions.ts';
import type { Check } from '../check.ts';
import type { Context } from '../context.ts';
import type { Exchange } from '../exchange.ts';
import { createBodiesWithFault } from '../generators/no-new-pets.ts';
import { runProperty } from '../generators/run-property.ts';
import { inParallel } from '../in-parallel.ts';
import { searchAnimals } from '../lists.ts';
import { isServerFault, outcomeOf, readSent } from '../read-exchange.ts';
import { showValue } from '../show-value.ts';
import { Unfulfilled, Untried } from '../verdict.ts';

/** Bodies that are no JSON object. */
const noObjects = ['', 'null', '[]', '[{"name":"Rex","categoryId":1}]', '"Rex"', '1', 'true'];

const malformed = [
  '{',
  '{"name":"Rex","categoryId":1',
  '{"name":"Rex","categoryId":1}}',
  "{'name':'Rex','categoryId':1}",
  '{"name":"Rex","categoryId":1,}',
  'Rex',
];

/** The clauses about a field's value, for which bodies are made up besides. */
const madeUp: Readonly<Record<string, 'name' | 'categoryId' | 'status'>> = {
  'name-type': 'name',
  'category-type': 'categoryId',
  'status-value': 'status',
};

/** What is no NewPet, or comes without a key, adds nothing. Source: POST /pets */
export const refusedPetChecks: readonly Check[] = [
  ...createRefusalChecks(),
  { clause: 'create-pet/refused-adds-nothing', needs: ['writes'], run: expectNothingAdded },
  { clause: 'create-pet/unauthorized-adds-nothing', needs: ['writes'], run: expectNothingAddedWithoutKey },
];

function createRefusalChecks(): Check[] {
  const bodies: Readonly<Record<string, readonly string[]>> = {
    'name-required': ['{"categoryId":1}', '{"Name":"Rex","categoryId":1}', '{}'],
    'category-required': ['{"name":"Rex"}', '{"name":"Rex","categoryID":1}'],
    'name-type': bodiesWith('name', 'the name'),
    'category-type': [
      ...bodiesWith('categoryId', 'the categoryId'),
      `{"name":"Rex","categoryId":${'9'.repeat(400)}}`,
    ],
    'status-value': bodiesWith('status', 'the status'),
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
      const field = madeUp[name];
      if (field === undefined) return;
      const arbitrary = createBodiesWithFault(field, 'Rex', category ?? 1n);
      await runProperty(context.target, arbitrary, (body) => expectRefused(context, body, category));
    },
  }));
}

async function expectRefused({ client }: Context, body: string, category: bigint | undefined): Promise<void> {
  const exchange = await client.send({ method: 'POST', path: '/pets', body });
  // A fault of the server, or no answer, is another clause's.
  if (isServerFault(exchange)) return;
  const isPerhapsUnknown = category === undefined && /"categoryId":1[,}]/.test(body);
  if (isPerhapsUnknown && [404, 409, 422].includes(exchange.response?.status ?? 0)) {
    throw new Untried('it may be refused for its category: name one that there is (--category-id)');
  }
  if (exchange.response?.status !== 400) throw new Unfulfilled('400', outcomeOf(exchange), exchange);
}

function bodiesWith(field: string, what: string): string[] {
  return invalidAnimals
    .filter(({ why, fields }) => fields.length === 1 && fields[0] === field && why.startsWith(what))
    .map(({ json }) => json);
}

/** Each body has one thing wrong, and a name by which its animal would be found. */
async function expectNothingAdded(context: Context): Promise<void> {
  const categoryId = await findCategory(context);
  // Categories that no other animal has, nor one of another run, for those without a name to be found by.
  const unusual = 7_000_000_000_000_000_000n + BigInt(Date.now());
  const name = (what: string) => `"name":"${context.prefix} refused ${what}"`;
  const bodies = [
    `{${name('without a category')},"status":"sold"}`,
    `{${name('for its category')},"categoryId":"${categoryId}","status":"sold"}`,
    `{${name('for its status')},"categoryId":${categoryId},"status":"lost"}`,
    `[{${name('as an array')},"categoryId":${categoryId},"status":"sold"}]`,
    `{${name('as malformed')},"categoryId":${categoryId},"status":"sold"`,
    `{${name('for its large category')},"categoryId":9223372036854775808,"status":"sold"}`,
    `{"categoryId":${unusual},"status":"sold"}`,
    `{"name":1,"categoryId":${unusual + 1n},"status":"sold"}`,
    `{"name":null,"categoryId":${unusual + 2n},"status":"sold"}`,
  ];
  await expectUnknown(
    context,
    bodies.map((body) => ({ body })),
    ({ response }) => response?.status === 400,
  );
}

async function expectNothingAddedWithoutKey(context: Context): Promise<void> {
  const name = `${context.prefix} without key`;
  const body = printExactJson({ name, categoryId: await findCategory(context), status: 'sold' });
  const keys = [undefined, 'Bearer contract-test-invalid-key'];
  const requests = keys.map((authorization) => ({ body, authorization }));
  // Whatever it was answered.
  await expectUnknown(context, requests, () => true);
}

/** Sends requests that are to be refused, and looks for an animal of theirs. */
async function expectUnknown(
  context: Context,
  requests: readonly { readonly body: string; readonly authorization?: string | undefined }[],
  isMeant: (exchange: Exchange) => boolean,
): Promise<void> {
  const refused: Exchange[] = [];
  for (const request of requests) {
    const exchange = await context.client.send({ method: 'POST', path: '/pets', ...request });
    if (isMeant(exchange)) refused.push(exchange);
  }
  if (refused.length === 0) throw new Untried('no such request was refused');
  const isRefused = ({ name, categoryId }: JsonObject) =>
    refused.some(({ request }) => {
      const sent = readSent(request);
      const isNamed = typeof name === 'string' && request.body?.includes(`"${name}"`);
      const isNameless = typeof sent.name !== 'string' && typeof sent.categoryId === 'bigint';
      return isNamed || (isNameless && sent.categoryId === categoryId);
    });
  const { found, isComplete } = await searchAnimals(context, isRefused, 'sold');
  if (found.length > 0)
    throw new Unfulfilled('no animal added', `the animal ${showValue(found[0]?.id)}`, refused[0]);
  if (!isComplete) throw new Untried('the list is too long to show every animal');
}
