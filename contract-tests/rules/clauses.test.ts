import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAnimalFacts } from '../../common/json/animal-facts.ts';
import { loadContract } from '../../common/load-contract.ts';
import { ofRuns } from '../requests/tables.ts';
import { clauses } from './clauses.ts';
import { ONCE_WRONG } from './rule.ts';

const RENEW =
  'Users name these ids in --only and --known. Change no id of a clause that stays. If you have added or removed a clause, ' +
  'renew the file: npx vitest run --project unit contract-tests/rules -u';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

test('ids are permanent', async () => {
  const ids = clauses.map(({ id }) => id).toSorted();
  await expect(`${ids.join('\n')}\n`, RENEW).toMatchFileSnapshot('permanent-ids.txt');
});

test('each id belongs to one clause', () => {
  const ids = clauses.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('with --only, just the clauses about any response send all requests', () => {
  const ids = clauses.filter(({ needs }) => needs === ofRuns).map(({ id }) => id);
  expect(ids).toEqual([
    ...['store/kept', 'store/sequences', 'store/steady'],
    ...['errors/body', 'errors/status', 'errors/media-type', 'errors/no-server-fault'],
    ...['service/media-type', ONCE_WRONG],
  ]);
});

test('one wrong response may be by chance where others change statuses, and nowhere else', () => {
  const ids = clauses.filter(({ othersCanCauseIt }) => othersCanCauseIt).map(({ id }) => id);
  expect(ids.toSorted()).toEqual(['create-pet/status-kept', 'store/steady']);
});

test('the clauses tolerate what docs/reference/unspecified.md says', () => {
  const rows = read('docs/reference/unspecified.md')
    .split('\n')
    .map((line) => line.split(' | '));
  for (const { id, tolerated = {} } of clauses) {
    for (const [open, answers] of Object.entries(tolerated)) {
      const row = rows.find(([first = '']) => first.toLowerCase().startsWith(`| ${open.toLowerCase()}`));
      // In the row of a choice, its values come first.
      const last = row?.at(-1)?.split('<br>').at(-1);
      const asked =
        'docs/reference/unspecified.md needs a row that begins with these words and ends with the answers';
      const message = `${id} tolerates "${open}". ${asked}`;
      expect(last, message).toBe(`${answers} |`);
    }
  }
});

test('each query parameter of GET /pets that is no filter has a clause of its name', () => {
  const filters = new Set(readAnimalFacts(loadContract()).filters.map(({ name }) => name));
  const toStart = (name: string) =>
    `list-pets/${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const without = loadContract()
    .operations.flatMap(({ operationId, parameters }) => (operationId === 'listPets' ? parameters : []))
    .filter(({ name }) => !filters.has(name) && !clauses.some(({ id }) => id.startsWith(toStart(name))));
  expect(without.map(({ name }) => `add a clause ${toStart(name)}-… to rules/get-pets.ts`)).toEqual([]);
});
