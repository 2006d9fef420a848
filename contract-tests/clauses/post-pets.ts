import { defineClauses } from '../core/clause.ts';
import { statuses } from '../core/context.ts';
import { expectCreated, expectPets } from './post-pets/expect-created.ts';
import { expectAssignedId, expectUniqueIds } from './post-pets/expect-ids.ts';
import { expectEcho, expectInt64s, expectNames, expectStatuses } from './post-pets/expect-kept.ts';
import { expectNothingAdded, expectNothingAddedWithoutKey } from './post-pets/expect-nothing-added.ts';
import { expectRefusalOfMissingBody, expectRefusals } from './post-pets/expect-refusals.ts';
import { expectStored } from './post-pets/expect-stored.ts';
import { createInvalidBodies, listInvalidBodies, malformedBodies } from './post-pets/invalid-bodies.ts';

/** The 201 first, then the 400, then what neither may do. */
export const postPetsClauses = defineClauses('POST /pets', [
  {
    id: 'create-pet/success',
    sentence: 'POST /pets with a valid NewPet returns 201.',
    needs: ['writes'],
    observes: true,
    run: expectCreated,
  },
  {
    id: 'create-pet/pet',
    sentence: 'POST /pets returns a Pet with its 201.',
    needs: ['writes'],
    observes: true,
    run: expectPets,
  },
  {
    id: 'create-pet/echoes',
    sentence: 'POST /pets returns the name, the categoryId and the status that were sent.',
    tolerated: [{ open: 'the status of an animal added without one', answers: 'any of the three, or none' }],
    needs: ['writes'],
    run: expectEcho,
  },
  {
    id: 'create-pet/text-exact',
    sentence: 'POST /pets keeps a name to the character: letters of any script, markup, spaces.',
    tolerated: [
      {
        open: 'which names are allowed',
        answers: 'any name may be refused with a 4xx; an accepted name must be kept',
      },
    ],
    needs: ['writes'],
    run: expectNames,
  },
  {
    id: 'create-pet/int64-exact',
    sentence: 'POST /pets keeps a categoryId to the last digit of an int64.',
    tolerated: [
      { open: 'which categories exist', answers: 'a category without animals may be refused with a 4xx' },
    ],
    needs: ['writes'],
    run: expectInt64s,
  },
  {
    id: 'create-pet/status-kept',
    sentence: 'POST /pets accepts and keeps each of the three statuses.',
    needs: ['writes'],
    run: expectStatuses,
  },
  {
    id: 'create-pet/unique-id',
    sentence: 'POST /pets gives each animal a unique id, even if several are added at once.',
    needs: ['writes'],
    observes: true,
    run: expectUniqueIds,
  },
  {
    id: 'create-pet/id-assigned',
    sentence: 'POST /pets assigns the id; an id in the body is refused or ignored.',
    tolerated: [
      {
        open: 'fields in the body that a NewPet does not have',
        answers: 'refused with a 4xx, ignored or kept; but an id must not be kept',
      },
    ],
    needs: ['writes'],
    run: expectAssignedId,
  },
  {
    id: 'create-pet/stored',
    sentence: 'An animal added by POST /pets is in the list of GET /pets, as it was returned.',
    needs: ['writes'],
    observes: true,
    run: expectStored,
  },
  {
    id: 'create-pet/name-required',
    sentence: 'POST /pets without a name returns 400.',
    needs: ['writes'],
    run: (context) =>
      expectRefusals(context, [
        '{"categoryId":1}',
        ...statuses.map((status) => `{"categoryId":1,"status":"${status}"}`),
        '{"Name":"Rex","categoryId":1}',
        '{}',
      ]),
  },
  {
    id: 'create-pet/category-required',
    sentence: 'POST /pets without a categoryId returns 400.',
    needs: ['writes'],
    run: (context) =>
      expectRefusals(context, [
        '{"name":"Rex"}',
        ...statuses.map((status) => `{"name":"Rex","status":"${status}"}`),
        '{"name":"Rex","categoryID":1}',
      ]),
  },
  {
    id: 'create-pet/name-type',
    sentence: 'POST /pets with a name that is not a string returns 400.',
    needs: ['writes'],
    run: (context) => expectRefusals(context, listInvalidBodies('name'), createInvalidBodies('name')),
  },
  {
    id: 'create-pet/category-type',
    sentence: 'POST /pets with a categoryId that is not an int64 returns 400.',
    needs: ['writes'],
    run: (context) =>
      expectRefusals(context, listInvalidBodies('categoryId'), createInvalidBodies('categoryId')),
  },
  {
    id: 'create-pet/status-value',
    sentence: 'POST /pets with a status that is not one of the three returns 400.',
    needs: ['writes'],
    run: (context) => expectRefusals(context, listInvalidBodies('status'), createInvalidBodies('status')),
  },
  {
    id: 'create-pet/body-required',
    sentence: 'POST /pets without a body, or with JSON that is not an object, returns 400.',
    tolerated: [{ open: 'the response to a body of another media type', answers: 'anything but a 5xx' }],
    needs: ['writes'],
    run: async (context) => {
      const notObjects = ['', 'null', '[]', '[{"name":"Rex","categoryId":1}]', '"Rex"', '1', 'true'];
      await expectRefusals(context, notObjects);
      await expectRefusalOfMissingBody(context);
    },
  },
  {
    id: 'create-pet/malformed',
    sentence: 'POST /pets with malformed JSON returns 400.',
    needs: ['writes'],
    run: (context) => expectRefusals(context, malformedBodies),
  },
  {
    id: 'create-pet/refused-adds-nothing',
    sentence: 'POST /pets adds no animal when it returns 400.',
    needs: ['writes'],
    run: expectNothingAdded,
  },
  {
    id: 'create-pet/unauthorized-adds-nothing',
    sentence: 'POST /pets without a valid key adds no animal.',
    needs: ['writes'],
    run: expectNothingAddedWithoutKey,
  },
]);
