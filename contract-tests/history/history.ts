import { type AnimalFacts, readAnimalFacts } from '../../common/json/animal-facts.ts';
import { type ExactJson, type JsonObject, printExactJson } from '../../common/json/exact-json.ts';
import { type Exchange, hasValidKey, mayAddAnimal } from '../client/exchange.ts';
import type { Target } from '../client/target.ts';
import type { RequestOptions } from '../client/to-request.ts';
import { type ListQuery, readListQuery } from './list-query.ts';
import { hasValidMembers } from './member-values.ts';
import { isStatusOfRemoval, REMOVAL } from './removal.ts';

/** A response that shows an animal, or says that there is none. */
export interface Observation {
  readonly exchange: Exchange;
  readonly how: 'list' | 'by id' | 'added';
  /** Undefined if the response says that there is no such animal. */
  readonly shown: JsonObject | undefined;
}

/** A response that has shown an animal. */
export type ShownObservation = Observation & { readonly shown: JsonObject };

/** Returns whether a response has shown an animal. */
export function isShown(observation: Observation | undefined): observation is ShownObservation {
  return observation?.shown !== undefined;
}

/** What all responses of the run say of an animal. */
export interface Animal {
  readonly id: bigint;
  /** In the order in which their requests were sent. */
  readonly observations: readonly Observation[];
  /** How this run added it, if it did. */
  readonly addition: Addition | undefined;
  /** Whether a 201 of this run returned its id, however the body was sent. */
  readonly isOwn: boolean;
  /** Whether a response showed two animals with its id, so that nothing can be said of either. */
  readonly isShared: boolean;
}

/** A response that is a list. */
export interface ListAnswer {
  readonly exchange: Exchange;
  readonly query: ListQuery;
  readonly ids: ReadonlySet<bigint>;
  /** Whether each element is an animal with an id of its own, so that the list shows what it lacks. */
  readonly isReadable: boolean;
  readonly bytes: number;
}

/** A response to a request for an animal by its id. */
export interface FetchAnswer {
  readonly exchange: Exchange;
  readonly id: bigint;
  /** The animal that was returned, whatever its id. */
  readonly shown: JsonObject | undefined;
}

/** A POST with the valid key. */
export interface Addition {
  readonly exchange: Exchange;
  /** The body, if it is a NewPet, so that an animal may be added. */
  readonly sent: JsonObject | undefined;
  /** The animal of a 201, if it has an integer as its id. */
  readonly shown: (JsonObject & { readonly id: bigint }) | undefined;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

interface WritableAnimal extends Writable<Omit<Animal, 'observations'>> {
  readonly observations: Observation[];
}

/**
 * Every request of a run with its response and its times, and the one model of the store that follows from them. Nothing is ever
 * removed from it, and nothing here gives a verdict.
 */
export class History {
  readonly target: Target;
  /** What the contract says about animals and their lists. */
  readonly contract: AnimalFacts;
  /** In the order in which the responses came. */
  readonly exchanges: Exchange[] = [];
  readonly lists: ListAnswer[] = [];
  readonly fetches: FetchAnswer[] = [];
  readonly additions: Addition[] = [];
  readonly animals = new Map<bigint, WritableAnimal>();
  readonly #ownIds = new Set<bigint>();
  /** Responses that answer nothing: they told the run to wait, or the request never reached the service and was sent again. */
  readonly unanswered: Exchange[] = [];
  /** Names and categories that only animals of this run have. */
  readonly marks: { readonly names: Set<unknown>; readonly categories: Set<unknown> };
  /** In the name of each animal of this run, where the case allows it. */
  readonly mark: string;

  constructor(target: Target, mark: string) {
    this.target = target;
    this.contract = readAnimalFacts(target.contract);
    this.mark = mark;
    this.marks = { names: new Set(), categories: new Set() };
  }

  /** Keeps an exchange. @param isSentAgain whether the service did not answer it, so that its request is sent again */
  record(exchange: Exchange, isSentAgain = false): void {
    this.exchanges.push(exchange);
    if (isSentAgain || exchange.asksToWait) {
      this.unanswered.push(exchange);
      return;
    }
    const { request, path, requestedId } = exchange;
    if (!hasValidKey(exchange, this.target)) return;
    if (isOfGateway(exchange)) return;
    if (mayAddAnimal(request)) this.#recordAddition(exchange);
    else if (request.method !== 'GET') return;
    else if (exchange.isList) this.#recordList(exchange);
    else if (isOfClient(exchange)) return;
    // A service need not take 01 for 1.
    else if (isId(requestedId) && path === `/pets/${requestedId}`) this.#recordFetch(exchange, requestedId);
  }

  /** Returns whether a response has shown an animal with an id. @param before the moment until which, in ms. @default ever */
  isKnown(id: bigint, before = Number.POSITIVE_INFINITY): boolean {
    const observations = this.animals.get(id)?.observations ?? [];
    return observations.some(({ shown, exchange }) => shown !== undefined && exchange.end <= before);
  }

  /** Whether every animal that is there was answered as a removed operation is, on a day on which it may be removed. */
  get isGetPetRemoved(): boolean {
    const ofKnown = this.fetches.filter(({ id, exchange }) => this.isKnown(id, exchange.at));
    const asked = ofKnown.length > 0 ? ofKnown : this.fetches;
    const isRemoved = asked.length > 0 && asked.every(({ exchange }) => isStatusOfRemoval(exchange.status));
    return this.target.now >= REMOVAL && isRemoved;
  }

  /** Returns whether a request adds a valid animal. A service may refuse, or read in another way, what is sent in an unusual form. */
  isNewPet({ form }: Pick<RequestOptions, 'form'>, sent: JsonObject): boolean {
    return form === undefined && hasValidMembers(sent, this.contract.newPet);
  }

  /** Returns whether only animals of this run have a name or a category like this one. */
  isMarked({ name, categoryId }: JsonObject): boolean {
    if (this.marks.categories.has(categoryId)) return true;
    if (this.marks.names.has(name)) return true;
    return typeof name === 'string' && name.toLowerCase().includes(this.mark);
  }

  /**
   * Returns the same history without the responses to a key that was refused from a request on: they say nothing of the deployment.
   * @param last number of the last request whose key was accepted
   */
  untilKeyRefused(last: number): History {
    const history = new History(this.target, this.mark);
    for (const name of this.marks.names) history.marks.names.add(name);
    for (const category of this.marks.categories) history.marks.categories.add(category);
    const unanswered = new Set(this.unanswered);
    for (const exchange of this.exchanges) {
      const isRefused =
        exchange.status === 401 && exchange.number > last && hasValidKey(exchange, this.target);
      history.record(exchange, unanswered.has(exchange) || isRefused);
    }
    return history;
  }

  #recordList(exchange: Exchange): void {
    const { animals } = exchange;
    const elements = exchange.json as readonly unknown[];
    const ids = new Set(animals.flatMap(({ id }) => (isId(id) ? [id] : [])));
    const { response } = exchange;
    this.lists.push({
      exchange,
      query: readListQuery(exchange, this.contract),
      ids,
      isReadable: ids.size === elements.length,
      bytes: response?.length ?? response?.body.length ?? 0,
    });
    if (isOfClient(exchange)) return;
    for (const shown of animals)
      if (isId(shown.id)) this.#observe(shown.id, { exchange, how: 'list', shown });
  }

  #recordFetch(exchange: Exchange, id: bigint): void {
    const shown = exchange.status === 200 ? exchange.object : undefined;
    this.fetches.push({ exchange, id, shown });
    if (shown?.id === id || exchange.status === 404) this.#observe(id, { exchange, how: 'by id', shown });
  }

  #recordAddition(exchange: Exchange): void {
    const sent = this.isNewPet(exchange.request, exchange.sent) ? exchange.sent : undefined;
    const shown = exchange.isAddition && exchange.object !== undefined ? exchange.object : undefined;
    const addition: Addition = {
      exchange,
      sent,
      shown: typeof shown?.id === 'bigint' ? (shown as JsonObject & { id: bigint }) : undefined,
    };
    this.additions.push(addition);
    if (addition.shown === undefined) return;
    this.#ownIds.add(addition.shown.id);
    const known = this.animals.get(addition.shown.id);
    if (known !== undefined) known.isOwn = true;
    if (sent === undefined) return;
    const wasThere = this.isKnown(addition.shown.id, exchange.at);
    const animal = this.#observe(addition.shown.id, { exchange, how: 'added', shown: addition.shown });
    if (wasThere || animal.addition !== undefined) animal.isShared = true;
    animal.addition ??= addition;
  }

  #observe(id: bigint, observation: Observation): WritableAnimal {
    const known = this.animals.get(id);
    const isOwn = this.#ownIds.has(id);
    const animal = known ?? { id, observations: [], addition: undefined, isOwn, isShared: false };
    if (known === undefined) this.animals.set(id, animal);
    const { observations } = animal;
    if (observations.at(-1)?.exchange === observation.exchange) animal.isShared = true;
    // Several requests are under way at once.
    const place = observations.findLastIndex(({ exchange }) => exchange.at <= observation.exchange.at);
    observations.splice(place + 1, 0, observation);
    return animal;
  }
}

/** Returns whether a request has the headers of another client: what it gets is compared with the rest, and says nothing of what is there. */
export function isOfClient({ request }: Pick<Exchange, 'request'>): boolean {
  return request.form !== undefined;
}

function isId(id: ExactJson | undefined): id is bigint {
  return typeof id === 'bigint' && BigInt.asIntN(64, id) === id;
}

/** Returns whether there is no response of the service: none at all, or that of a gateway, which may have passed the request on. */
export function isOfGateway({ response, status, object }: Exchange): boolean {
  return response === undefined || ([502, 503, 504].includes(status) && typeof object?.code !== 'string');
}

/** Returns the size of an animal in a list, in bytes, or a little less. */
export function sizeOf(animal: JsonObject): number {
  return Buffer.byteLength(printExactJson(animal));
}

/** Returns the first response to a request after a moment that showed or denied an animal. */
export function firstAfter({ observations }: Animal, moment: number): Observation | undefined {
  return observations.find(({ exchange }) => exchange.at >= moment);
}

/** Returns since when the run knows an animal with the status that an observation shows, in ms since the run began. */
export function knownSince({ observations }: Animal, observation: Observation): number {
  let since = observation.exchange.end;
  const earlier = observations.filter(({ exchange }) => exchange.end < since);
  for (const { shown, exchange } of earlier.toSorted((one, other) => other.exchange.end - one.exchange.end)) {
    if (shown !== undefined && shown.status !== observation.shown?.status) break;
    if (shown !== undefined) since = exchange.end;
  }
  return since;
}

/**
 * Returns the last response to a GET that showed an animal: asking for it again shows whether the animal is still there. A list need
 * not show it again, if its order changes or it is full, and what is in doubt testifies nothing.
 *
 * @param preferred how it was shown, if there is such a response
 */
export function lastWitness(
  { observations }: Animal,
  preferred: Exclude<Observation['how'], 'added'>,
): Exchange | undefined {
  const shows = observations.filter(({ shown, how }) => shown !== undefined && how !== 'added');
  return (shows.findLast(({ how }) => how === preferred) ?? shows.at(-1))?.exchange;
}

/** Exchanges as near to each other as this in the order of sending are at once. */
const AT_ONCE = 8;

/** Returns whether two requests were sent so shortly after each other that hardly anybody has changed anything in between. */
export function areAtOnce(one: Exchange, other: Exchange): boolean {
  return Math.abs(one.number - other.number) <= AT_ONCE;
}
