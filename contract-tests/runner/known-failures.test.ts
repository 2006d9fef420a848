import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { editKnown, type KnownFailure, listFixed, markKnown } from './known-failures.ts';
import type { Report, Result } from './report.ts';

const now = new Date('2026-11-23');

/** Creates a failure whose response has this status. */
function fail(status: number, actual = `${status}`, id = 'get-pet/unknown-is-404') {
  const evidence = { request: '', response: `HTTP ${status}\n\n`, curl: '', at: 0, ms: 1 };
  const clause = { id, heading: '', sentence: '', level: 'required' } as const;
  return { clause, verdict: 'failed', expected: '404', actual, evidence } as unknown as Result;
}

/** Edits a file after a run with these results. */
function edit(source: string, ...outcomes: Result[]): string {
  return editKnown({ source, entries: parse(source) ?? [] }, { outcomes } as unknown as Report).text;
}

const update = (entries: readonly KnownFailure[], result: Result) => parse(edit(stringify(entries), result));

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

test('an entry counts until the end of its last day', () => {
  const entry = {
    clause: 'get-pet/unknown-is-404',
    reason: 'Until the release',
    until: '2026-11-23',
  } as const;
  const isExpired = (day: string) => markKnown(fail(403), [entry], new Date(day)).known?.isExpired;
  expect([isExpired('2026-11-23T23:59:59Z'), isExpired('2026-11-24T00:00:00Z')]).toEqual([false, true]);
});

test('an edited file keeps its other entries and its comments', () => {
  const long =
    'The gateway caps lists at 10 until the next release, which is planned for the end of the year, says Ann';
  const kept = `# Ask Ann before you remove an entry.

# Ticket 12
- clause: list-pets/limit-default # see the chat
  reason: ${long}
`;
  const fixed = '# Ticket 13\n- clause: errors/body\n  reason: Fixed\n';
  const passed = { ...fail(403, '', 'errors/body'), verdict: 'passed' } as Result;
  const added = `- reason: To be explained
  clause: get-pet/unknown-is-404
  expected: "#"
  received: "403"
`;
  expect(edit(`${kept}${fixed}`, passed, fail(403))).toBe(`${kept}${added}`);
  expect(edit(`# Ask Ann.\n\n${fixed}`, passed)).toBe('# Ask Ann.\n\n[]\n');
  // A comment right above the first entry may be about the file.
  expect(edit(fixed, passed, fail(403))).toBe(`# Ticket 13\n\n${added}`);
  expect(edit('# Ask Ann.\n[]\n', fail(403))).toBe(`# Ask Ann.\n${added}`);
  expect(edit('# Ask Ann.\n', fail(403))).toBe(`# Ask Ann.\n\n${added}`);
  // A removed entry takes no text of another entry with it.
  const anchored = '- clause: errors/body\n  reason: &shared Seen by Ann\n';
  const referring = '- clause: list-pets/limit-default\n  reason: *shared\n';
  expect(edit(`${anchored}${referring}`, passed)).toBe(referring.replace('*shared', 'Seen by Ann'));
  // Nothing to change leaves the file in the form in which somebody wrote it.
  const odd = "-   {clause: 'errors/body',   reason: 'x' }\n";
  expect(edit(odd, fail(403, '', 'errors/body'))).toBe(odd);
});

test('a clause is fixed if it passes and the clause that sent the request was tested', () => {
  const passed = { ...fail(403, '', 'errors/body'), verdict: 'passed' } as const;
  const entry = { clause: 'errors/body', reason: 'x' } as const;
  const list = (...all: (typeof entry & { sentBy?: string })[]) => listFixed({ outcomes: [passed] }, all);
  expect(list(entry, entry)).toEqual(['errors/body']);
  expect(list({ ...entry, sentBy: 'get-pet/success' })).toEqual([]);
});
