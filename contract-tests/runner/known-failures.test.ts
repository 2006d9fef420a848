import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { createFolder } from '../../tools/testing/create-folder.ts';
import type { Failure } from '../failures/failure.ts';
import {
  editKnown,
  isAsRead,
  type KnownFailure,
  listFixed,
  listUnmatched,
  markKnown,
  readKnown,
} from './known-failures.ts';
import type { Report, Result } from './report.ts';

const now = new Date('2026-11-23');

/** Creates the result of a clause with a failure whose response has this status. */
function fail(status: number, id = 'get-pet/unknown-is-404', others: readonly Failure[] = []) {
  const clause = { id, heading: '', sentence: '', level: 'required' } as const;
  return { clause, verdict: 'failed', failures: [wrongStatus(status), ...others] } as unknown as Result;
}

const unknown = { kind: 'status', expected: 404, operation: 'GET /pets/{petId}', side: 'refusal' } as const;
const wrongStatus = (status: number): Failure => ({ ...unknown, status });

/** Creates the report of a run that left nothing out. */
const reportOf = (...outcomes: unknown[]) => ({ outcomes, leftOut: [] }) as unknown as Report;

/** Edits a file after a run with these results. */
function edit(source: string, ...outcomes: Result[]): string {
  return editKnown({ source, entries: parse(source) ?? [] }, reportOf(...outcomes)).text;
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

const createFile = (text: string) => join(createFolder({ 'known.yaml': text }), 'known.yaml');

const identity = { kind: 'status', operation: 'GET /pets', received: 200 } as const;
const entry = (others: object) => stringify([{ clause: 'errors/body', reason: 'x', ...others }]);
const ofFailure = (others: object) => entry({ failure: { ...identity, ...others } });

test.for<[text: string, message: string]>([
  ['a: 5', 'It must be a list of entries, each with a reason and a clause or a failure.'],
  ['- x', 'Entry 1 must be an object, not "x".'],
  [entry({ clause: 'no' }), 'Entry 1: clause must be the id of a clause, not "no".'],
  [`${entry({})}- reason: y`, 'Entry 2 must have a clause, a failure or both.'],
  [
    entry({ clause: undefined, failure: identity, seenIn: ['no'] }),
    'Entry 1: seenIn must be the id of a clause, not "no".',
  ],
  [entry({ reason: undefined }), 'Entry 1: reason is required and must be a sentence.'],
  [entry({ reason: ' ' }), 'Entry 1: reason must be a sentence, not " ".'],
  [entry({ until: '2027-1-31' }), 'Entry 1: until must be a date such as 2027-01-31, not "2027-1-31".'],
  [entry({ until: '2027-13-01' }), 'Entry 1: until must be a date such as 2027-01-31, not "2027-13-01".'],
  [
    entry({ until: '2027-01-31T10:00:00Z' }),
    'Entry 1: until must be a date such as 2027-01-31, not "2027-01-31T10:00:00Z".',
  ],
  [entry({ issue: [1] }), 'Entry 1: issue must be a link or a number, not an array.'],
  [entry({ sentBy: 5 }), 'Entry 1: sentBy must be the id of a clause, not 5.'],
  [entry({ failure: 'any' }), 'Entry 1: failure must be an object, not "any".'],
  [entry({ failure: null }), 'Entry 1: failure must be an object, not null.'],
  [
    entry({ why: 5 }),
    'Entry 1: "why" is unknown. Known: clause, failure, reason, until, issue, sentBy, seenIn.',
  ],
  [
    ofFailure({ operation: undefined }),
    'The failure of entry 1: operation is required and must be an operation such as GET /pets.',
  ],
  [ofFailure({ received: 'no' }), 'The failure of entry 1: received must be a status, or none, not "no".'],
  [
    ofFailure({ expected: '9xx' }),
    'The failure of entry 1: expected must be a status, or 2xx, 4xx, 4xx or list, no animal, below 500, 201 or 411 or 201 or 4xx, not "9xx".',
  ],
  [ofFailure({ member: 5 }), 'The failure of entry 1: member must be the name of a member, not 5.'],
  [ofFailure({ detail: 5 }), 'The failure of entry 1: detail must be a text, not 5.'],
])('a file with %j is refused', async ([text, message]) => {
  const file = createFile(text);
  const error = { name: 'UsageError', message: `--known: ${file} cannot be used. ${message}` };
  await expect(readKnown(file, '--known')).rejects.toMatchObject(error);
});

test('an unknown kind of failure is refused with the kinds', async () => {
  const message = /The failure of entry 1: kind must be status, server fault, .* or added, not "odd"\.$/;
  await expect(readKnown(createFile(ofFailure({ kind: 'odd' })), 'known')).rejects.toThrow(message);
});

test('a file is read with all that an entry may have, and an empty file has no entries', async () => {
  const failure = { ...identity, expected: '4xx', received: 'none', member: 'name', detail: 'x' } as const;
  const first = { clause: 'errors/body', failure, reason: 'x', until: '2027-01-31', issue: 7 } as const;
  const entries = [first, { clause: 'list-pets/pets', reason: 'y', issue: '#7', sentBy: 'errors/body' }];
  const source = stringify(entries);
  expect(await readKnown(createFile(source), '--known')).toEqual({ source, entries });
  expect(await readKnown(createFile('# None\n'), '--known')).toEqual({ source: '# None\n', entries: [] });
});

test('a file that does not exist is refused, unless it is to be written', async () => {
  const file = join(createFolder(), 'known.yaml');
  await expect(readKnown(file, '--known')).rejects.toThrow(`--known: ${file} could not be read`);
  expect(await readKnown(file, '--known', true)).toEqual({ source: undefined, entries: [] });
  writeFileSync(file, 'a: 5');
  await expect(readKnown(file, '--known', true)).rejects.toThrow('It must be a list');
});

test('a file is as it was read unless somebody has written, changed or removed it', async () => {
  const file = createFile('[]\n');
  const [absent, present] = [{ source: undefined, entries: [] }, await readKnown(file, '--known')];
  expect([await isAsRead(file, present), await isAsRead(file, absent)]).toEqual([true, false]);
  writeFileSync(file, '[] # Ann\n');
  expect(await isAsRead(file, present)).toBe(false);
  rmSync(file);
  expect([await isAsRead(file, present), await isAsRead(file, absent)]).toEqual([false, true]);
});

test('a known failure has the reason, the last day and the issue of its entry', () => {
  const entry = { clause: 'get-pet/unknown-is-404', reason: 'Seen by Ann' } as const;
  const mark = (...entries: KnownFailure[]) => markKnown(fail(403), entries, now).known;
  expect(mark(entry)).toEqual({ reason: 'Seen by Ann', isExpired: false });
  expect(mark({ ...entry, until: '2027-01-31', issue: 7 })).toEqual({
    reason: 'Seen by Ann',
    until: '2027-01-31',
    issue: '7',
    isExpired: false,
  });
  expect(mark({ ...entry, clause: 'errors/body' })).toBe(undefined);
  const passed = { ...fail(403), verdict: 'not tested' } as const;
  expect(markKnown(passed, [entry], now)).toBe(passed);
});

test('of several failures one whose entry has expired counts again', () => {
  const entryOf = (status: number, reason: string, until?: string): KnownFailure => ({
    clause: 'get-pet/unknown-is-404',
    failure: { kind: 'status', operation: 'GET /pets/{petId}', expected: 404, received: status },
    reason,
    ...(until && { until }),
  });
  const result = fail(403, undefined, [wrongStatus(410)]);
  const entries = [entryOf(403, 'By design'), entryOf(410, 'Until May', '2026-05-31')];
  expect(markKnown(result, entries, now).known).toEqual({
    reason: 'Until May',
    until: '2026-05-31',
    isExpired: true,
  });
});

test('the new entries are returned by themselves, and only failures of the run get one', () => {
  const recommended = fail(403, 'recommended/challenge');
  const outcomes = [
    { ...fail(403, 'errors/body'), sentBy: 'get-pet/success' },
    { ...fail(403, 'list-pets/pets'), verdict: 'error' },
    { ...recommended, clause: { ...recommended.clause, level: 'recommended' } },
  ];
  const added = `- clause: errors/body
  failure:
    kind: status
    operation: GET /pets/{petId}
    expected: 404
    received: 403
  reason: To be explained
  sentBy: get-pet/success
`;
  const report = reportOf(...outcomes);
  expect(editKnown({ source: undefined, entries: [] }, report)).toEqual({ text: added, added, removed: 0 });
  const kept = entry({ clause: 'list-pets/limit-default' });
  const entries = parse(kept);
  const text = `${kept}${added}`;
  expect(editKnown({ source: kept, entries }, report)).toEqual({ text, added, removed: 0 });
  const nothing = { text: '[]\n', added: '', removed: 0 };
  expect(editKnown({ source: kept, entries }, reportOf())).toEqual({ ...nothing, text: kept });
  expect(editKnown({ source: undefined, entries: [] }, reportOf())).toEqual(nothing);
  const passed = reportOf({ ...fail(403, 'list-pets/limit-default'), verdict: 'passed' });
  expect(editKnown({ source: kept, entries }, passed)).toEqual({ ...nothing, removed: 1 });
});

test('of several fixed entries each is removed, and comments of others stay', () => {
  const text = (name: string, comment = '') => `${comment}- clause: ${name}\n  reason: x\n`;
  const passed = ['errors/body', 'list-pets/pets'].map(
    (id) => ({ ...fail(403, id), verdict: 'passed' }) as Result,
  );
  const others = [text('list-pets/limit-default', '# Ticket 12\n'), text('get-pet/success')];
  const file = [text('errors/body'), others[0], text('list-pets/pets', '# Ticket 9\n'), others[1]];
  expect(edit(file.join(''), ...passed)).toBe(others.join(''));
  // What is before a blank line may be about the file.
  const before = '# About the rest\n\n# Ticket 9\n';
  expect(edit([others[1], text('list-pets/pets', before), others[0]].join(''), ...passed)).toBe(
    `${others[1]}# About the rest\n\n${others[0]}`,
  );
  expect(edit([others[1], text('list-pets/pets', before)].join(''), ...passed)).toBe(
    `${others[1]}\n# About the rest\n`,
  );
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
  const list = (...all: (typeof entry & { sentBy?: string })[]) => listFixed(reportOf(passed), all);
  expect(list(entry, entry)).toEqual([{ clause: 'errors/body' }]);
  expect(list({ ...entry, sentBy: 'get-pet/success' })).toEqual([]);
  const sender = fail(403, 'get-pet/success');
  const found = (verdict: Result['verdict']) =>
    listFixed(reportOf(passed, { ...sender, verdict }), [{ ...entry, sentBy: 'get-pet/success' }]);
  expect(found('failed')).toEqual([{ clause: 'errors/body' }]);
  expect(found('not tested')).toEqual([]);
});

const defect: KnownFailure = {
  failure: { kind: 'status', operation: 'GET /pets/{petId}', received: 403 },
  reason: 'The gateway hides it',
};

test('an entry without a clause accepts its failure in every clause, whatever it does not say', () => {
  const mark = (entry: KnownFailure, result: Result) => markKnown(result, [entry], now).known?.reason;
  const { reason } = defect;
  expect(mark(defect, fail(403))).toBe(reason);
  expect(mark(defect, fail(403, 'errors/body'))).toBe(reason);
  expect(mark(defect, fail(410))).toBe(undefined);
  const ofQuery = { ...wrongStatus(403), request: { what: 'petId', petId: 'x' } } as Failure;
  expect(mark(defect, { ...fail(403), failures: [ofQuery] })).toBe(reason);
  // One failure that is another fails the clause.
  expect(mark(defect, fail(403, undefined, [wrongStatus(410)]))).toBe(undefined);
  const narrow = { ...defect, failure: { ...defect.failure, expected: 400 } } as KnownFailure;
  expect(mark(narrow, fail(403))).toBe(undefined);
});

test('a failure in several clauses gets one entry, and so does a status that is wrong for several requests', () => {
  const wrongId = (petId: string) => ({ ...wrongStatus(403), request: { what: 'petId', petId } }) as Failure;
  const finding = { ...fail(403), failures: [wrongId('x'), wrongId('y')] };
  const follower = { ...fail(403, 'errors/body'), failures: [wrongId('z')], follows: finding.clause.id };
  const other = fail(403, 'get-pet/success');
  const { failure } = defect;
  const sentBy = 'get-pet/not-found-body';
  expect(parse(edit('', finding, { ...follower, sentBy }, other))).toEqual([
    {
      failure: { ...failure, expected: 404 },
      reason: 'To be explained',
      seenIn: ['get-pet/unknown-is-404', 'errors/body', sentBy],
    },
    // Another finding, whose evidence is another.
    { clause: 'get-pet/success', failure: { ...failure, expected: 404 }, reason: 'To be explained' },
  ]);
});

test('an entry without a clause is fixed if no clause shows its failure, and the clauses that did were tested', () => {
  const passed = (id: string) => ({ ...fail(403, id), verdict: 'passed', failures: [] });
  const [body, success] = [passed('errors/body'), passed('get-pet/success')];
  const seen = { ...defect, seenIn: ['errors/body', 'get-pet/success'] };
  const fixed = [{ failure: defect.failure }];
  expect(listFixed(reportOf(body, success), [seen])).toEqual(fixed);
  expect(listFixed(reportOf(body), [seen])).toEqual([]);
  expect(listFixed(reportOf(body, success, fail(403)), [seen])).toEqual([]);
  // A clause that still fails may fail for this very defect, and the entry has a wrong member.
  const failing = reportOf(body, { ...fail(410), clause: success.clause } as Result);
  expect([listFixed(failing, [seen]), listUnmatched(failing, [seen])]).toEqual([[], fixed]);
  expect(listUnmatched(reportOf(body, success), [seen])).toEqual([]);
  // Without the clauses, any that was not tested might show it.
  expect(listFixed(reportOf(body), [defect])).toEqual(fixed);
  expect(listFixed({ ...reportOf(body), leftOut: ['get-pet/success'] }, [defect])).toEqual([]);
  expect(listFixed(reportOf(body, { ...success, verdict: 'not tested' }), [defect])).toEqual([]);
});
