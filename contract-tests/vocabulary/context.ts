import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type JsonObject, printExactJson } from '../../common/json/exact-json.ts';
import { createFailure, Failed, NotTested } from '../client/clause-errors.ts';
import { Client, type ClientOptions, type RequestOptions } from '../client/client.ts';
import { type Exchange, hasValidKey } from '../client/exchange.ts';
import { inParallel } from '../client/in-parallel.ts';
import type { Target } from '../client/target.ts';
import type { Fault } from '../failures/failure.ts';
import { listDistinct } from '../failures/identify-failure.ts';
import { Comparisons } from './comparisons.ts';
import { LONGEST } from './list-parameters.ts';
import { isStatusOfRemoval, REMOVAL } from './removal.ts';

/** Milliseconds before what lags behind is requested again. They double each time. */
export const FIRST_WAIT = 25;

/** Maximum number of milliseconds between two requests of what lags behind. */
export const LONGEST_WAIT = 200;

export class Run {
  readonly target: Target;
  readonly client: Client;
  /** The responses that lagged behind, with the time in ms; infinite if a list never showed an animal. */
  readonly lags: { readonly exchange: Exchange; readonly ms: number }[] = [];
  /** True after a list was waited for in vain, so that none is waited for any more. */
  isSettled = false;
  /** True after an added animal was waited for in vain by its id. */
  hasWaitedInVain = false;
  /** The names that no other animal has. */
  readonly names = new Set<unknown>();
  /** The names of listed animals, if the deployment accepts no others. */
  shownNames: readonly string[] = [];
  /** A deployment may refuse the usual names. */
  makeName: (purpose: string) => string;
  /** The results of `once`. */
  readonly #shared = new Map<unknown, Promise<unknown>>();

  constructor(target: Target, options: ClientOptions = {}) {
    this.target = target;
    this.client = new Client(target, options);
    // Digits, always as many: a known failure is the same in the next run, wherever a message cuts the name.
    const id = String(randomInt(10 ** 10)).padStart(10, '0');
    const count = () => String(this.names.size + 1).padStart(3, '0');
    this.makeName = (purpose) => `contract-test ${id}.${count()} ${purpose}`;
  }

  /** The time in ms since the run began. */
  get now(): number {
    return this.client.now;
  }

  once<T>(make: (context: Context) => Promise<T>, asker: Context): Promise<T> {
    const known = this.#shared.get(make);
    if (known !== undefined) return known as Promise<T>;
    const result = make(asker);
    this.#shared.set(make, result);
    return result;
  }
}

export class Context {
  readonly run: Run;
  readonly target: Target;
  readonly rank: number;
  compared = new Comparisons();

  constructor(run: Run, rank: number = Number.MAX_SAFE_INTEGER) {
    this.run = run;
    this.target = run.target;
    this.rank = rank;
  }

  get journal(): readonly Exchange[] {
    return this.run.client.journal;
  }

  /** The exchanges that added animals. */
  get additions(): readonly Exchange[] {
    return this.journal.filter(({ isAddition }) => isAddition);
  }

  get lists(): readonly Exchange[] {
    return this.journal.filter(({ isList }) => isList);
  }

  /** Counts a comparison of a response, and of animals in it: without a comparison, a clause does not pass. */
  compare(exchange: Exchange, animals: readonly JsonObject[] = []): void {
    this.compared.add(exchange, animals);
  }

  get signal(): AbortSignal {
    return this.run.client.signal;
  }

  send(request: RequestOptions): Promise<Exchange> {
    return this.run.client.send(request, this.rank);
  }

  /** Requests a path, with the valid key. An animal that was just added need not be found at once: replicas follow. */
  async get(path: string): Promise<Exchange> {
    const exchange = await this.send({ path });
    const { status, requestedId } = exchange;
    const added = status === 404 && requestedId !== undefined ? this.#findNew(requestedId) : undefined;
    return added === undefined ? exchange : this.#waitFor(added, exchange);
  }

  /** Finds how an animal became known that is new: this run, or another client meanwhile, has added it. */
  #findNew(id: bigint): Exchange | undefined {
    const own = this.additions.find((exchange) => exchange.id === id);
    if (own !== undefined) return own;
    const [first] = this.lists
      .filter(({ animals }) => animals.some((animal) => animal.id === id))
      .toSorted((one, other) => one.end - other.end);
    const begin = Math.min(...this.additions.map(({ at }) => at));
    return first !== undefined && first.at > begin ? first : undefined;
  }

  /** Requests a new animal again until it is found, or its time to settle is over. @param added the exchange that showed it first */
  async #waitFor(added: Exchange, first: Exchange): Promise<Exchange> {
    const { run, target, signal } = this;
    let exchange = first;
    for (let wait = FIRST_WAIT; exchange.status === 404; wait = Math.min(2 * wait, LONGEST_WAIT)) {
      const isOver = run.now - added.end >= target.settle;
      run.hasWaitedInVain ||= isOver;
      if (isOver || run.hasWaitedInVain) return exchange;
      await delay(wait, undefined, { signal });
      run.client.forget(exchange);
      exchange = await this.send({ path: first.path });
    }
    run.lags.push({ exchange: first, ms: run.now - added.end });
    return exchange;
  }

  /** Returns the last response to a request of this run, or else requests it. */
  async getKnown(path: string): Promise<Exchange> {
    const known = this.journal.findLast((one) => one.path === path && hasValidKey(one, this.target));
    return known === undefined || known.status === 0 || known.asksToWait ? this.get(path) : known;
  }

  post(body: string | JsonObject, options: Omit<RequestOptions, 'path' | 'body'> = {}): Promise<Exchange> {
    const text = typeof body === 'string' ? body : printExactJson(body);
    return this.send({ method: 'POST', path: '/pets', body: text, ...options });
  }

  /** Calls a function for the first clause of a run that asks. The other clauses get the same result. */
  once<T>(make: (context: Context) => Promise<T>): Promise<T> {
    return this.run.once(make, this);
  }

  /** Makes a name that no other animal has, unless all such names are refused. It ends with its purpose, unless that is refused. */
  nameFor(purpose: string): string {
    const { shownNames } = this.run;
    const shown = shownNames[randomInt(Math.max(1, shownNames.length))];
    if (shown !== undefined) return shown;
    let name = this.run.makeName(purpose);
    // A random name may be one of an earlier animal.
    while (this.run.names.has(name)) name = this.run.makeName(purpose);
    this.run.names.add(name);
    return name;
  }

  /** Returns whether only animals of this run have a name. */
  isOurName(name: unknown): boolean {
    return this.run.names.has(name);
  }

  /** Returns whether a name is one that `nameFor` has made or chosen. */
  isUsualName(name: unknown): boolean {
    return this.isOurName(name) || this.run.shownNames.some((one) => one === name);
  }

  /** Requests a list. @param query such as `?limit=1`. @throws NotTested when the response is not a list */
  async fetchList(query: string): Promise<Exchange> {
    const list = await this.get(`/pets${query}`);
    if (list.isList) return list;
    throw new NotTested(`GET /pets${query} returned ${list.outcome} and no list`);
  }

  async listAnimals(query: string = LONGEST): Promise<readonly JsonObject[]> {
    return (await this.fetchList(query)).animals;
  }

  /** Returns listed animals, at least one if there are some: a list may be shorter than its limit, even empty. */
  async listSome(): Promise<readonly JsonObject[]> {
    const few = await this.listAnimals('?limit=1');
    return few.length > 0 ? few : this.listAnimals();
  }

  async findListed(): Promise<JsonObject | undefined> {
    const [animal] = await this.listSome().catch(() => []);
    return animal;
  }

  /** Requests the lists that were not yet requested in this run, for clauses that read every list. */
  async requestLists(queries: readonly string[]): Promise<void> {
    const known = this.journal.filter((exchange) => hasValidKey(exchange, this.target));
    const paths = new Set(known.map(({ path }) => path));
    const unseen = queries.map((query) => `/pets${query}`).filter((path) => !paths.has(path));
    await inParallel(unseen, (path) => this.get(path));
  }

  /**
   * Expects no fault in exchanges, of which some must show anything.
   * @param findFault returns the fault of an exchange, or else whether the exchange shows anything
   * @param nothing the error if no exchange shows anything
   */
  expectNoFault(exchanges: readonly Exchange[], findFault: FindFault, nothing: Error): void {
    const found = exchanges.map((exchange) => [exchange, findFault(exchange)] as const);
    const faulty = found
      .flatMap(([exchange, fault]) => (typeof fault === 'object' ? [{ exchange, fault }] : []))
      // Who sends the request of a finding again should get the same response.
      .toSorted(
        (one, other) => Number(this.#isOfLater(one.exchange)) - Number(this.#isOfLater(other.exchange)),
      );
    const [first] = faulty;
    if (first !== undefined) {
      const failures = faulty.map(({ exchange, fault }) => createFailure(fault, exchange));
      const [, ...others] = listDistinct(failures);
      throw new Failed(first.fault, first.exchange, {
        others,
        alike: faulty.map(({ exchange }) => exchange),
      });
    }
    const telling = found.filter(([, fault]) => fault);
    if (telling.length === 0) throw nothing;
    for (const [one] of telling) this.compare(one, one.animals);
  }

  /** Returns whether an id was requested that an animal was assigned later. */
  #isOfLater({ requestedId, at }: Exchange): boolean {
    return requestedId !== undefined && this.additions.some(({ id, end }) => id === requestedId && at < end);
  }

  /** Creates a valid NewPet with a unique name, which ends with its purpose. */
  async createPet(purpose: string, status?: string): Promise<JsonObject> {
    const pet = { name: this.nameFor(purpose), categoryId: await this.findCategory() };
    return status === undefined ? pet : { ...pet, status };
  }

  async addAnimal(purpose: string, status?: string): Promise<JsonObject> {
    return readAdded(await this.post(await this.createPet(purpose, status)));
  }

  async findCategory(): Promise<bigint> {
    return (await this.findKnownCategory()) ?? 1n;
  }

  /** Returns a category that the deployment accepts: of the user, an added animal, or a listed animal. */
  async findKnownCategory(): Promise<bigint | undefined> {
    const added = this.additions.map(({ sent }) => sent.categoryId);
    const known = this.target.categoryId ?? added.find((id) => typeof id === 'bigint');
    if (known !== undefined) return known;
    const { categoryId } = (await this.findListed()) ?? {};
    return typeof categoryId === 'bigint' ? categoryId : undefined;
  }

  /** Returns the first cases if the suite may not write, since a deployment in use should get few requests. */
  chooseFew<T>(cases: readonly T[], most: number): readonly T[] {
    return this.target.allowsWrites ? cases : cases.slice(0, most);
  }
}

export type FindFault = (exchange: Exchange) => Fault | boolean;

export async function isRemoved(context: Context): Promise<boolean> {
  if (context.target.now < REMOVAL) return false;
  // Without an existing animal, a removed operation looks like an unknown id.
  const { status } = await context.get(`/pets/${(await context.findListed())?.id ?? 1}`);
  return isStatusOfRemoval(status);
}

/** @throws NotTested when the response to POST /pets is no 201 with an animal */
export function readAdded(exchange: Exchange): JsonObject {
  const { isAddition, animal, outcome } = exchange;
  if (isAddition && animal !== undefined) return animal;
  throw findUnusableAddition(exchange) ?? new NotTested(`an animal could not be added: ${outcome}`);
}

/** Creates the error of a clause that needs an addition, if the deployment has added an animal and does not show it. */
export function findUnusableAddition({
  isSuccess,
  isAddition,
  outcome,
  id,
}: Exchange): NotTested | undefined {
  if (!isSuccess) return undefined;
  if (!isAddition)
    return new NotTested(`POST /pets returns ${outcome} instead of 201: see create-pet/success`);
  return id === undefined
    ? new NotTested('POST /pets returns no animal with an integer as its id: see create-pet/pet')
    : undefined;
}
