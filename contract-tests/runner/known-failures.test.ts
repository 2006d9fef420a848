import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { createFolder } from '../../tools/testing/create-folder.ts';
import type { Failure } from '../failures/failure.ts';
import {
  createEntries,
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

const unknown = { kind: 'status', expected: 404, operation: 'GET /pets/{petId}' } as const;
const wrongStatus = (status: number): Failure => ({ ...unknown, status });

/** Creates the report of a run that left nothing out. */
const reportOf = (...outcomes: unknown[]) => ({ outcomes, leftOut: [] }) as unknown as Report;

const list = { operation: 'GET /pets', status: 200 } as const;
const name = { kind: 'member', member: 'name', compared: 'in the list', ...list } as const;
const toLower = (text: string) => ({ expected: `"${text}"`, received: `"${text.toLowerCase()}"` });
const wrongBody = (value: string): Failure => ({
  ...wrongStatus(201),
  ...{ kind: 'status', expected: 400, request: { what: 'body', body: `{"name":${value}}` } },
});
const refusal = { ...list, status: 401 } as const;
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
  ['another kind', [name], [{ kind: 'added', id: '7', name: '"A"', ...list }], false],
  ['another rate', [{ ...serverFault, count: 3 }], [{ ...serverFault, count: 40 }], true],
  ['another operation', [noCode], [{ ...noCode, operation: 'POST /pets' }], false],
  // A run of fewer clauses finds less.
  ['one of two', [noCode, { ...noCode, status: 404 }], [noCode], true],
  ['one more', [noCode], [noCode, { ...noCode, status: 404 }], false],
])('a failure with %s is known: %s', ([, was, is, isSame]) => {
  const [before, after] = [was, is].map((failures) => ({ ...fail(0), failures })) as [Result, Result];
  const entries = createEntries(reportOf(before), []);
  expect(markKnown(after, entries, now).known !== undefined).toBe(isSame);
  expect(createEntries(reportOf(after), entries)).toHaveLength(isSame ? 0 : 1);
});

const createFile = (text: string) => join(createFolder({ 'known.yaml': text }), 'known.yaml');

const identity = { kind: 'status', operation: 'GET /pets', status: 200 } as const;
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
  [entry({ until: '2027-13-01' }), 'Entry 1: until must be a date such as 2027-01-31, not "2027-13-01".'],
  [entry({ issue: [1] }), 'Entry 1: issue must be a link or a number, not an array.'],
  [entry({ failure: 'any' }), 'Entry 1: failure must be an object, not "any".'],
  [entry({ why: 5 }), 'Entry 1: "why" is unknown. Known: clause, failure, reason, until, issue, seenIn.'],
  [
    ofFailure({ operation: undefined }),
    'The failure of entry 1: operation is required and must be an operation such as GET /pets.',
  ],
  [ofFailure({ status: 'no' }), 'The failure of entry 1: status must be an HTTP status, or none, not "no".'],
  [
    ofFailure({ expected: '9xx' }),
    'The failure of entry 1: expected must be a status, or 4xx, 4xx or list, no animal, 201 or 411 or 201 or 4xx, not "9xx".',
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
  const failure = { ...identity, expected: '4xx', status: 'none', member: 'name', detail: 'x' } as const;
  const first = { clause: 'errors/body', failure, reason: 'x', until: '2027-01-31', issue: 7 } as const;
  const entries = [first, { clause: 'list-pets/pets', reason: 'y', issue: '#7' }];
  expect(await readKnown(createFile(stringify(entries)), '--known')).toEqual(entries);
  expect(await readKnown(createFile('# None\n'), '--known')).toEqual([]);
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
    failure: { kind: 'status', operation: 'GET /pets/{petId}', expected: 404, status },
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

test('failures of the run that no entry accepts get an entry, and no others', () => {
  const recommended = fail(403, 'recommended/challenge');
  const report = reportOf(
    fail(403, 'errors/body'),
    { ...fail(403, 'list-pets/pets'), verdict: 'error' },
    { ...recommended, clause: { ...recommended.clause, level: 'recommended' } },
  );
  const failure = { kind: 'status', operation: 'GET /pets/{petId}', expected: 404, status: 403 } as const;
  const added = { clause: 'errors/body', failure, reason: 'To be explained' };
  expect(createEntries(report, [])).toEqual([added]);
  expect(createEntries(report, [{ clause: 'list-pets/limit-default', reason: 'x' }])).toEqual([added]);
  expect(createEntries(report, [{ clause: 'errors/body', reason: 'x' }])).toEqual([]);
  expect(createEntries(reportOf(), [])).toEqual([]);
});

test.for<[what: string, failures: readonly Failure[], details: readonly (string | undefined)[]]>([
  [
    'a status that is wrong for several requests has one entry',
    [wrongBody('null'), wrongBody('1')],
    [undefined],
  ],
  [
    'a body that is wrong in two ways has two',
    [noCode, { ...noCode, problem: { is: 'empty' } }],
    ['Error, no JSON', 'Error, empty'],
  ],
])('of what no entry accepts, %s', ([, failures, details]) => {
  const report = reportOf({ ...fail(0), failures });
  expect(createEntries(report, []).map(({ failure }) => failure?.detail)).toEqual(details);
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

test('a clause is fixed if it passes in a run that has sent what it failed for', () => {
  const passed = { ...fail(403, 'errors/body'), verdict: 'passed', failures: [] } as const;
  const entry = { clause: 'errors/body', reason: 'x' } as const;
  expect(listFixed(reportOf(passed), [entry, entry])).toEqual([{ clause: 'errors/body' }]);
  expect(listFixed(reportOf(fail(403, 'errors/body')), [entry])).toEqual([]);
  expect(listFixed({ ...reportOf(passed), leftOut: ['get-pet/success'] }, [entry])).toEqual([]);
  const ofPost: KnownFailure = {
    ...entry,
    failure: { kind: 'status', operation: 'POST /pets', status: 500 },
  };
  const untested = { ...fail(403, 'create-pet/success'), verdict: 'not tested', cause: 'read-only' };
  expect(listFixed(reportOf(passed, untested), [ofPost])).toEqual([]);
  expect(listFixed(reportOf(passed, untested), [entry])).toEqual([{ clause: 'errors/body' }]);
  expect(listFixed(reportOf(passed), [ofPost])).toEqual([{ clause: 'errors/body' }]);
});

test('an entry is fixed if its clause has only failures that other entries accept', () => {
  const [shown, gone] = [403, 410].flatMap((status) => createEntries(reportOf(fail(status)), []));
  if (shown === undefined || gone === undefined) expect.fail();
  const accepted = markKnown(fail(403), [shown, gone], now);
  expect(listFixed(reportOf(accepted), [shown, gone])).toEqual([{ clause: gone.clause }]);
  // What no entry accepts may be the failure of an entry with a wrong member.
  expect(listFixed(reportOf(fail(403)), [gone])).toEqual([]);
});

const defect: KnownFailure = {
  failure: { kind: 'status', operation: 'GET /pets/{petId}', status: 403 },
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
  expect(createEntries(reportOf(finding, follower, other), [])).toEqual([
    {
      failure: { ...failure, expected: 404 },
      reason: 'To be explained',
      seenIn: ['get-pet/unknown-is-404', 'errors/body'],
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
