import { petStatuses } from '../../common/json/pet.ts';
import { Failed, NotApplicable } from '../client/clause-errors.ts';
import { inParallel } from '../client/in-parallel.ts';
import { underHeading } from '../vocabulary/clause.ts';
import type { Context } from '../vocabulary/context.ts';
import { expectEach, expectInTurn } from '../vocabulary/expect-each.ts';
import { expectAnswer, expectStatus } from '../vocabulary/expectations.ts';
import { findOtherType } from '../vocabulary/find-schema-fault.ts';
import { expectNoLag } from '../vocabulary/lags.ts';
import { LONGEST } from '../vocabulary/list-parameters.ts';
import {
  expectEveryList,
  expectListsReturned,
  findUnfiltered,
  listFaults,
} from './get-pets/expect-every-list.ts';
import { expectIndependent } from './get-pets/expect-independent.ts';
import {
  expectDefaultLimit,
  expectFilterBeforeLimit,
  expectOneStatus,
  expectStatusComplete,
  expectStatusesShown,
} from './get-pets/expect-statuses.ts';

const toQuery = (limit: string | number) => `?limit=${limit}`;

/** Limits that are tried, with the default first and others next to it and to the largest. */
const limits = [20, 5, 50, 100, 1, 2, 3, 10, 19, 21, 99].map(toQuery);

/** Limits that are larger than the largest one, or none. */
const tooLarge = [101, 1000, '-1', 'abc', 'Infinity', '101&status=pending'].map(toQuery);

/** Invalid limits that a service may take for no limit at all. */
const unlimited = [0, 101, 1000].map(toQuery);

const byStatus = petStatuses.flatMap((status) => [`?status=${status}`, `?status=${status}&limit=100`]);

const invalidLimits = [
  ...['0', '-1', '101', 'abc', '9223372036854775808', '1e3', '%00', '08', '%2B5', '%D9%A3', '100.5'],
  ...['1,2', '1000', '', '0&status=pending', 'abc&status=sold', '101&status=pending', 'Infinity'],
].map(toQuery);

const invalidStatuses = [
  ...['?status=lost', '?status=AVAILABLE'],
  // Longer, so that it shows animals of both statuses where the first ones have the same.
  `${LONGEST}&status=available,sold`,
  ...['', '%00', '%E0%A4', 'null', "'", 'constructor'].map((status) => `?status=${status}`),
  '?limit=1&status=',
  '?limit=2&status=lost',
];

/** Numbers of queries to try in a run that may not write. */
const MOST_LIMITS = 4;
const MOST_INVALID_LIMITS = 7;
const MOST_INVALID_STATUSES = 5;

/** The parameters first, then the responses: long lists are requested before every list is read. */
export const getPetsClauses = underHeading('GET /pets', { phase: 'single requests', isParallel: true })([
  {
    id: 'list-pets/limit-most-100',
    sentence: 'GET /pets returns at most 100 animals, for any limit.',
    quote: 'Integer from 1 to 100 inclusive; default 20.',
    explainedBy: ['list-pets/limit-default'],
    phase: 'responses',
    run: async (context) => {
      // The animals of this run may have brought the store past 100 since these were tried.
      const again = context.additions.length > 0 ? unlimited : [];
      await inParallel(again, (query) => context.get(`/pets${query}`));
      await expectEveryList(context, listFaults.tooLong, ['', ...tooLarge]);
    },
  },
  {
    id: 'list-pets/limit-is-a-maximum',
    sentence: 'GET /pets returns no more animals than limit.',
    quote: 'Maximum number of animals returned.',
    tolerated: {
      'maximum number of animals of a list':
        'fewer than limit, also none where lists with a larger limit have some',
    },
    phase: 'responses',
    run: (context) =>
      expectEveryList(context, listFaults.longerThanLimit, context.chooseFew(limits, MOST_LIMITS)),
  },
  {
    id: 'list-pets/limit-bounds',
    sentence: 'GET /pets accepts limit=1 and limit=100.',
    quote: 'Integer from 1 to 100 inclusive; default 20.',
    run: async (context) => {
      for (const limit of [1, 100]) expectStatus(context, await context.get(`/pets?limit=${limit}`), 200);
    },
  },
  {
    id: 'list-pets/limit-default',
    sentence: 'GET /pets without limit returns as many animals as with limit=20, with and without a status.',
    quote: 'Integer from 1 to 100 inclusive; default 20.',
    explainedBy: ['list-pets/limit-is-a-maximum'],
    run: expectDefaultLimit,
  },
  {
    id: 'list-pets/limit-omitted',
    sentence: 'GET /pets without limit never returns more than 20 animals, whatever was requested before.',
    quote: 'Integer from 1 to 100 inclusive; default 20.',
    explainedBy: ['list-pets/limit-is-a-maximum', 'list-pets/limit-default'],
    phase: 'responses',
    run: (context) => expectEveryList(context, listFaults.longerThanDefault, ['']),
  },
  {
    id: 'list-pets/limit-invalid',
    sentence:
      'GET /pets with a limit that is not an integer from 1 to 100 returns a 4xx or a conforming list.',
    quote: 'Integer from 1 to 100 inclusive; default 20.',
    explainedBy: ['list-pets/success'],
    tolerated: { 'an invalid limit': 'any 4xx with an Error, or a conforming list' },
    run: (context) => expectRefusalsOrLists(context, context.chooseFew(invalidLimits, MOST_INVALID_LIMITS)),
  },
  {
    id: 'list-pets/status-invalid',
    sentence: 'GET /pets with a status that is not one of the three returns a 4xx or a conforming list.',
    quote: 'Allowed values: available, pending, sold.',
    explainedBy: ['list-pets/success', 'list-pets/limit-invalid'],
    tolerated: { 'an invalid status': 'any 4xx with an Error, or a conforming list' },
    run: (context) =>
      expectRefusalsOrLists(context, context.chooseFew(invalidStatuses, MOST_INVALID_STATUSES)),
  },
  {
    id: 'list-pets/status-filters',
    sentence: 'GET /pets with a status returns only animals with that status.',
    quote: 'Filters animals by availability status.',
    tolerated: { 'lists by status that show an animal without a status': 'one of the three for the filter' },
    explainedBy: ['list-pets/pets'],
    phase: 'responses',
    run: async (context) => {
      await expectInTurn([
        () => expectEveryList(context, findUnfiltered('status'), byStatus),
        () => expectOneStatus(context),
      ]);
    },
  },
  {
    id: 'list-pets/status-complete',
    sentence:
      'GET /pets with a status returns every animal with that status, unless limit cuts the list short.',
    quote: 'Filters animals by availability status.',
    run: expectStatusComplete,
  },
  {
    id: 'list-pets/filter-before-limit',
    sentence: 'GET /pets applies limit to the animals that have the status.',
    quote: 'Maximum number of animals returned.',
    run: expectFilterBeforeLimit,
  },
  {
    id: 'list-pets/success',
    sentence: 'GET /pets with valid parameters returns 200 and a JSON array.',
    quote: '| 200 | Pets: a JSON array of Pet. |',
    tolerated: { 'order of lists': 'any order, and another one each time' },
    phase: 'responses',
    run: expectListsReturned,
  },
  {
    id: 'recommended/fresh-lists',
    sentence: 'GET /pets shows a new animal at once.',
    tolerated: {
      'time until lists show a new animal':
        'within 2 s (--settle); a list that names its age may be as old as that, up to 10 s',
    },
    needs: ['writes'],
    phase: 'responses',
    run: async (context) => {
      expectNoLag(context, ({ requestedId }) => requestedId === undefined);
      const listed = new Set<unknown>(context.lists.flatMap(({ animals }) => animals.map(({ id }) => id)));
      const shown = context.additions.filter(({ id }) => listed.has(id));
      // This fails if the deployment answers no more.
      if (shown.length === 0) await context.listAnimals('?limit=1');
      if (shown.length === 0) throw new NotApplicable('no list shows an animal of this run');
      for (const exchange of shown) context.compare(exchange, exchange.animal ? [exchange.animal] : []);
    },
  },
  {
    id: 'list-pets/pets',
    sentence:
      'Every element of every list is a Pet: an int64 id and categoryId, a string name, and its status if it has one.',
    quote: 'A Pet has every field of NewPet plus an identifier.',
    explainedBy: ['create-pet/'],
    phase: 'responses',
    run: async (context) => {
      await expectInTurn([
        () => expectEveryList(context, listFaults.notPet, [LONGEST]),
        () => expectStatusesShown(context),
      ]);
    },
  },
  {
    id: 'list-pets/unique-ids',
    sentence: 'No two animals in a list have the same id.',
    quote: 'Unique identifier, assigned by the service on creation.',
    phase: 'responses',
    run: (context) => expectEveryList(context, listFaults.twins, [LONGEST]),
  },
  {
    id: 'list-pets/independent',
    sentence: 'GET /pets returns what its own parameters ask for, whatever list was requested before.',
    quote:
      '| limit | integer | no | Minimum 1, maximum 100, default 20. Maximum number of animals returned. |',
    // The order of the requests matters.
    isParallel: false,
    run: expectIndependent,
  },
]);

async function expectRefusalsOrLists(context: Context, queries: readonly string[]): Promise<void> {
  await expectEach(queries, async (query) => {
    const exchange = await context.get(`/pets${query}`);
    const isRefused = exchange.status >= 400 && exchange.status < 500;
    if (exchange.isSuccess && !exchange.isList)
      throw new Failed({ kind: 'body', expected: '4xx or list', problem: findOtherType(exchange) }, exchange);
    const request = { what: 'query', query } as const;
    expectAnswer(context, exchange, '4xx or list', isRefused || exchange.isList, request);
  });
}
