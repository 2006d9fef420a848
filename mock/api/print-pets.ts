import type { Behaviour } from '../../common/behaviour/choices.ts';
import { createReply, type Reply } from '../../common/http/reply.ts';
import { type JsonObject, printExactJson } from '../../common/json/exact-json.ts';
import type { Pet } from '../../common/json/pet.ts';
import { readTime } from '../../common/real-time.ts';
import { createMatch } from './list-filters.ts';
import { petMemberNames } from './pet-members.ts';
import type { PetStore } from './pet-store.ts';
import type { ListQuery } from './validation.ts';

/** Parts of a session that replies with animals depend on. */
export interface PrintOptions {
  readonly behaviour: Behaviour;
  /** Returns numbers from 0 up to 1. */
  readonly random: () => number;
  readonly basePath: string;
  /** Returns a time in milliseconds, for the delay of lists. @default the real time */
  readonly clock?: () => number;
}

/** When an animal was added, and the further members of its body. */
interface Addition {
  readonly at: number;
  readonly further: JsonObject;
}

/** Animals that were added by a request, while the behaviour delays lists or keeps further members. */
const additions = new WeakMap<Pet, Addition>();

/** Remembers how a request added an animal, if the behaviour depends on it. @param body of the request */
export function rememberAddition(pet: Pet, body: JsonObject, options: PrintOptions): void {
  const { behaviour, clock = readTime } = options;
  const { listDelay, unknownMembers } = behaviour;
  if (listDelay === 0 && unknownMembers !== 'keep') return;
  const further = Object.entries(body).filter(([name]) => !petMemberNames.some((known) => known === name));
  const kept = unknownMembers === 'keep' ? Object.fromEntries(further) : {};
  additions.set(pet, { at: clock() + listDelay, further: kept });
}

/** The JSON of animals without further members. An animal never changes. */
const texts = new WeakMap<Pet, string>();

/** Prints an animal as JSON. */
export function printPet(pet: Pet, options: PrintOptions): string {
  const text = texts.get(pet) ?? printMembers(pet);
  texts.set(pet, text);
  const further = printFurther(pet, options);
  return further === '' ? text : `${text.slice(0, -1)}${further}}`;
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

function printFurther(pet: Pet, { behaviour, basePath }: PrintOptions): string {
  const { animalMembers, unknownMembers } = behaviour;
  if (animalMembers === 'none' && unknownMembers !== 'keep') return '';
  const added: Readonly<Record<Behaviour['animalMembers'], JsonObject>> = {
    none: {},
    createdAt: { createdAt: inventTime(pet.id).toISOString() },
    links: { links: { self: `${basePath}/pets/${pet.id}` } },
  };
  const all = Object.entries({ ...added[animalMembers], ...additions.get(pet)?.further });
  // The contract may have a member that a behaviour adds.
  const further = all.filter(([name]) => !Object.hasOwn(pet, name));
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
export function printList(store: PetStore, query: ListQuery, options: PrintOptions): Reply {
  const pets = chooseAnimals(store, query, options).map((pet) => printPet(pet, options));
  return createReply(200, `[${pets.join(',')}]`);
}

function chooseAnimals(store: PetStore, query: ListQuery, options: PrintOptions): readonly Pet[] {
  const { behaviour, random, clock = readTime } = options;
  const { order, listDelay } = behaviour;
  const { limit, filters } = query;
  const isMatch = createMatch(filters, behaviour);
  const isListed = (pet: Pet) => listDelay === 0 || (additions.get(pet)?.at ?? 0) <= clock();
  const isShown = (pet: Pet) => isMatch(pet) && isListed(pet);
  const findAll = () => store.all().filter(isShown);
  const arranged: Readonly<Record<Behaviour['order'], () => readonly Pet[]>> = {
    newest: () => store.list(limit, isShown, true),
    oldest: () => store.list(limit, isShown),
    name: () => findAll().sort(compareNames).slice(0, limit),
    random: () => shuffle(findAll(), limit, random).slice(0, limit),
  };
  return arranged[order]();
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
