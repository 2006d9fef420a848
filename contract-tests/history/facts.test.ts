import { expect, test } from 'vitest';
import { createExchange } from '../testing/create-exchange.ts';
import { createTarget } from '../testing/run-suite.ts';
import { readFacts } from './facts.ts';
import { History } from './history.ts';

/** Returns the history of a run in which one list had so many animals, one time after the other. */
function recordLists(lengths: readonly number[]): History {
  const history = new History(createTarget(), 'contract-test');
  for (const length of lengths) {
    const animals = Array.from({ length }, (_, id) => ({ id, name: 'Rex', categoryId: 1 }));
    const body = JSON.stringify(animals);
    history.record(createExchange({ status: 200, path: '/pets?limit=100', body, isAuthorized: true }), false);
  }
  return history;
}

test.for<[areByChance: boolean, ...lengths: number[]]>([
  [true, 60, 57, 59, 58],
  [false, 60, 57, 60, 57],
  // New animals that come into a list one after the other only make it longer.
  [false, 57, 58, 59, 60, 60],
])('that lists have lengths by chance is %s after %i, %i, %i and %i animals', ([areByChance, ...lengths]) => {
  expect(readFacts(recordLists(lengths)).haveLengthsByChance).toBe(areByChance);
});

test('a list may be as long as any with its limit or a smaller one', () => {
  const history = new History(createTarget(), 'contract-test');
  for (const [limit, length] of [
    [20, 20],
    [50, 10],
  ] as const) {
    const animals = Array.from({ length }, (_, id) => ({ id, name: 'Rex', categoryId: 1 }));
    const told = { status: 200, path: `/pets?limit=${limit}`, isAuthorized: true };
    history.record(createExchange({ ...told, body: JSON.stringify(animals) }), false);
  }
  const { longestUpTo } = readFacts(history);
  expect([19, 20, 50, 100].map(longestUpTo)).toEqual([0, 20, 20, 20]);
});

test('a list of one large animal is as full as one of many small ones, where a service counts no commas', () => {
  const history = new History(createTarget(), 'contract-test');
  const pet = { id: 1, name: 'Rex', categoryId: 1 };
  const small = JSON.stringify([1, 2, 3, 4, 5].map((id) => ({ ...pet, id })));
  const rest = small.length - JSON.stringify([pet]).length - 2;
  const large = JSON.stringify([{ ...pet, name: `Rex${'x'.repeat(rest)}` }]);
  for (const body of [small, large])
    history.record(createExchange({ status: 200, body, isAuthorized: true }), false);
  const { lists, roomOf } = readFacts(history);
  expect(lists.map(roomOf)).toEqual([0, 0]);
});

/** Returns the history of a run in which lists had animals with these ids, one after the other. */
function recordIds(lists: readonly (readonly number[])[], own: readonly number[] = []): History {
  const history = new History(createTarget(), 'contract-test');
  for (const id of own) {
    const sent = JSON.stringify({ name: 'Rex', categoryId: 1 });
    const body = JSON.stringify({ id, name: 'Rex', categoryId: 1 });
    history.record(createExchange({ method: 'POST', sent, status: 201, body, isAuthorized: true }), false);
  }
  for (const ids of lists) {
    const body = JSON.stringify(ids.map((id) => ({ id, name: 'Rex', categoryId: 1 })));
    history.record(createExchange({ status: 200, body, isAuthorized: true }), false);
  }
  return history;
}

test.for<[isSteady: boolean, beginAtOnePlace: boolean, ...lists: number[][]]>([
  [true, true, [1, 2, 3], [1, 2, 3]],
  [true, false, [1, 2, 3], [2, 3]],
  [false, true, [1, 2, 3], [1, 3, 2]],
  // Of one order, but they share little.
  [false, false, [1, 2, 3], [4, 5, 6]],
])(
  'that lists are steady is %s, and that they begin at one place %s: %j and %j',
  ([isSteady, areAtOne, ...lists]) => {
    const history = recordIds(lists);
    const kind = history.lists[0]?.query.kind ?? '';
    const facts = readFacts(history);
    expect([facts.isSteady(kind), facts.beginAtOnePlace(kind)]).toEqual([isSteady, areAtOne]);
  },
);

const upTo = (length: number) => Array.from({ length }, (_, id) => id + 1);

test.for<[order: string | undefined, ids: number[], own?: number[]]>([
  ['descending', upTo(11).toReversed()],
  [undefined, upTo(10).toReversed()],
  // The oldest animals may come first by chance, until a list has a new one.
  [undefined, upTo(11)],
  ['ascending', upTo(11), [11]],
  [undefined, [...upTo(11), 1]],
])('the order by id is %s of a list of the ids %j, of which the run has added %j', ([order, ids, own]) => {
  expect(readFacts(recordIds([ids], own)).idOrder).toBe(order);
});
