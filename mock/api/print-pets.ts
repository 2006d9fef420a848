import type { Behaviour } from '../../common/behaviour/choices.ts';
import { createReply, type Reply } from '../../common/http/reply.ts';
import { type JsonObject, printExactJson } from '../../common/json/exact-json.ts';
import type { Pet } from '../../common/json/pet.ts';
import { readTime } from '../../common/real-time.ts';
import type { ListFilter, PetStore } from './pet-store.ts';

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
  const { id, name, categoryId, status, ...further } = body;
  additions.set(pet, { at: clock() + listDelay, further: unknownMembers === 'keep' ? further : {} });
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
function printMembers({ id, name, categoryId, status }: Pet): string {
  const rest = status === undefined ? '' : `,"status":"${status}"`;
  return `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId}${rest}}`;
}

function printFurther(pet: Pet, { behaviour, basePath }: PrintOptions): string {
  const { animalMembers, unknownMembers } = behaviour;
  if (animalMembers === 'none' && unknownMembers !== 'keep') return '';
  const minutes = Number(BigInt.asUintN(20, pet.id));
  const added: Readonly<Record<Behaviour['animalMembers'], JsonObject>> = {
    none: {},
    createdAt: { createdAt: new Date(Date.UTC(2028, 0, 1, 0, minutes)).toISOString() },
    links: { links: { self: `${basePath}/pets/${pet.id}` } },
  };
  const json = printExactJson({ ...added[animalMembers], ...additions.get(pet)?.further });
  return json === '{}' ? '' : `,${json.slice(1, -1)}`;
}

/** Returns a list of the animals that match. */
export function printList(store: PetStore, filter: ListFilter, options: PrintOptions): Reply {
  const pets = chooseAnimals(store, filter, options).map((pet) => printPet(pet, options));
  return createReply(200, `[${pets.join(',')}]`);
}

function chooseAnimals(store: PetStore, filter: ListFilter, options: PrintOptions): readonly Pet[] {
  const { behaviour, random, clock = readTime } = options;
  const { order, listsWithoutStatus, listDelay } = behaviour;
  const { limit, status } = filter;
  const isPlain = (order === 'newest' || order === 'oldest') && listDelay === 0;
  const hasOthers = status !== undefined && status === listsWithoutStatus;
  if (isPlain && !hasOthers) return store.list(filter, order === 'newest');
  const isShown = (pet: Pet) =>
    (status === undefined || pet.status === status || (hasOthers && pet.status === undefined)) &&
    (listDelay === 0 || (additions.get(pet)?.at ?? 0) <= clock());
  const pets = store.all().filter(isShown);
  const arranged = {
    newest: () => pets.reverse(),
    oldest: () => pets,
    name: () => pets.sort((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name))),
    random: () => shuffle(pets, limit, random),
  };
  return arranged[order]().slice(0, limit);
}

/** Puts any animals in the first places. Source: Fisher-Yates shuffle */
function shuffle(pets: Pet[], limit: number, random: () => number): Pet[] {
  for (let index = 0; index < Math.min(limit, pets.length); index += 1) {
    const other = index + Math.floor(random() * (pets.length - index));
    [pets[index], pets[other]] = [pets[other] as Pet, pets[index] as Pet];
  }
  return pets;
}
