import type { JsonObject } from '../../common/json/exact-json.ts';
import { type Exchange, hasValidKey, mayAddAnimal } from '../client/exchange.ts';
import { showValue } from '../client/show-value.ts';
import type { Animal } from '../history/history.ts';
import type { Evidence, Look } from './rule.ts';
import { compare, listAll, listAnswered, sight, wrongStatus } from './sight.ts';

/** How far the id of a twin may be from that of the animal. */
const FARTHEST_TWIN = 100n;

/** Returns whether the id of an animal is too far from another one to be that of a twin. */
export function isFar(id: bigint, other: bigint): boolean {
  return id > other + FARTHEST_TWIN || id < other - FARTHEST_TWIN;
}

/** Looks for animals of this run that no POST returned, although a 201 returned one with the same name: they were added twice. */
export function lookForTwice(evidence: Evidence): readonly Look[] {
  return evidence.once(listUnreturned).flatMap(({ animal, shown, exchange, sources }) => {
    const [added] = sources.filter(({ isAddition }) => isAddition);
    const first = added?.id;
    if (added === undefined || first === undefined) return [];
    // An id that only looks like that of the animal is left to get-pet/unknown-is-404.
    if (isFar(animal.id, first) && !exchange.isList) return [];
    const ids = [String(first), showValue(shown.id)];
    return [
      sight(
        exchange,
        { kind: 'duplicate', ids, where: exchange.isList ? 'list' : 'run' },
        {
          subject: 'added twice',
          about: [first, animal.id],
          before: [added],
        },
      ),
    ];
  });
}

/** An animal with a name or a category of this run that no response to a POST has returned. */
interface Unreturned {
  readonly animal: Animal;
  readonly shown: JsonObject;
  readonly exchange: Exchange;
  /** The POSTs that sent its name or its category. */
  readonly sources: readonly Exchange[];
}

/** Finds the animals of this run that no response to a POST has returned: added twice, or by a body that was refused. */
export function listUnreturned(evidence: Evidence): readonly Unreturned[] {
  const { history } = evidence;
  const posts = evidence.once(listPosts);
  const returned = new Set(posts.flatMap(({ isSuccess, id }) => (isSuccess ? [id] : [])));
  return [...history.animals.values()].flatMap((animal) => {
    if (returned.has(animal.id)) return [];
    const seen = animal.observations.find(({ shown }) => shown !== undefined && history.isMarked(shown));
    if (seen?.shown === undefined) return [];
    const { shown, exchange } = seen;
    const isOfCategory = history.marks.categories.has(shown.categoryId);
    const name = typeof shown.name === 'string' ? shown.name.toLowerCase() : undefined;
    const sources = posts.filter((post) =>
      isOfCategory
        ? post.sent.categoryId === shown.categoryId
        : name !== undefined && evidence.once(lowerBodies).get(post)?.includes(name),
    );
    // A POST without a response of the service may have added it.
    const isUncertain = sources.some((post) => post.isUncertain || post.status >= 500);
    return isUncertain || sources.length === 0 ? [] : [{ animal, shown, exchange, sources }];
  });
}

/** Lists the POSTs, also those that were sent again because their response did not arrive. */
function listPosts(evidence: Evidence): readonly Exchange[] {
  const uncertain = evidence.history.unanswered.filter(({ isUncertain }) => isUncertain);
  return [...evidence.once(listAll), ...uncertain].filter(({ request }) => mayAddAnimal(request));
}

/** Returns the bodies of all POSTs in lower case, which only a run needs that has found such an animal: some are large. */
function lowerBodies(evidence: Evidence): ReadonlyMap<Exchange, string> {
  return new Map(
    evidence.once(listPosts).map((post) => [post, (post.request.body ?? '').toLowerCase()] as const),
  );
}

/** Looks for animals of bodies that were refused. @param isAuthorized whether these were sent with the valid key */
export function lookForRefused(evidence: Evidence, isAuthorized: boolean): readonly Look[] {
  const { target } = evidence;
  const posts = evidence.once(listAnswered).filter(({ request }) => mayAddAnimal(request));
  const refused = posts.filter(
    (post) =>
      hasValidKey(post, target) === isAuthorized && (isAuthorized ? post.status === 400 : !post.isSuccess),
  );
  const added = evidence.once(listUnreturned).flatMap(({ animal, shown, sources }) => {
    const [source] = sources.filter((post) => refused.includes(post));
    if (source === undefined || sources.some(({ isSuccess }) => isSuccess)) return [];
    const fault = { kind: 'added', id: showValue(shown.id), name: showValue(shown.name) } as const;
    return [sight(source, fault, { subject: 'refused', about: [animal.id], ask: [] })];
  });
  const open = isAuthorized ? [] : posts.filter((post) => !hasValidKey(post, target) && post.isAddition);
  return [
    ...refused.map((exchange) => compare(exchange)),
    ...open.map((exchange) =>
      sight(exchange, wrongStatus(exchange, 401), { subject: 'added without a key', ask: [] }),
    ),
    ...added,
  ];
}
