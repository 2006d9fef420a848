import { ADDING, listAdded, needsAccepted, needsAdditions } from './additions.ts';
import {
  lookAtCategories,
  lookAtIds,
  lookAtOwnIds,
  lookForCreated,
  lookForMixedUp,
  lookForNone,
  lookForRefusedAlike,
} from './created.ts';
import { findBodyFault } from './find-schema-fault.ts';
import { lookAtEchoes, lookAtKept, lookAtListed, lookAtStatuses } from './kept.ts';
import { type BodyKind, lookAtOtherTypes, lookAtRefusals, lookAtUnreadable } from './refusals.ts';
import { type Evidence, underHeading } from './rule.ts';
import { seeMissing } from './see-missing.ts';
import { compare, sight } from './sight.ts';
import { lookForRefused, lookForTwice } from './unreturned.ts';

/** The clauses about values that a member may not have: an animal that is added with one is no Pet. */
const typeClauses = ['name-type', 'category-type', 'status-value'].map((id) => `create-pet/${id}`);

export const postPetsClauses = underHeading('POST /pets', { needs: ['animals'], isOfWrites: true })([
  {
    id: 'create-pet/success',
    sentence: 'POST /pets with a valid NewPet returns 201.',
    tolerated: {
      'number of animals that can be added':
        '402, 403, 409 or 507 for every animal, or a 429 for more than a minute',
    },
    needs: ['animals', 'animals at once', 'other spellings'],
    look: (evidence) => [
      ...lookForCreated(evidence),
      ...lookForRefusedAlike(evidence),
      ...lookForNone(evidence),
    ],
    findGap: needsAdditions,
  },
  {
    id: 'create-pet/pet',
    sentence: 'POST /pets returns a Pet with its 201.',
    explainedBy: [...typeClauses, 'service/browser'],
    needs: [...ADDING],
    look: ({ history }) =>
      history.additions
        .filter(({ exchange }) => exchange.isAddition)
        .map(({ exchange }) => {
          const problem = findBodyFault('Pet', exchange);
          if (problem === undefined) return compare(exchange, [exchange.animal]);
          const about = exchange.id === undefined ? [] : [exchange.id];
          return sight(exchange, { kind: 'body', expected: 'Pet', problem }, { subject: 'Pet', about });
        }),
    findGap: needsAdditions,
  },
  {
    id: 'create-pet/echoes',
    sentence: 'POST /pets returns the name, the categoryId and the status that were sent.',
    explainedBy: ['create-pet/pet'],
    tolerated: { 'status of an animal that was added without a status': 'any of the three, or none' },
    look: lookAtEchoes,
    findGap: needsAdditions,
  },
  {
    id: 'create-pet/text-exact',
    sentence: 'POST /pets keeps a name to the character: letters of any script, markup, spaces.',
    explainedBy: ['create-pet/pet', 'create-pet/echoes', 'get-pet/success', 'get-pet/same-as-listed'],
    tolerated: {
      'length or character limits on name':
        'a 4xx for any name; an accepted one is kept, but U+FFFD or ? may replace half of a surrogate pair',
    },
    needs: ['unusual animals'],
    look: (evidence) => lookAtKept(evidence, 'name'),
    findGap: (evidence, looks) => needsAdditions(evidence) ?? needsAccepted(looks, 'name'),
  },
  {
    id: 'create-pet/int64-exact',
    sentence: 'POST /pets keeps a categoryId to the last digit of an int64.',
    explainedBy: ['create-pet/pet', 'create-pet/echoes', 'get-pet/success', 'get-pet/same-as-listed'],
    tolerated: { 'categories that an animal can have': 'a 4xx for a category without animals' },
    needs: ['unusual animals'],
    look: (evidence) => lookAtKept(evidence, 'categoryId'),
    findGap: (evidence, looks) => needsAdditions(evidence) ?? needsAccepted(looks, 'categoryId'),
  },
  {
    id: 'create-pet/category-any',
    sentence:
      'POST /pets accepts any positive int64 as a categoryId where it accepts ones that no animal has.',
    needs: ['unusual animals'],
    look: (evidence) => lookAtCategories(evidence, (categoryId) => categoryId > 0n),
    findGap: needsAdditions,
  },
  {
    id: 'create-pet/status-kept',
    sentence: 'POST /pets accepts and keeps each of the three statuses.',
    explainedBy: ['get-pet/same-as-listed'],
    needs: ['animals', 'animals at once'],
    othersCanCauseIt: true,
    look: lookAtStatuses,
    findGap: needsAdditions,
  },
  {
    id: 'create-pet/unique-id',
    explainedBy: ['create-pet/pet'],
    needs: ['animals', 'animals at once'],
    sentence: 'POST /pets gives each animal a unique id, even if several are added at once.',
    look: (evidence) => [...lookAtIds(evidence), ...lookForMixedUp(evidence)],
    findGap: (evidence) =>
      needsAdditions(evidence) ??
      (evidence.once(listAdded).length < 2 ? { reason: 'only one animal could be added' } : undefined),
  },
  {
    id: 'create-pet/id-assigned',
    explainedBy: ['create-pet/unique-id'],
    sentence: 'POST /pets assigns the id; an id in the body is refused or ignored.',
    tolerated: {
      'members of a body that NewPet does not have': 'a 4xx, ignored or kept; but an id is never kept',
    },
    needs: ['other spellings'],
    look: lookAtOwnIds,
    findGap: needsAdditions,
  },
  {
    id: 'create-pet/stored',
    sentence: 'An animal added by POST /pets is in the list of GET /pets, as it was returned.',
    explainedBy: [
      ...['list-pets/success', 'list-pets/limit-is-a-maximum', 'list-pets/filter'],
      ...['list-pets/pets', 'list-pets/unique-ids', 'create-pet/'],
      ...['get-pet/right-animal', 'get-pet/same-as-listed', 'get-pet/finds-added'],
    ],
    needs: [...ADDING, 'animals at once', 'lists again', 'last look'],
    look: (evidence) => [
      ...seeMissing('create-pet/stored', evidence),
      ...lookForTwice(evidence),
      ...lookAtListed(evidence),
    ],
    findGap: (evidence, looks) =>
      needsAdditions(evidence) ??
      (looks.length === 0 ? { reason: 'no list had to show an animal of this run' } : undefined),
  },
  ...defineRefusals([
    ['name-required', 'POST /pets without a name returns 400.', 'no name'],
    ['category-required', 'POST /pets without a categoryId returns 400.', 'no categoryId'],
    ['name-type', 'POST /pets with a name that is not a string returns 400.', 'invalid name'],
    ['category-type', 'POST /pets with a categoryId that is not an int64 returns 400.', 'invalid categoryId'],
    ['status-value', 'POST /pets with a status that is not one of the three returns 400.', 'invalid status'],
  ]),
  {
    id: 'create-pet/body-required',
    sentence: 'POST /pets without a body, or with JSON that is not an object, returns 400.',
    tolerated: { 'a body of another media type': 'anything but a 5xx' },
    needs: ['invalid bodies'],
    look: (evidence) => [...lookAtRefusals(evidence, 'no object'), ...lookAtOtherTypes(evidence)],
    findGap: needsAdditions,
  },
  {
    id: 'create-pet/malformed',
    sentence: 'POST /pets with malformed JSON returns 400.',
    tolerated: {
      'malformed JSON':
        'NaN, comments, and other characters for bytes that are not UTF-8; anything else gets 400',
    },
    needs: ['invalid bodies', 'unusual requests'],
    look: (evidence) => [...lookAtRefusals(evidence, 'malformed'), ...lookAtUnreadable(evidence)],
    findGap: needsAdditions,
  },
  {
    id: 'create-pet/refused-adds-nothing',
    sentence: 'POST /pets adds no animal when it returns 400.',
    needs: ['refused animals', 'lists again', 'last look'],
    look: (evidence) => lookForRefused(evidence, true),
    findGap: needsAdditions,
  },
  {
    id: 'create-pet/unauthorized-adds-nothing',
    sentence: 'POST /pets without a valid key adds no animal.',
    explainedBy: ['create-pet/missing-key', 'create-pet/invalid-key'],
    needs: ['animals', 'keys', 'last look'],
    look: (evidence) => lookForRefused(evidence, false),
  },
]);

function defineRefusals(rows: readonly (readonly [id: string, sentence: string, kind: BodyKind])[]) {
  return rows.map(([id, sentence, kind]) => ({
    id: `create-pet/${id}`,
    sentence,
    needs: ['invalid bodies' as const],
    ...(kind === 'no categoryId' && { explainedBy: ['create-pet/name-required'] }),
    look: (evidence: Evidence) => lookAtRefusals(evidence, kind),
    // Refusals of a service that refuses every animal show nothing.
    findGap: needsAdditions,
  }));
}
