import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract } from '../../common/load-contract.ts';
import { clauses } from './clauses.ts';
import { findQuote, specification } from './specification.ts';

const page = join(import.meta.dirname, '../../docs/specification.md');

/** The line between the names of a table's columns and its rows. */
const isRuler = (line = '') => /^\|[-|]+\|$/.test(line);

/** Reads the sentences below each heading of the specification. A row of a table is one sentence. */
function readSentences(markdown: string): Record<string, string[]> {
  const sentences: Record<string, string[]> = {};
  let heading = '';
  const lines = markdown.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('#')) heading = line.replace(/^#+ /, '');
    const isNone = line === '' || line.startsWith('#') || isRuler(line) || isRuler(lines[index + 1]);
    if (isNone) continue;
    const found = line.startsWith('|')
      ? [line.slice(2, -2)]
      : line.replace('- ', '').split(/(?<=\.) (?=[A-Z])/);
    sentences[heading] = [...(sentences[heading] ?? []), ...found];
  }
  return sentences;
}

const all = Object.values(specification).flatMap((sentences) => Object.entries(sentences));

test('rules/specification.ts accounts for every sentence of docs/specification.md', () => {
  const accounted = Object.entries(specification).map(([heading, sentences]) => [
    heading,
    Object.keys(sentences),
  ]);
  expect(
    accounted,
    'Say in rules/specification.ts which clauses test the sentence, or why none does',
  ).toEqual(Object.entries(readSentences(readFileSync(page, 'utf8'))));
});

test('each required clause tests a sentence, and a recommended one tests none', () => {
  const tested = new Set(all.flatMap(([, account]) => ('clauses' in account ? account.clauses : [])));
  const required = clauses.flatMap(({ id, level }) => (level === 'required' ? [id] : []));
  expect([...tested].toSorted()).toEqual(required.toSorted());
});

test('openapi.yaml has each place that the table names', () => {
  const missing = all.flatMap(([sentence, account]) => {
    if (!('statedAt' in account)) return [];
    const members = account.statedAt.split('/').slice(1);
    const place = members.reduce<unknown>(
      (value, name) => (value as Record<string, unknown> | undefined)?.[name.replaceAll('~1', '/')],
      loadContract().document,
    );
    return place === undefined ? [sentence] : [];
  });
  expect(missing).toEqual([]);
});

test('a clause quotes the sentence that the fewest others test', () => {
  expect(findQuote('create-pet/name-required', 'POST /pets')).toBe('name and categoryId must be present.');
  expect(findQuote('list-pets/filters', 'GET /pets')).toBe(
    'status · PetStatus · no · Filters animals by availability status.',
  );
  expect(findQuote('errors/status', 'Errors')).toBe('status · integer · yes · The HTTP status code.');
  expect(findQuote('recommended/challenge', 'Recommendations')).toBeUndefined();
});
