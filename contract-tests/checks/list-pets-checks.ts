import type { JsonObject } from '../../common/exact-json.ts';
import type { Check } from '../check.ts';
import {
  type Context,
  isWhole,
  LONGEST_LIST,
  listAnimals,
  outcomeOf,
  readJson,
  statuses,
} from '../context.ts';
import { Unfulfilled, Untried } from '../verdict.ts';

/** Values of limit that are none from 1 to 100. */
const invalidLimits = [
  '0',
  '-1',
  '101',
  '1000',
  '9223372036854775808',
  'abc',
  '1.5',
  '',
  '1,2',
  'null',
  '%00',
  '1e3',
  '0x64',
  '%2B5',
];

/** Values of status that are none of three. */
const invalidStatuses = ['lost', 'AVAILABLE', '', 'available,sold', 'null', "'"];

/** What the specification asks of lists. Source: GET /pets */
export const listPetsChecks: readonly Check[] = [
  {
    clause: 'list-pets/limit-bounds',
    run: async ({ client }) => {
      for (const limit of ['1', '100']) {
        const exchange = await client.send({ path: `/pets?limit=${limit}` });
        if (exchange.response?.status !== 200) throw new Unfulfilled('200', outcomeOf(exchange), exchange);
      }
    },
  },
  {
    clause: 'list-pets/limit-is-a-maximum',
    run: async (context) => {
      for (const limit of [1, 2, 3, 5, 10, 19, 21, 50, 99, 100]) {
        await expectAtMost(context, `?limit=${limit}`, limit);
      }
      for (const status of statuses) await expectAtMost(context, `?limit=2&status=${status}`, 2);
    },
  },
  { clause: 'list-pets/limit-most-100', run: expectNeverOver100 },
  { clause: 'list-pets/limit-default', run: expectDefaultOf20 },
  {
    clause: 'list-pets/limit-invalid',
    run: (context) =>
      expectRefusalsOrLists(
        context,
        invalidLimits.map((limit) => `?limit=${limit}`),
      ),
  },
  {
    clause: 'list-pets/status-invalid',
    run: (context) =>
      expectRefusalsOrLists(
        context,
        invalidStatuses.map((status) => `?status=${status}`),
      ),
  },
  {
    clause: 'list-pets/status-filters',
    run: async (context) => {
      for (const status of statuses) {
        for (const query of [`?status=${status}`, `?status=${status}&limit=${LONGEST_LIST}`]) {
          const list = await listAnimals(context, query);
          const other = list.find((animal) => animal.status !== status);
          if (other !== undefined)
            throw new Unfulfilled(`only animals with the status ${status}`, print(other));
        }
      }
    },
  },
  { clause: 'list-pets/status-complete', run: expectAllOfStatus },
  { clause: 'list-pets/filter-before-limit', run: expectFilterFirst },
];

async function expectAtMost(context: Context, query: string, most: number): Promise<void> {
  const list = await listAnimals(context, query);
  if (list.length > most) throw new Unfulfilled(`at most ${most} animals for ${query}`, `${list.length}`);
}

async function expectNeverOver100({ client }: Context): Promise<void> {
  for (const query of [
    '?limit=101',
    '?limit=150',
    '?limit=1000',
    '?limit=0',
    '?limit=-1',
    '?limit=abc',
    '',
  ]) {
    const exchange = await client.send({ path: `/pets${query}` });
    const list = readJson(exchange);
    if (exchange.response?.status === 200 && Array.isArray(list) && list.length > LONGEST_LIST) {
      throw new Unfulfilled('at most 100 animals', `${list.length}`, exchange);
    }
  }
}

/** The list with 20 is asked for before and after, since others may add animals meanwhile. */
async function expectDefaultOf20(context: Context): Promise<void> {
  let isTold = false;
  for (const filter of ['', ...statuses.map((status) => `status=${status}`)]) {
    const count = async (query: string) => (await listAnimals(context, `?${query}`)).length;
    const before = await count(`limit=20&${filter}`.replace(/&$/, ''));
    const without = await count(filter);
    const after = await count(`limit=20&${filter}`.replace(/&$/, ''));
    if (without < Math.min(before, after) || without > Math.max(before, after)) {
      throw new Unfulfilled(`${before} animals without limit, as with limit=20`, `${without}`);
    }
    if (before === 20) isTold ||= (await count(`limit=21&${filter}`.replace(/&$/, ''))) > 20;
  }
  if (!isTold) throw new Untried('there are too few animals to tell 20 from a larger default: 21 are needed');
}

async function expectRefusalsOrLists({ client }: Context, queries: readonly string[]): Promise<void> {
  for (const query of queries) {
    const exchange = await client.send({ path: `/pets${query}` });
    const status = exchange.response?.status ?? 0;
    // A fault of the server, or none, is another clause's.
    if ((status >= 400 && status < 600) || status === 0) continue;
    const list = readJson(exchange);
    if (status === 200 && Array.isArray(list)) continue;
    throw new Unfulfilled('a 4xx or a list', outcomeOf(exchange), exchange);
  }
}

/** What is in the whole list before and after was there in between, when the animals of a status were listed. */
async function expectAllOfStatus(context: Context): Promise<void> {
  let isTried = false;
  for (const status of statuses) {
    const before = await listAnimals(context, `?limit=${LONGEST_LIST}`);
    const filtered = await listAnimals(context, `?limit=${LONGEST_LIST}&status=${status}`);
    const after = await listAnimals(context, `?limit=${LONGEST_LIST}`);
    if (!isWhole(filtered, before)) continue;
    const known = new Set(filtered.map(({ id }) => id));
    // An animal may be sold between two lists.
    const still = new Set(after.filter((animal) => animal.status === status).map(({ id }) => id));
    const missing = before.find(
      (animal) => animal.status === status && still.has(animal.id ?? null) && !known.has(animal.id ?? null),
    );
    if (missing !== undefined)
      throw new Unfulfilled(`${print(missing)} in the list of ${status}`, 'a list without it');
    isTried ||= before.some((animal) => animal.status === status);
  }
  if (!isTried) throw new Untried('no status has an animal and so few that all of them are listed');
}

async function expectFilterFirst(context: Context): Promise<void> {
  let isTried = false;
  for (const status of statuses) {
    const before = await listAnimals(context, `?limit=${LONGEST_LIST}`);
    const matching = before.filter((animal) => animal.status === status).length;
    for (const limit of [1, 2]) {
      if (matching < limit) continue;
      const list = await listAnimals(context, `?limit=${limit}&status=${status}`);
      const isStillThere = async () =>
        (await listAnimals(context, `?limit=${LONGEST_LIST}`)).some((animal) => animal.status === status);
      if (list.length === 0 && (await isStillThere()))
        throw new Unfulfilled(`an animal with the status ${status}, there being ${matching}`, 'none');
      // Where all animals have the status, the order makes no difference.
      isTried ||= matching < before.length;
    }
  }
  if (!isTried) throw new Untried('there are no animals of more than one status');
}

function print(animal: JsonObject): string {
  return `the animal with the id ${animal.id} and the status ${String(animal.status)}`;
}
