import { expect, test } from 'vitest';
import { conclude, type Report, type Result } from '../runner/report.ts';
import type { PrintOptions } from './parts.ts';
import { reporters } from './reporters.ts';

function createResult(id: string, others: Partial<Result>): Result {
  const clause = { id, heading: 'GET /pets', sentence: `The sentence of ${id}.`, level: 'required' as const };
  return {
    clause,
    compared: { responses: 1, lists: 0, animals: 0 },
    requests: 1,
    verdict: 'passed',
    ms: 1,
    ...others,
  };
}

const exchange = (line: string, status: number, at: number) => ({
  request: `${line}\nAuthorization: Bearer [key]`,
  response: `HTTP ${status}\n\n[]`,
  status,
  curl: `curl ${line}`,
  at,
  ms: 1,
});

const count = {
  kind: 'count',
  compared: 'at most',
  expected: 5,
  received: 6,
  isAtLeast: false,
  mayLag: false,
} as const;
const failures = [{ ...count, operation: 'GET /pets', side: 'list', status: 200 }] as const;
const failure = { verdict: 'failed', failures } as const;

const withReason = (id: string, verdict: Result['verdict'], reason: string, cause?: Result['cause']) =>
  createResult(id, { verdict, reason, ...(cause && { cause }) });

const { clause } = createResult('list-pets/advice', {});

const outcomes = [
  createResult('list-pets/advice', { ...failure, clause: { ...clause, level: 'recommended' } }),
  createResult('list-pets/one', {
    ...failure,
    suspected: { cause: 'trimmed' },
    before: [exchange('POST http://store.example/v1/pets', 201, 100)],
    evidence: exchange('GET http://store.example/v1/pets?limit=5', 200, 112.34),
    script: 'first\nsecond',
  }),
  createResult('list-pets/two', { ...failure, follows: 'list-pets/one' }),
  createResult('list-pets/three', { ...failure, follows: 'list-pets/one' }),
  createResult('list-pets/four', {}),
  withReason('list-pets/five', 'not tested', 'it adds animals', 'read-only'),
  withReason('list-pets/six', 'not tested', 'it adds animals', 'read-only'),
  withReason('list-pets/seven', 'not tested', 'it was late', 'deadline'),
  withReason('list-pets/eight', 'not applicable', 'too few animals'),
  withReason('list-pets/nine', 'error', 'Error: x\n    at y'),
];

/** A report of outcomes, with its verdict. */
const createReport = (outcomes: readonly Result[], leftOut: readonly string[] = []) => {
  const counts = { baseUrl: 'http://store.example/v1', requests: 9, animalsAdded: 1, ms: 1234 };
  return { ...conclude({ outcomes, leftOut }), ...counts, leftOut, outcomes } as unknown as Report;
};

const report = createReport(outcomes);

const print = (options: PrintOptions = {}, told = report) => reporters.terminal?.print(told, options) ?? '';

test('findings come first, then the clauses without a result, then the verdict and the counts', () => {
  expect(print()).toBe(`FAILED  The sentence of list-pets/one.
  list-pets/one  GET /pets
  expected  at most 5 animals
  received  6
  probably  trimmed
  POST /pets → 201, 12.3 ms before
  GET /pets?limit=5 → 200
  first
  second
  also: 2 clauses with the same evidence
    list-pets/two: expected at most 5 animals, received 6
    list-pets/three: expected at most 5 animals, received 6

NOT MET  The sentence of list-pets/advice.
  list-pets/advice  GET /pets
  expected  at most 5 animals
  received  6

FAULT OF THE SUITE  The sentence of list-pets/nine.
  list-pets/nine
  Error: x
      at y

Not tested
  it adds animals
    2 clauses: list-pets/five, list-pets/six
  it was late
    1 clause: list-pets/seven

Not applicable
  too few animals
    1 clause: list-pets/eight

http://store.example/v1 does not conform: 1 finding, 4 of 8 required clauses tested. Read-only: POST /pets was not tested. Deadline: 1 not tested
1 passed, 3 failed, 3 not tested, 1 not applicable, 1 fault of the suite. Recommendations: 0 met, 1 not met (9 requests, 1 animal added, 1.2 s)
`);
});

test.for<[Partial<Result>, string, leftOut?: string[]]>([
  [{}, 'conforms: 3 of 3 required clauses tested'],
  [{}, 'conforms in part: 3 of 4 required clauses tested. Only: 3 of list-pets', ['list-pets/x']],
  [
    { verdict: 'not tested', cause: 'full store' },
    'conforms in part: 2 of 3 required clauses tested. Full store: 1 not tested',
  ],
  [{ verdict: 'not applicable' }, 'conforms: 2 of 2 required clauses tested'],
  [{ verdict: 'error' }, 'has no verdict: 2 of 3 required clauses tested'],
])('with a clause that is %o the verdict is %s', ([changed, expected, leftOut]) => {
  const three = [changed, {}, {}].map((others, index) => createResult(`list-pets/${index}`, others));
  const printed = print({}, createReport(three, leftOut));
  expect(printed).toContain(`http://store.example/v1 ${expected}\n`);
});

test('a GitHub annotation has the sentence of the clause as its title and the id in its message', () => {
  const printed = reporters.github?.print(report, {}) ?? '';
  expect(printed.match(/^::(?:error|warning) .*?(?=%0A|$)/gm)).toEqual([
    '::error title=The sentence of list-pets/one.::list-pets/one: expected at most 5 animals, received 6: trimmed',
    '::warning title=The sentence of list-pets/advice.::list-pets/advice: expected at most 5 animals, received 6',
    '::error title=The sentence of list-pets/nine.::list-pets/nine: fault of the suite: Error: x',
  ]);
});
