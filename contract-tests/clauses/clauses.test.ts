import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clauses } from './clauses.ts';
import { quotes } from './quotes.ts';

/** The ids that users name in --only and --known, after the start that they share. Add ids, and change none. */
const permanentIds = `
list-pets/ success pets unique-ids limit-is-a-maximum limit-bounds limit-default limit-most-100
list-pets/ limit-invalid status-filters status-complete filter-before-limit status-invalid missing-key
list-pets/ invalid-key bearer-form
create-pet/ success pet echoes text-exact int64-exact category-any status-kept unique-id id-assigned
create-pet/ stored name-required category-required name-type category-type status-value body-required
create-pet/ malformed refused-adds-nothing missing-key invalid-key bearer-form key-before-body
create-pet/ unauthorized-adds-nothing
get-pet/ success right-animal same-as-listed finds-added unknown-is-404 non-integer missing-key
get-pet/ invalid-key bearer-form
store/ kept sequences steady
errors/ body status media-type no-server-fault
service/ media-type
quickstart/ success missing-key invalid
dredd/ listPets-200 listPets-400 listPets-401 createPet-201 createPet-400 createPet-401 getPet-200
dredd/ getPet-401 getPet-404
recommended/ challenge scheme-case fresh-lists strict-json chunked-body media-type-case category-below-1
recommended/ undecodable-path long-path`;

test('ids are permanent', () => {
  const ids = permanentIds.split('\n').flatMap((line) => {
    const [start = '', ...names] = line.split(' ');
    return names.map((name) => start + name);
  });
  expect(clauses.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
});

test('the clauses tolerate what docs/reference/unspecified.md says', () => {
  const rows = readFileSync(join(import.meta.dirname, '../../docs/reference/unspecified.md'), 'utf8')
    .split('\n')
    .map((line) => line.split(' | '));
  for (const [open, answers] of clauses.flatMap(({ tolerated = {} }) => Object.entries(tolerated))) {
    const row = rows.find(([first = '']) => first.toLowerCase().startsWith(`| ${open.toLowerCase()}`));
    expect(row?.at(-1), open).toBe(`${answers} |`);
  }
});

const text = readFileSync(join(import.meta.dirname, '../../docs/specification.md'), 'utf8');
const specification = text.replaceAll(/\s+/g, ' ');

test('every required clause under a heading of the specification quotes it', () => {
  for (const { id, quote = '', heading, level } of clauses) {
    expect(specification, id).toContain(quote);
    if (quote !== '') expect(quote, id).toMatch(/^.{30,160}$/);
    const isRequired = level === 'required' && specification.includes(`## ${heading}`);
    expect(quote !== '', id).toBe(isRequired);
  }
});

test('every quote belongs to a clause', () => {
  expect([...quotes.keys()].filter((id) => clauses.every((one) => one.id !== id))).toEqual([]);
});
