import type { JsonObject } from '../../common/json/exact-json.ts';
import type { Pet } from '../../common/json/pet.ts';
import { type ChoiceName, type ChoiceValue, valuesOf } from '../choices/choices.ts';
import { DELAY_PRECISION } from '../choices/delays.ts';
import { isMemberName, type MemberType, mergeTypes, typeOf } from '../choices/further-members.ts';
import { serviceContract } from '../contract.ts';
import { animalsIn, toText } from './describe-reply.ts';
import type { Finding } from './finding.ts';
import { type History, readListQuery } from './history.ts';
import type { Seen } from './read-recording.ts';

/** What choices are learned from that no single response shows. */
interface Recorded {
  readonly exchanges: readonly Seen[];
  readonly history: History;
}

const { members } = serviceContract;

type Find = (recorded: Recorded) => Finding | undefined;

/** The choices that need several responses, each with how they are compared. Undefined means that the recording shows nothing. */
export const ofSeveralResponses: { readonly [Name in ChoiceName]?: Find } = {
  order: findOrder,
  pageSize: findPageSize,
  ids: findIds,
  listDelay: findListDelay,
  getDelay: findGetDelay,
  animalMembers: findAnimalMembers,
  errorMembers: findErrorMembers,
};

const toFinding = (value: unknown, evidence: readonly Seen[]): Finding => ({
  values: [value as ChoiceValue],
  evidence: evidence.slice(0, 2),
});

const unexplained = (evidence: readonly Seen[]): Finding => ({ values: [], evidence: evidence.slice(0, 2) });

const idOf = ({ json }: Seen) => animalsIn(json)[0]?.id as bigint;

/** Least number of pairs of animals that show an order. */
const ENOUGH_PAIRS = 5;

/** How many animals before an animal are compared with it. */
const MOST_BEFORE = 20;

/** Compares two animals: below 0 if the first one comes first for certain, 0 if that is unknown. */
type Compare = (one: JsonObject, other: JsonObject) => number;

/** Finds the order with which all pairs of animals in lists agree whose order is certain. */
function findOrder({ history }: Recorded): Finding | undefined {
  const pairs = history.lists.flatMap(({ json }) => {
    const animals = animalsIn(json).filter(({ id }) => typeof id === 'bigint');
    return animals.flatMap((other, index) =>
      animals.slice(Math.max(0, index - MOST_BEFORE), index).map((one) => [one, other] as const),
    );
  });
  const seen = new Set(pairs.map(([one, other]) => `${one.id} ${other.id}`));
  const isShuffled = pairs.filter(([one, other]) => seen.has(`${other.id} ${one.id}`)).length >= ENOUGH_PAIRS;
  // An animal that a recorded request added is younger than what was known before.
  const added = new Map(history.additions.map((one) => [idOf(one), one.at]));
  const isOlder = (one: JsonObject, other: JsonObject) =>
    history.firstShown(one.id) < (added.get(other.id as bigint) ?? Number.NEGATIVE_INFINITY);
  const certain: Compare = (one, other) => Number(isOlder(other, one)) - Number(isOlder(one, other));
  const isKnown = pairs.some(([one, other]) => certain(one, other) !== 0);
  // Where no addition shows the age, ids that count upwards do.
  const isCounted = pairs.every((pair) => pair.every(({ id }) => (id as bigint) > 0n));
  const byId: Compare = (one, other) => ((one.id as bigint) < (other.id as bigint) ? -1 : 1);
  const byAge = isKnown ? certain : isCounted ? byId : () => 0;
  const count = (compare: Compare, sign: number) =>
    pairs.filter(([one, other]) => compare(one, other) * sign > 0).length;
  const fits = (compare: Compare, sign: number) =>
    count(compare, sign) >= ENOUGH_PAIRS && count(compare, -sign) === 0;
  const values = [
    ...(isShuffled ? ['random' as const] : []),
    ...(fits(byAge, 1) ? ['newest' as const] : []),
    ...(fits(byAge, -1) ? ['oldest' as const] : []),
    ...(fits(byName, -1) ? ['name' as const] : []),
  ];
  const evidence = history.lists.filter(({ json }) => animalsIn(json).length > 1).slice(0, 2);
  const isOther = count(byAge, 1) > 0 && count(byAge, -1) > 0 && count(byName, 1) > 0;
  return values.length > 0 || isOther ? { values, evidence } : undefined;
}

/** Compares by code units where the rules of the language agree. */
const byName: Compare = (one, other) => {
  const [first, second] = [toText(one.name), toText(other.name)];
  const byUnit = first < second ? -1 : 1;
  return Math.sign(first.localeCompare(second)) === byUnit ? byUnit : 0;
};

const LARGEST_LIMIT = 100;

/** Finds the length of lists that have fewer animals than match, although their limit has room for more. */
function findPageSize({ history }: Recorded): Finding | undefined {
  const { lists, longest } = history;
  const full = lists.filter(({ json }) => animalsIn(json).length === longest);
  if (longest === LARGEST_LIMIT) return toFinding(LARGEST_LIMIT, full);
  const lacksSome = (list: Seen) => {
    const query = readListQuery(list.path);
    if (query === undefined || query.limit <= longest) return false;
    const ids = new Set(animalsIn(list.json).map(({ id }) => id));
    return history.listedAround(list).some((pet) => query.isWanted(pet) && !ids.has(pet.id));
  };
  const cut = full.filter(lacksSome);
  return cut.length > 0 ? toFinding(longest, cut) : undefined;
}

/** Number of additions that show how ids are made. */
const ENOUGH_IDS = 8;

/** Ids above this one are not exact in a double. */
const LARGEST_EXACT = 2n ** 53n;

/** How often an id may be smaller than the one before it without being random. */
const MOST_EXCEPTIONS = 2;

function findIds({ history: { additions } }: Recorded): Finding | undefined {
  const ids = additions.map(idOf);
  const is = (value: string) => toFinding(value, additions);
  if (ids.length < ENOUGH_IDS || ids.some((id) => typeof id !== 'bigint')) return undefined;
  if (ids.every((id) => id < 0n)) return is('negative');
  if (ids.every((id) => id > LARGEST_EXACT)) return is('large');
  if (ids.some((id) => id < 1n || id > LARGEST_EXACT)) return unexplained(additions);
  let last = additions[0] as Seen;
  let falls = 0;
  for (const one of additions) {
    if (one.at < last.end) continue;
    if (idOf(one) < idOf(last)) falls += 1;
    last = one;
  }
  if (falls > MOST_EXCEPTIONS) return is('random');
  return falls > 0 ? undefined : is('next');
}

/** A delay is learned as a multiple of it, in milliseconds. */
const ROUND = 100;

/** How much two clocks may differ, in milliseconds. */
const SLACK = 20;

/** A response that shows an animal so soon has not waited for it, in milliseconds. */
const SOON = 100;

/**
 * Finds the delay that agrees with when responses began to show new animals.
 * @param readsOf returns the responses that would show an animal, and whether they do
 */
function findDelay(
  name: 'listDelay' | 'getDelay',
  additions: readonly Seen[],
  readsOf: (added: Seen) => readonly (readonly [seen: Seen, isShown: boolean])[],
): Finding | undefined {
  let [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  let [lacking, showing]: (Seen | undefined)[] = [];
  for (const added of additions) {
    const reads = readsOf(added).toSorted(([one], [other]) => one.end - other.end);
    const first = reads.find(([, isShown]) => isShown)?.[0];
    // An animal that no response shows may have been removed.
    if (first === undefined) continue;
    if (first.end - added.at < most) [most, showing] = [first.end - added.at, first];
    for (const [seen, isShown] of reads) {
      if (isShown || seen.at >= first.at || seen.at - added.end <= Math.max(least, 0)) continue;
      [least, lacking] = [seen.at - added.end, seen];
    }
  }
  if (showing === undefined) return undefined;
  const evidence = [lacking, showing].filter((one) => one !== undefined);
  if (lacking === undefined) return most <= SOON ? toFinding(0, evidence) : undefined;
  if (most - least > DELAY_PRECISION) return undefined;
  const listed = valuesOf(name).find(
    (value) => Number(value) > least - SLACK && Number(value) <= most + SLACK,
  );
  return toFinding(listed ?? Math.round((least + most) / 2 / ROUND) * ROUND, evidence);
}

function findListDelay({ history }: Recorded): Finding | undefined {
  const lists = history.lists.flatMap((list) => {
    const query = readListQuery(list.path);
    const animals = animalsIn(list.json);
    const ids = new Set(animals.map(({ id }) => id));
    return query ? [{ list, ...query, ids, isWhole: animals.length < history.mostOf(list) }] : [];
  });
  return findDelay('listDelay', history.additions, (added) => {
    const [pet = {}] = animalsIn(added.json);
    return lists.flatMap(({ list, ids, isWhole, isWanted }) => {
      const isShown = ids.has(pet.id);
      return isShown || (isWanted(pet as unknown as Pet) && isWhole) ? [[list, isShown] as const] : [];
    });
  });
}

function findGetDelay({ exchanges, history }: Recorded): Finding | undefined {
  const fetches = exchanges.filter(
    ({ method, status }) => method === 'GET' && (status === 200 || status === 404),
  );
  const byPath = Map.groupBy(fetches, ({ path }) => path);
  return findDelay('getDelay', history.additions, (added) => {
    const reads = byPath.get(`/pets/${idOf(added)}`) ?? [];
    return reads.map((seen) => [seen, seen.status === 200] as const);
  });
}

const isFurther = (name: string) => members.every((member) => member.name !== name);

/** The share of animals that may have other members, such as those that an import has left. */
const OTHERS = 0.1;

/** Finds the further members of added animals, or else of nearly all. */
function findAnimalMembers({ exchanges, history }: Recorded): Finding | undefined {
  const isOfOne = ({ method, path }: Seen) => method === 'GET' && /^\/pets\/[^?]/.test(path);
  const singles = exchanges.filter((one) => one.status === 201 || (isOfOne(one) && one.status === 200));
  const evidence = [...singles, ...history.lists];
  const added = new Set(history.additions.map(idOf));
  const sendsFurther = ({ sent }: Seen) => Object.keys(sent).some(isFurther);
  const withOwn = new Set(history.additions.filter(sendsFurther).map(idOf));
  const all = evidence.flatMap(({ json }) => animalsIn(json)).filter(({ id }) => !withOwn.has(id as bigint));
  const ofAdded = all.filter(({ id }) => added.has(id as bigint));
  if (all.length === 0) return undefined;
  const types = findMembers(ofAdded.length > 0 ? ofAdded : all);
  if (types === undefined || ![...types.keys()].every(isMemberName)) return unexplained(evidence);
  const value = Object.fromEntries(types);
  return toFinding(named[JSON.stringify(value)] ?? value, evidence);
}

const named: Readonly<Record<string, string>> = {
  '{}': 'none',
  '{"createdAt":"string"}': 'createdAt',
  '{"links":"object"}': 'links',
};

/** Finds the further members that nearly all animals have. @returns undefined if animals differ */
function findMembers(animals: readonly JsonObject[]): ReadonlyMap<string, MemberType> | undefined {
  const furtherOf = (one: JsonObject) => Object.keys(one).filter(isFurther).toSorted();
  const alike = [...Map.groupBy(animals, (one) => furtherOf(one).join()).values()];
  const [usual = []] = alike.toSorted((one, other) => other.length - one.length);
  const hasOthers = animals.length - usual.length > animals.length * OTHERS;
  return hasOthers ? undefined : mergeAll(usual, furtherOf(usual[0] ?? {}));
}

/** Merges the types of members. @returns undefined if one has several types */
function mergeAll(
  objects: readonly JsonObject[],
  names: readonly string[],
): Map<string, MemberType> | undefined {
  const types = new Map<string, MemberType>();
  for (const name of names) {
    let type: MemberType | undefined = 'null';
    for (const object of objects) type = type && mergeTypes(type, typeOf(object[name]));
    if (type === undefined) return undefined;
    types.set(name, type);
  }
  return types;
}

function findErrorMembers({ exchanges }: Recorded): Finding | undefined {
  const errors = exchanges.filter(
    ({ status, json }) => status >= 400 && typeof animalsIn(json)[0]?.code === 'string',
  );
  const objects = errors.flatMap(({ json }) => animalsIn(json).slice(0, 1));
  const [first] = objects;
  if (first === undefined) return undefined;
  const further = (object: JsonObject) =>
    Object.keys(object).filter((name) => !/^(?:code|message|status)$/.test(name));
  const shared = further(first).filter((name) => objects.every((one) => Object.hasOwn(one, name)));
  const common = shared.toSorted();
  const types = mergeAll(objects, common);
  const isOfSome = common.length === 0 && objects.some((one) => further(one).length > 0);
  if (types === undefined || isOfSome || !common.every(isMemberName)) return unexplained(errors);
  const value = Object.fromEntries(types);
  const named = { '{}': 'none', '{"details":"array","traceId":"string"}': 'some' };
  return toFinding(named[JSON.stringify(value) as keyof typeof named] ?? value, errors);
}
