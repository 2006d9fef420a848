import { expect, test } from 'vitest';
import { History } from '../history/history.ts';
import type { Clause } from '../rules/rule.ts';
import { compare, sight } from '../rules/sight.ts';
import { createExchange, type Told } from '../testing/create-exchange.ts';
import { createTarget } from '../testing/run-suite.ts';
import { createEvidence, judge } from './judge.ts';
import { toResult } from './to-result.ts';

/** Returns the result of a clause that has these looks. */
function resultsOf(look: Clause['look']) {
  const clause = { id: 'a/clause', heading: '', sentence: '', level: 'required', needs: [], look } as const;
  const evidence = createEvidence(new History(createTarget(), 'a mark'));
  const state = { sent: new Set<never>(), ending: undefined, perhapsAdded: 0 };
  return judge(evidence, [clause]).map((judgement) => toResult(judgement, evidence, state));
}

test('a list that lacks several animals is one excused response', () => {
  const lists = [createExchange({ status: 200, body: '[]' }), createExchange({ status: 200, body: '[]' })];
  const look: Clause['look'] = () =>
    lists.flatMap((list) =>
      ['1', '2'].map((id) =>
        sight(
          list,
          { kind: 'missing', lacks: 'the animal', id, received: 'empty list' },
          { subject: id, evidence: 'seen', excuse: 'late' },
        ),
      ),
    );
  expect(resultsOf(look)).toMatchObject([{ verdict: 'passed', compared: { responses: 2 }, excused: 2 }]);
});

const toList = (...pets: object[]): Told => ({ status: 200, body: JSON.stringify(pets) });
const rex = { id: 1, name: 'Rex', status: 'sold' };
const wrong = { ...rex, name: 'Tom' };

test.for<[what: string, later: readonly Told[], times: { wrong: number; of: number }]>([
  ['the right one', [toList(rex), toList(rex)], { wrong: 1, of: 3 }],
  // It says nothing about the animal.
  ['a list without the animal', [toList(), toList(rex)], { wrong: 1, of: 2 }],
  ['a list whose animal has no such member', [toList({ id: 1 }), toList(rex)], { wrong: 1, of: 2 }],
  // Nothing may show that it is wrong there, too.
  ['the wrong value again', [toList(wrong), toList(rex)], { wrong: 1, of: 2 }],
  ['a list with another limit', [{ ...toList(rex), path: '/pets?limit=5' }], { wrong: 1, of: 1 }],
])('a wrong member is counted among the responses that show it: after it %s', ([, later, times]) => {
  const [first, ...others] = [toList(wrong), ...later].map((told, number) =>
    createExchange({ ...told, number: number + 1 }),
  );
  if (first === undefined) throw new Error('There is a first one.');
  const fault = { kind: 'member', member: 'name', expected: '"Rex"', received: '"Tom"' } as const;
  const found = sight(first, { ...fault, compared: 'other record', id: '1' }, { about: [1n] });
  const look: Clause['look'] = () => [found, ...others.map((one) => compare(one))];
  expect(resultsOf(look)).toMatchObject([{ verdict: 'failed', times }]);
});
