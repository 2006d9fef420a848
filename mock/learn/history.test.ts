import { expect, test } from 'vitest';
import { isJsonObject, parseExactJson } from '../../common/json/exact-json.ts';
import { History } from './history.ts';
import type { Seen } from './read-recording.ts';

interface Row {
  /** When the request was sent. Its response was read 10 ms later, unless `end` says when. */
  readonly at: number;
  readonly end?: number;
  /** @default 'GET /pets' */
  readonly line?: string;
  readonly sent?: string;
  readonly status?: number;
  readonly answered?: string;
}

function toSeen({ at, end = at + 10, sent = '', answered = '[]', ...row }: Row): Seen {
  const [method = '', path = ''] = (row.line ?? (sent === '' ? 'GET /pets' : 'POST /pets')).split(' ');
  const { status = method === 'POST' ? 201 : 200 } = row;
  const body = new TextEncoder().encode(sent);
  const given = sent === '' ? {} : parseExactJson(sent);
  const request = { method, path, headers: {}, body, sent: isJsonObject(given) ? given : {} };
  const response = { status, received: {}, text: answered, json: parseExactJson(answered) };
  return { at, end, isKeyUnknown: false, ...request, ...response };
}

/** Prints an animal, such as `7 Rex sold`. */
function print(animal: string): string {
  const [id, name = 'Rex', status] = animal.split(' ');
  return JSON.stringify({ id: Number(id), name, categoryId: 1, ...(status && { status }) });
}

const list = (...animals: string[]) => `[${animals.map(print).join()}]`;
const lists = (at: number, ...animals: string[]): Row => ({ at, answered: list(...animals) });
const fetches = (at: number, animal: string): Row => ({
  at,
  line: `GET /pets/${animal.split(' ')[0]}`,
  answered: print(animal),
});
const adds = (at: number, animal: string): Row => ({
  at,
  sent: `{"name":"${animal.split(' ')[1]}","categoryId":1}`,
  answered: print(animal),
});
/** A list that is longer than those that lack an animal, so that they are no full pages. */
const long = lists(5_000, '91', '92', '93', '94');

const namesOf = (pets: readonly { readonly id: bigint; readonly name: string }[]) =>
  pets.map(({ id, name }) => `${id} ${name}`);

test.for<[title: string, rows: readonly Row[], known: string[], listed: string[]]>([
  ['a list has shown', [lists(0, '1', '2')], ['1 Rex', '2 Rex'], ['1 Rex', '2 Rex']],
  ['only a response of its own has shown', [fetches(0, '1')], ['1 Rex'], []],
  ['was added', [adds(0, '1 Tom')], ['1 Tom'], []],
  ['was fetched, and then listed', [fetches(0, '1'), lists(50, '1')], ['1 Rex'], ['1 Rex']],
  ['is shown only later', [lists(200, '1')], [], []],
  ['a list shows that had not been read before', [{ ...lists(0, '1'), end: 150 }], [], []],
  ['an error shows', [{ ...lists(0, '1'), status: 404 }], [], []],
  ['is missing in a later list of all', [lists(0, '1', '2'), lists(50, '1'), long], ['1 Rex'], ['1 Rex']],
  [
    'is missing in a later full page',
    [lists(0, '1', '2'), { ...lists(50, '3'), line: 'GET /pets?limit=1' }, long],
    ['1 Rex', '2 Rex', '3 Rex'],
    ['1 Rex', '2 Rex', '3 Rex'],
  ],
  [
    'is missing in a later list of some',
    [lists(0, '1'), { ...lists(50), line: 'GET /pets?status=sold' }, long],
    ['1 Rex'],
    ['1 Rex'],
  ],
  ['no list has shown yet', [fetches(0, '1'), lists(50), long], ['1 Rex'], []],
  ['is back in a later list', [lists(0, '1'), lists(30), lists(60, '1'), long], ['1 Rex'], ['1 Rex']],
  [
    'is missing in a list that was requested before another one showed it',
    [{ ...lists(0, '1'), end: 60 }, lists(30), { ...lists(40), end: 70 }, long],
    ['1 Rex'],
    ['1 Rex'],
  ],
  ['has got another name', [lists(0, '1 Rex'), lists(50, '1 Tom')], ['1 Tom'], ['1 Tom']],
  ['has got another name since', [lists(0, '1 Rex'), lists(200, '1 Tom')], ['1 Rex'], ['1 Rex']],
  ['has got another name in a response of its own', [lists(0, '1 Rex'), fetches(50, '1 Tom')], ['1 Tom'], []],
])('whether the service certainly had and listed an animal at 100 ms that %s', ([, rows, known, listed]) => {
  const history = new History(rows.map(toSeen));
  const seen = toSeen({ at: 100 });
  expect(namesOf(history.knownBefore(seen))).toEqual(known);
  expect(namesOf(history.listedBefore(seen))).toEqual(listed);
});

test.for<[title: string, rows: readonly Row[], around: string[]]>([
  ['lists before and after show', [lists(0, '1', '2'), lists(200, '1')], ['1 Rex']],
  ['a list before and a fetch after show', [lists(0, '1'), fetches(200, '1')], ['1 Rex']],
  ['only a fetch before shows', [fetches(0, '1'), fetches(200, '1')], []],
  ['only a list before shows', [lists(0, '1')], []],
  ['only a list after shows', [lists(200, '1')], []],
  ['have another name after', [lists(0, '1 Rex'), lists(200, '1 Tom')], []],
])('which animals were there around a request: those that %s', ([, rows, around]) => {
  const history = new History(rows.map(toSeen));
  expect(namesOf(history.listedAround(toSeen({ at: 100 })))).toEqual(around);
});

test.for<[title: string, rows: readonly Row[], isTaken: boolean, isContested: boolean]>([
  ['nobody has', [lists(0, '1 Tom')], false, false],
  ['an animal has', [lists(0, '1 Rex')], true, false],
  ['an animal has in another case', [lists(0, '1 REX')], true, false],
  ['an animal had', [lists(0, '1 Rex'), lists(50), long], false, false],
  ['an animal had before it got another one', [lists(0, '1 Rex'), lists(50, '1 Tom')], false, false],
  ['an animal has later', [lists(200, '1 Rex')], false, false],
  ['another request is just adding', [{ ...adds(50, '1 Rex'), end: 150 }], false, true],
  ['nobody has, while another one is added', [{ ...adds(50, '1 Tom'), end: 150 }], false, false],
  ['another request has added', [adds(50, '1 Rex')], true, false],
  ['another request adds later', [adds(150, '1 Rex')], false, false],
])('whether a name is taken, or may be, that %s', ([, rows, isTaken, isContested]) => {
  const history = new History(rows.map(toSeen));
  const seen = toSeen({ at: 100, sent: '{"name":"Rex","categoryId":1}' });
  expect([history.isTaken(seen), history.isContested(seen)]).toEqual([isTaken, isContested]);
});

test('a request without a name sends none that is taken', () => {
  const history = new History([toSeen(lists(0, '1 Rex'))]);
  expect(history.isTaken(toSeen({ at: 100, sent: '{"name":5,"categoryId":1}' }))).toBe(false);
});

test.for<[line: string, most: number]>([
  ['GET /pets', 20],
  ['GET /pets?limit=5', 5],
  ['GET /pets?status=sold', 20],
  ['GET /pets?status=sold&limit=5', 5],
  ['GET /pets?limit=30', 22],
  ['GET /pets?limit=0', 20],
  ['GET /pets?page=2', 20],
])('if the longest list has 22 animals, %s has at most %i', ([line, most]) => {
  const ids = Array.from({ length: 22 }, (_, index) => `${index + 1}`);
  const history = new History([toSeen({ ...lists(0, ...ids), line: 'GET /pets?limit=50' })]);
  expect(history.mostOf(toSeen({ at: 100, line }))).toBe(most);
});

test.for<[row: Row, lists: number, additions: number, longest: number, ofAll: number | undefined]>([
  [lists(0, '1'), 1, 0, 1, 1],
  [{ ...lists(0, '1', '2'), line: 'GET /pets/' }, 1, 0, 2, undefined],
  [{ ...lists(0, '1'), line: 'GET /pets?status=sold' }, 1, 0, 1, undefined],
  [{ ...lists(0, '1'), line: 'GET /pets?limit=5' }, 1, 0, 1, 1],
  [{ ...lists(0, '1'), line: 'GET /pets?page=2' }, 1, 0, 1, undefined],
  [{ ...lists(0, '1'), line: 'HEAD /pets' }, 0, 0, 0, undefined],
  [{ ...lists(0, '1'), line: 'GET /petshops' }, 0, 0, 0, undefined],
  [{ ...lists(0, '1'), line: 'GET /pets/1' }, 0, 0, 0, undefined],
  [{ ...lists(0, '1'), status: 206 }, 0, 0, 0, undefined],
  [{ at: 0, answered: '{"animals":[]}' }, 0, 0, 0, undefined],
  [adds(0, '1 Rex'), 0, 1, 0, undefined],
  [{ ...adds(0, '1 Rex'), status: 200 }, 0, 0, 0, undefined],
  [{ ...adds(0, '1 Rex'), line: 'PUT /pets', status: 201 }, 0, 0, 0, undefined],
  [{ ...adds(0, '1 Rex'), answered: '[]' }, 0, 0, 0, undefined],
])('the response %j counts as a list or an addition', ([row, ...expected]) => {
  const { lists, additions, longest, longestOfAll } = new History([toSeen(row)]);
  expect([lists.length, additions.length, longest, longestOfAll]).toEqual(expected);
});

test.for<[title: string, rows: readonly Row[], newest: string[]]>([
  ['it shows', [], ['8', '2']],
  ['it shows, and earlier lists', [lists(0, '3', '2')], ['8', '2', '3']],
  [
    'lists before and after begin with, if those are many',
    [lists(0, '9', '8', '7', '6', '5', '4'), lists(200, '9', '8', '7', '6', '5', '3')],
    ['9', '8', '7', '6', '5', '2', '4'],
  ],
  [
    'lists before and after have, if those are all the same',
    [lists(0, '9', '8', '7', '6', '5'), lists(200, '9', '8', '7', '6', '5')],
    ['9', '8', '7', '6', '5', '2'],
  ],
  [
    'lists before and after have, if the later one is shorter',
    [lists(0, '9', '8', '7', '6', '5', '4'), lists(200, '9', '8', '7', '6', '5')],
    ['9', '8', '7', '6', '5', '2', '4'],
  ],
  [
    'long lists before and after have, whatever short ones are between them',
    [
      ...[lists(0, '9', '8', '7', '6', '5'), lists(50, '1')],
      ...[lists(150, '1'), lists(200, '9', '8', '7', '6', '5')],
    ],
    ['9', '8', '7', '6', '5', '2', '1'],
  ],
  ['it shows, if no list is known before it', [lists(200, '9', '8', '7', '6', '5')], ['8', '2']],
  [
    'it shows, if the lists before and after begin with few that are the same',
    [lists(0, '9', '8', '7', '6', '5'), lists(200, '9', '8', '7', '6', '4')],
    ['8', '2', '9', '7', '6', '5'],
  ],
  [
    'it shows, if no list is known after it',
    [lists(0, '9', '8', '7', '6', '5')],
    ['8', '2', '9', '7', '6', '5'],
  ],
  ['it shows, if the list before is short', [lists(0, '9', '8'), lists(200, '9', '8')], ['8', '2', '9']],
])('the store of a list has as its newest animals those that %s', ([, rows, newest]) => {
  const seen = toSeen({ ...lists(100, '8', '2'), line: 'GET /pets?status=sold' });
  const { all } = new History([...rows.map(toSeen), seen]).storeOfLists(seen);
  expect(all.toReversed().map(({ id }) => `${id}`)).toEqual(newest);
});
