import type { Member } from '../../common/json/animal-facts.ts';
import type { ExactJson } from '../../common/json/exact-json.ts';
import type { RequestOptions } from '../client/to-request.ts';
import type { History } from '../history/history.ts';
import { LARGEST_LIMIT, LONGEST } from '../history/list-parameters.ts';
import { isValueOf } from '../history/member-values.ts';
import { type Sender, spread } from './sender.ts';

const LIMITS = ['100', '', '1', '5', '19', '20', '21', '50', '99'];
const LIMITS_AGAIN = ['100', '', '1', '5', '20', '99'];
const FEW_LIMITS = ['100', '', '20', '5'];
/** In a run that may not write. */
const LEAST_LIMITS = ['100', '', '1', '15', '20', '21'];

/** How many values are requested of a filter that may have any of its type. */
const MOST_VALUES = 2;

/** Lists a query for each value of each filter. A filter that may have any value gets the first ones that animals have shown. */
export function listFilters({ history }: Sender): readonly string[] {
  return history.contract.filters.flatMap((filter) => {
    const values = filter.values ?? listShownValues(history, filter).slice(0, MOST_VALUES);
    return values.map((value) => `${filter.name}=${encodeURIComponent(`${value}`)}`);
  });
}

function listShownValues({ animals }: History, filter: Member): readonly (ExactJson | undefined)[] {
  const shown = [...animals.values()].map(({ observations }) => observations[0]?.shown?.[filter.name]);
  return [...new Set(shown)].filter((value) => value !== undefined && isValueOf(filter, value));
}

/**
 * Yields lists with each limit, of all animals and by each filter. What the first lists show, the next ones ask for. The list of all comes
 * again before the last filter: so it reaches both of two instances that take turns, and each filter the other one in the next five.
 */
export function* listsWith(
  sender: Sender,
  limits: readonly string[],
  isFilterFirst = false,
): Generator<RequestOptions> {
  for (const limit of limits.map((one) => one && `limit=${one}`)) {
    const toList = (filter: string) => {
      const parameters = [limit, filter].filter((one) => one !== '');
      const query = (isFilterFirst ? parameters.reverse() : parameters).join('&');
      return { path: query === '' ? '/pets' : `/pets?${query}` };
    };
    yield toList('');
    const filters = listFilters(sender);
    yield* [...filters.slice(0, -1), '', ...filters.slice(-1)].map(toList);
  }
}

/** The first look at the lists. What it shows is no longer new after the time to settle. */
export async function sendLists(sender: Sender): Promise<void> {
  // First, since a service that has just started may not know its keys yet.
  for (const [trial, authorization] of firstKeys(sender))
    await sender.send({ path: '/pets', authorization, trial });
  await sender.sendEach(listsWith(sender, sender.mayWrite ? LIMITS : LEAST_LIMITS));
  sender.noteNew();
}

function firstKeys({ target }: Sender) {
  return [['missing key', undefined] as const, ['invalid key', `Bearer ${target.otherKey}`] as const];
}

/** Maximum number of animals that are requested by their ids once more. */
const MOST_DENIED = 5;

/**
 * Waits until nothing that the first look has shown is new, and requests once more what it has shown and ids did not find. What the run
 * adds later may take it off the lists, as if others had removed it.
 */
export async function sendPause(sender: Sender): Promise<void> {
  await sender.settle();
  if (sender.history.isGetPetRemoved) return;
  const denied = [...sender.history.animals.values()].filter(
    ({ observations }) => new Set(observations.map(({ shown }) => shown === undefined)).size > 1,
  );
  if (denied.length === 0) return;
  const look = denied.slice(0, MOST_DENIED).map(({ id }) => ({ path: `/pets/${id}` }));
  await sender.sendEach([...look, ...look, { path: `/pets${LONGEST}` }]);
}

/** Lists that follow each other: after a filter, none; after a limit, a larger one or none; and the other way round. */
const sequence = [
  ...['?limit=100&status=sold', '?limit=100', '?limit=3', '?limit=100'],
  ...['', '?limit=3', '', '?status=pending', '', '?limit=60'],
].map((query) => ({ path: `/pets${query}` }));

/** Number of lists in a run that may not write. */
const MOST_LISTS = 5;

export async function sendSequence(sender: Sender): Promise<void> {
  await sender.sendEach(sender.chooseFew(sequence, MOST_LISTS));
}

/** Requests the lists again, in the other order of the parameters, and some on connections of their own, which other instances may get. */
export async function sendListsAgain(sender: Sender): Promise<void> {
  const onOwn = (requests: Iterable<RequestOptions>) =>
    sender.sendEach([...requests].map((request) => ({ ...request, hasOwnConnection: true })));
  if (!sender.mayWrite) return onOwn(listsWith(sender, FEW_LIMITS, true));
  await sender.sendEach(listsWith(sender, LIMITS_AGAIN, true));
  const longest = [...listsWith(sender, ['100'])];
  // At once, so that their parameters could be mixed up.
  await sender.sendTogether(longest);
  // The animals of this run may have brought the store past 100 since these were tried.
  await sender.sendEach(['0', '101', '1000'].map((limit) => ({ path: `/pets?limit=${limit}` })));
  await onOwn(longest);
}

/** The statuses of the animals that are added for the last look. */
const LAST = ['sold', 'available'];

/**
 * The last look, when nothing can be late any more: animals of the run by id before any list shows them, lists, and by id what these
 * lists do not show.
 */
export async function sendLastLook(sender: Sender): Promise<void> {
  if (sender.mayWrite) for (const status of LAST) await sender.post(sender.createPet('last', status));
  await sender.settle();
  await sender.sendTogether(listOwn(sender));
  const begin = sender.client.now;
  // Between requests for the newest animals, since it may take the next one to bring them into lists.
  const newest = listOwn(sender).slice(-LAST.length);
  if (newest.length > 0)
    for (const limit of ['100', '99'])
      await sender.sendEach([...newest, ...listsWith(sender, [limit]), ...newest]);
  // At once, since a service under load may answer with lists that lack animals.
  await sender.sendTogether([...listsWith(sender, FEW_LIMITS)]);
  await sender.sendTogether(listUnshown(sender, begin));
  if (!sender.mayWrite) return;
  await sender.sendEach(listCached(sender));
  await lookBeforeMore(sender, 1);
}

/**
 * Requests lists, and one more after further animals: if that is longer, the others had room for what they lack. It may take several
 * animals to bring the ones before them into lists.
 */
export async function lookBeforeMore(sender: Sender, count: number): Promise<void> {
  for (const limit of ['100', '99']) await sender.get(`/pets?limit=${limit}`);
  for (let index = 0; index < count; index += 1)
    await sender.post(sender.createPet(`after the last look ${'-'.repeat(50)}`, 'sold'));
  await sender.get('/pets?limit=100');
}

/** Requests for lists of a client that has kept the first ones with their ETags, as a browser does. */
function listCached({ history: { lists } }: Sender): readonly RequestOptions[] {
  const kept = lists.filter(
    ({ exchange: { path, response }, query }) =>
      query.limit === LARGEST_LIMIT &&
      response?.headers.etag !== undefined &&
      response.length === undefined &&
      lists.find(({ exchange }) => exchange.path === path)?.exchange.response === response,
  );
  return kept.flatMap(({ exchange: { path, response } }) => {
    const { etag = '' } = response?.headers ?? {};
    return response === undefined ? [] : [{ path, headers: { 'If-None-Match': etag }, cached: response }];
  });
}

/** Maximum number of animals of others that are requested by their ids at the end. */
const MOST_OTHERS = 40;
const FEW_OTHERS = 10;

/** Requests for the animals of the run by their ids. */
export function listOwn(sender: Sender): RequestOptions[] {
  if (sender.history.isGetPetRemoved) return [];
  const own = [...sender.history.animals.values()].filter(({ addition }) => addition !== undefined);
  return own.map(({ id }) => ({ path: `/pets/${id}` }));
}

/** Requests for the known animals by their ids that no response has shown since a moment, in ms since the run began. */
function listUnshown(sender: Sender, begin: number): readonly RequestOptions[] {
  if (sender.history.isGetPetRemoved) return [];
  const { history } = sender;
  const unshown = [...history.animals.values()].filter(
    ({ id, observations }) =>
      history.isKnown(id) &&
      !observations.some(({ shown, exchange }) => shown !== undefined && exchange.at >= begin),
  );
  const [own, others] = [true, false].map((isOwn) =>
    unshown.filter(({ addition }) => (addition !== undefined) === isOwn),
  );
  const chosen = [...(own ?? []), ...spread(others ?? [], sender.mayWrite ? MOST_OTHERS : FEW_OTHERS)];
  return chosen.map(({ id }) => ({ path: `/pets/${id}` }));
}
