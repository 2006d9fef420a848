import { defineClauses } from '../core/clause.ts';
import { type Context, statuses } from '../core/context.ts';
import { expectStatus } from '../core/expect-response.ts';
import { inParallel } from '../core/in-parallel.ts';
import { toList } from '../core/list-animals.ts';
import { expectNoServerFault, outcomeOf } from '../core/read-exchange.ts';
import { Failed } from '../core/result.ts';
import {
  expectEveryList,
  expectListsReturned,
  findOtherStatus,
  findPetFault,
  findTooLong,
  findTooMany,
  findTwins,
} from './get-pets/expect-every-list.ts';
import {
  expectDefaultLimit,
  expectFilterBeforeLimit,
  expectStatusComplete,
} from './get-pets/expect-filters.ts';

const limits = [1, 2, 3, 5, 10, 19, 20, 21, 50, 99, 100];
const tooLargeLimits = ['101', '1000', '-1', 'abc', 'Infinity', '101&status=pending'];

/** The parameters first, then the responses. What asks for long lists runs before what looks at every list. */
export const getPetsClauses = defineClauses('GET /pets', [], {
  'list-pets/limit-most-100': {
    sentence: 'GET /pets returns at most 100 animals, whatever limit is.',
    observes: true,
    run: (context) =>
      expectEveryList(context, findTooLong, ['', ...tooLargeLimits.map((limit) => `?limit=${limit}`)]),
  },
  'list-pets/limit-is-a-maximum': {
    sentence: 'GET /pets returns no more animals than limit.',
    tolerated: [{ open: 'the number of animals on a page', answers: 'fewer than limit, but at least one' }],
    observes: true,
    run: (context) =>
      expectEveryList(
        context,
        findTooMany,
        limits.map((limit) => `?limit=${limit}`),
        { isMadeUp: true },
      ),
  },
  'list-pets/limit-bounds': {
    sentence: 'GET /pets accepts limit=1 and limit=100.',
    run: async ({ client }) => {
      for (const limit of [1, 100]) expectStatus(await client.send({ path: `/pets?limit=${limit}` }), 200);
    },
  },
  'list-pets/limit-default': {
    sentence: 'GET /pets without limit returns as many animals as with limit=20, with and without a status.',
    run: expectDefaultLimit,
  },
  'list-pets/limit-invalid': {
    sentence:
      'GET /pets with a limit that is not an integer from 1 to 100 returns a 4xx or a conforming list.',
    tolerated: [{ open: 'an invalid limit', answers: 'any 4xx with an Error, or a conforming list' }],
    run: (context) => expectRefusalsOrLists(context, invalidLimits),
  },
  'list-pets/status-invalid': {
    sentence: 'GET /pets with a status that is not one of the three returns a 4xx or a conforming list.',
    tolerated: [{ open: 'an invalid status', answers: 'any 4xx with an Error, or a conforming list' }],
    run: (context) => expectRefusalsOrLists(context, invalidStatuses),
  },
  'list-pets/status-filters': {
    sentence: 'GET /pets with a status returns only animals with that status.',
    observes: true,
    run: (context) =>
      expectEveryList(
        context,
        findOtherStatus,
        statuses.flatMap((status) => [`?status=${status}`, `?status=${status}&limit=100`]),
        { isMadeUp: true },
      ),
  },
  'list-pets/status-complete': {
    sentence:
      'GET /pets with a status returns every animal with that status, unless limit cuts the list short.',
    run: expectStatusComplete,
  },
  'list-pets/filter-before-limit': {
    sentence: 'GET /pets applies limit to the animals that have the status.',
    run: expectFilterBeforeLimit,
  },
  'list-pets/success': {
    sentence: 'GET /pets with valid parameters returns 200 and a JSON array.',
    tolerated: [{ open: 'the ordering of the list', answers: 'any order, and another one each time' }],
    observes: true,
    run: expectListsReturned,
  },
  'list-pets/pets': {
    sentence:
      'Every element of every list is a Pet: an int64 id and categoryId, a string name, a valid status if any.',
    observes: true,
    run: (context) => expectEveryList(context, findPetFault, ['?limit=100']),
  },
  'list-pets/unique-ids': {
    sentence: 'No two animals in a list have the same id.',
    observes: true,
    run: (context) => expectEveryList(context, findTwins, ['?limit=100']),
  },
});

/** Queries with a limit that is not an integer from 1 to 100. */
const invalidLimits = [
  ...['0', '-1', '101', '1000', '9223372036854775808', '1e3', '0x64', '08', '%2B5', '%D9%A3', '1.5', '1,2'],
  ...['abc', '', 'null', '%00', '0&status=pending', 'abc&status=sold', '1000&status=available'],
  ...['101&status=pending', 'Infinity'],
].map((limit) => `?limit=${limit}`);

/** Queries with a status that is not one of the three. */
const invalidStatuses = [
  ...['lost', 'AVAILABLE', '', 'available,sold', 'null', "'", 'constructor', '%00', '%E0%A4'].map(
    (status) => `?status=${status}`,
  ),
  '?limit=1&status=',
  '?limit=2&status=lost',
];

/** Expects a 4xx or a list for each query; whether the list conforms, other clauses tell. */
function expectRefusalsOrLists({ client }: Context, queries: readonly string[]): Promise<void> {
  return inParallel(queries, async (query) => {
    const exchange = await client.send({ path: `/pets${query}` });
    expectNoServerFault(exchange);
    const isRefused = (exchange.response?.status ?? 0) >= 400;
    if (!isRefused && toList(exchange) === undefined) {
      throw new Failed('a 4xx or a list', outcomeOf(exchange), exchange);
    }
  });
}
