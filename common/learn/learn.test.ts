import { expect, test } from 'vitest';
import { createTarget } from '../../contract-tests/testing/run-suite.ts';
import { completeBehaviour } from '../behaviour/behaviours.ts';
import { learn } from './learn.ts';
import {
  ALL,
  add,
  animal,
  animals,
  createExchange,
  fetch,
  list,
  mixed,
  named,
  refusal,
  refuse,
  type Told,
  target,
} from './testing/told-exchanges.ts';

test('the category that the user gives is no unknown one', () => {
  const told = [
    list('', animals(1, 2)),
    add(1, '"name":"Animal 1","categoryId":77'),
    add(2, '"name":"Animal 2","categoryId":77'),
    refuse('"name":"Animal 3","categoryId":7'),
  ];
  const journal = told.map((one, index) => createExchange(one, index));
  expect(learn(journal, { ...target, categoryId: 77n }).behaviour.categories).toBe('known');
});

test.for(['name', 'newest', 'oldest'] as const)('learned animals keep the order %s', (order) => {
  const lists = {
    name: named([3, 1, 4, 2, 6, 5, 8, 7, 10, 12, 11, 9], 'ABCDEFGHIJKL'),
    newest: animals(1, 12).toReversed(),
    oldest: animals(1, 12),
  };
  const listed = lists[order].map((one, index) =>
    order === 'name' ? one : { ...one, name: `Rex ${(index * 5) % 12}` },
  );
  const { behaviour, animals: learned = [] } = learn(
    [list(ALL, listed)].map((one, index) => createExchange(one, index)),
    target,
    {
      learnAnimals: true,
    },
  );
  expect(completeBehaviour(behaviour).order).toBe(order);
  const names = learned.map(({ name }) => `${name}`);
  expect(names).toEqual(names.toSorted());
  const ids = learned.map(({ id }) => id);
  expect(order === 'newest' ? ids.toReversed() : ids).toEqual(listed.map(({ id }) => id));
});

test('a learned file has no names, keys, further members and unknown headers', () => {
  const secret = createTarget({ baseUrl: 'http://store.example/v1', apiKey: '7077077', allowsWrites: false });
  const headers = { 'content-type': 'application/json', 'x-ada': '1' };
  const told: Told[] = [
    refusal('/pets/ada', 404),
    list('', [animal(7077077), animal(9, { status: 'Ada' }), ...mixed], { headers }),
    list('?status=Ada&limit=5', animals(1, 1), { headers }),
    fetch(3, { headers: { deprecation: '@1', link: '</v1/pets>', sunset: 'x' } }),
    list('?limit=3', [
      animal(10, { name: 'key 7077077' }),
      { id: 'Ada', name: 'Ada', categoryId: 1n },
      animal(11, { categoryId: 7077077n }),
      animal(12, { name: 5n }),
      animal(2n ** 64n),
    ]),
  ];
  const journal = told.map((one, index) =>
    createExchange({ authorization: 'Bearer 7077077', isAuthorized: true, ...one }, index, secret),
  );
  const { mode, behaviour, evidence, animals: learned } = learn(journal, secret, { learnAnimals: true });
  expect([mode, behaviour]).toEqual([
    'read-only',
    { deprecationHeaders: 'deprecation', errorCodes: { 404: 'bad' } },
  ]);
  expect(evidence.errorMembers).toEqual([
    { request: 'GET /pets/{petId}', status: 404, headers: [], animals: [] },
  ]);
  const few = [3, 1, 2, 6].map((id) => ({ id: BigInt(id), status: 'sold' }));
  const shown = { status: 200, headers: ['content-type'] };
  expect(evidence.charset).toEqual([
    { ...shown, request: 'GET /pets', animals: [{ id: 9n }, ...few] },
    { ...shown, request: 'GET /pets?status={status}&limit=5', animals: [{ id: 1n, status: 'sold' }] },
  ]);
  expect(evidence.deprecationHeaders).toEqual([
    {
      request: 'GET /pets/3',
      status: 200,
      headers: ['deprecation', 'link', 'sunset'],
      animals: [{ id: 3n, status: 'sold' }],
    },
  ]);
  // The longest list first, from its end, since most services list the newest first.
  const ids = [10n, 5n, 4n, 6n, 2n, 1n, 3n, 9n];
  const whole = ids.map((id, index) => ({
    id,
    name: `Animal ${index + 1}`,
    categoryId: 1n,
    ...(id !== 9n && { status: 'sold' }),
  }));
  expect(learned).toEqual(whole);
  const { animals: named = [] } = learn(journal, secret, { learnAnimals: true, keepNames: true });
  expect([named[0]?.name, named.at(-1)?.name]).toEqual(['key [key]', 'Animal 9']);
  expect(learn(journal, secret)).not.toHaveProperty('animals');
});
