import type { JsonObject } from '../../common/exact-json.ts';
import type { Check } from '../core/check.ts';
import { type Context, statuses } from '../core/context.ts';
import { inParallel } from '../core/in-parallel.ts';
import { type AnimalList, fetchList, isWhole, LONGEST_LIST, listAnimals, toList } from '../core/lists.ts';
import { expectNoServerFault, outcomeOf, readJson } from '../core/read-exchange.ts';
import { Failed, Skipped, Unstable } from '../core/result.ts';
import { tryAgain } from '../core/try-again.ts';

/** Queries with a limit that is none from 1 to 100. */
const invalidLimits = [
  ...['0', '-1', '101', '1000', '9223372036854775808', '1e3', '0x64', '08', '%2B5', '%D9%A3', '1.5', '1,2'],
  ...[
    'abc',
    '',
    'null',
    '%00',
    '0&status=pending',
    'abc&status=sold',
    '1000&status=available',
    '101&status=pending',
    'Infinity',
  ],
].map((limit) => `?limit=${limit}`);

/** Queries with a status that is none of three. */
const invalidStatuses = [
  ...['lost', 'AVAILABLE', '', 'available,sold', 'null', "'", 'constructor', '%00', '%E0%A4'].map(
    (status) => `?status=${status}`,
  ),
  '?limit=1&status=',
  '?limit=2&status=lost',
];

/** What the specification asks of lists for a query. Source: GET /pets */
export const listPetsChecks: readonly Check[] = [
  {
    clause: 'list-pets/limit-bounds',
    run: async ({ client }) => {
      for (const limit of ['1', '100']) {
        const exchange = await client.send({ path: `/pets?limit=${limit}` });
        if (exchange.response?.status !== 200) throw new Failed('200', outcomeOf(exchange), exchange);
      }
    },
  },
  { clause: 'list-pets/limit-default', run: expectDefaultOf20 },
  { clause: 'list-pets/limit-invalid', run: (context) => expectRefusalsOrLists(context, invalidLimits) },
  { clause: 'list-pets/status-invalid', run: (context) => expectRefusalsOrLists(context, invalidStatuses) },
  { clause: 'list-pets/status-complete', run: expectAllOfStatus },
  { clause: 'list-pets/filter-before-limit', run: expectFilterFirst },
];

/** The list with 20 is asked for before and after, since others may add animals meanwhile. */
async function expectDefaultOf20(context: Context): Promise<void> {
  let isTold = false;
  for (const filter of ['', ...statuses.map((status) => `&status=${status}`)]) {
    // Others may sell an animal, and get it back, between the lists.
    const isTwenty = await tryAgain(() => expectAsWith20(context, filter));
    const isCut = async () => (await listAnimals(context, `?limit=21${filter}`)).length > 20;
    if (isTwenty) isTold ||= await isCut();
  }
  // What is not known is no reason for more.
  const unknown = toList(await context.client.send({ path: '/pets?contract-test=1' }));
  if (unknown !== undefined && unknown.animals.length > 20) {
    throw new Failed('at most 20 animals', `${unknown.animals.length}`, unknown.exchange);
  }
  if (!isTold) throw new Skipped('there are too few animals to tell 20 from a larger default: 21 are needed');
}

/** @returns whether there are 20. */
async function expectAsWith20(context: Context, filter: string): Promise<boolean> {
  const count = async () => (await listAnimals(context, `?limit=20${filter}`)).length;
  const before = await count();
  const { animals, exchange } = await fetchList(context, filter.replace('&', '?'));
  const after = await count();
  if (animals.length < Math.min(before, after) || animals.length > Math.max(before, after)) {
    throw new Unstable(`${before} animals, as with limit=20`, `${animals.length}`, exchange);
  }
  return before === 20;
}

function expectRefusalsOrLists({ client }: Context, invalid: readonly string[]): Promise<void> {
  return inParallel(invalid, async (query) => {
    const exchange = await client.send({ path: `/pets${query}` });
    const status = exchange.response?.status ?? 0;
    expectNoServerFault(exchange);
    if (status >= 400) return;
    if (status === 200 && Array.isArray(readJson(exchange))) return;
    throw new Failed('a 4xx or a list', outcomeOf(exchange), exchange);
  });
}

/** What is in the whole list before and after was there in between, when the animals of a status were listed. */
async function expectAllOfStatus(context: Context): Promise<void> {
  let isTried = false;
  for (const status of statuses) {
    const isTold = await tryAgain(() => expectAllOf(context, status));
    isTried ||= isTold;
  }
  if (!isTried) throw new Skipped('no status has an animal and so few that all of them are listed');
}

/** @returns whether the lists could tell. */
async function expectAllOf(context: Context, status: string): Promise<boolean> {
  const before = await listAnimals(context, `?limit=${LONGEST_LIST}`);
  const filtered = await fetchList(context, `?limit=${LONGEST_LIST}&status=${status}`);
  const after = await listAnimals(context, `?limit=${LONGEST_LIST}`);
  if (!isWhole(context, filtered.animals, before)) return false;
  expectEvery(status, before, filtered, after);
  return before.some((animal) => animal.status === status);
}

/** An animal may be sold between two lists. */
function expectEvery(
  status: string,
  before: readonly JsonObject[],
  { animals, exchange }: AnimalList,
  after: readonly JsonObject[],
): void {
  const known = new Set(animals.map(({ id }) => id));
  const still = new Set(after.filter((animal) => animal.status === status).map(({ id }) => id));
  const missing = before.find(
    (animal) => animal.status === status && still.has(animal.id ?? null) && !known.has(animal.id ?? null),
  );
  if (missing === undefined) return;
  const expected = `the animal with the id ${missing.id}, which has the status ${status}, in the list`;
  throw new Unstable(expected, 'a list without it', exchange);
}

async function expectFilterFirst(context: Context): Promise<void> {
  let isTried = false;
  for (const status of statuses) {
    const before = await listAnimals(context, `?limit=${LONGEST_LIST}`);
    const matching = before.filter((animal) => animal.status === status).length;
    for (const limit of [1, 2]) {
      if (matching < limit) continue;
      const { animals, exchange } = await fetchList(context, `?limit=${limit}&status=${status}`);
      const isStillThere = async () =>
        (await listAnimals(context, `?limit=${LONGEST_LIST}`)).some((animal) => animal.status === status);
      if (animals.length === 0 && (await isStillThere())) {
        const expected = `an animal with the status ${status}, there being ${matching}`;
        throw new Failed(expected, 'none', exchange);
      }
      // Where all animals have the status, the order makes no difference.
      isTried ||= matching < before.length;
    }
  }
  if (!isTried) throw new Skipped('there are no animals of more than one status');
}
