import { choices } from '../behaviour/choices.ts';
import type { JsonObject } from '../json/exact-json.ts';
import { DelayBounds } from './delay-bounds.ts';
import type { Exchange } from './exchange.ts';
import type { Classify, FinishedRun, Observation, Observers } from './finished-run.ts';
import { NOT_SHOWN, observe, toRefusal } from './finished-run.ts';
import { FURTHER_PAGES, isStatus, LONGEST, longestByStatus, MOST_LISTED } from './lists.ts';

/** Observers of the parameters of lists, and of how many animals lists have. */
export const listObservers: Observers = {
  pageSize: observePageSize,
  limitAbove100: (run) => {
    const [usual, longest] = [run.lengthsOf('', '?limit=20'), run.lengthsOf(LONGEST)];
    return observeLimits(run, isAbove, (length) => {
      if (Math.max(...longest) <= Math.max(...usual)) return undefined;
      // The list grows while the suite adds animals.
      if (length >= Math.min(...longest) && length <= Math.max(...longest)) return 'clamp';
      if (usual.has(length)) return 'default';
      // All lists for limit=100 had more animals, so this one was cut.
      return length > 0 && length < Math.min(...longest) ? length : 'another length';
    });
  },
  limitBelow1: (run) =>
    observeLimits(run, isBelow, (length) => {
      const compared = compareWithUsual(run, length);
      return compared !== undefined && length === 0 ? 'none' : compared;
    }),
  limitWord: (run) => observeLimits(run, isWord, (length) => compareWithFew(run, length)),
  limitFraction: (run) => observeNumbers(run, isFraction, 'truncate'),
  limitLeadingZero: (run) => observeNumbers(run, hasLeadingZero, 'decimal'),
  limitEmpty: (run) => observeLimits(run, isEmpty, (length) => compareWithFew(run, length)),
  invalidStatus: (run) => {
    return observe(run.withParameter('status', isInvalidStatus), (exchange) => {
      if (!exchange.isList) return toRefusal(exchange);
      const { size } = new Set(exchange.animals.flatMap(({ status }) => status ?? []));
      // Animals of one status may be a guess of the deployment.
      if (exchange.animals.length > 0) return size > 1 ? 'ignore' : undefined;
      return Math.max(...run.lengthsOf('', '?limit=20')) > 0 ? 'empty' : undefined;
    });
  },
  statusCase: (run) => {
    return observe(run.withParameter('status', isStatusInOtherCase), (exchange) => {
      const [, text = ''] = exchange.path.split('status=');
      const shown = classifyStatuses(run, exchange, [text.toLowerCase()]);
      return { invalid: 'exact', union: 'any' }[`${shown}`] ?? shown;
    });
  },
  statusLists: (run) => {
    const several = run.valid.filter(({ path }) => SEVERAL_STATUSES.test(path));
    return observe(several, (exchange) => {
      const [, text = ''] = SEVERAL_STATUSES.exec(exchange.path) ?? [];
      return classifyStatuses(run, exchange, text.split(','));
    });
  },
  repeatedParameters: (run) => {
    const twice = run.valid.filter(({ path }) => REPEATED.test(path));
    const names = new Set(twice.map(({ path }) => REPEATED.exec(path)?.[1]));
    if (names.size < 2) return { unknown: 'the run repeated one parameter only' };
    const ofStatus = new Set(twice.map((exchange) => classifyRepeatedStatus(run, exchange)));
    ofStatus.delete(undefined);
    // A union has the last limit.
    const last = ofStatus.has('union') ? 'union' : ofStatus.size > 0 ? 'last' : undefined;
    return observe(twice, (exchange) => {
      if (!exchange.isList) return toRefusal(exchange);
      const { animals, path } = exchange;
      if (REPEATED.exec(path)?.[1] !== 'limit') return classifyRepeatedStatus(run, exchange);
      if (Math.max(...run.lengthsOf(LONGEST)) < 2) return undefined;
      return animals.length === 2 ? last : animals.length === 1 ? 'first' : 'neither';
    });
  },
  pages: observePages,
  unknownParameters: (run) => {
    const tried = run.withParameter('contract-test', (text) => text === '1');
    return observe(tried, (exchange) => (exchange.isList ? 'ignore' : toRefusal(exchange)));
  },
  listsWithoutStatus: observeWithoutStatus,
  listDelay: observeListDelay,
};

/** Two or more statuses with commas. */
const SEVERAL_STATUSES =
  /^\/pets\?(?:limit=100&)?status=((?:available|pending|sold)(?:,(?:available|pending|sold))+)$/;

/** A parameter that is given twice. Longer lists show animals of both statuses where the first ones have the same. */
const REPEATED = /^\/pets\?(?:limit=100&(?=status))?(\w+)=\w+&\1=\w+$/;

/** Classifies a list for two statuses. */
function classifyRepeatedStatus(run: FinishedRun, exchange: Exchange): string | undefined {
  const { animals, path, isList } = exchange;
  if (!isList || REPEATED.exec(path)?.[1] !== 'status') return undefined;
  const shown = new Set(animals.flatMap(({ status }) => status ?? []));
  const [first = '', last = ''] = new URLSearchParams(path.slice('/pets?'.length)).getAll('status');
  if (shown.size === 0) return undefined;
  if (shown.size === 1 && shown.has(first)) return wouldShow(run, exchange, last) ? 'first' : undefined;
  if (shown.size === 1 && shown.has(last)) return wouldShow(run, exchange, first) ? 'last' : undefined;
  return classifyStatuses(run, exchange, [first, last]) === 'union' ? 'union' : 'neither';
}

/** Returns whether a list of two statuses certainly has animals of one of them, if it is a union. */
function wouldShow(run: FinishedRun, exchange: Exchange, status: string): boolean {
  const { path, animals, at } = exchange;
  const isMeant = (animal: JsonObject) => animal.status === status;
  const longest = path.includes('limit=100')
    ? longestOf(run)
    : Math.max(0, ...run.lengthsOf('', '?limit=20'));
  if (animals.length < longest) return run.lists.some((list) => list.end <= at && list.animals.some(isMeant));
  // Shuffled lists of few animals have one status by chance.
  if (animals.length < ANIMALS_IN_ORDER) return false;
  return wouldHave(run, exchange, isMeant);
}

/** A list that begins with the first animal of all. */
const UNFILTERED = /^\/pets(?:\?limit=[^&]*)?$/;

/**
 * Returns whether a list certainly has an animal, if it has no filter or one that the animal passes. A list that is not longer has to
 * show the animal: a later one, because animals that are added only move it away from the beginning, or an earlier one if none was added.
 */
function wouldHave(run: FinishedRun, exchange: Exchange, isMeant: (animal: JsonObject) => boolean): boolean {
  const { animals, at, end } = exchange;
  const before = run.lists.filter((list) => list.end <= at);
  const listed = new Set(before.flatMap((list) => list.animals.map(({ id }) => id)));
  const isAnyAdded = run.additions.some((one) => one.at <= end);
  return run.lists.some((list) => {
    if (!UNFILTERED.test(list.path) || list.animals.length > animals.length) return false;
    const isComparable = list.at >= end ? ({ id }: JsonObject) => listed.has(id) : () => !isAnyAdded;
    return list.animals.some((animal) => isMeant(animal) && isComparable(animal));
  });
}

/**
 * Classifies the response to a status in another form.
 * @returns `union` if it has the animals of all the wanted statuses and no others, `invalid` if the deployment does what it does
 * with an invalid status, or a value that no choice has
 */
function classifyStatuses(
  run: FinishedRun,
  exchange: Exchange,
  wanted: readonly string[],
): string | undefined {
  if (!exchange.isList) return toRefusal(exchange, 'invalid');
  const isWanted = ({ status }: JsonObject) => wanted.includes(`${status}`);
  const shown = new Set(exchange.animals.flatMap(({ status }) => status ?? []));
  if (exchange.animals.length === 0)
    return run.lists.some(({ animals }) => animals.some(isWanted)) ? 'invalid' : undefined;
  if (![...shown].every((status) => wanted.includes(`${status}`))) return 'invalid';
  if (shown.size < wanted.length) return undefined;
  // Without a filter, the list may be the same one.
  const isOther = ({ status }: JsonObject) => status !== undefined && !wanted.includes(`${status}`);
  // A shuffled list of one animal may have the status by chance.
  const isFilter = exchange.animals.length > 1 && wouldHave(run, exchange, isOther);
  const isWord = (text: string) => /^[a-z]{3,}$/i.test(text) && !isStatus(text.toLowerCase());
  const refusesWords = run.withParameter('status', isWord).some(({ status }) => status === 400);
  return isFilter || refusesWords ? 'union' : undefined;
}

const isPlain = (text: string) => /^(?:0|-?[1-9]\d*)$/.test(text);
const isEmpty = (text: string) => text === '';
/** A word that no language takes for a number. */
const isWord = (text: string) => /^[a-z]+$/i.test(text) && !/^(?:infinity|inf|nan|null|true)$/i.test(text);
const isFraction = (text: string) => /^\d+\.\d+$/.test(text);
const hasLeadingZero = (text: string) => /^0\d+$/.test(text);
const isAbove = (text: string) => isPlain(text) && Number(text) > MOST_LISTED;
const isBelow = (text: string) => isPlain(text) && Number(text) < 1;

function observeLimits(run: FinishedRun, isMeant: (text: string) => boolean, classify: Classify<number>) {
  return observe(run.withParameter('limit', isMeant), (exchange) =>
    exchange.isList ? classify(exchange.animals.length) : toRefusal(exchange),
  );
}

/** Compares a list with the lists for limit=20. Lists of one animal show nothing. */
function compareWithUsual(run: FinishedRun, length: number): string | undefined {
  const usual = run.lengthsOf('', '?limit=20');
  if (Math.max(...usual) <= 1) return undefined;
  if (length === 1) return 'clamp';
  return usual.has(length) ? 'default' : 'another length';
}

/** Compares a list with the lists for limit=20, where it may have one animal or none. */
function compareWithFew(run: FinishedRun, length: number): string | undefined {
  const compared = compareWithUsual(run, length);
  if (compared === undefined || compared === 'default') return compared;
  return { 0: 'none', 1: 'one' }[length] ?? compared;
}

/** Observes limits whose integer is from 1 to 100. @param value of a deployment that uses this integer */
function observeNumbers(run: FinishedRun, isMeant: (text: string) => boolean, value: string): Observation {
  const usual = run.lengthsOf('', '?limit=20');
  const integerOf = (text: string) => Math.trunc(Number(text));
  const isWithin = (text: string) => isMeant(text) && integerOf(text) >= 1 && integerOf(text) <= MOST_LISTED;
  return observe(run.withParameter('limit', isWithin), (exchange) => {
    if (!exchange.isList) return toRefusal(exchange);
    const { length } = exchange.animals;
    const [, text = ''] = exchange.path.split('limit=');
    if (usual.size === 0) return undefined;
    const isOfInteger = mayBeOfLimit(run, integerOf(decodeURIComponent(text)), length);
    if (isOfInteger === usual.has(length)) return isOfInteger ? undefined : 'another length';
    return isOfInteger ? value : 'default';
  });
}

/**
 * Returns whether a list for a limit may have a length. It is shorter than its limit where the deployment has fewer animals, or lists
 * no more of them. It grows while the suite adds some.
 */
function mayBeOfLimit(run: FinishedRun, limit: number, length: number): boolean {
  const longest = run.lengthsOf(LONGEST);
  const known = longest.size > 0 ? longest : run.lengthsOf('', '?limit=20');
  if (limit < Math.max(...known)) return length === limit;
  // A list for a smaller limit does not show how many animals there are.
  const most = longest.size > 0 ? Math.max(...longest) : limit;
  return length >= Math.min(...known) && length <= most;
}

/** Returns the length of the longest list for limit=100, which may have been cut there. */
function longestOf(run: FinishedRun): number {
  return Math.max(0, ...run.lengthsOf(LONGEST, ...longestByStatus));
}

/** Observes the length of lists that have fewer animals than were listed before them. */
function observePageSize(run: FinishedRun): Observation {
  const longest = longestOf(run);
  const known = new Map<unknown, unknown>();
  const cut: Exchange[] = [];
  // A list may also hide animals. Three lists of the same length are cut, by status or of different limits. For the second, the
  // list has to show animals of each status that the missing ones have.
  const full = [LONGEST, ...longestByStatus].filter((query) => run.lengthsOf(query).has(longest));
  const above = run.withParameter(
    'limit',
    (text) => isPlain(text) && Number(text) > longest && Number(text) <= MOST_LISTED,
  );
  const cutLimits = above.filter(({ isList, animals }) => isList && animals.length === longest);
  const isSameByStatus = full.length > 2;
  const isSameByLimit = new Set(cutLimits.map(({ path }) => path)).size > 2;
  for (const list of run.lists) {
    const { length } = list.animals;
    const isSameLength = isSameByStatus || (isSameByLimit && showsEachStatus(list, known));
    const isCut = known.size > length && isSameLength;
    if (list.path === `/pets${LONGEST}` && length === longest && (isCut || length === MOST_LISTED))
      cut.push(list);
    for (const { id, status } of list.animals) known.set(id, status);
  }
  if (cut.length === 0)
    return known.size > longest
      ? { unknown: 'it is not certain that the longest list was cut' }
      : { unknown: 'the deployment has too few animals' };
  return observe(cut, () => longest);
}

/** Number of animals that two lists have to have in the same order, so that they are not shuffled. */
const ANIMALS_IN_ORDER = 5;

/** The parameter of FURTHER_PAGES that shows an animal, by the animal's index in the list without it. */
const pagesByIndex: Readonly<Record<number, string>> = { 0: 'none', 1: 'page', 3: 'offset', 4: 'skip' };

/** Observes which animal of the list before it a further page shows. */
function observePages(run: FinishedRun): Observation {
  const long = run.lists.filter(
    ({ path, animals }) => !path.includes('status') && animals.length >= ANIMALS_IN_ORDER,
  );
  return observe(
    run.lists.filter(({ path }) => path === FURTHER_PAGES),
    ({ animals, at }) => {
      const before = run.additions.filter((one) => one.at <= at);
      const added = Math.max(0, ...before.map(({ end }) => end));
      const last = long.findLast((list) => list.end <= at && list.at >= added);
      const earlier = long.filter((list) => list !== last);
      if (last === undefined || !earlier.some((list) => hasSameOrder(list, last))) return undefined;
      const [first, ...others] = animals;
      const index = last.animals.findIndex(({ id }) => id === first?.id);
      return (others.length === 0 ? pagesByIndex[index] : undefined) ?? 'another page';
    },
  );
}

/** Returns whether two lists have enough animals in common, and have them in the same order. */
function hasSameOrder(one: Exchange, other: Exchange): boolean {
  const [ids, others] = [one, other].map(({ animals }) => animals.map(({ id }) => id));
  const common = ids?.filter((id) => others?.includes(id)) ?? [];
  const inOther = others?.filter((id) => common.includes(id)) ?? [];
  return common.length >= ANIMALS_IN_ORDER && common.every((id, index) => id === inOther[index]);
}

/** Returns whether a list has animals of each status. @param known statuses of animals, by id */
function showsEachStatus({ animals }: Exchange, known: ReadonlyMap<unknown, unknown>): boolean {
  const shown = new Set<unknown>(animals.map(({ status }) => status));
  return known.values().every((status) => shown.has(status));
}

function observeWithoutStatus(run: FinishedRun): Observation {
  const wantedBy = ({ path }: Exchange) =>
    /^\/pets\?(?:limit=100&)?status=(available|pending|sold)$/.exec(path)?.[1];
  const withoutStatus = run.lists.filter(({ animals }) => animals.some(({ status }) => status === undefined));
  const showing = withoutStatus.filter(wantedBy);
  if (showing.length > 0) return observe(showing, wantedBy);
  const first = withoutStatus.find(({ isByStatus }) => !isByStatus);
  // A list that was cut may lack the animal.
  const longest = longestOf(run);
  const complete = longestByStatus.map((query) =>
    run.listsOf(query).find((list) => first && list.at > first.end && list.animals.length < longest),
  );
  const [one, ...others] = complete.filter((list) => list !== undefined);
  if (one === undefined || others.length < 2 || first === undefined) return { unknown: NOT_SHOWN };
  return { value: 'none', evidence: [first, one] };
}

/** Observes bounds: a complete list without an animal is a lower bound, and a list with it an upper bound. */
function observeListDelay(run: FinishedRun): Observation {
  const bounds = new DelayBounds();
  const longest = longestOf(run);
  const lists = run.listsOf(LONGEST, ...longestByStatus);
  for (const added of run.additions) {
    for (const list of lists) {
      if (list.animals.some(({ id }) => id === added.id)) {
        bounds.addShowing(added, list);
        continue;
      }
      const isMeant = !list.isByStatus || list.path.endsWith(`status=${added.animal?.status}`);
      if (isMeant && list.animals.length < longest) bounds.addLacking(added, list);
    }
  }
  return bounds.observe(choices.listDelay.values);
}

function isStatusInOtherCase(text: string): boolean {
  return !isStatus(text) && isStatus(text.toLowerCase());
}

function isInvalidStatus(text: string): boolean {
  return text !== '' && !text.split(',').some((one) => isStatus(one.trim().toLowerCase()));
}

/** The unusual values of a parameter that each choice is about. */
export const unusualValues = {
  limitAbove100: isAbove,
  limitBelow1: isBelow,
  limitWord: isWord,
  limitFraction: isFraction,
  limitLeadingZero: hasLeadingZero,
  limitEmpty: isEmpty,
  invalidStatus: isInvalidStatus,
  statusCase: isStatusInOtherCase,
  statusLists: (text: string) => text.includes(',') && text.split(',').every(isStatus),
} as const;
