import { expect, test } from 'vitest';
import { History } from '../history/history.ts';
import type { Clause } from '../rules/rule.ts';
import { sight } from '../rules/sight.ts';
import { createExchange } from '../testing/create-exchange.ts';
import { createTarget } from '../testing/run-suite.ts';
import { createEvidence, judge } from './judge.ts';
import { toResult } from './to-result.ts';

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
  const clause = { id: 'a/clause', heading: '', sentence: '', level: 'required', needs: [], look } as const;
  const evidence = createEvidence(new History(createTarget(), 'a mark'));
  const state = { sent: new Set<never>(), ending: undefined, perhapsAdded: 0 };
  const results = judge(evidence, [clause]).map((judgement) => toResult(judgement, evidence, state));
  expect(results).toMatchObject([{ verdict: 'passed', compared: { responses: 2 }, excused: 2 }]);
});
