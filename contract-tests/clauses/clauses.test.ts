import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clauses } from './clauses.ts';

/** The ids that users name in --only and in baselines, by what they begin with. Add to them, and change none. */
const permanentIds = {
  'list-pets': [
    ...['success', 'pets', 'unique-ids', 'limit-is-a-maximum', 'limit-bounds', 'limit-default'],
    ...['limit-most-100', 'limit-invalid', 'status-filters', 'status-complete', 'filter-before-limit'],
    ...['status-invalid', 'missing-key', 'invalid-key', 'bearer-form'],
  ],
  'create-pet': [
    ...[
      'success',
      'pet',
      'echoes',
      'text-exact',
      'int64-exact',
      'category-any',
      'status-kept',
      'unique-id',
      'id-assigned',
    ],
    ...['stored', 'name-required', 'category-required', 'name-type', 'category-type', 'status-value'],
    ...['body-required', 'malformed', 'refused-adds-nothing', 'missing-key', 'invalid-key', 'bearer-form'],
    ...['key-before-body', 'unauthorized-adds-nothing'],
  ],
  'get-pet': [
    ...['success', 'right-animal', 'same-as-listed', 'finds-added', 'unknown-is-404', 'non-integer'],
    ...['missing-key', 'invalid-key', 'bearer-form'],
  ],
  store: ['kept', 'sequences'],
  errors: ['body', 'status', 'media-type', 'no-server-fault'],
  service: ['media-type'],
  quickstart: ['success', 'missing-key', 'invalid'],
  replay: [
    ...['listPets-200', 'listPets-400', 'listPets-401', 'createPet-201', 'createPet-400', 'createPet-401'],
    ...['getPet-200', 'getPet-401', 'getPet-404'],
  ],
  advised: [
    ...['challenge', 'scheme-case', 'fresh-lists'],
    ...[
      'strict-json',
      'chunked-body',
      'media-type-case',
      'category-below-1',
      'undecodable-path',
      'long-path',
    ],
  ],
};

test('ids are permanent', () => {
  const ids = Object.entries(permanentIds).flatMap(([prefix, names]) =>
    names.map((name) => `${prefix}/${name}`),
  );
  expect(clauses.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
});

test('what is tolerated stands in decisions/', () => {
  const file = join(import.meta.dirname, '../../decisions/what-the-specification-leaves-open.md');
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.split(' | '));
  for (const [open, answers] of clauses.flatMap(({ tolerated = {} }) => Object.entries(tolerated))) {
    const row = rows.find(([first = '']) => first.toLowerCase().startsWith(`| ${open.toLowerCase()}`));
    expect(row?.at(-1), open).toBe(`${answers} |`);
  }
});
