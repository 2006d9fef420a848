import type { JsonObject } from '../../common/exact-json.ts';
import { idOf, isAddition } from '../core/add-animal.ts';
import { defineClauses } from '../core/clause.ts';
import { type Context, chooseFew, statuses } from '../core/context.ts';
import { type Exchange, outcomeOf } from '../core/exchange.ts';
import { describeNoJson } from '../core/find-schema-fault.ts';
import { findStaleness } from '../core/find-staleness.ts';
import { inParallel } from '../core/in-parallel.ts';
import { isWhole } from '../core/is-whole.ts';
import {
  type AnimalList,
  DEFAULT_LIMIT,
  fetchList,
  LONGEST,
  listAnimals,
  listsSoFar,
  lookInTime,
  MOST_LISTED,
  requestLists,
  toList,
} from '../core/list-animals.ts';
import {
  expectNoServerFault,
  expectStatus,
  Failed,
  Skipped,
  TooFewAnimals,
  trySome,
  Unproven,
  Unstable,
} from '../core/result.ts';
import { tryAgain } from '../core/try-again.ts';
import { expectEveryList, expectListsReturned, listFaults } from './get-pets/expect-every-list.ts';
import { expectOneStatus, expectStatusesShown } from './get-pets/expect-statuses.ts';

const toQuery = (limit: string | number) => `?limit=${limit}`;
const limits = [20, 5, 50, 100, 1, 2, 3, 10, 19, 21, 99].map(toQuery);
const tooLarge = ['101', '1000', '-1', 'abc', 'Infinity', '101&status=pending'].map(toQuery);
/** Invalid limits that a service may take for no limit at all. */
const unlimited = ['0', '101', '1000'].map(toQuery);
const byStatus = statuses.flatMap((status) => [`?status=${status}`, `?status=${status}&limit=100`]);

/** The parameters first, then the responses. What asks for long lists runs before what looks at every list. */
export const getPetsClauses = defineClauses('GET /pets', [], {
  'list-pets/limit-most-100': {
    sentence: 'GET /pets returns at most 100 animals, whatever limit is.',
    explainedBy: ['list-pets/limit-is-a-maximum', 'list-pets/limit-default'],
    observes: true,
    run: async (context) => {
      const { client } = context;
      // The animals of this run may have brought the store past 100 since these were tried.
      const again = client.journal.some(isAddition) ? unlimited : [];
      await inParallel(again, async (query) => void (await client.send({ path: `/pets${query}` })));
      await expectEveryList(context, listFaults.tooLong, ['', ...tooLarge]);
    },
  },
  'list-pets/limit-is-a-maximum': {
    sentence: 'GET /pets returns no more animals than limit.',
    tolerated: [{ open: 'the number of animals on a page', answers: 'fewer than limit, but at least one' }],
    observes: true,
    run: (context) =>
      expectEveryList(context, listFaults.longerThanLimit, chooseFew(context, limits, 4), { isMadeUp: true }),
  },
  'list-pets/limit-bounds': {
    isBeside: true,
    sentence: 'GET /pets accepts limit=1 and limit=100.',
    explainedBy: ['list-pets/success'],
    run: async ({ client }) => {
      for (const limit of [1, 100]) expectStatus(await client.send({ path: `/pets?limit=${limit}` }), 200);
    },
  },
  'list-pets/limit-default': {
    isBeside: true,
    sentence: 'GET /pets without limit returns as many animals as with limit=20, with and without a status.',
    explainedBy: ['list-pets/limit-is-a-maximum', 'list-pets/status-filters', 'list-pets/success'],
    run: expectDefaultLimit,
  },
  'list-pets/limit-invalid': {
    isBeside: true,
    sentence:
      'GET /pets with a limit that is not an integer from 1 to 100 returns a 4xx or a conforming list.',
    explainedBy: ['list-pets/success'],
    tolerated: [{ open: 'an invalid limit', answers: 'any 4xx with an Error, or a conforming list' }],
    run: (context) => expectRefusalsOrLists(context, chooseFew(context, invalidLimits, 7)),
  },
  'list-pets/status-invalid': {
    isBeside: true,
    sentence: 'GET /pets with a status that is not one of the three returns a 4xx or a conforming list.',
    tolerated: [{ open: 'an invalid status', answers: 'any 4xx with an Error, or a conforming list' }],
    run: (context) => expectRefusalsOrLists(context, chooseFew(context, invalidStatuses, 5)),
  },
  'list-pets/status-filters': {
    sentence: 'GET /pets with a status returns only animals with that status.',
    tolerated: [
      { open: 'a status that an animal does not show', answers: 'one of the three for the filter' },
    ],
    explainedBy: ['list-pets/pets'],
    observes: true,
    run: async (context) => {
      await requestLists(context, byStatus);
      await expectOneStatus(context);
      await expectEveryList(context, listFaults.otherStatus, byStatus, { isMadeUp: true });
    },
  },
  'list-pets/status-complete': {
    isBeside: true,
    sentence:
      'GET /pets with a status returns every animal with that status, unless limit cuts the list short.',
    explainedBy: ['list-pets/status-filters', 'list-pets/limit-is-a-maximum', 'list-pets/unique-ids'],
    run: expectStatusComplete,
  },
  'list-pets/filter-before-limit': {
    isBeside: true,
    sentence: 'GET /pets applies limit to the animals that have the status.',
    explainedBy: ['list-pets/status-filters', 'list-pets/limit-bounds', 'list-pets/status-complete'],
    run: expectFilterBeforeLimit,
  },
  'list-pets/success': {
    sentence: 'GET /pets with valid parameters returns 200 and a JSON array.',
    tolerated: [{ open: 'the ordering of the list', answers: 'any order, and another one each time' }],
    observes: true,
    run: expectListsReturned,
  },
  'advised/fresh-lists': {
    level: 'advised',
    sentence: 'GET /pets shows a new animal at once.',
    tolerated: [{ open: 'how soon a list shows what was added', answers: 'within 2 s (--settle)' }],
    needs: ['writes'],
    observes: true,
    run: async (context) => {
      const { lags, client, decide } = context;
      const [lag] = lags.filter(({ ms }) => Number.isFinite(ms)).toSorted((one, other) => other.ms - one.ms);
      if (lag !== undefined) {
        throw new Failed('a new animal at once', `it ${Math.round(lag.ms)} ms later`, lag.exchange);
      }
      const listed = new Set(listsSoFar(context).flatMap(({ animals }) => animals.map(({ id }) => id)));
      const shown = client.journal.filter((one) => isAddition(one) && listed.has(idOf(one)));
      // Perhaps the deployment answers no more, which this tells.
      if (shown.length === 0) await listAnimals(context, '?limit=1');
      decide(shown.length);
    },
  },
  'list-pets/pets': {
    sentence:
      'Every element of every list is a Pet: an int64 id and categoryId, a string name, and its status if it has one.',
    explainedBy: ['list-pets/success', 'create-pet/'],
    observes: true,
    run: async (context) => {
      await expectEveryList(context, listFaults.notPet, ['?limit=100']);
      await expectStatusesShown(context);
    },
  },
  'list-pets/unique-ids': {
    sentence: 'No two animals in a list have the same id.',
    observes: true,
    run: (context) => expectEveryList(context, listFaults.twins, ['?limit=100']),
  },
});

const invalidLimits = [
  ...['0', '-1', '101', '1000', '9223372036854775808', '1e3', '%00', '08', '%2B5', '%D9%A3', '100.5'],
  ...['1,2', 'abc', '', '0&status=pending', 'abc&status=sold'],
  ...['101&status=pending', 'Infinity'],
].map(toQuery);

const invalidStatuses = [
  ...['lost', 'AVAILABLE', '', '%00', '%E0%A4', 'available,sold', 'null', "'", 'constructor'].map(
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
      const actual = `${outcomeOf(exchange)}: ${describeNoJson(exchange)}`;
      throw new Failed('a 4xx or a list', actual, exchange);
    }
  });
}

async function expectDefaultLimit(context: Context): Promise<void> {
  let isTold = false;
  const filters = ['', ...statuses.map((status) => `&status=${status}`)];
  for (const filter of chooseFew(context, filters, 2)) {
    // Others may sell an animal, or get it back, between the lists.
    const isFull = await tryAgain(context, () => expectAsWithLimit20(context, filter)).catch((error) =>
      expectNotStale(context, filter, error),
    );
    const hasMore = async () => (await listAnimals(context, `?limit=21${filter}`)).length > DEFAULT_LIMIT;
    if (isFull) isTold ||= await hasMore();
  }
  // An unknown parameter must not lift the default limit.
  const unknown = toList(await context.client.send({ path: '/pets?contract-test=1' }));
  if (unknown !== undefined && unknown.animals.length > DEFAULT_LIMIT) {
    throw new Failed('at most 20 animals', `${unknown.animals.length}`, unknown.exchange);
  }
  if (!isTold) throw new TooFewAnimals('too few animals to tell 20 from a larger default: 21 are needed');
}

/** Waits for a list that is older than the animals of this run. @throws the error, if the list is not. */
async function expectNotStale(context: Context, filter: string, error: unknown): Promise<boolean> {
  if (findStaleList(context, error) === undefined) throw error;
  let isFull = false;
  const fault = await lookInTime(context, async () => {
    try {
      isFull = await expectAsWithLimit20(context, filter);
      return undefined;
    } catch (again) {
      if (again instanceof Failed) return again;
      throw again;
    }
  });
  if (fault === undefined) return isFull;
  const exchange = findStaleList(context, fault);
  if (exchange === undefined) throw fault;
  context.lags.push({ exchange, ms: Number.POSITIVE_INFINITY });
  throw new Unproven('the list without limit is stale: see create-pet/stored');
}

/** The list of a failure, if it has too few animals because it is stale. */
function findStaleList(context: Context, error: unknown): Exchange | undefined {
  const exchange = error instanceof Failed ? error.exchange : undefined;
  const { length } = (exchange && toList(exchange))?.animals ?? [];
  const isStale = exchange !== undefined && length < DEFAULT_LIMIT && findStaleness(context, exchange);
  return isStale ? exchange : undefined;
}

/** Requests limit=20 before and after, since others may add animals in between. @returns whether there are 20. */
async function expectAsWithLimit20(context: Context, filter: string): Promise<boolean> {
  const fetchTwenty = () => fetchList(context, `?limit=20${filter}`);
  const first = await fetchTwenty();
  const before = first.animals.length;
  const { animals, exchange } = await fetchList(context, filter.replace('&', '?'));
  if (animals.length === before) return before === DEFAULT_LIMIT;
  const after = (await fetchTwenty()).animals.length;
  if (animals.length < Math.min(before, after) || animals.length > Math.max(before, after)) {
    throw new Unstable(`${before} animals, as with limit=20`, `${animals.length}`, exchange, {
      before: [first.exchange],
    });
  }
  return false;
}

async function expectStatusComplete(context: Context): Promise<void> {
  const reason = 'no list by status could tell: it may not show every animal';
  await tryAgain(context, async () => {
    const fault = await lookInTime(context, async () => {
      const before = await listAnimals(context);
      const lists = new Map<string, AnimalList>();
      for (const status of statuses)
        lists.set(status, await fetchList(context, `${LONGEST}&status=${status}`));
      const after = await listAnimals(context);
      const expectOne = async ([status, list]: [string, AnimalList]) =>
        expectAllOf(context, status, list, before, after);
      const Verdict = before.length < MOST_LISTED ? TooFewAnimals : Skipped;
      return trySome([...lists], reason, expectOne, Verdict).then(
        () => undefined,
        (error) => (error instanceof Unstable ? error : Promise.reject(error)),
      );
    });
    if (fault !== undefined) throw fault;
  });
}

/** What is listed with the status before and after was there in between. @returns whether anything was. */
function expectAllOf(
  context: Context,
  status: string,
  list: AnimalList,
  before: readonly JsonObject[],
  after: readonly JsonObject[],
): boolean {
  const { animals, exchange } = list;
  if (!isWhole(context, list, before)) return false;
  const listed = new Set(animals.map(({ id }) => id));
  const still = new Set(after.filter((animal) => animal.status === status).map(({ id }) => id));
  const known = before.filter((animal) => animal.status === status);
  const missing = known.find(({ id = null }) => still.has(id) && !listed.has(id));
  if (missing !== undefined) {
    const expected = `the animal ${missing.id}, which has the status ${status}, in the list`;
    throw new Unstable(expected, 'a list without it', exchange, { about: missing.id });
  }
  return known.length > 0;
}

/** Expects a small limit not to hide the animals of a status behind those of another. */
async function expectFilterBeforeLimit(context: Context): Promise<void> {
  const before = await listAnimals(context);
  await trySome(
    statuses,
    'there are no animals of more than one status',
    async (status) => {
      const matching = before.filter((animal) => animal.status === status).length;
      for (const limit of [1, 2].filter((least) => matching >= least)) {
        const fault = await lookInTime(context, async () => {
          const { animals, exchange } = await fetchList(context, `?limit=${limit}&status=${status}`);
          if (animals.length > 0) return undefined;
          const isStillThere = (await listAnimals(context)).some((animal) => animal.status === status);
          const expected = `one of ${matching} animals with the status ${status}`;
          return isStillThere ? new Failed(expected, 'none', exchange) : undefined;
        });
        if (fault !== undefined) throw fault;
      }
      // If all animals have the status, the order makes no difference.
      return matching > 0 && matching < before.length;
    },
    TooFewAnimals,
  );
}
