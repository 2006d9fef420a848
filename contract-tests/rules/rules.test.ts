import { expect, test } from 'vitest';
import { Exchange } from '../client/exchange.ts';
import { History } from '../history/history.ts';
import { createEvidence } from '../runner/judge.ts';
import { createTarget } from '../testing/run-suite.ts';
import { clauses } from './clauses.ts';
import { isSighting } from './rule.ts';

/** A request with the valid key, and its response. */
interface Seen {
  /** The body of a POST. @default a GET */
  readonly sent?: string;
  readonly path?: string;
  readonly status: number;
  /** @default an Error */
  readonly body?: unknown;
  readonly type?: string;
}

/** In the name of each animal of the run. */
const MARK = 'mark';

const MINUTE = 60_000;

/** Judges requests that were sent one after the other. @returns what the clause says of the responses that it compares */
function judge(id: string, seen: readonly Seen[], now = '2026-11-30'): string {
  const target = createTarget({ now: new Date(now) });
  const history = new History(target, MARK);
  for (const [index, { sent, path = '/pets', status, body, type = 'application/json' }] of seen.entries()) {
    const request = {
      ...{ method: sent === undefined ? 'GET' : 'POST', base: target.baseUrl, path, isAuthorized: true },
      headers: { 'Content-Type': 'application/json' },
      body: sent,
    };
    const shown = JSON.stringify(body ?? { code: 'refused', message: 'No.', status });
    const response = { status, headers: { 'content-type': type }, body: Buffer.from(shown) };
    history.record(
      new Exchange(request, { response, failure: undefined }, target, index * MINUTE, 5, index + 1),
    );
  }
  const looks = clauses.find((one) => one.id === id)?.look(createEvidence(history)) ?? [];
  const verdicts = new Set(looks.map((look) => (isSighting(look) ? 'wrong' : 'right')));
  return [...verdicts].toSorted().join(' and ') || 'nothing';
}

const rex = { id: 1, name: `${MARK} Rex`, categoryId: 1 };
const sold = { ...rex, status: 'sold' };
const tom = { ...rex, id: 2, status: 'sold' };
const listOf = (...animals: readonly object[]): Seen => ({ status: 200, body: animals });
const listed = listOf(rex);
const byId = (animal: object): Seen => ({ path: '/pets/1', status: 200, body: animal });
/** @param shown the animal of a 201. @param sent the body */
const add = (status: number, shown: object = rex, sent = shown): Seen => ({
  sent: JSON.stringify(sent),
  status,
  ...(status === 201 && { body: shown }),
});
const post = (sent: string, status: number): Seen => ({ sent, status });

test.for<[id: string, what: string, seen: readonly Seen[], verdict: string]>([
  ['create-pet/name-required', '400', [post('{}', 400)], 'right'],
  ['create-pet/name-required', '413 in 2 bytes', [post('{}', 413)], 'wrong'],
  ['create-pet/name-required', '413 in 300 bytes', [post('{}'.padEnd(300), 413)], 'right'],
  ['create-pet/name-required', '422', [post('{}', 422)], 'wrong'],
  // A service may have no such category.
  ['create-pet/name-required', '422 with a category', [post('{"categoryId":1}', 422)], 'nothing'],
  ['create-pet/name-required', '500 with a category', [post('{"categoryId":1}', 500)], 'wrong'],
  ['create-pet/success', '401 for an animal with the valid key', [add(401)], 'wrong'],
  ['create-pet/status-kept', '422 for one status only', [add(201), add(422, sold)], 'wrong'],
  ['create-pet/status-kept', '400 for one status only', [add(201), add(400, sold)], 'wrong'],
  // What an omitted status becomes is not specified; but lists show that statuses are shown.
  ['create-pet/status-kept', 'a status of a 201 only', [listOf(tom), add(201, sold, rex), listed], 'wrong'],
  [
    'create-pet/status-kept',
    'another status than that of a 201',
    [listOf(tom), add(201, sold, rex), listOf({ ...rex, status: 'pending' })],
    'right',
  ],
  [
    'get-pet/same-as-listed',
    'a status that lists do not show',
    [listed, byId(sold), listed],
    'right and wrong',
  ],
  ['get-pet/same-as-listed', 'a status that was new', [listed, byId(sold), listOf(sold)], 'right'],
  ['list-pets/pets', 'no status between two of one', [byId(sold), listed, byId(sold)], 'right and wrong'],
  [
    'errors/media-type',
    'an Error with a charset',
    [{ status: 404, path: '/pets/1', type: 'application/json; charset=utf-8' }],
    'right',
  ],
  [
    'errors/media-type',
    'an Error as another JSON',
    [{ status: 404, path: '/pets/1', type: 'application/json-seq' }],
    'wrong',
  ],
  ['get-pet/success', '404 for a listed animal', [listed, { path: '/pets/1', status: 404 }, listed], 'wrong'],
  ['get-pet/success', '501 for a listed animal', [listed, { path: '/pets/1', status: 501 }, listed], 'wrong'],
])('%s, of %s', ([id, , seen, verdict]) => {
  expect(judge(id, seen)).toBe(verdict);
});

test.for([
  ['2030-12-04T09:59:59Z', 'wrong'],
  ['2030-12-04T10:00:00Z', 'nothing'],
] as const)(
  'GET /pets/{petId} may have been removed on 5 December 2030 in any time zone: %s',
  ([now, verdict]) => {
    const gone = [listed, { path: '/pets/1', status: 410 }, listed];
    expect(judge('get-pet/success', gone, now)).toBe(verdict);
  },
);
