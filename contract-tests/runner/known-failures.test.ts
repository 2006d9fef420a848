import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Failure } from '../failures/failure.ts';
import { editKnown, type KnownFailure, listFixed, markKnown } from './known-failures.ts';
import type { Report, Result } from './report.ts';

const now = new Date('2026-11-23');

/** Creates the result of a clause with a failure whose response has this status. */
function fail(status: number, id = 'get-pet/unknown-is-404', others: readonly Failure[] = []) {
  const clause = { id, heading: '', sentence: '', level: 'required' } as const;
  return { clause, verdict: 'failed', failures: [wrongStatus(status), ...others] } as unknown as Result;
}

const unknown = { kind: 'status', expected: 404, operation: 'GET /pets/{petId}', side: 'refusal' } as const;
const wrongStatus = (status: number): Failure => ({ ...unknown, status });

/** Edits a file after a run with these results. */
function edit(source: string, ...outcomes: Result[]): string {
  return editKnown({ source, entries: parse(source) ?? [] }, { outcomes } as unknown as Report).text;
}

const update = (entries: readonly KnownFailure[], result: Result) => parse(edit(stringify(entries), result));

const list = { operation: 'GET /pets', side: 'list', status: 200 } as const;
const name = { kind: 'member', member: 'name', compared: 'in the list', ...list } as const;
const toLower = (text: string) => ({ expected: `"${text}"`, received: `"${text.toLowerCase()}"` });
const wrongBody = (value: string): Failure => ({
  ...wrongStatus(201),
  ...{ kind: 'status', expected: 400, request: { what: 'body', body: `{"name":${value}}` } },
});
const refusal = { ...list, side: 'refusal', status: 401 } as const;
const noCode = { kind: 'body', expected: 'Error', problem: { is: 'no JSON' }, ...refusal } as const;
const serverFault = { kind: 'server fault', requests: 90, otherwise: [], ...list, status: 500 } as const;

test.for<[what: string, was: readonly Failure[], is: readonly Failure[], isSame: boolean]>([
  ['the same status', [wrongStatus(403)], [wrongStatus(403)], true],
  ['another status', [wrongStatus(403)], [wrongStatus(410)], false],
  ['no response', [wrongStatus(403)], [{ ...unknown, noResponse: 'socket hang up' }], false],
  ['another expected status', [wrongStatus(403)], [{ ...wrongStatus(403), expected: 400 } as Failure], false],
  ['another message', [wrongStatus(403)], [{ ...wrongStatus(403), said: 'trace 0af7' }], true],
  ['other values', [{ ...name, ...toLower('A') }], [{ ...name, ...toLower('B') }], true],
  ['another change', [{ ...name, ...toLower('A') }], [{ ...name, expected: '"A"', received: '"?"' }], false],
  ['another invalid body', [wrongBody('null')], [wrongBody('1')], false],
  ['another category', [wrongBody('1,"categoryId":57')], [wrongBody('1,"categoryId":8')], true],
  ['another member', [name], [{ ...name, member: 'status' }], false],
  ['another kind', [name], [{ kind: 'late', ms: 7, ...list }], false],
  ['another rate', [{ ...serverFault, count: 3 }], [{ ...serverFault, count: 40 }], true],
  ['another operation', [noCode], [{ ...noCode, operation: 'POST /pets' }], false],
  // A run of fewer clauses finds less.
  ['one of two', [noCode, { ...noCode, status: 404 }], [noCode], true],
  ['one more', [noCode], [noCode, { ...noCode, status: 404 }], false],
])('a failure with %s is known: %s', ([, was, is, isSame]) => {
  const [before, after] = [was, is].map((failures) => ({ ...fail(0), failures })) as [Result, Result];
  const entries: KnownFailure[] = update([], before);
  expect(markKnown(after, entries, now).known !== undefined).toBe(isSame);
  // An entry that differs keeps its reason, and the new failure gets another entry.
  const [first, ...added] = update(
    entries.map((entry) => ({ ...entry, reason: 'Seen by Ann' })),
    after,
  );
  expect([first.reason, added.length - entries.length + 1]).toEqual(['Seen by Ann', isSame ? 0 : 1]);
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
  const passed = { ...fail(403, 'errors/body'), verdict: 'passed' } as Result;
  const added = `- clause: get-pet/unknown-is-404
  failure:
    kind: status
    operation: GET /pets/{petId}
    expected: 404
    received: 403
  reason: To be explained
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
  expect(edit(odd, fail(403, 'errors/body'))).toBe(odd);
});

test('a clause is fixed if it passes and the clause that sent the request was tested', () => {
  const passed = { ...fail(403, 'errors/body'), verdict: 'passed' } as const;
  const entry = { clause: 'errors/body', reason: 'x' } as const;
  const list = (...all: (typeof entry & { sentBy?: string })[]) => listFixed({ outcomes: [passed] }, all);
  expect(list(entry, entry)).toEqual(['errors/body']);
  expect(list({ ...entry, sentBy: 'get-pet/success' })).toEqual([]);
});
