import { expect, test } from 'vitest';
import type { ExactJson, JsonObject } from '../../common/json/exact-json.ts';
import { addCreatedAt, addFilter, changeContract } from '../../tools/testing/change-contract.ts';
import { printVerdict, verify } from '../testing/test-verdicts.ts';
import { change, combine } from './changes.ts';
import { createAnimals, createStoreAnswer } from './conforming/store-behaviour.ts';
import type { CreateAnswer } from './deployment.ts';
import { always, hasKey, type IsMeant, isCreation, isFetch, isList, withParameters } from './messages.ts';
import { answered, createError, createReply } from './replies.ts';
import { drop, readJson } from './values.ts';

/** openapi.yaml with an optional member and a filter, which it does not have. */
const contract = changeContract((written) => {
  addCreatedAt(written);
  addFilter(written, 'categoryId');
});

/** When an animal was created, by its id. */
const toTime = (id: unknown) => new Date(1_700_000_000_000 + Number(id) * 1_000).toISOString();

const toFurther = (id: bigint) => ({ createdAt: toTime(id) });

/** A store whose animals have a createdAt and one of three categories, and whose lists have a filter by category. */
const store = () =>
  createStoreAnswer({
    animals: createAnimals(60, (index) => ({
      categoryId: BigInt(3 + (index % 3)),
      ...toFurther(BigInt(index + 1)),
    })),
    toFurther,
  });

/** Changes each animal of the responses that are meant. */
const changeAnimals = (isMeant: IsMeant, toAnimal: (animal: JsonObject) => JsonObject): CreateAnswer =>
  change.json<ExactJson>(isMeant, (value) =>
    Array.isArray(value) ? (value as readonly JsonObject[]).map(toAnimal) : toAnimal(value as JsonObject),
  );

const toOther = ({ createdAt, ...animal }: JsonObject) => ({
  ...animal,
  createdAt: `${createdAt}`.replace(/^20/, '19'),
});
const toSameTime = ({ createdAt, ...animal }: JsonObject) => ({
  ...animal,
  createdAt: `${createdAt}`.replace('Z', '+00:00'),
});

const hasCategory: IsMeant = (request) => isList(request) && request.query.has('categoryId');
const isByCategory: IsMeant = (request) =>
  hasCategory(request) && hasKey(request) && /^\d+$/.test(request.query.get('categoryId') ?? '');

const withoutCategory = change.request(hasCategory, ({ query }) => ({
  query: withParameters(query, { categoryId: null }),
}));

const changeList = (toList: (list: readonly JsonObject[]) => readonly JsonObject[]) =>
  change.reply(answered(200, isByCategory), ({ body }) =>
    createReply(200, toList(readJson(body) as readonly JsonObject[])),
  );

test.for<[does: string, answer: CreateAnswer | undefined, verdict: string]>([
  ['conforms', undefined, 'conforms'],
  ['shows no createdAt at all', changeAnimals(always, drop('createdAt')), 'conforms'],
  ['writes createdAt with another offset by id', changeAnimals(isFetch, toSameTime), 'conforms'],
  ['shows another createdAt in lists', changeAnimals(isList, toOther), 'create-pet/stored'],
  ['shows another createdAt by id', changeAnimals(isFetch, toOther), 'get-pet/same-as-listed'],
  ['returns another createdAt for a new animal', changeAnimals(isCreation, toOther), 'create-pet/stored'],
  [
    'has a day as createdAt',
    changeAnimals(always, (animal) => ({ ...animal, createdAt: '2030-01-31' })),
    'create-pet/pet',
  ],
  ['ignores the filter categoryId', withoutCategory, 'list-pets/filters'],
  [
    'leaves out an animal of a category',
    changeList((list) => list.toSpliced(1, 1)),
    'list-pets/filter-complete',
  ],
  [
    'looks at the category after the limit',
    combine([
      withoutCategory,
      change.list((list, { query }) =>
        list.filter(({ categoryId }) => `${categoryId}` === (query.get('categoryId') ?? `${categoryId}`)),
      ),
    ]),
    'list-pets/filter-before-limit',
  ],
  [
    'fails for an invalid categoryId',
    change.reply(
      (request) => hasCategory(request) && !isByCategory(request) && hasKey(request),
      () => createError(500),
    ),
    'list-pets/filter-invalid',
  ],
])('with a member and a filter more, a service that %s gets its verdict', async ([name, answer, verdict]) => {
  const createAnswer = combine([store, ...(answer === undefined ? [] : [answer])]);
  const only = verdict === 'conforms' ? undefined : [verdict];
  expect(printVerdict(await verify({ name, createAnswer, target: { contract } }, only))).toBe(verdict);
});

/** openapi.yaml with every member as a filter. */
const withAllFilters = changeContract((written) => {
  addCreatedAt(written);
  for (const name of ['name', 'categoryId']) addFilter(written, name);
});

test('with a member and filters more, the mock conforms too, and each filter is tried', async () => {
  const tried = new Set<string>();
  const createAnswer: CreateAnswer = () => (request, asMock) => {
    for (const name of request.query.keys()) tried.add(name);
    return asMock(request);
  };
  const outcomes = await verify({ name: 'is the mock', createAnswer, target: { contract: withAllFilters } });
  expect(printVerdict(outcomes)).toBe('conforms');
  expect([...tried]).toEqual(expect.arrayContaining(['name', 'categoryId', 'status']));
});
