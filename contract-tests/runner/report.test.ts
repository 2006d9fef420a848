import { expect, test } from 'vitest';
import { linkFindings } from './link-findings.ts';
import {
  conclude,
  countResults,
  exitCodes,
  groupUntested,
  listFindings,
  listMissed,
  type Result,
} from './report.ts';

/** Creates the result of a clause, such as `passed` or `recommended failed`. */
function createResult(id: string, words: string, others: Partial<Result> = {}): Result {
  const isRecommended = words.startsWith('recommended ');
  const level = isRecommended ? 'recommended' : 'required';
  const clause = { id, heading: 'GET /pets', sentence: '', level } as const;
  return { clause, verdict: words.replace('recommended ', ''), ...others } as Result;
}

const known = { reason: 'By design', isExpired: false };
const expired = { ...known, isExpired: true };
const passed = createResult('list-pets/pets', 'passed');
const untested = createResult('create-pet/pet', 'not tested', { cause: 'read-only' });

test.for<
  [what: string, outcomes: readonly Result[], verdict: keyof typeof exitCodes, counts: string, more?: object]
>([
  ['passed', [passed], 'conforms', '1 of 1'],
  ['passed and was not tested', [passed, untested], 'conforms in part', '1 of 2'],
  ['passed, and one was left out', [passed], 'conforms in part', '1 of 2', { leftOut: ['errors/body'] }],
  ['failed', [passed, createResult('a/b', 'failed')], 'does not conform', '2 of 2'],
  ['failed, as is known', [createResult('a/b', 'failed', { known })], 'conforms in part', '1 of 1'],
  ['failed, as was known', [createResult('a/b', 'failed', { known: expired })], 'does not conform', '1 of 1'],
  ['was not met', [passed, createResult('a/b', 'recommended failed')], 'conforms', '1 of 1'],
  ['had a fault', [passed, createResult('a/b', 'error')], 'no verdict', '1 of 2'],
  [
    'had a fault in a recommendation',
    [passed, createResult('a/b', 'recommended error')],
    'no verdict',
    '1 of 1',
  ],
  [
    'had a fault and failed',
    [createResult('a/b', 'error'), createResult('c/d', 'failed')],
    'does not conform',
    '1 of 2',
  ],
  ['passed before the end', [passed], 'no verdict', '1 of 1', { reason: 'it restarted' }],
  ['failed before the end', [createResult('a/b', 'failed')], 'does not conform', '1 of 1', { reason: 'x' }],
  ['was not tested', [untested], 'no verdict', '0 of 1'],
  [
    'passed without a list',
    [passed, createResult('list-pets/success', 'not tested', { cause: 'too little to compare' })],
    'no verdict',
    '1 of 2',
  ],
  ['passed before the deadline', [passed], 'no verdict', '1 of 1', { reason: 'the deadline passed' }],
  ['could add no animal', [passed], 'conforms in part', '1 of 1', { noneAdded: true }],
  [
    'was inconclusive',
    [passed, createResult('a/b', 'not tested', { cause: 'too little to compare' })],
    'conforms in part',
    '1 of 2',
  ],
])('the verdict on a deployment whose clause %s', ([, outcomes, verdict, counts, more]) => {
  const concluded = conclude({ outcomes, leftOut: [], ...more });
  expect([concluded.verdict, `${concluded.tested} of ${concluded.required}`]).toEqual([verdict, counts]);
});

test('a run misses the required clauses that it could test and did not', () => {
  const outcomes = [
    passed,
    untested,
    createResult('a/1', 'not tested', { cause: 'too little to compare' }),
    createResult('a/2', 'not tested', { cause: 'no animal could be added' }),
    createResult('a/3', 'recommended not tested', { cause: 'too little to compare' }),
    createResult('a/4', 'failed', { known }),
  ];
  expect(listMissed({ outcomes }).map(({ clause }) => clause.id)).toEqual(['a/1', 'a/2']);
});

test('each verdict has its exit code', () => {
  expect(exitCodes).toEqual({ conforms: 0, 'conforms in part': 0, 'does not conform': 1, 'no verdict': 2 });
});

test('each result is counted once', () => {
  const several = (words: string, count: number, others: Partial<Result> = {}) =>
    Array.from({ length: count }, (_, index) => createResult(`a/${words}-${index}`, words, others));
  const outcomes = [
    ...several('passed', 1),
    ...several('failed', 2),
    ...several('failed', 3, { known }),
    ...several('not tested', 4),
    ...several('error', 6),
    ...several('recommended passed', 7),
    ...several('recommended failed', 8),
    ...several('recommended not tested', 9),
    ...several('recommended error', 10),
  ];
  expect(countResults({ outcomes, leftOut: ['b/a', 'b/b'] })).toEqual({
    passed: 1,
    failed: 2,
    known: 3,
    notTested: 6,
    errors: 16,
    met: 7,
    notMet: 8,
  });
});

test('findings are failures without another one of the report before them: those that fail the run, known ones, then advice', () => {
  const outcomes = [
    createResult('a/advice', 'recommended failed'),
    createResult('a/known', 'failed', { known }),
    createResult('a/first', 'failed'),
    createResult('a/follower', 'failed', { follows: 'a/first' }),
    createResult('a/alone', 'failed', { follows: 'a/left-out' }),
    createResult('a/passed', 'passed'),
  ];
  const ids = listFindings({ outcomes }).map(({ clause }) => clause.id);
  expect(ids).toEqual(['a/first', 'a/alone', 'a/known', 'a/advice']);
});

test.for<[what: string, failures: readonly [id: string, words: string][], findings: readonly string[]]>([
  [
    'a recommendation before a requirement explains only recommendations',
    [
      ['recommended/challenge', 'recommended failed'],
      ['service/browser', 'failed'],
      ['recommended/long-path', 'recommended failed'],
    ],
    ['service/browser', 'recommended/challenge'],
  ],
  [
    'the first of two that explain each other is the finding',
    [
      ['list-pets/pets', 'failed'],
      ['create-pet/stored', 'failed'],
    ],
    ['list-pets/pets'],
  ],
  [
    'a clause that names all of its heading as its reasons is explained by a later one, not by itself',
    [
      ['create-pet/stored', 'failed'],
      ['create-pet/refused-adds-nothing', 'failed'],
    ],
    ['create-pet/refused-adds-nothing'],
  ],
])('of failures that show the same, %s', ([, failures, findings]) => {
  const same = new Set(['GET /pets 200 object']);
  const traits = new Map(failures.map(([id]) => [id, [{ shows: same, reasons: same, responses: same }]]));
  const outcomes = linkFindings(
    failures.map(([id, words]) => createResult(id, words)),
    traits,
  );
  expect(listFindings({ outcomes }).map(({ clause }) => clause.id)).toEqual(findings);
});

test('clauses that were not tested are grouped by level, then by reason', () => {
  const outcomes = [
    createResult('a/1', 'recommended not tested', { reason: 'x' }),
    createResult('a/2', 'passed'),
    createResult('a/3', 'not tested', { reason: 'y' }),
    createResult('a/4', 'not tested', { reason: 'x' }),
    createResult('a/5', 'not tested', { reason: 'y' }),
    createResult('a/6', 'error', { reason: 'x' }),
  ];
  const groups = groupUntested({ outcomes }).map(({ level, reasons }) => {
    const all = [...reasons].map(([reason, some]) => `${reason}: ${some.map(({ clause }) => clause.id)}`);
    return [level, ...all];
  });
  expect(groups).toEqual([
    ['required', 'y: a/3,a/5', 'x: a/4'],
    ['recommended', 'x: a/1'],
  ]);
});
