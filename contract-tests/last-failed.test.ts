import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../tools/testing/create-folder.ts';
import { printChanges, readLastRun } from './last-failed.ts';
import type { Result } from './runner/report.ts';
import { sampleFailures } from './testing/sample-failures.ts';

const { header, filter, count } = sampleFailures;

/** Creates the result of a clause, as a report in a file has it. */
function createResult(id: string, others: Partial<Result>): Result {
  const clause = { id, heading: '', sentence: '', level: 'required' } as const;
  return { clause, verdict: 'failed', ...others } as Result;
}

const writeReport = (text: string) => join(createFolder({ 'report.json': text }), 'report.json');

const asReport = (version: unknown, outcomes: unknown, options: unknown = {}) =>
  JSON.stringify({ version, outcomes, options });

test('the clauses that failed are tested again, with the clauses that sent their requests', async () => {
  const failed = [
    createResult('errors/body', { sentBy: 'get-pet/unknown-is-404' }),
    createResult('list-pets/success', { verdict: 'error' }),
  ];
  const others = (['passed', 'not tested', 'not applicable'] as const).map((verdict) =>
    createResult('list-pets/pets', { verdict }),
  );
  const file = writeReport(asReport(3, [...others, ...failed], { allowsWrites: true }));
  const ids = ['errors/body', 'get-pet/unknown-is-404', 'list-pets/success', 'list-pets/success'];
  expect(await readLastRun(file, true)).toEqual({ file, failed, ids });
  const readOnly = writeReport(asReport(3, failed, { allowsWrites: false }));
  expect((await readLastRun(readOnly, false)).ids).toEqual(ids);
});

test.for<[what: string, text: string, message: string]>([
  ['no JSON', '<html>', 'is not a report. Write one with --reporter json=<file>.'],
  ['null', 'null', 'is not a report. Write one with --reporter json=<file>.'],
  ['JSON without a version', asReport(undefined, []), 'is not a report. '],
  ['a version in words', asReport('3', []), 'is not a report. '],
  ['no outcomes', asReport(3, undefined), 'is not a report. '],
  [
    'another version',
    asReport(2, []),
    'is a report of version 2, not 3. Write one with --reporter json=<file>.',
  ],
  [
    'a run that added animals',
    asReport(3, [], { allowsWrites: true }),
    'is of a run with --allow-writes. Give this option too.',
  ],
  ['a removed clause', asReport(3, [createResult('removed/one', {})]), 'has the unknown clause removed/one'],
  [
    'a removed sender',
    asReport(3, [createResult('errors/body', { sentBy: 'removed/two' })]),
    'has the unknown clause removed/two',
  ],
])('a file with %s is refused', async ([, text, message]) => {
  const file = writeReport(text);
  const refusal = expect.stringContaining(`--last-failed: ${file} ${message}`);
  await expect(readLastRun(file, false)).rejects.toMatchObject({ name: 'UsageError', message: refusal });
});

test('what has changed is counted, and failures are compared by what stays the same', () => {
  const same = createResult('list-pets/same', { failures: [header, filter] });
  const other = createResult('list-pets/other', { failures: [header] });
  const ids = ['fixed', 'repaired', 'untested', 'absent'].map((name) => `list-pets/${name}`);
  const [fixed, repaired, untested, absent] = ids.map((id) => createResult(id, {})) as [
    Result,
    Result,
    Result,
    Result,
  ];
  const outcomes: Result[] = [
    { ...fixed, verdict: 'passed' },
    { ...repaired, verdict: 'passed' },
    { ...untested, verdict: 'not tested' },
    // A shorter run finds less.
    { ...same, failures: [{ ...filter, id: '8' }] },
    { ...other, failures: [header, count] },
  ];
  const print = (...failed: Result[]) => printChanges({ file: 'last.json', failed, ids: [] }, { outcomes });
  expect(print(fixed, same, other, repaired, untested, absent)).toBe(
    'Since last.json: 2 clauses fixed, 1 with the same failure, 1 with another failure, 2 without a result.',
  );
  expect(print(other)).toBe('Since last.json: 1 clause with another failure.');
});
