import type { Exchange } from '../../common/learn/exchange.ts';
import { type FinishedRun, type Observation, observe, toRefusal } from '../../common/learn/finished-run.ts';
import { unusualValues } from '../../common/learn/list-observers.ts';
import { LONGEST, MOST_LISTED } from '../../common/learn/lists.ts';
import { inEras, NOT_SENT, type Observe, observeRun, only } from './in-eras.ts';
import { type Era, merge } from './traffic.ts';

/** The default limit. Source: openapi.yaml#/paths/~1pets/get/parameters */
const DEFAULT_LIMIT = 20;

/**
 * Observes requests with an unusual value of a parameter. Each is compared with lists that had the same length before it and after
 * it, because other clients add animals.
 * @param isUseful returns whether these lists can show the choice
 */
export function observeUnusual(
  name: keyof typeof unusualValues,
  parameter: string,
  isUseful: (context: readonly Exchange[]) => boolean = () => true,
): Observe {
  return inEras(({ run, stretches }) => {
    const meant = run.withParameter(parameter, unusualValues[name]);
    // A list shows for certain that the value was not refused, also where it shows nothing else.
    const isDifferent = meant.some(({ isList }) => isList) && meant.some(({ status }) => status === 400);
    if (isDifferent) return { unknown: 'responses differ' };
    const observations = stretches.flatMap((stretch) =>
      stretch
        .withParameter(parameter, () => true)
        .map((unusual) => {
          const context = findContext(stretch, unusual);
          return isUseful(context) || !unusual.isList
            ? observeRun(name, only([...context, unusual]))
            : { unknown: NOT_SENT };
        }),
    );
    return merge(observations, NOT_SENT);
  });
}

/** Returns the lists whose query was sent both before and after a request. */
function findContext({ lists }: FinishedRun, { at, end }: Exchange): readonly Exchange[] {
  return [...Map.groupBy(lists, ({ path }) => path).values()].flatMap((same) => {
    const before = same.filter((list) => list.end <= at);
    const after = same.filter((list) => list.at >= end);
    return before.length > 0 && after.length > 0 ? [...before, ...after] : [];
  });
}

/** Only next to a list without a limit, and a longer one for limit=100, a limit above 100 shows what it gets. */
export function showsMoreThanDefault(context: readonly Exchange[]): boolean {
  const isLonger = ({ path, animals }: Exchange) =>
    path === `/pets${LONGEST}` && animals.length > DEFAULT_LIMIT;
  return context.some(isLonger) && context.some(({ path }) => path === '/pets');
}

/** Observes cut lists: an animal that they lack was there before and after them. */
export function observePageSize({ stretches }: Era): Observation {
  const observations = stretches.map((stretch) => {
    const observation = observeRun('pageSize', stretch);
    if (!('value' in observation)) return { unknown: NOT_SENT };
    if (observation.value === MOST_LISTED) return observation;
    const [list] = observation.evidence;
    const isLacking = list !== undefined && hasAnimalAround(stretch, list);
    return isLacking ? observation : { unknown: NOT_SENT };
  });
  return merge(observations, 'the traffic has no list that was certainly cut');
}

/** Returns whether an animal that a list lacks was shown before it and after it. */
function hasAnimalAround({ lists, fetches }: FinishedRun, { animals, at, end }: Exchange): boolean {
  const shown = [...lists, ...fetches];
  const idsOf = (some: readonly Exchange[]) =>
    new Set(
      some.flatMap(({ animals, animal }) => (animal === undefined ? animals : [animal])).map(({ id }) => id),
    );
  const before = idsOf(shown.filter((one) => one.end <= at));
  const after = idsOf(shown.filter((one) => one.at >= end));
  const listed = new Set(animals.map(({ id }) => id));
  return [...before].some((id) => after.has(id) && !listed.has(id));
}

/** Lists by status that lack an animal without a status show it only if the animal was there before and after them. */
export function observeWithoutStatus({ run, stretches }: Era): Observation {
  const byStatus = run.lists.filter(({ isByStatus }) => isByStatus);
  const shown = observeRun('listsWithoutStatus', only(byStatus));
  const observations = stretches.map((stretch) => {
    const having = stretch.lists.filter(
      ({ animals, isByStatus }) => !isByStatus && animals.some(({ status }) => status === undefined),
    );
    const [first, last] = [having[0], having.at(-1)];
    if (first === undefined || last === undefined || !hasSameWithoutStatus(first, last))
      return { unknown: NOT_SENT };
    const between = stretch.lists.filter(({ at, end }) => at >= first.end && end <= last.at);
    return observeRun('listsWithoutStatus', only([first, ...between]));
  });
  return merge([shown, ...observations], NOT_SENT);
}

function hasSameWithoutStatus(one: Exchange, other: Exchange): boolean {
  const ids = new Set(other.animals.filter(({ status }) => status === undefined).map(({ id }) => id));
  return one.animals.some(({ id, status }) => status === undefined && ids.has(id));
}

/** How many parameters have to be ignored, or refused: the service may know one that the contract does not have. */
const ENOUGH_PARAMETERS = 2;

/** Observes parameters that GET /pets does not have, next to the same list without them. */
export function observeUnknownParameters({ run, stretches }: Era): Observation {
  const listed = new Set(run.lists.map(({ path }) => path));
  const accepted = stretches.flatMap((stretch) =>
    stretch.lists.filter((list) => {
      const plain = withoutUnknown(list.path);
      const context =
        plain === undefined ? [] : findContext(stretch, list).filter(({ path }) => path === plain);
      // A list of one animal has no order and no pages.
      return list.animals.length > 1 && context.length > 0 && context.every((one) => hasSameIds(one, list));
    }),
  );
  const refused = run.valid.filter(({ path, request, status }) => {
    const plain = request.method === 'GET' ? withoutUnknown(path) : undefined;
    return status === 400 && plain !== undefined && listed.has(plain);
  });
  const conclusive = [accepted, refused].filter((some) => {
    const names = new Set(some.flatMap(({ path }) => namesOfUnknown(path)));
    return names.size >= ENOUGH_PARAMETERS;
  });
  return observe(conclusive.flat(), (exchange) => (exchange.isList ? 'ignore' : toRefusal(exchange)));
}

const isKnown = (name: string) => name === 'limit' || name === 'status';

function namesOfUnknown(path: string): string[] {
  return [...new URLSearchParams(path.slice('/pets?'.length)).keys()].filter((name) => !isKnown(name));
}

/** Returns a list's path without unknown parameters, or undefined if it has none, or a known parameter twice. */
function withoutUnknown(path: string): string | undefined {
  if (!path.startsWith('/pets?') || namesOfUnknown(path).length === 0) return undefined;
  const known = [...new URLSearchParams(path.slice('/pets?'.length))].filter(([name]) => isKnown(name));
  const { limit, status } = Object.fromEntries(known);
  if (known.length > Number(limit !== undefined) + Number(status !== undefined)) return undefined;
  const parts = [
    ...(limit === undefined || limit === `${DEFAULT_LIMIT}` ? [] : [`limit=${limit}`]),
    ...(status === undefined ? [] : [`status=${status}`]),
  ];
  return parts.length === 0 ? '/pets' : `/pets?${parts.join('&')}`;
}

function hasSameIds(one: Exchange, other: Exchange): boolean {
  const [ids, others] = [one, other].map(({ animals }) => animals.map(({ id }) => id).join());
  return ids === others;
}
