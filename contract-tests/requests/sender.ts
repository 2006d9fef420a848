import { randomInt } from 'node:crypto';
import { type JsonObject, printExactJson } from '../../common/json/exact-json.ts';
import type { Client } from '../client/client.ts';
import { type Exchange, mayAddAnimal, readSent } from '../client/exchange.ts';
import { inParallel } from '../client/in-parallel.ts';
import { NotTested, NoVerdict, SilentOperation } from '../client/run-errors.ts';
import type { Target } from '../client/target.ts';
import type { RequestOptions } from '../client/to-request.ts';
import type { Addition, History } from '../history/history.ts';

/** A POST of a valid animal, and how the animal was then looked at by its id. */
export interface Added {
  readonly addition: Addition;
  readonly fetched: Exchange | undefined;
}

/** How many animals are refused until no more are sent: as many as the run tries names. */
const MOST_REFUSED = 8;

/** How long to wait beyond the time to settle, in ms: clocks are not that exact. */
const MARGIN = 20;

/** Sends the requests of the tables. It knows nothing of verdicts: whatever is answered is kept in the history. */
export class Sender {
  readonly client: Client;
  readonly history: History;
  readonly target: Target;
  /** Makes a name that no other animal has. A deployment may refuse the usual names. */
  makeName: (purpose: string) => string;
  /** Names of animals of others, if the deployment accepts no others. */
  shownNames: readonly string[] = [];
  /** Why an operation is requested no more. */
  silent: SilentOperation | undefined;
  #names = 0;
  #looks = 0;
  #posts = 0;
  /** When something became new for the last time, in ms since the run began. */
  #newest = 0;

  constructor(client: Client, history: History) {
    this.client = client;
    this.history = history;
    this.target = client.target;
    this.makeName = (purpose) => `${history.mark}.${String(this.#names).padStart(3, '0')} ${purpose}`;
  }

  get mayWrite(): boolean {
    return this.target.allowsWrites;
  }

  /**
   * Sends a request. @returns undefined if it was not sent, since the run may add no more animals, the deployment refuses them all, or
   * the operation is not answered
   */
  async send(request: RequestOptions): Promise<Exchange | undefined> {
    this.client.signal.throwIfAborted();
    if (this.#isRefusedAsFull(request)) return undefined;
    try {
      return await this.client.send(request);
    } catch (error) {
      this.client.signal.throwIfAborted();
      // Without the operation, the others are asked.
      if (error instanceof SilentOperation) this.silent ??= error;
      else if (error instanceof NoVerdict) throw error;
      if (error instanceof NotTested) return undefined;
      throw error;
    }
  }

  /**
   * Returns whether the deployment would refuse a POST with the key as it has refused every animal: the store is full, or the key may
   * add none. A service that reads bodies first has other answers to invalid ones, which are of interest.
   */
  #isRefusedAsFull(request: RequestOptions): boolean {
    const { method = 'GET', path, isAuthorized = !('authorization' in request) } = request;
    if (!isAuthorized || !mayAddAnimal({ method, path })) return false;
    const { additions } = this.history;
    const isValid = this.history.isNewPet(request, readSent(request, this.target));
    const alike = additions.filter(({ sent }) => (sent !== undefined) === isValid);
    const counted = isValid ? alike : additions;
    return alike.length >= MOST_REFUSED && counted.every(({ exchange }) => exchange.isRefusedAsFull);
  }

  get(path: string): Promise<Exchange | undefined> {
    return this.send({ path });
  }

  /** Sends requests one after the other. Each is made when the one before it was answered. */
  async sendEach(requests: Iterable<RequestOptions>): Promise<void> {
    for (const request of requests) await this.send(request);
  }

  /** Sends requests, a few at once. @param atOnce how many. @default as many as --concurrency allows */
  sendTogether(
    requests: readonly RequestOptions[],
    atOnce = this.target.concurrency,
  ): Promise<readonly (Exchange | undefined)[]> {
    return inParallel(requests, (request) => this.send(request), atOnce);
  }

  post(body: string | JsonObject, options: Omit<RequestOptions, 'path' | 'body'> = {}) {
    const text = typeof body === 'string' ? body : printExactJson(body);
    // A load balancer may choose the instance for each connection.
    this.#posts += 1;
    const hasOwnConnection = this.#posts % 2 === 0;
    return this.send({ method: 'POST', path: '/pets', body: text, hasOwnConnection, ...options });
  }

  /** Notes that what the run has just seen may be new to other responses. */
  noteNew(): void {
    this.#newest = this.client.now;
  }

  /** Waits until nothing that the run has seen or added can be late any more. @param age of the oldest response that may be, in ms */
  async settle(age = 0): Promise<void> {
    const added = this.history.additions.map(({ exchange }) => exchange.end);
    const newest = Math.max(this.#newest, ...added);
    const left = newest + this.target.settle + age + MARGIN - this.client.now;
    if (left > 0) await this.client.wait(left);
    this.client.signal.throwIfAborted();
  }

  /** Makes a name that no other animal has, which ends with its purpose unless that is refused. It may be one that a listed animal has. */
  nameFor(purpose: string): string {
    const shown = this.shownNames[randomInt(Math.max(1, this.shownNames.length))];
    if (shown !== undefined) return shown;
    const { names } = this.history.marks;
    let name: string;
    do {
      this.#names += 1;
      name = this.makeName(purpose);
    } while (names.has(name));
    names.add(name);
    return name;
  }

  /** Creates a valid NewPet with a name of its own. @param status none if undefined */
  createPet(purpose: string, status?: string): JsonObject {
    const pet = { name: this.nameFor(purpose), categoryId: this.category };
    return status === undefined ? pet : { ...pet, status };
  }

  /** A category that the deployment has accepted, or that the user or a listed animal has, or else 1. */
  get category(): bigint {
    return this.knownCategory ?? 1n;
  }

  get knownCategory(): bigint | undefined {
    const { categoryId } = this.target;
    if (categoryId !== undefined) return categoryId;
    const added = this.history.additions.find(({ shown }) => shown !== undefined)?.sent?.categoryId;
    if (typeof added === 'bigint') return added;
    for (const { observations } of this.history.animals.values()) {
      const shown = observations[0]?.shown?.categoryId;
      if (typeof shown === 'bigint') return shown;
    }
    return undefined;
  }

  /** Adds an animal and looks at it by its id. */
  async addAndLook(
    body: string | JsonObject,
    options?: Omit<RequestOptions, 'path' | 'body'>,
  ): Promise<Added | undefined> {
    const exchange = await this.post(body, options);
    return exchange === undefined ? undefined : this.look(exchange);
  }

  async look(exchange: Exchange): Promise<Added | undefined> {
    const addition = this.history.additions.findLast((one) => one.exchange === exchange);
    if (addition === undefined) return undefined;
    const id = addition.shown?.id;
    const fetched =
      id === undefined || this.history.isGetPetRemoved ? undefined : await this.get(`/pets/${id}`);
    // Of instances that answer in turn, the same one would otherwise get every POST.
    this.#looks += 1;
    if (this.#looks % 2 === 0 && fetched !== undefined) await this.get(`/pets/${id}`);
    return { addition, fetched };
  }

  /** Returns the first cases if the suite may not write, since a deployment in use should get few requests. */
  chooseFew<T>(cases: readonly T[], most: number): readonly T[] {
    return this.mayWrite ? cases : cases.slice(0, most);
  }
}

/** Returns at most so many of some items, from everywhere in between. */
export function spread<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, index) => items[Math.floor((index * items.length) / most)] as T);
}
