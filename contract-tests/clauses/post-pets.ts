import { petStatuses } from '../../common/json/pet.ts';
import { NotTested } from '../client/clause-errors.ts';
import type { Exchange } from '../client/exchange.ts';
import { noneAdded } from '../vocabulary/additions.ts';
import { underHeading } from '../vocabulary/clause.ts';
import type { Context } from '../vocabulary/context.ts';
import { expectInTurn } from '../vocabulary/expect-each.ts';
import { expectAnswer } from '../vocabulary/expectations.ts';
import { expectPet } from '../vocabulary/find-schema-fault.ts';
import { isStatus } from '../vocabulary/list-parameters.ts';
import { expectAssignedId, expectCreated, expectUniqueIds } from './post-pets/expect-created.ts';
import { expectAnyCategory, expectEcho, expectStatuses, expectUnusualKept } from './post-pets/expect-kept.ts';
import {
  expectNoneWithoutKey,
  expectNothingAdded,
  expectReadable,
  expectRefusals,
} from './post-pets/expect-refusals.ts';
import { expectStored } from './post-pets/expect-stored.ts';
import { invalidCategories, listInvalidBodies, malformedBodies } from './post-pets/list-invalid-bodies.ts';

/** Defines how a clause runs that is about bodies that get 400. */
function refusing(bodies: string[], more?: typeof invalidCategories) {
  return { isParallel: true, run: (context: Context) => expectRefusals(context, bodies, more) };
}

export const postPetsClauses = underHeading('POST /pets', { phase: 'creations', needs: ['writes'] })([
  {
    id: 'create-pet/success',
    sentence: 'POST /pets with a valid NewPet returns 201.',
    quote: '| 201 | Animal added. | Pet, including the assigned id. |',
    tolerated: {
      'number of animals that can be added':
        '402, 403, 409 or 507 for every animal, or a 429 for more than a minute',
    },
    phase: 'additions',
    run: expectCreated,
  },
  {
    id: 'create-pet/pet',
    sentence: 'POST /pets returns a Pet with its 201.',
    quote: '| 201 | Animal added. | Pet, including the assigned id. |',
    phase: 'additions',
    run: async (context) => {
      const created = context.additions;
      if (created.length === 0) throw noneAdded(context, new NotTested('no animal could be added'));
      for (const exchange of created) expectPet(context, exchange, listUnusual(exchange, context));
    },
  },
  {
    id: 'create-pet/echoes',
    sentence: 'POST /pets returns the name, the categoryId and the status that were sent.',
    quote: 'A Pet has every field of NewPet plus an identifier.',
    explainedBy: ['create-pet/pet'],
    tolerated: { 'status of an animal that was added without a status': 'any of the three, or none' },
    phase: 'additions',
    run: expectEcho,
  },
  {
    id: 'create-pet/text-exact',
    sentence: 'POST /pets keeps a name to the character: letters of any script, markup, spaces.',
    quote: "| name | string | yes | The animal's name. |",
    explainedBy: ['create-pet/pet', 'create-pet/echoes', 'get-pet/same-as-listed'],
    tolerated: {
      'length or character limits on name':
        'a 4xx for any name; an accepted one is kept, but U+FFFD or ? may replace half of a surrogate pair',
    },
    run: (context) => expectUnusualKept(context, 'name'),
  },
  {
    id: 'create-pet/int64-exact',
    sentence: 'POST /pets keeps a categoryId to the last digit of an int64.',
    quote: '| categoryId | integer, int64 | yes | Identifier of the category. |',
    explainedBy: ['create-pet/pet', 'create-pet/echoes', 'get-pet/same-as-listed'],
    tolerated: { 'categories that an animal can have': 'a 4xx for a category without animals' },
    run: (context) => expectUnusualKept(context, 'categoryId'),
  },
  {
    id: 'create-pet/category-any',
    sentence:
      'POST /pets accepts any positive int64 as a categoryId where it accepts ones that no animal has.',
    quote: '| categoryId | integer, int64 | yes | Identifier of the category. |',
    run: (context) => expectAnyCategory(context, (categoryId) => categoryId > 0n),
  },
  {
    id: 'create-pet/status-kept',
    sentence: 'POST /pets accepts and keeps each of the three statuses.',
    quote: 'Allowed values: available, pending, sold.',
    explainedBy: ['create-pet/pet', 'create-pet/echoes'],
    run: expectStatuses,
  },
  {
    id: 'create-pet/unique-id',
    sentence: 'POST /pets gives each animal a unique id, even if several are added at once.',
    quote: 'Unique identifier, assigned by the service on creation.',
    phase: 'stored animals',
    run: expectUniqueIds,
  },
  {
    id: 'create-pet/id-assigned',
    sentence: 'POST /pets assigns the id; an id in the body is refused or ignored.',
    quote: 'Unique identifier, assigned by the service on creation.',
    tolerated: {
      'members of a body that NewPet does not have': 'a 4xx, ignored or kept; but an id is never kept',
    },
    run: expectAssignedId,
  },
  {
    id: 'create-pet/stored',
    sentence: 'An animal added by POST /pets is in the list of GET /pets, as it was returned.',
    quote: '| 201 | Animal added. | Pet, including the assigned id. |',
    explainedBy: ['list-pets/', 'create-pet/', 'get-pet/same-as-listed'],
    phase: 'stored animals',
    run: expectStored,
  },
  {
    id: 'create-pet/name-required',
    sentence: 'POST /pets without a name returns 400.',
    quote: 'name and categoryId must be present.',
    ...refusing([
      '{"categoryId":1}',
      ...petStatuses.map((status) => `{"categoryId":1,"status":"${status}"}`),
      ...['{"Name":"Rex","categoryId":1}', '{"__proto__":{"name":"Rex","categoryId":1}}', '{}'],
    ]),
  },
  {
    id: 'create-pet/category-required',
    sentence: 'POST /pets without a categoryId returns 400.',
    quote: 'name and categoryId must be present.',
    ...refusing([
      '{"name":"Rex"}',
      ...petStatuses.map((status) => `{"name":"Rex","status":"${status}"}`),
      '{"name":"Rex","categoryID":1,"category_id":1}',
    ]),
  },
  {
    id: 'create-pet/name-type',
    sentence: 'POST /pets with a name that is not a string returns 400.',
    quote: 'The body is missing required fields or contains invalid values.',
    ...refusing(listInvalidBodies('name')),
  },
  {
    id: 'create-pet/category-type',
    sentence: 'POST /pets with a categoryId that is not an int64 returns 400.',
    quote: '| categoryId | integer, int64 | yes | Identifier of the category. |',
    ...refusing(listInvalidBodies('categoryId'), invalidCategories),
  },
  {
    id: 'create-pet/status-value',
    sentence: 'POST /pets with a status that is not one of the three returns 400.',
    quote: 'Allowed values: available, pending, sold.',
    ...refusing(listInvalidBodies('status')),
  },
  {
    id: 'create-pet/body-required',
    isParallel: true,
    sentence: 'POST /pets without a body, or with JSON that is not an object, returns 400.',
    quote: 'The request body is required. Its media type is application/json and its shape is NewPet.',
    tolerated: { 'a body of another media type': 'anything but a 5xx' },
    run: async (context) => {
      const twice = JSON.stringify(`{"name":"Rex","categoryId":${await context.findCategory()}}`);
      const notObjects = ['', 'null', '[]', '[{"name":"Rex","categoryId":1}]', twice, '1', 'true'];
      const others = [{}, { body: '{}', mediaType: 'text/plain' }];
      const expectRefused = async (sent: (typeof others)[number]) => {
        const exchange = await context.send({ method: 'POST', path: '/pets', ...sent });
        expectAnswer(context, exchange, '4xx', exchange.status >= 400 && exchange.status < 500);
      };
      await expectInTurn([
        () => expectRefusals(context, notObjects),
        ...others.map((sent) => () => expectRefused(sent)),
      ]);
    },
  },
  {
    id: 'create-pet/malformed',
    sentence: 'POST /pets with malformed JSON returns 400.',
    quote: 'The request body is required. Its media type is application/json and its shape is NewPet.',
    isParallel: true,
    run: async (context) => {
      await expectRefusals(context, malformedBodies);
      await expectReadable(context);
    },
    tolerated: {
      'malformed JSON':
        'NaN, comments, and other characters for bytes that are not UTF-8; anything else gets 400',
    },
  },
  {
    id: 'create-pet/refused-adds-nothing',
    sentence: 'POST /pets adds no animal when it returns 400.',
    quote: 'The body is missing required fields or contains invalid values.',
    run: expectNothingAdded,
  },
  {
    id: 'create-pet/unauthorized-adds-nothing',
    sentence: 'POST /pets without a valid key adds no animal.',
    quote: 'The requirement applies to every operation.',
    explainedBy: ['create-pet/missing-key', 'create-pet/invalid-key'],
    run: expectNoneWithoutKey,
  },
]);

/** Lists the fields of an added animal that were sent with unusual or invalid values: other clauses are about those. */
function listUnusual({ sent }: Exchange, context: Context): string[] {
  const { name, categoryId, status = 'sold' } = sent;
  const isUsual = {
    name: context.isUsualName(name),
    categoryId: typeof categoryId === 'bigint' && BigInt.asIntN(32, categoryId) === categoryId,
    status: isStatus(status),
  };
  return Object.entries(isUsual).flatMap(([field, isOne]) => (isOne ? [] : [field]));
}
