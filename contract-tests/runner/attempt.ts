import {
  Failed,
  NO_SERVER_FAULT,
  NotApplicable,
  NotTested,
  NoVerdict,
  Skipped,
  TooFewAnimals,
  Unsettled,
} from '../client/clause-errors.ts';
import type { RequestOptions } from '../client/client.ts';
import type { Exchange } from '../client/exchange.ts';
import {
  isFull,
  isRefusedAsFull,
  lacksRightToGetPet,
  noneAdded,
  refusesEvery,
} from '../vocabulary/additions.ts';
import type { Clause, Need } from '../vocabulary/clause.ts';
import { Context, isRemoved, type Run } from '../vocabulary/context.ts';
import {
  createFullStore,
  createNoneAccepted,
  isServerFault,
  leftToServerFaults,
  needsWrites,
} from '../vocabulary/expectations.ts';
import { findTwoSets, mayShowTwoSets } from '../vocabulary/find-two-sets.ts';
import { findCause } from './causes.ts';
import { createOutcome } from './create-outcome.ts';
import type { Facts } from './links/find-facts.ts';
import { findRequestKind, VALID } from './links/find-request-kind.ts';

import { nameForeignPages } from './name-foreign-pages.ts';
import type { Result } from './report.ts';

/** How long after its addition an animal is looked for to describe a failure, in ms. */
const LATEST = 6_000;

/** How long to wait between two such looks, in ms. */
const PAUSE_OF_LATE = 250;

/** The life of a clause in a run: its needs, its check, and its result. */
export class Attempt extends Context {
  facts: Facts | undefined;
  /** The exchange that shows a failure. */
  shown: Exchange | undefined;
  readonly #clause: Clause;
  #requests = 0;
  /** The exchanges by the order of their requests. */
  readonly #byTurn = new Map<number, Exchange>();

  constructor(run: Run, clause: Clause, rank: number) {
    super(run, rank);
    this.#clause = clause;
  }

  override async send(request: RequestOptions): Promise<Exchange> {
    const turn = this.#requests;
    this.#requests += 1;
    const exchange = await this.#sendAlone(request);
    this.#byTurn.set(turn, exchange);
    return exchange;
  }

  /** Sends a request that is no evidence of the clause. */
  #sendAlone(request: RequestOptions): Promise<Exchange> {
    return super.send({ clause: this.#clause.id, ...request });
  }

  /** Clauses send several requests at once, but a result must not depend on which response comes first. */
  get #exchanges(): readonly Exchange[] {
    const turns = [...this.#byTurn].toSorted(([one], [other]) => one - other);
    return turns.map(([, exchange]) => exchange);
  }

  async test(): Promise<Result> {
    const start = performance.now();
    const caught = await this.#run().catch((error: Error) => error);
    const thrown = await this.#findReason(caught);
    const error = thrown && this.#explain(thrown);
    this.shown = thrown instanceof Failed ? thrown.exchange : undefined;
    const { facts, ...outcome } =
      error === undefined ? ({ verdict: 'passed' } as const) : createOutcome(error, this);
    this.facts = facts;
    const { id, heading, sentence, level, quote } = this.#clause;
    return {
      clause: { id, heading, sentence, level, quote },
      compared: this.compared.count(),
      requests: this.#requests,
      ...outcome,
      ms: performance.now() - start,
    };
  }

  async #run(): Promise<undefined> {
    for (const need of this.#clause.needs ?? []) await expectMet[need](this);
    const thrown = await this.#clause.run(this).catch((error: Error) => error);
    const error = thrown ?? this.#findGap();
    await this.#expectRoom(error);
    this.#expectAccepted(error);
    this.#expectShown(error);
    this.#expectRight(error);
    if (error !== undefined) throw error;
    // After the end of the run the clause may have seen too little.
    this.signal.throwIfAborted();
  }

  /** Returns why a clause has not passed, although it has thrown nothing. */
  #findGap(): NotTested | undefined {
    const fault = this.#exchanges.find((exchange) => isServerFault(exchange, this.target));
    if (fault !== undefined && this.#clause.id !== NO_SERVER_FAULT) return leftToServerFaults(fault);
    return this.compared.count().responses === 0 ? new NotTested('nothing could be compared') : undefined;
  }

  /** Adds an animal if a full store may be the reason for the result. @throws NotTested when the store is full */
  async #expectRoom(error: Error | undefined): Promise<void> {
    if (error instanceof NoVerdict) return;
    // Another clause may have sent the request of a failure.
    const decisive = error instanceof Failed ? [error.exchange] : this.#exchanges;
    const isRefused = decisive.some((one) => one !== undefined && isRefusedAsFull(one, this.target));
    const isWriting = error instanceof Skipped && this.#clause.needs?.includes('writes');
    const needsAnimals = error instanceof TooFewAnimals || isWriting;
    if (!isRefused && !(needsAnimals && isFull(this))) return;
    const added = await this.post(await this.createPet('one more'));
    if (isRefusedAsFull(added, this.target)) throw createFullStore(added);
  }

  /** @throws NotTested when a clause shows nothing of POST /pets, since every animal is refused as invalid */
  #expectAccepted(error: Error | undefined): void {
    const { heading, needs = [] } = this.#clause;
    const isOfPost = heading === 'POST /pets' && error === undefined;
    const isWriting = error instanceof Skipped && !(error instanceof NoVerdict) && needs.includes('writes');
    if ((isOfPost || isWriting) && refusesEvery(this)) throw createNoneAccepted();
  }

  /** @throws NotTested when a clause has no result because POST /pets adds animals and returns no 201 for them */
  #expectShown(error: Error | undefined): void {
    if (!(error instanceof Skipped) || error instanceof NoVerdict || this.additions.length > 0) return;
    const isAtLimit = error instanceof NotTested && error.cause === 'limit of animals';
    if (isAtLimit || this.#clause.needs?.includes('writes')) throw noneAdded(this, error);
  }

  /** @throws NotTested when the result is for a right that the key does not have */
  #expectRight(error: Error | undefined): void {
    const isForbidden = error instanceof Failed && error.exchange.status === 403;
    const isOfGetPet = this.#clause.needs?.includes('getPet') && error instanceof Skipped;
    if (isForbidden && error.exchange.requestedId === undefined) return;
    if ((isForbidden || isOfGetPet) && lacksRightToGetPet(this))
      throw new NotTested('GET /pets/{petId} returned 403: the key has no right to it');
  }

  /** Finds what is behind a failure, which may look like something else in each clause. */
  async #findReason(caught: Error | undefined): Promise<Error | undefined> {
    if (caught instanceof Unsettled) return (await this.#findTwoSets(caught.last)) ?? caught;
    return caught instanceof Failed ? this.#findReasonOf(caught) : caught;
  }

  async #findReasonOf(failed: Failed): Promise<Failed> {
    await this.#askAgain(failed.exchange);
    // A page that comes at random has another reason.
    if (findCause(failed, this)?.cause !== 'page') {
      const named = await nameForeignPages(failed, this);
      if (named !== failed) return named;
    }
    return (await this.#findTwoSets(failed)) ?? this.#findLate(failed);
  }

  async #findTwoSets(failed: Failed): Promise<Failed | undefined> {
    return mayShowTwoSets(this, failed) ? this.once(findTwoSets).catch(() => undefined) : undefined;
  }

  /** Waits for an added animal that was not found: replicas may need more time than --settle. */
  async #findLate(failed: Failed): Promise<Failed> {
    const { requestedId, status, path } = failed.exchange;
    if (failed.fault.kind === 'late') return failed;
    const added = status === 404 ? this.additions.find(({ id }) => id === requestedId) : undefined;
    // Before its addition an animal is rightly not found.
    if (added === undefined || failed.exchange.at < added.end) return failed;
    const isFound = () => this.journal.find((one) => one.path === path && one.status === 200);
    while (isFound() === undefined && this.run.now - added.end < LATEST && !this.signal.aborted) {
      await this.run.client.wait(PAUSE_OF_LATE);
      // The end of the run takes nothing from the failure.
      await this.#sendAlone({ path }).catch(() => undefined);
    }
    const found = isFound();
    if (found === undefined || found.at < failed.exchange.at) return failed;
    const suspected = { cause: 'late', ms: Math.round(found.end - added.end) } as const;
    return new Failed(failed.fault, failed.exchange, { ...failed.details, suspected });
  }

  /** Sends a request again that got a page: another response shows that the page is intermittent. */
  async #askAgain(exchange: Exchange, left = 2): Promise<void> {
    if (left === 0 || !exchange.isPage || (exchange.isGatewayPage && !this.#isRefusedPost(exchange))) return;
    // Its headers have both already.
    const request = { ...exchange.request, authorization: undefined, mediaType: undefined };
    const again = await this.#sendAlone(request).catch(() => undefined);
    if (again !== undefined) await this.#askAgain(again, left - 1);
  }

  /** Returns whether a request is a POST that adds nothing. A gateway may have passed any other POST on, and GETs were sent again. */
  #isRefusedPost({ request }: Exchange): boolean {
    const isInvalid = findRequestKind(request) !== VALID;
    return request.method === 'POST' && (isInvalid || request.isAuthorized !== true);
  }

  /** Completes an error. A request without a response fails one clause, and the other clauses are not tested. */
  #explain(error: Error): Error {
    if (error instanceof Skipped && this.signal.aborted)
      return error instanceof NoVerdict ? error : this.signal.reason;
    if (error instanceof TooFewAnimals && !this.target.allowsWrites)
      return new NotTested(error.message, 'read-only');
    const exchange = error instanceof Failed ? error.exchange : undefined;
    if (this.#clause.id === NO_SERVER_FAULT || !exchange?.isUnanswered) return error;
    const { method, path } = exchange.request;
    return new NoVerdict(`${method} ${exchange.shorten(path)} got no response: see ${NO_SERVER_FAULT}`);
  }
}

const lookForOne = (context: Context) => context.listSome();

const expectMet: Readonly<Record<Need, (context: Context) => Promise<void>>> = {
  writes: async ({ target }) => {
    if (!target.allowsWrites) throw needsWrites();
  },
  animals: async (context) => {
    // If nothing was added, one look is enough.
    const animals = await (context.target.allowsWrites ? lookForOne(context) : context.once(lookForOne));
    const Verdict = context.additions.length > 0 ? NotTested : TooFewAnimals;
    if (animals.length === 0) throw new Verdict('the list has no animals');
  },
  getPet: async (context) => {
    if (await isRemoved(context)) throw new NotApplicable('GET /pets/{petId} has been removed, as announced');
  },
};
