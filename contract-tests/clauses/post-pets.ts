import { NotTested } from '../client/clause-errors.ts';
import type { Exchange } from '../client/exchange.ts';
import { underHeading } from '../model/clause.ts';
import { type Context, isStatus, statuses } from '../model/context.ts';
import { expectAnswer } from '../model/expectations.ts';
import { expectPet } from '../model/find-schema-fault.ts';
import { expectAssignedId, expectCreated, expectUniqueIds } from './post-pets/expect-created.ts';
import { expectAnyCategory, expectEcho, expectStatuses, expectUnusualKept } from './post-pets/expect-kept.ts';
import { expectNoneWithoutKey, expectNothingAdded, expectRefusals } from './post-pets/expect-refusals.ts';
import { expectStored } from './post-pets/expect-stored.ts';
import { invalidCategories, listInvalidBodies, malformedBodies } from './post-pets/list-invalid-bodies.ts';

/** Defines a clause about bodies that get 400. */
function refusing(sentence: string, bodies: string[], more?: typeof invalidCategories) {
  return { isParallel: true, sentence, run: (context: Context) => expectRefusals(context, bodies, more) };
}

export const postPetsClauses = underHeading('POST /pets', { needs: ['writes'] })({
  'create-pet/success': {
    sentence: 'POST /pets with a valid NewPet returns 201.',
    tolerated: { 'whether a store can be full': '402, 403, 409 or 507 for every animal' },
    runsLast: 'additions',
    run: expectCreated,
  },
  'create-pet/pet': {
    sentence: 'POST /pets returns a Pet with its 201.',
    runsLast: 'additions',
    run: async (context) => {
      const created = context.additions;
      if (created.length === 0) throw new NotTested('no animal could be added');
      for (const exchange of created) expectPet(context, exchange, listUnusual(exchange, context));
    },
  },
  'create-pet/echoes': {
    sentence: 'POST /pets returns the name, the categoryId and the status that were sent.',
    explainedBy: ['create-pet/pet'],
    tolerated: { 'the value of status when it is omitted on creation': 'any of the three, or none' },
    runsLast: 'additions',
    run: expectEcho,
  },
  'create-pet/text-exact': {
    sentence: 'POST /pets keeps a name to the character: letters of any script, markup, spaces.',
    explainedBy: ['create-pet/echoes', 'get-pet/same-as-listed'],
    tolerated: { 'length or character limits on name': 'a 4xx for any name; an accepted one is kept' },
    run: (context) => expectUnusualKept(context, 'name'),
  },
  'create-pet/int64-exact': {
    sentence: 'POST /pets keeps a categoryId to the last digit of an int64.',
    explainedBy: ['create-pet/echoes', 'get-pet/same-as-listed'],
    tolerated: { 'which categories exist': 'a 4xx for a category without animals' },
    run: (context) => expectUnusualKept(context, 'categoryId'),
  },
  'create-pet/category-any': {
    sentence:
      'POST /pets accepts any positive int64 as a categoryId where it accepts ones that no animal has.',
    run: (context) => expectAnyCategory(context, (categoryId) => categoryId > 0n),
  },
  'create-pet/status-kept': {
    sentence: 'POST /pets accepts and keeps each of the three statuses.',
    run: expectStatuses,
  },
  'create-pet/unique-id': {
    sentence: 'POST /pets gives each animal a unique id, even if several are added at once.',
    runsLast: true,
    run: expectUniqueIds,
  },
  'create-pet/id-assigned': {
    sentence: 'POST /pets assigns the id; an id in the body is refused or ignored.',
    tolerated: { 'properties that NewPet does not have': 'a 4xx, ignored or kept; but an id is never kept' },
    run: expectAssignedId,
  },
  'create-pet/stored': {
    sentence: 'An animal added by POST /pets is in the list of GET /pets, as it was returned.',
    explainedBy: ['list-pets/', 'create-pet/', 'get-pet/same-as-listed'],
    runsLast: true,
    run: expectStored,
  },
  'create-pet/name-required': refusing('POST /pets without a name returns 400.', [
    '{"categoryId":1}',
    ...statuses.map((status) => `{"categoryId":1,"status":"${status}"}`),
    ...['{"Name":"Rex","categoryId":1}', '{}'],
  ]),
  'create-pet/category-required': refusing('POST /pets without a categoryId returns 400.', [
    '{"name":"Rex"}',
    ...statuses.map((status) => `{"name":"Rex","status":"${status}"}`),
    '{"name":"Rex","categoryID":1,"category_id":1}',
  ]),
  'create-pet/name-type': refusing(
    'POST /pets with a name that is not a string returns 400.',
    listInvalidBodies('name'),
  ),
  'create-pet/category-type': refusing(
    'POST /pets with a categoryId that is not an int64 returns 400.',
    listInvalidBodies('categoryId'),
    invalidCategories,
  ),
  'create-pet/status-value': refusing(
    'POST /pets with a status that is not one of the three returns 400.',
    listInvalidBodies('status'),
  ),
  'create-pet/body-required': {
    isParallel: true,
    sentence: 'POST /pets without a body, or with JSON that is not an object, returns 400.',
    tolerated: { 'a body of another media type': 'anything but a 5xx' },
    run: async (context) => {
      const twice = JSON.stringify(`{"name":"Rex","categoryId":${await context.findCategory()}}`);
      const notObjects = ['', 'null', '[]', '[{"name":"Rex","categoryId":1}]', twice, '1', 'true'];
      await expectRefusals(context, notObjects);
      for (const sent of [{}, { body: '{}', mediaType: 'text/plain' }]) {
        const exchange = await context.send({ method: 'POST', path: '/pets', ...sent });
        expectAnswer(context, exchange, '4xx', exchange.status >= 400 && exchange.status < 500);
      }
    },
  },
  'create-pet/malformed': {
    ...refusing('POST /pets with malformed JSON returns 400.', malformedBodies),
    tolerated: {
      'malformed JSON':
        'take bytes that are not UTF-8 for other characters; accept NaN and comments; else 400',
    },
  },
  'create-pet/refused-adds-nothing': {
    sentence: 'POST /pets adds no animal when it returns 400.',
    run: expectNothingAdded,
  },
  'create-pet/unauthorized-adds-nothing': {
    sentence: 'POST /pets without a valid key adds no animal.',
    explainedBy: ['create-pet/missing-key', 'create-pet/invalid-key'],
    run: expectNoneWithoutKey,
  },
});

/** Lists the fields of an added animal that were sent with unusual or invalid values: other clauses are about those. */
function listUnusual({ sent }: Exchange, context: Context): string[] {
  const { name, categoryId, status = 'sold' } = sent;
  const isUsual = {
    name: context.isOurName(name),
    categoryId: typeof categoryId === 'bigint' && BigInt.asIntN(32, categoryId) === categoryId,
    status: isStatus(status),
  };
  return Object.entries(isUsual).flatMap(([field, isOne]) => (isOne ? [] : [field]));
}
