import { setTimeout as delay } from 'node:timers/promises';
import { Failed } from '../../client/clause-errors.ts';
import type { Exchange } from '../../client/exchange.ts';
import type { CarriedOverFault } from '../../failures/failure.ts';
import type { Context } from '../../vocabulary/context.ts';
import { DEFAULT_LIMIT, LONGEST, queryOf, readParameter } from '../../vocabulary/list-parameters.ts';

/** Queries that follow each other: after a status, none; after a limit, a larger one or none; and the other way round. */
const sequence = [
  ...[`${LONGEST}&status=sold`, LONGEST, '?limit=3', LONGEST],
  ...['', '?limit=3', '', '?status=pending', ''],
];

/** Number of lists in a run that may not write. */
const MOST_LISTS = 5;

/** The least number of animals in a list that show a status which was not asked for. */
const LEAST_OF_STATUS = 2;

/** Times to wait before a list is requested once more without the other one before it, in ms: it may be in a cache. */
const PAUSES = [0, 250, 500, 1_000, 1_500];

/** A parameter of the list before, and a query to request in its place. */
type Suspect = Pick<CarriedOverFault, 'parameter' | 'value'> & { readonly instead: string };

/** Expects each list to be what its own parameters ask for, whatever was requested before. */
export async function expectIndependent(context: Context): Promise<void> {
  let before: Exchange | undefined;
  for (const query of context.chooseFew(sequence, MOST_LISTS)) {
    const list = await context.fetchList(query);
    context.compare(list, list.animals);
    const suspect = before && findCarriedOver(before, list);
    if (before !== undefined && suspect !== undefined && hasShownMore(context, before, list))
      await expectSteadily(context, before, list, suspect);
    before = list;
  }
}

/** Finds a parameter of the list before that a list seems to have too. Invalid lists are left to other clauses. */
function findCarriedOver(before: Exchange, list: Exchange): Suspect | undefined {
  const [earlier, own] = [before, list].map(({ path }) => queryOf(path)) as [
    URLSearchParams,
    URLSearchParams,
  ];
  const status = readParameter(earlier, 'status');
  const isOfStatus = list.animals.every((animal) => animal.status === status);
  if (status !== undefined && !own.has('status') && list.animals.length >= LEAST_OF_STATUS && isOfStatus)
    return { parameter: 'status', value: status, instead: LONGEST };
  const limit = readParameter(earlier, 'limit');
  const isLarger = Number(own.get('limit') ?? DEFAULT_LIMIT) > Number(limit);
  if (limit !== undefined && isLarger && list.animals.length === Number(limit))
    return { parameter: 'limit', value: limit, instead: `?limit=${DEFAULT_LIMIT}` };
  return undefined;
}

/** Returns whether another response to the same request had animals that the parameter of the list before excludes. */
function hasShownMore(context: Context, before: Exchange, list: Exchange): boolean {
  const { lists } = context;
  return lists.some((other) => other.path === list.path && findCarriedOver(before, other) === undefined);
}

/**
 * How often a list has to depend on the list before, each time that it is tried. A short page of animals in a random order, of
 * which nine in ten are sold, shows sold animals only by chance: seven of them in every second list.
 */
const TIMES_CARRIED = 6;

async function isCarriedAgain(context: Context, before: Exchange, list: Exchange): Promise<boolean> {
  for (let time = 0; time < TIMES_CARRIED; time += 1) {
    await context.get(before.path);
    const again = await context.get(list.path);
    if (!again.isList || findCarriedOver(before, again) === undefined) return false;
  }
  return true;
}

/** @throws Failed when the list depends on the list before, each time that both are requested */
async function expectSteadily(context: Context, before: Exchange, list: Exchange, suspect: Suspect) {
  const { instead, ...carried } = suspect;
  if (!(await isCarriedAgain(context, before, list))) return;
  for (const pause of PAUSES) {
    await delay(pause, undefined, { signal: context.signal });
    await context.get(`/pets${instead}`);
    const again = await context.get(list.path);
    if (!again.isList || findCarriedOver(before, again) !== undefined) continue;
    if (!(await isCarriedAgain(context, before, list))) return;
    throw new Failed({ kind: 'carried over', ...carried }, list, { before: [before], more: [again] });
  }
}
