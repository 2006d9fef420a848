import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { listFixed, markKnown, printKnown } from './known-failures.ts';
import type { Report, Result } from './report.ts';

const now = new Date('2026-11-23');

/** Creates a failure whose response has this status. */
function fail(status: number, actual = `${status}`, id = 'get-pet/unknown-is-404') {
  const evidence = { request: '', response: `HTTP ${status}\n\n`, curl: '', at: 0, ms: 1 };
  const clause = { id, heading: '', sentence: '', level: 'required' } as const;
  return { clause, verdict: 'failed', expected: '404', actual, evidence } as unknown as Result;
}

const update = (entries: Parameters<typeof printKnown>[0], result: Result) =>
  parse(printKnown(entries, { outcomes: [result] } as unknown as Report));

test.for<[before: Result, after: Result, isSame: boolean]>([
  [fail(403), fail(403), true],
  [fail(403), fail(410), false],
  [fail(200, 'the id 17'), fail(200, 'the id -5'), true],
  [fail(200, 'the id 17'), fail(200, 'no id'), false],
  [
    fail(500, '500 for 3 of 90 requests'),
    fail(500, '500 for 40 of 99 requests (11 of 12 different requests are shown)'),
    true,
  ],
])('of %o the failure %o is known: %s', ([before, after, isSame]) => {
  const [entry] = update([], before);
  expect(markKnown(after, [entry], now).known !== undefined).toBe(isSame);
  // An entry that differs keeps its reason, and the new failure gets another entry.
  const [first, ...added] = update([{ ...entry, reason: 'Seen by Ann' }], after);
  expect([first.reason, added.length]).toEqual(['Seen by Ann', isSame ? 0 : 1]);
});

test('of two entries the one that has not expired counts', () => {
  const entry = { clause: 'get-pet/unknown-is-404', reason: 'Renewed', until: '2027-01-31' } as const;
  const past = { ...entry, until: '2026-01-31' };
  expect(markKnown(fail(403), [past, entry], now).known).toMatchObject({ isExpired: false });
  expect(markKnown(fail(403), [past], now).known).toMatchObject({ isExpired: true });
});

test('a clause is fixed if it passes and the clause that sent the request was tested', () => {
  const passed = { ...fail(403, '', 'errors/body'), verdict: 'passed' } as const;
  const entry = { clause: 'errors/body', reason: 'x' } as const;
  const list = (...all: (typeof entry & { sentBy?: string })[]) => listFixed({ outcomes: [passed] }, all);
  expect(list(entry, entry)).toEqual(['errors/body']);
  expect(list({ ...entry, sentBy: 'get-pet/success' })).toEqual([]);
});
