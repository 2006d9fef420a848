import { defaultBehaviour } from '../../common/behaviour/behaviours.ts';
import type { Behaviour } from '../../common/behaviour/choices.ts';
import { type AnimalMembers, membersOf } from '../../common/behaviour/further-members.ts';
import { createReply, type Reply } from '../../common/http/reply.ts';
import { type JsonObject, printExactJson } from '../../common/json/exact-json.ts';
import type { Pet } from '../../common/json/pet.ts';
import { readTime } from '../../common/real-time.ts';
import type { BehaviourSource } from './behaviour-source.ts';
import { inventMembers } from './invent-members.ts';
import { createMatch } from './list-filters.ts';
import { petMemberNames } from './pet-members.ts';
import type { PetStore } from './pet-store.ts';
import type { ListQuery } from './validation.ts';

/** Parts of a session that replies with animals depend on. */
export interface PrintOptions extends BehaviourSource {
  /** Returns numbers from 0 up to 1. */
  readonly random: () => number;
  /** Returns a time in milliseconds, for delays of new animals. @default the real time */
  readonly clock?: () => number;
}

/** What the JSON of an animal depends on. */
interface PrintContext {
  readonly session: PrintOptions;
  /** Path of the base URL that the client uses, for links. */
  readonly basePath: string;
}

interface ListContext extends PrintContext {
  readonly store: PetStore;
}

/** When responses begin to show an animal, and the further members of its body. */
interface Addition {
  readonly listedAt: number;
  readonly foundAt: number;
  readonly further: JsonObject;
}

/** Animals that were added by a request, while the behaviour delays responses or keeps further members. */
const additions = new WeakMap<Pet, Addition>();

/** Remembers how a request added an animal, if the behaviour depends on it. @param body of the request */
export function rememberAddition(pet: Pet, body: JsonObject, options: PrintOptions): void {
  const { behaviour, clock = readTime } = options;
  const { listDelay, getDelay, unknownMembers } = behaviour;
  if (listDelay === 0 && getDelay === 0 && unknownMembers !== 'keep') return;
  const further = Object.entries(body).filter(([name]) => !petMemberNames.some((known) => known === name));
  const kept = unknownMembers === 'keep' ? Object.fromEntries(further) : {};
  const now = clock();
  additions.set(pet, { listedAt: now + listDelay, foundAt: now + getDelay, further: kept });
}

/** Returns whether the behaviour hides an animal from requests of its id for some time more. */
export function isNotFoundYet(pet: Pet, { behaviour, clock = readTime }: PrintOptions): boolean {
  return behaviour.getDelay > 0 && (additions.get(pet)?.foundAt ?? 0) > clock();
}

/** The JSON of animals without further members. An animal never changes. */
const texts = new WeakMap<Pet, string>();

/** Prints an animal as JSON. @param isSingle false in a list */
export function printPet(pet: Pet, context: PrintContext, isSingle: boolean): string {
  const text = printPlainPet(pet);
  const further = printFurther(pet, context, isSingle);
  return further === '' ? text : `${text.slice(0, -1)}${further}}`;
}

/** Prints an animal without further members. */
export function printPlainPet(pet: Pet): string {
  const text = texts.get(pet) ?? printMembers(pet);
  texts.set(pet, text);
  return text;
}

/** Prints by hand, since a replacer for the bigints takes several times as long. */
function printMembers(pet: Pet): string {
  const members = petMemberNames.flatMap((name) => {
    const value = pet[name];
    if (value === undefined) return [];
    return `"${name}":${typeof value === 'bigint' ? value : JSON.stringify(value)}`;
  });
  return `{${members.join(',')}}`;
}

const listedMembers: Readonly<Record<Extract<Behaviour['animalMembers'], string>, AnimalMembers>> = {
  none: {},
  createdAt: { createdAt: 'string' },
  links: { links: 'object' },
};

function printFurther(pet: Pet, context: PrintContext, isSingle: boolean): string {
  const { session: options, basePath } = context;
  const { animalMembers, unknownMembers } = options.behaviour;
  if (animalMembers === 'none' && unknownMembers !== 'keep') return '';
  const members = typeof animalMembers === 'object' ? animalMembers : listedMembers[animalMembers];
  const path = `${basePath}/pets/${pet.id}`;
  const source = { number: pet.id, time: inventTime(pet.id), path };
  const added = inventMembers(membersOf(members, isSingle), source);
  const kept = (unknownMembers === 'keep' && additions.get(pet)?.further) || {};
  const all = Object.entries({ ...added, ...kept });
  // The contract may have a member that a behaviour adds.
  const further = all.filter(([name]) => !Object.hasOwn(pet, name));
  for (const [name] of further)
    options.noteActed(Object.hasOwn(kept, name) ? 'unknownMembers' : 'animalMembers');
  const json = printExactJson(Object.fromEntries(further));
  return json === '{}' ? '' : `,${json.slice(1, -1)}`;
}

/** The time that the animal with the id 0 has, where animals show when they were added. */
const FIRST_TIME = Date.UTC(2028, 0, 1);

/** Number of different times, in minutes: about two years. */
const MOST_MINUTES = 2n ** 20n;

const MILLISECONDS_OF_MINUTE = 60_000;

/** Returns a time that grows with the id, because the mock does not keep when an animal was added. */
function inventTime(id: bigint): Date {
  const minutes = ((id % MOST_MINUTES) + MOST_MINUTES) % MOST_MINUTES;
  return new Date(FIRST_TIME + Number(minutes) * MILLISECONDS_OF_MINUTE);
}

/** Returns a list of the animals that match. */
export function printList(context: ListContext, query: ListQuery): Reply {
  const { store, session } = context;
  const pets = chooseAnimals(store, query, session).map((pet) => printPet(pet, context, false));
  return createReply(200, `[${pets.join(',')}]`);
}

function chooseAnimals(store: PetStore, query: ListQuery, options: PrintOptions): readonly Pet[] {
  const { behaviour, clock = readTime } = options;
  const { listDelay, pageSize } = behaviour;
  const isMatch = createMatch(query.filters, behaviour);
  if (behaviour === defaultBehaviour) return store.list(query.limit, isMatch, true);
  const now = clock();
  const isListed = (pet: Pet) => listDelay === 0 || (additions.get(pet)?.listedAt ?? 0) <= now;
  const { offset } = query;
  const selection = { store, isMatch, isListed, offset, limit: Math.min(query.limit, pageSize) };
  const chosen = arrange(selection, options);
  noteListChoices(chosen, selection, query, options);
  return chosen;
}

/** The animals that a list is made of. */
interface Selection {
  readonly store: PetStore;
  readonly isMatch: (pet: Pet) => boolean;
  /** Returns false for an animal that lists do not show yet. */
  readonly isListed: (pet: Pet) => boolean;
  readonly limit: number;
  /** Number of animals before the first one. */
  readonly offset: number;
}

function arrange(
  { store, isMatch, isListed, limit, offset }: Selection,
  options: PrintOptions,
): readonly Pet[] {
  const { behaviour, random } = options;
  const isShown = (pet: Pet) => isMatch(pet) && isListed(pet);
  const findAll = () => store.all().filter(isShown);
  const end = offset + limit;
  const { order } = behaviour;
  const arranged: Readonly<Record<typeof order, () => readonly Pet[]>> = {
    newest: () => store.list(end, isShown, true),
    oldest: () => store.list(end, isShown),
    name: () => findAll().sort(compareNames).slice(0, end),
    random: () => shuffle(findAll(), end, random).slice(0, end),
  };
  return arranged[order]().slice(offset);
}

/** Notes each choice without which the list would be another one. */
function noteListChoices(
  chosen: readonly Pet[],
  selection: Selection,
  query: ListQuery,
  options: PrintOptions,
): void {
  const { store, isMatch, isListed } = selection;
  const { behaviour } = options;
  const { order, pageSize, listDelay } = behaviour;
  const isOther = (difference: Partial<Behaviour>, changed: Partial<Selection> = {}) => {
    const usual = { ...options, behaviour: { ...behaviour, ...difference } };
    const list = arrange({ ...selection, ...changed }, usual);
    return list.length !== chosen.length || list.some((pet, index) => pet !== chosen[index]);
  };
  if (order !== 'newest' && isOther({ order: 'newest' })) options.noteActed('order');
  const isShown = (pet: Pet) => isMatch(pet) && isListed(pet);
  if (query.limit > pageSize && store.list(pageSize + 1, isShown).length > pageSize)
    options.noteActed('pageSize');
  if (query.offset > 0 && query.limit > 0 && store.list(1, isShown).length > 0) options.noteActed('pages');
  const isHidden = (pet: Pet) => isMatch(pet) && !isListed(pet);
  // A shuffle cannot be repeated: a hidden animal changes what it draws from.
  const hidesSome = () => order === 'random' || isOther({}, { isListed: () => true });
  if (listDelay > 0 && store.list(1, isHidden).length > 0 && hidesSome()) options.noteActed('listDelay');
  const isUsualMatch = createMatch(query.filters, { ...behaviour, listsWithoutStatus: 'none' });
  if (!chosen.every(isUsualMatch)) options.noteActed('listsWithoutStatus');
}

function compareNames(one: Pet, other: Pet): number {
  if (one.name === other.name) return 0;
  return one.name < other.name ? -1 : 1;
}

/** Puts any animals in the first places. Source: Fisher-Yates shuffle */
function shuffle(pets: Pet[], limit: number, random: () => number): Pet[] {
  for (let index = 0; index < Math.min(limit, pets.length); index += 1) {
    const other = index + Math.floor(random() * (pets.length - index));
    [pets[index], pets[other]] = [pets[other] as Pet, pets[index] as Pet];
  }
  return pets;
}
