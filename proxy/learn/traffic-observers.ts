import { type ChoiceName, DELAY_PRECISION } from '../../common/behaviour/choices.ts';
import type { JsonObject } from '../../common/json/exact-json.ts';
import {
  BLANK,
  EMPTY,
  mergeEmptyNames,
  observeNameLike,
  toAnyCase,
  toTakenRefusal,
  UNSUPPORTED_MEDIA_TYPE,
} from '../../common/learn/creation-observers.ts';
import type { Exchange } from '../../common/learn/exchange.ts';
import {
  FinishedRun,
  furtherOf,
  hasNameTwice,
  isPlainName,
  isValid,
  NOT_SHOWN,
  type Observation,
  observe,
  toRefusal,
} from '../../common/learn/finished-run.ts';
import { observers } from '../../common/learn/learn.ts';
import { unusualValues } from '../../common/learn/list-observers.ts';
import { LONGEST, longestByStatus, MOST_LISTED } from '../../common/learn/lists.ts';
import { hasNotation } from '../../common/learn/new-pet.ts';
import { type Era, merge, type Traffic, target } from './traffic.ts';

type Observe = (traffic: Traffic) => Observation;

/** Why a choice is unknown that clients could have shown. */
const NOT_SENT = 'no client sent requests that show it';

/** The default limit. Source: openapi.yaml#/paths/~1pets/get/parameters */
const DEFAULT_LIMIT = 20;

/** Observes each era, and merges what they show. */
function inEras(observeEra: (era: Era, traffic: Traffic) => Observation): Observe {
  return (traffic) =>
    merge(
      traffic.eras.map((era) => observeEra(era, traffic)),
      NOT_SENT,
    );
}

/** Observes as in a run, in exchanges that show the choice whoever sent them. */
function asInRun(name: ChoiceName): Observe {
  return inEras(({ run }) => observeRun(name, run));
}

/** Observes as in a run, without refused animals, whose reason nobody knows. */
function ofAccepted(name: ChoiceName): Observe {
  return inEras(({ accepted }) => observeRun(name, accepted));
}

/** Returns whether the client of a list has said that it accepts gzip. */
function acceptsGzip({ request }: Exchange): boolean {
  return /\bgzip\b(?!\s*;\s*q=0)/i.test(request.headers['Accept-Encoding'] ?? '');
}

function notLearned(unknown: string): Observe {
  return () => ({ unknown });
}

function observeRun(name: ChoiceName, run: FinishedRun): Observation {
  return observers[name]?.(run) ?? { unknown: NOT_SENT };
}

/**
 * The observer of each choice in traffic. In contrast to a run, other clients write at the same time, nobody knows all animals, and a
 * refusal has no known reason unless the same request is accepted without what it was refused for.
 */
export const trafficObservers: Readonly<Record<ChoiceName, Observe>> = {
  order: inEras(observeOrder),
  statusWhenOmitted: ofAccepted('statusWhenOmitted'),
  listsWithoutStatus: inEras(observeWithoutStatus),
  pageSize: inEras(observePageSize),
  limitAbove100: bracketed('limitAbove100', 'limit', showsMoreThanDefault),
  limitBelow1: bracketed('limitBelow1', 'limit'),
  limitWord: bracketed('limitWord', 'limit'),
  limitFraction: bracketed('limitFraction', 'limit'),
  limitLeadingZero: bracketed('limitLeadingZero', 'limit'),
  limitEmpty: bracketed('limitEmpty', 'limit'),
  invalidStatus: bracketed('invalidStatus', 'status'),
  statusCase: bracketed('statusCase', 'status'),
  statusLists: bracketed('statusLists', 'status'),
  repeatedParameters: notLearned('only the suite repeats each parameter'),
  pages: notLearned('traffic does not show which animals a further page lacks'),
  unknownParameters: inEras(observeUnknownParameters),
  unknownMembers: inEras((era) => observeRefusable('unknownMembers', era, isWithFurther, 'refuse')),
  duplicateMembers: ofAccepted('duplicateMembers'),
  longestName: ofAccepted('longestName'),
  shortestName: ofAccepted('shortestName'),
  nameCharacters: ofAccepted('nameCharacters'),
  emptyNames: inEras(observeEmptyNames),
  uniqueNames: inEras(observeUniqueNames),
  categories: notLearned('traffic does not show which categories exist'),
  ids: inEras(observeIds),
  integerNotations: inEras((era) => observeRefusable('integerNotations', era, hasNotation, 'refused')),
  refusedMember: inEras(observeRefusedMember),
  otherMediaTypes: inEras(observeMediaTypes),
  malformedId: asInRun('malformedId'),
  unknownPaths: asInRun('unknownPaths'),
  unknownPathWithoutKey: asInRun('unknownPathWithoutKey'),
  // Each era may show the codes of other statuses.
  errorCodes: ({ eras }) => observeRun('errorCodes', only(eras.flatMap(({ run }) => run.all))),
  errorMembers: asInRun('errorMembers'),
  animalMembers: asInRun('animalMembers'),
  charset: asInRun('charset'),
  schemeCase: inEras(observeScheme),
  challenge: asInRun('challenge'),
  location: ofAccepted('location'),
  deprecationHeaders: asInRun('deprecationHeaders'),
  listDelay: inEras(observeDelay),
  getDelay: inEras(observeGetDelay),
  creationTime: ofAccepted('creationTime'),
  trailingSlash: asInRun('trailingSlash'),
  head: inEras(({ heads }) => observeRun('head', only(heads.valid.filter(({ path }) => path === '/pets')))),
  otherMethods: asInRun('otherMethods'),
  allow: inEras(({ run }) =>
    observeRun('allow', only(run.all.filter(({ request }) => request.method !== 'OPTIONS'))),
  ),
  etag: asInRun('etag'),
  listCaching: asInRun('listCaching'),
  getCaching: asInRun('getCaching'),
  compression: inEras(({ run }) => observeRun('compression', only(run.lists.filter(acceptsGzip)))),
  cors: asInRun('cors'),
  rateLimit: ({ record }) => {
    if (record.isLimited) return { unknown: 'it has a limit, but which one is unknown', isUndescribed: true };
    return record.isBusy ? { value: 'none', evidence: [] } : { unknown: 'the traffic was too slow' };
  },
  fullStore: asInRun('fullStore'),
  spacesAroundNames: ofAccepted('spacesAroundNames'),
  categoryIdAsText: ofAccepted('categoryIdAsText'),
  nullStatus: ofAccepted('nullStatus'),
  memberCase: ofAccepted('memberCase'),
};

function only(exchanges: readonly (Exchange | undefined)[]): FinishedRun {
  return new FinishedRun(
    exchanges.filter((one) => one !== undefined),
    target,
  );
}

/** How many lists of one query show an order: with fewer ones, shuffled lists may look ordered by chance. */
const LISTS_OF_ORDER = 4;

/** How many lists are compared: each pair of their animals takes time. */
const MOST_LISTS_OF_ORDER = 100;

/** How many animals a list has to have for that. */
const ANIMALS_OF_ORDER = 5;

/** Without a listed addition only ids show the age, and random ids of fewer animals may grow by chance. */
const ANIMALS_BY_ID = 8;

function observeOrder({ accepted }: Era): Observation {
  const { additions } = accepted;
  const added = new Set(additions.map(({ id }) => id));
  const isAgeShown = accepted.lists.some(({ animals }) => animals.some(({ id }) => added.has(id as bigint)));
  const least = isAgeShown ? ANIMALS_OF_ORDER : ANIMALS_BY_ID;
  const long = accepted.lists.filter(({ animals }) => animals.length >= least).slice(-MOST_LISTS_OF_ORDER);
  const byQuery = [...Map.groupBy(long, ({ path }) => path).values()];
  if (!byQuery.some(({ length }) => length >= LISTS_OF_ORDER))
    return { unknown: 'the traffic has too few lists' };
  const observation = observeRun('order', only([...additions, ...long]));
  const isGrouped = long.some(({ isByStatus, animals }) => !isByStatus && isGroupedByStatus(animals));
  if (isGrouped && 'value' in observation && /^(?:newest|oldest|name)$/.test(`${observation.value}`))
    return { unknown: 'more than one order fits' };
  const isByName = 'value' in observation && observation.value === 'name';
  const isMixed = hasIdsInOrder(long, 1n) && hasIdsInOrder(long, -1n);
  return isByName && !isMixed ? { unknown: 'more than one order fits' } : observation;
}

/** Returns whether a list has the animals of each status next to each other, of at least two statuses. */
function isGroupedByStatus(animals: readonly JsonObject[]): boolean {
  const statuses = animals.map(({ status }) => status);
  const starts = statuses.filter((status, index) => index === 0 || status !== statuses[index - 1]);
  const hasSeveral = starts.every((status) => statuses.filter((one) => one === status).length > 1);
  return starts.length > 1 && new Set(starts).size === starts.length && hasSeveral;
}

/** Returns whether some neighbours in lists have growing ids, or falling ones. */
function hasIdsInOrder(lists: readonly Exchange[], sign: bigint): boolean {
  return lists.some(({ animals }) =>
    animals.some(({ id }, index) => {
      const { id: next } = animals[index + 1] ?? {};
      return typeof id === 'bigint' && typeof next === 'bigint' && (next - id) * sign > 0n;
    }),
  );
}

/**
 * Observes requests with an unusual value of a parameter. Each is compared with lists that had the same length before it and after
 * it, because other clients add animals.
 * @param isUseful returns whether these lists can show the choice
 */
function bracketed(
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
function showsMoreThanDefault(context: readonly Exchange[]): boolean {
  const isLonger = ({ path, animals }: Exchange) =>
    path === `/pets${LONGEST}` && animals.length > DEFAULT_LIMIT;
  return context.some(isLonger) && context.some(({ path }) => path === '/pets');
}

/** Observes cut lists: an animal that they lack was there before and after them. */
function observePageSize({ stretches }: Era): Observation {
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
function observeWithoutStatus({ run, stretches }: Era): Observation {
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

/** How many unknown parameters have to be refused: the service may know one that the contract does not have. */
const REFUSED_PARAMETERS = 2;

/** Observes parameters that GET /pets does not have, next to the same list without them. */
function observeUnknownParameters({ run, stretches }: Era): Observation {
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
  const names = new Set(refused.flatMap(({ path }) => namesOfUnknown(path)));
  const conclusive = [...accepted, ...(names.size >= REFUSED_PARAMETERS ? refused : [])];
  return observe(conclusive, (exchange) => (exchange.isList ? 'ignore' : toRefusal(exchange)));
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

const isWithFurther = ({ sent }: Exchange) => furtherOf(sent).length > 0 || 'id' in sent;

/**
 * Observes animals with something that a service may refuse. A refusal counts if the same animal is accepted later without it, as
 * when a developer mends a request.
 */
function observeRefusable(
  name: ChoiceName,
  { run, accepted }: Era,
  isMeant: (exchange: Exchange) => boolean,
  refusal: string,
): Observation {
  const refused = run.posts.filter((post) => {
    const isRefused = post.status === 400 && isValid(post.sent) && isMeant(post) && countUnusual(post) === 1;
    return isRefused && run.additions.some((one) => one.at >= post.end && isPlainTwin(one, post));
  });
  const refusals = observe(refused, (post) => toRefusal(post, refusal));
  return merge([observeRun(name, accepted), refusals], NOT_SENT);
}

/** Counts what a body has that a service may refuse. */
function countUnusual(post: Exchange): number {
  return [isWithFurther(post), hasNotation(post), hasNameTwice(post)].filter(Boolean).length;
}

/** Returns whether a request is for the same animal, without anything unusual. */
function isPlainTwin(one: Exchange, { sent }: Pick<Exchange, 'sent'>): boolean {
  const isSame = (['name', 'categoryId', 'status'] as const).every(
    (member) => one.sent[member] === sent[member],
  );
  return isSame && countUnusual(one) === 0 && one.request.headers['Content-Type'] === 'application/json';
}

/** Observes animals with the name of one that was added before, and that was still there afterwards. */
function observeUniqueNames({ run }: Era, { keyOf }: Traffic): Observation {
  const { additions, lists, fetches, posts } = run;
  const isThere = (id: bigint | undefined, at: number) =>
    [...lists, ...fetches].some(
      (one) => one.at >= at && (one.animal?.id === id || one.animals.some((animal) => animal.id === id)),
    );
  const findAgain = (isAlike: (name: string, other: string) => boolean) =>
    posts.filter((post) => {
      const { name } = post.sent;
      if (!isValid(post.sent) || !isPlainName(name) || countUnusual(post) > 0) return false;
      return additions.some((one) => {
        const other = `${one.sent.name}`;
        const isTwin = isPlainTwin(one, { sent: { ...post.sent, name: other } });
        const isSameKey = keyOf(one) === keyOf(post);
        return isSameKey && one.end <= post.at && isTwin && isAlike(name, other) && isThere(one.id, post.end);
      });
    });
  const inOtherCase = findAgain(
    (name, other) => name !== other && name.toLowerCase() === other.toLowerCase(),
  );
  const acceptsOtherCase = inOtherCase.some(({ isAddition }) => isAddition);
  const isInCapitals = (post: Exchange) => /[A-Z]{2}/.test(`${post.sent.name}`);
  const toValue = (post: Exchange) =>
    post.status === 400 || post.status === 409 ? toTakenRefusal(post, run) : undefined;
  const observation = observe(
    findAgain((name, other) => name === other),
    (post) => (post.isAddition ? 'no' : toValue(post)),
  );
  const refused = inOtherCase.filter(
    (post) =>
      'value' in observation &&
      toValue(post) === observation.value &&
      (!isInCapitals(post) || additions.some(isInCapitals)),
  );
  if ('unknown' in observation || observation.value === 'no') return observation;
  if (acceptsOtherCase) return refused.length > 0 ? { unknown: 'responses differ' } : observation;
  return refused.length > 0
    ? { value: toAnyCase(observation.value), evidence: refused.slice(0, 2) }
    : { unknown: 'taken names are refused, perhaps also in another case' };
}

/** Observes messages of 400s. One that names another member shows that the body was refused for another reason, too. */
function observeRefusedMember({ run }: Era): Observation {
  const isPlain = ({ request }: Exchange) => {
    const { 'Content-Type': type = '', 'Content-Encoding': coding } = request.headers;
    return /^application\/json/i.test(type) && coding === undefined;
  };
  const observation = observeRun('refusedMember', only(run.posts.filter(isPlain)));
  if ('unknown' in observation || observation.value !== 'absent') return observation;
  const isGeneral = observation.evidence.every(
    ({ object }) => !/name|category|status/i.test(`${object?.message}`),
  );
  return isGeneral ? observation : { unknown: NOT_SENT };
}

/** Observes empty names, and those of spaces only. A refusal counts if names need not be unique, and the same animal with another name is accepted. */
function observeEmptyNames(era: Era, traffic: Traffic): Observation {
  const unique = observeUniqueNames(era, traffic);
  const isFree = 'value' in unique && unique.value === 'no';
  const { posts, additions } = era.run;
  const isConclusive = (post: Exchange) =>
    additions.some(
      (one) =>
        isPlainName(one.sent.name) &&
        isPlainTwin(one, { sent: { ...post.sent, name: `${one.sent.name}` } }) &&
        countUnusual(post) === 0,
    );
  const observeForm = (form: RegExp, accepted: string, refused: string) => {
    const all = posts.filter(
      ({ sent, isAddition }) => form.test(String(sent.name)) && !isAddition && isValid(sent),
    );
    const refusals = observe(isFree ? all.filter(isConclusive) : [], (post) => toRefusal(post, refused));
    return merge([observeNameLike(era.accepted, form, accepted, refused), refusals], NOT_SENT);
  };
  const empty = observeForm(EMPTY, 'accepted', 'refused');
  return mergeEmptyNames(empty, observeForm(BLANK, 'refused', 'blank'));
}

/** Observes additions one after another: those at the same time have no order. */
function observeIds({ accepted }: Era): Observation {
  const sequence: Exchange[] = [];
  for (const one of accepted.additions)
    if (one.at >= (sequence.at(-1)?.end ?? Number.NEGATIVE_INFINITY)) sequence.push(one);
  return observeRun('ids', only(sequence));
}

/** Observes bodies that are valid but for their media type. Another refusal than a 415 counts if the same animal is accepted later in JSON. */
function observeMediaTypes({ run }: Era): Observation {
  const { additions, postsOfOtherTypes } = run;
  const isConclusive = (post: Exchange) =>
    post.status === UNSUPPORTED_MEDIA_TYPE ||
    additions.some((one) => one.at >= post.end && isPlainTwin(one, post));
  const refused = postsOfOtherTypes.filter(
    (post) => !post.isAddition && isValid(post.sent) && isConclusive(post),
  );
  return observeRun('otherMediaTypes', only([...additions, ...refused]));
}

/** Observes `bearer` in lower case. A refusal counts if the same key was accepted before it and after it. */
function observeScheme({ run }: Era, { keyOf }: Traffic): Observation {
  const accepted = run.valid.filter(({ isSuccess }) => isSuccess);
  const lower = run.all.filter(({ request }) => request.headers.Authorization === 'bearer key');
  return observe(lower, (exchange) => {
    if (exchange.isSuccess) return 'any';
    const usual = accepted.filter((one) => keyOf(one) === keyOf(exchange));
    const isValidKey =
      usual.some(({ end }) => end <= exchange.at) && usual.some(({ at }) => at >= exchange.end);
    return exchange.status === 401 && isValidKey ? 'exact' : undefined;
  });
}

/** Observes each addition up to the last list that shows its animal, because animals may disappear. */
function observeDelay({ accepted }: Era, { keyOf }: Traffic): Observation {
  const all = accepted.listsOf(LONGEST, ...longestByStatus);
  const observations = accepted.additions.map((added) => {
    const lists = all.filter((list) => keyOf(list) === keyOf(added));
    const shown = lists.filter(({ animals }) => animals.some(({ id }) => id === added.id));
    const last = Math.max(...shown.map(({ at }) => at));
    const relevant = lists.filter(({ at }) => at <= last);
    return toPrecise(observeRun('listDelay', only([added, ...relevant])), added);
  });
  return merge(observations, 'the traffic has no list soon after a new animal');
}

/** Observes each addition up to the last response that shows its animal: a mock that was reset does not have it any more. */
function observeGetDelay({ accepted }: Era, { keyOf }: Traffic): Observation {
  const observations = accepted.additions.map((added) => {
    const fetches = accepted.fetches.filter(
      (one) => one.requestedId === added.id && keyOf(one) === keyOf(added),
    );
    const last = Math.max(...fetches.filter(({ animal }) => animal?.id === added.id).map(({ at }) => at));
    const relevant = fetches.filter(({ at }) => at <= last);
    return toPrecise(observeRun('getDelay', only([added, ...relevant])), added);
  });
  return merge(observations, 'no client asked for a new animal soon enough');
}

/** What is shown within this time is shown at once, in ms. */
const AT_ONCE = 100;

/** Returns a delay only if its bounds are narrow. In a run, many additions narrow them down. */
function toPrecise(observation: Observation, added: Exchange): Observation {
  if ('unknown' in observation) return { unknown: NOT_SHOWN };
  const showing = observation.evidence.at(-1);
  const lacking = observation.evidence.length > 1 ? observation.evidence[0] : undefined;
  const most = (showing?.end ?? Number.POSITIVE_INFINITY) - added.at;
  const least = lacking === undefined ? 0 : lacking.at - added.end;
  const isPrecise = most - least <= (observation.value === 0 ? AT_ONCE : DELAY_PRECISION);
  return isPrecise ? observation : { unknown: NOT_SHOWN };
}
