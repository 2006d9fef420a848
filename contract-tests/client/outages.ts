import { setTimeout as delay } from 'node:timers/promises';
import { Interrupted, NoVerdict } from './clause-errors.ts';
import type { Exchange } from './exchange.ts';
import type { Target } from './target.ts';

/** The part of a client that finds restarts and expired keys. */
export interface Prober {
  readonly target: Target;
  readonly signal: AbortSignal;
  readonly journal: readonly Exchange[];
  probe(path: string): Promise<Exchange>;
  forget(exchange: Exchange): boolean;
  end(reason: string): never;
}

/** How long to wait before a deployment that refused a connection is asked again, in ms. */
const PAUSE = 250;

/** How long after a cut connection a refused one is part of the same restart, in ms. */
const SAME_RESTART = 5_000;

/** How many restarts may cut the requests of a clause: a request that causes the restarts is a finding. */
const MOST_RESTARTS = 3;

/** Notices restarts of the deployment, and waits until they are over. */
export class Outages {
  readonly #client: Prober;
  readonly #patience: number;
  /** Resolves once the deployment accepts connections, as far as is known. */
  outage: Promise<boolean> | undefined;
  #count = 0;
  #cuts: { readonly exchange: Exchange; readonly rank: number; readonly at: number }[] = [];
  readonly #restarts = new Map<number, Set<number>>();
  readonly #interrupted = new Set<number>();

  /** @param patience how long the deployment may refuse connections, in ms. */
  constructor(client: Prober, patience: number) {
    this.#client = client;
    this.#patience = patience;
  }

  /**
   * Returns whether a restart is the reason that there is no response, so that the request can be sent again.
   *
   * @throws Interrupted when the clause must start again, since its POST may have been carried out.
   */
  async hasInterrupted(exchange: Exchange, rank: number): Promise<boolean> {
    const wasAbsent = (await this.outage) === true;
    const isOther = exchange.request.base !== this.#client.target.baseUrl;
    const { isRefused, isUnreached } = exchange;
    if (this.#patience === 0 || isOther || !(isRefused || isUnreached || exchange.isCut)) return false;
    const isRead = exchange.request.method === 'GET';
    const cut = { exchange, rank, at: performance.now() };
    if (!isRefused && !isRead) {
      // The beginning of an outage interrupts the clauses of earlier cuts only.
      if (wasAbsent && this.#isExplained(rank)) this.#interrupted.add(rank);
      else this.#cuts.push(cut);
    }
    // Half of a response is rarely a restart, so that it is not worth a probe.
    const mayBeAway = isRefused || isUnreached || exchange.response === undefined;
    const wasAway = mayBeAway && (wasAbsent || (await this.#look(isRefused)));
    if (this.#interrupted.has(rank))
      throw new Interrupted('the deployment restarted before it responded to a request');
    if (isRefused) return true;
    if (wasAway) return isRead && this.#isExplained(rank);
    if (isRead) this.#cuts.push(cut);
    return false;
  }

  /** Returns once whether a clause must start again, because a restart left one of its requests unanswered. */
  takeInterrupted(rank: number): boolean {
    return this.#interrupted.delete(rank);
  }

  #look(isKnown: boolean): Promise<boolean> {
    this.outage ??= this.#waitUntilOver(isKnown).finally(() => {
      this.outage = undefined;
    });
    return this.outage;
  }

  /** @returns whether the deployment was away. */
  async #waitUntilOver(isKnown: boolean): Promise<boolean> {
    const until = performance.now() + this.#patience;
    const { signal, journal } = this.#client;
    const added = findLastFetched(journal);
    const path = added === undefined ? '/pets?limit=1' : `/pets/${added}`;
    const first = isKnown ? undefined : await this.#client.probe(path);
    if (first !== undefined && !first.isRefused && !first.isUnreached) return false;
    this.#begin();
    for (;;) {
      await delay(PAUSE, undefined, { signal }).catch(() => {});
      if (signal.aborted) throw new NoVerdict('the deployment refused connections until the run ended');
      const exchange = await this.#client.probe(path);
      if (exchange.response !== undefined && exchange.status < 500) {
        const isLost = added !== undefined && (await this.#isLost(exchange, added));
        if (isLost) this.#client.end('the deployment restarted and lost its data');
        return true;
      }
      if (performance.now() < until) continue;
      const seconds = this.#patience / 1000;
      const { failure } = exchange;
      const refused = 'the deployment has refused connections';
      const cause = failure?.kind === 'proxy' ? failure.reason : refused;
      if (exchange.isRefused) this.#client.end(`${cause} for ${seconds} s`);
      if (exchange.isUnreached)
        this.#client.end(`its gateway has answered ${exchange.status} for ${seconds} s`);
      return true;
    }
  }

  /** Interrupts the clauses of the requests that were cut shortly before. */
  #begin(): void {
    this.#count += 1;
    const since = performance.now() - SAME_RESTART;
    for (const { exchange, rank } of this.#cuts.filter(({ at }) => at >= since)) {
      if (!this.#isExplained(rank)) continue;
      // A GET request that is not in the journal was sent again.
      if (this.#client.forget(exchange) || exchange.request.method !== 'GET') this.#interrupted.add(rank);
    }
    this.#cuts = [];
  }

  /** Returns whether a restart may explain one more cut request of a clause. */
  #isExplained(rank: number): boolean {
    const own = this.#restarts.get(rank) ?? new Set();
    this.#restarts.set(rank, own.add(this.#count));
    return own.size <= MOST_RESTARTS;
  }

  async #isLost({ status }: Exchange, added: bigint): Promise<boolean> {
    if (status !== 404 && status !== 410) return false;
    const { animals } = await this.#client.probe('/pets?limit=100');
    return !animals.some(({ id }) => id === added);
  }
}

/** Returns the id of the last animal that was added and then fetched by its id. */
function findLastFetched(journal: readonly Exchange[]): bigint | undefined {
  const ids = new Set(journal.filter(({ isAddition }) => isAddition).map(({ id }) => id));
  const fetched = journal.filter(({ status, requestedId: id }) => status === 200 && id && ids.has(id));
  return fetched.toSorted((one, other) => other.at - one.at)[0]?.requestedId;
}
