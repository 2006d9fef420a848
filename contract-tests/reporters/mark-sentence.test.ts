import { expect, test } from 'vitest';
import type { Result } from '../runner/report.ts';
import { markSentence } from './mark-sentence.ts';

const result = (id: string, others: Partial<Result> = {}): Result => ({
  clause: { id, heading: 'GET /pets', sentence: `The sentence of ${id}.`, level: 'required' },
  compared: { responses: 1, lists: 0, animals: 0 },
  verdict: 'passed',
  ...others,
});

const failed = result('a/failed', { verdict: 'failed' });
const known = result('a/known', { verdict: 'failed', known: { reason: 'Seen by Ann', isExpired: false } });
const untested = result('a/untested', { verdict: 'not tested', reason: 'no list has an animal' });
const excused = result('a/excused', { excused: 3 });
const passed = result('a/passed');

test.for<[outcomes: Result[], mark: string, note: string]>([
  [[passed], 'conforms', ''],
  [[passed, excused], 'conforms, with excuses', 'excused 3 times'],
  [[passed, known, failed], 'fails', ''],
  [[passed, known], 'fails, known', 'Seen by Ann'],
  [[untested], 'not tested', 'no list has an animal'],
  [[passed, untested], 'conforms in part', '1 of 2 clauses tested'],
])('a sentence whose clauses have the results %o is marked "%s"', ([outcomes, mark, note]) => {
  const account = { clauses: outcomes.map(({ clause }) => clause.id) };
  expect(markSentence(account, { outcomes })).toMatchObject({ mark, note });
});

test('the clause that decides about the mark comes first, and what --only left out is named', () => {
  const account = { clauses: ['a/passed', 'a/failed', 'a/left'] };
  const { results, leftOut } = markSentence(account, { outcomes: [passed, failed] });
  expect([results.map(({ clause }) => clause.id), leftOut]).toEqual([['a/failed', 'a/passed'], ['a/left']]);
  const some = markSentence({ clauses: ['a/passed', 'a/left'] }, { outcomes: [passed] });
  expect(some).toMatchObject({ mark: 'conforms in part', note: '1 of 2 clauses tested' });
  const none = markSentence({ clauses: ['a/left'] }, { outcomes: [passed] });
  expect(none).toMatchObject({ mark: 'not tested', note: '--only left it out.' });
});

test('a sentence that no clause tests says where openapi.yaml has it, or why it cannot be tested', () => {
  expect(markSentence({ statedAt: '/info/version' }, { outcomes: [] })).toMatchObject({
    mark: 'in openapi.yaml',
    note: '/info/version',
  });
  expect(markSentence({ leftOut: 'not shown' }, { outcomes: [] })).toMatchObject({
    mark: 'cannot be tested',
    note: 'The specification leaves it open.',
  });
});
