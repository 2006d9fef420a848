import { type AnimalMembers, isMemberName, type MemberType, SINGLE } from '../behaviour/further-members.ts';
import { mergeTypes, typeOf } from '../behaviour/member-types.ts';
import type { JsonObject } from '../json/exact-json.ts';
import type { Exchange } from './exchange.ts';
import { type FinishedRun, furtherOf, NOT_SHOWN, type Observation } from './finished-run.ts';

/** The share of animals that may have other members, such as those that an import has left. */
const MOST_EXCEPTIONS = 0.1;

const DIFFERENT = { unknown: 'responses differ' };

/** Further members with their types, or undefined if animals differ. */
type Usual = ReadonlyMap<string, MemberType> | undefined;

/** Observes the further members of new animals, or else of nearly all stored ones, also apart from lists. */
export function observeAnimalMembers(run: FinishedRun): Observation {
  const { additions, fetches, lists, posts } = run;
  const hasSent = ({ sent }: Exchange) => furtherOf(sent).length > 0;
  // The service may keep what was sent.
  const isOfSent = createHasId(toAnimals(additions.filter(hasSent)));
  // Of a long body only known members are kept.
  const isWhole = ({ response }: Exchange) => response?.length === undefined;
  const added = additions.filter((one) => isWhole(one) && !hasSent(one));
  const fetched = fetches.filter((one) => isWhole(one) && one.animal !== undefined && !isOfSent(one.animal));
  const rows = lists
    .filter(isWhole)
    .flatMap(({ animals }) => animals)
    .filter((animal) => !isOfSent(animal));
  const isAdded = createHasId(toAnimals(added));
  const single = toAnimals(
    added.length > 0 ? [...added, ...fetched.filter((one) => isAdded(one.animal))] : fetched,
  );
  const listed = added.length > 0 ? rows.filter(isAdded) : rows;
  // Whoever has added the stored animals may have sent their members.
  const sent = new Set(posts.flatMap((post) => furtherOf(post.sent)));
  const mayBeSent = (animal: JsonObject) => furtherOf(animal).some((name) => sent.has(name));
  const isUncertain = added.length === 0 && [...single, ...listed].some(mayBeSent);
  if (isUncertain || single.length + listed.length === 0) return { unknown: NOT_SHOWN };
  const find = (animals: readonly JsonObject[]) => findUsual(animals, added.length > 0 ? 0 : MOST_EXCEPTIONS);
  const [alone, inLists] = isOtherInLists(single, listed)
    ? [find(single), find(listed)]
    : [find([...single, ...listed]), find([...single, ...listed])];
  if (alone === undefined || inLists === undefined) return DIFFERENT;
  const members = mergeMembers(alone, inLists);
  if (members === undefined) return DIFFERENT;
  const names = [...alone.keys()];
  const evidence = [...added, ...fetched].slice(0, 2);
  const isSafe = (name: string) => isMemberName(name) && run.hide(name) === name;
  return { value: names.every(isSafe) ? toListed(members) : NO_NAMES, evidence };
}

const toAnimals = (exchanges: readonly Exchange[]) =>
  exchanges.map(({ animal }) => animal).filter((animal) => animal !== undefined);

function createHasId(animals: readonly JsonObject[]): (animal?: JsonObject) => boolean {
  const ids = new Set(animals.map(({ id }) => id));
  return (animal) => animal !== undefined && ids.has(animal.id);
}

/** Returns whether lists show other members of the same animals. */
function isOtherInLists(single: readonly JsonObject[], listed: readonly JsonObject[]): boolean {
  const same = listed.filter(createHasId(single));
  const alone = single.filter(createHasId(listed));
  const namesOf = (animals: readonly JsonObject[]) =>
    new Set(animals.map((animal) => namesOfFurther(animal).join()));
  const [inLists, others] = [namesOf(same), namesOf(alone)];
  return inLists.symmetricDifference(others).size > 0;
}

/** Merges the members of a single animal and those in lists, which have to be some of them. */
function mergeMembers(
  alone: ReadonlyMap<string, MemberType>,
  inLists: ReadonlyMap<string, MemberType>,
): AnimalMembers | undefined {
  const isOfBoth = [...inLists].every(
    ([name, type]) => alone.has(name) && mergeTypes(alone.get(name), type) !== undefined,
  );
  if (!isOfBoth) return undefined;
  const all: Record<string, MemberType> = {};
  const others: Record<string, MemberType> = {};
  for (const [name, type] of alone) {
    const listed = inLists.get(name);
    if (listed === undefined) others[name] = type;
    else all[name] = mergeTypes(type, listed) ?? type;
  }
  return Object.keys(others).length > 0 ? { ...all, [SINGLE]: others } : all;
}

/** Is no value, in place of members whose names may be data. */
const NO_NAMES = '{other}';

/** Returns the listed value that has these members, if there is one. */
function toListed(members: AnimalMembers): AnimalMembers | string {
  const text = JSON.stringify(members);
  const listed: Readonly<Record<string, string>> = {
    '{}': 'none',
    '{"createdAt":"string"}': 'createdAt',
    '{"links":"object"}': 'links',
  };
  return listed[text] ?? members;
}

/** Returns the names of further members, in the same order for all animals. */
function namesOfFurther(animal: JsonObject): string[] {
  return furtherOf(animal).toSorted();
}

/** Finds the further members that nearly all animals have, by their ids. */
function findUsual(animals: readonly JsonObject[], exceptions: number): Usual {
  const byNames = Map.groupBy(animals, (animal) => namesOfFurther(animal).join('\n'));
  const countIds = (some: readonly JsonObject[]) => new Set(some.map(({ id }) => id)).size;
  const [usual = []] = [...byNames.values()].toSorted((one, other) => countIds(other) - countIds(one));
  const all = countIds(animals);
  if (all - countIds(usual) > all * exceptions || (exceptions === 0 && usual.length < animals.length))
    return undefined;
  const types = new Map<string, MemberType>();
  for (const animal of usual) {
    for (const name of namesOfFurther(animal)) {
      const type = mergeTypes(types.get(name), typeOf(animal[name]));
      if (type === undefined) return undefined;
      types.set(name, type);
    }
  }
  return types;
}
