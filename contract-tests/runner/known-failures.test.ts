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

test.for<[before: string, after: string, isSame: boolean]>([
  ['403', '403', true],
  ['403', '410', false],
  ['the id 17', 'the id -5', true],
  ['the id 17', 'no id', false],
  ['"CONTRACT-TEST 0123456789.004 ZOË"', '"CONTRACT-TEST 9876543210.041 ZOË"', true],
  ['trace "0af7651916cd43dd8448eb211c80319c"', 'trace "4bf92f3577b34da6a3ce929d0e0e4736"', true],
  ['500 for POST /pets in 3 of 90 requests', '500 for POST /pets in 40 of 99 requests', true],
  ['500 for POST /pets in 3 of 90 requests', '500 for GET /pets in 3 of 90 requests', false],
  ['502 in 3 of 90, and the same request got 200, 400 at other times', '502 in 1 of 90', true],
  // A run of fewer clauses finds less.
  ['no code, also in GET /pets 401', 'no code', true],
  ['no code', 'no code, also in GET /pets 401', false],
  ['no code, also in GET /pets 401', 'no code, also in GET /pets 404', false],
])('of %s the failure %s is known: %s', ([was, is, isSame]) => {
  const [before, after] = [was, is].map((text) => fail(Number.parseInt(text, 10), text)) as [Result, Result];
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
