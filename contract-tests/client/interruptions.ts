import { randomInt } from 'node:crypto';
import { Interrupted, NoVerdict } from './clause-errors.ts';
import { type Exchange, hasValidKey, isReading } from './exchange.ts';
import { replaceKey, type Target } from './target.ts';

/** What a client gives to find restarts and expired keys. */
export interface Prober {
  readonly target: Target;
  readonly signal: AbortSignal;
  readonly journal: readonly Exchange[];
  /** Sends a GET request at once. The exchange is not in the journal. */
  probe(path: string): Promise<Exchange>;
  /** Waits, or until the run has ended. @param ms how long, in ms */
  wait(ms: number): Promise<void>;
  /** Ends the run without a verdict. */
  end(reason: string): never;
}

/** How long to wait before a deployment that may be away is asked again, in ms. */
const PAUSE_OF_RESTART = 250;

/** How long after a first 401 the key is tried again, in ms. */
const PAUSE_OF_KEY = 1_000;

/** Limits that no clause asks for by itself: a probe of the key takes one of them, since a cache may have other lists. */
const LEAST_PROBED = 61;
const MOST_PROBED = 98;

/** Notices that the deployment restarts, or that it refuses a key which it accepted before, and waits until that is over. */
export class Interruptions {
  readonly #client: Prober;
  readonly #patience: number;
  /** Number of restarts so far. */
  restarts = 0;
  /** Pending while the deployment is away, as far as is known: whether it was. */
  #outage: Promise<boolean> | undefined;
  /** By the place of a clause: the restart for which it is repeated, and the request that the restart cut. */
  readonly #repeated = new Map<number, { readonly restart: number; readonly request: string }>();
  readonly #interrupted = new Set<number>();
  /** Number of the last request whose key was accepted; 0 before the first. */
  #lastAccepted: number;
  #lastRenewed = -1;
  #renewal: Promise<void> | undefined;

  /**
   * @param patience how long the deployment may be away, in ms
   * @param accepted number of the last request before the run that the key was accepted for, or 0
   */
  constructor(client: Prober, patience: number, accepted: number) {
    this.#client = client;
    this.#patience = patience;
    this.#lastAccepted = accepted;
  }

  /** Waits while the deployment is away, as far as is known. */
  async settle(): Promise<void> {
    await this.#outage;
  }

  /** Returns once whether a clause must be repeated, because a restart interrupted it. */
  takeInterrupted(rank: number): boolean {
    return this.#interrupted.delete(rank);
  }

  /**
   * Returns whether a restart is the reason that there is no response, and the request can be sent again.
   * @param rank place of its clause in the running order. @param since `restarts` before the request was sent
   * @param isAgain whether the request was sent before
   * @throws Interrupted when the clause must be repeated, since its POST may have been carried out
   */
  async mustSendAgain(exchange: Exchange, rank: number, since: number, isAgain: boolean): Promise<boolean> {
    const isOther = exchange.request.base !== this.#client.target.baseUrl;
    const { isRefused, isUnreached } = exchange;
    if (this.#patience === 0 || isOther || !(isRefused || isUnreached || exchange.isCut)) return false;
    // A service that stops may cut its connections before it refuses new ones.
    if (exchange.isCut) await this.#client.wait(PAUSE_OF_RESTART);
    const hasRestarted = this.restarts > since;
    const isAway = await this.#waitUntilBack(isRefused);
    if (isRefused) return true;
    if (!hasRestarted && !isAway) return false;
    if (isReading(exchange.request)) return !isAgain;
    const own = { restart: this.restarts, request: toKey(exchange) };
    const first = this.#repeated.get(rank) ?? own;
    // A request that restarts the deployment each time is a finding.
    if (first.restart !== own.restart && first.request === own.request) return false;
    if (first.restart !== own.restart) this.#client.end(`the deployment restarted ${this.restarts} times`);
    this.#repeated.set(rank, first);
    this.#interrupted.add(rank);
    throw new Interrupted('the deployment restarted before it responded to a request');
  }

  #waitUntilBack(isKnown: boolean): Promise<boolean> {
    this.#outage ??= this.#waitForRestart(isKnown).finally(() => {
      this.#outage = undefined;
    });
    return this.#outage;
  }

  /** @param isKnown whether a connection was refused. @returns whether the deployment was away */
  async #waitForRestart(isKnown: boolean): Promise<boolean> {
    const { signal, journal } = this.#client;
    const until = performance.now() + this.#patience;
    const added = findLastFetched(journal);
    const path = added === undefined ? '/pets?limit=1' : `/pets/${added}`;
    const first = isKnown ? undefined : await this.#client.probe(path);
    if (first !== undefined && !first.isRefused && !first.isUnreached) return false;
    this.restarts += 1;
    for (;;) {
      await this.#client.wait(PAUSE_OF_RESTART);
      if (signal.aborted) throw new NoVerdict('the deployment refused connections until the run ended');
      const exchange = await this.#client.probe(path);
      if (exchange.response !== undefined && exchange.status < 500) {
        if (added !== undefined && (await this.#isLost(exchange, added)))
          this.#client.end('the deployment restarted and lost its data');
        return true;
      }
      if (performance.now() >= until) return this.#giveUp(exchange);
    }
  }

  /** Ends the run if the deployment is still away; an error of its own is a finding. */
  #giveUp({ isRefused, isUnreached, failure, status }: Exchange): boolean {
    const seconds = this.#patience / 1000;
    const cause = failure?.kind === 'proxy' ? failure.reason : 'the deployment has refused connections';
    if (isRefused) this.#client.end(`${cause} for ${seconds} s`);
    if (isUnreached) this.#client.end(`its gateway has answered ${status} for ${seconds} s`);
    return true;
  }

  async #isLost({ status }: Exchange, added: bigint): Promise<boolean> {
    if (status !== 404 && status !== 410) return false;
    const { animals } = await this.#client.probe('/pets?limit=100');
    return !animals.some(({ id }) => id === added);
  }

  /** Remembers that the key was accepted. @param number of the request in the run */
  note(exchange: Exchange, number: number): void {
    const status = exchange.status || 500;
    const isRefused = status >= 500 || status === 401 || status === 429;
    const isAccepted = status < 300 || (this.#lastAccepted > 0 && !isRefused);
    if (isAccepted && hasValidKey(exchange, this.#client.target))
      this.#lastAccepted = Math.max(this.#lastAccepted, number);
  }

  /**
   * Renews the key if it was accepted before, and other requests get 401 too. If the target cannot renew it, this ends the run.
   * @returns whether the exchange had an earlier key, so that the request is to be sent again
   */
  async hasRenewed(exchange: Exchange): Promise<boolean> {
    const { target } = this.#client;
    if (this.#lastAccepted === 0 || exchange.status !== 401 || !hasValidKey(exchange, target)) return false;
    const isOfEarlier = () => exchange.request.headers.Authorization !== `Bearer ${target.apiKey}`;
    if (isOfEarlier()) return true;
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined;
    });
    await this.#renewal;
    return isOfEarlier();
  }

  async #renew(): Promise<void> {
    if (!(await this.#isRefusedTwice())) return;
    const { target, signal } = this.#client;
    const key = await target.renewKey?.(signal).catch((error) => this.#client.end(error.message));
    const refused = `the key was accepted until request ${this.#lastAccepted} and then refused`;
    if (key === undefined) this.#client.end(refused);
    if (key === target.apiKey || this.#lastAccepted === this.#lastRenewed)
      this.#client.end(`${refused}. --api-key-command prints no key that is accepted`);
    this.#lastRenewed = this.#lastAccepted;
    replaceKey(target, key);
  }

  async #isRefusedTwice(): Promise<boolean> {
    for (const pause of [0, PAUSE_OF_KEY]) {
      await this.#client.wait(pause);
      const { status } = await this.#client.probe(`/pets?limit=${randomInt(LEAST_PROBED, MOST_PROBED + 1)}`);
      const isOther = status > 0 && status < 500 && status !== 401 && status !== 429;
      if (isOther) return false;
    }
    return true;
  }
}

/** Returns what two requests have in common if they are the same but for the names and numbers of their animals. */
function toKey({ request: { method, path, body = '' } }: Exchange): string {
  return `${method} ${path} ${body.replaceAll(/\d+/g, '#')}`;
}

/** Returns the id of the last animal that was added and then fetched by its id. */
function findLastFetched(journal: readonly Exchange[]): bigint | undefined {
  const ids = new Set(journal.filter(({ isAddition }) => isAddition).map(({ id }) => id));
  const fetched = journal.filter(({ status, requestedId: id }) => status === 200 && id && ids.has(id));
  return fetched.toSorted((one, other) => other.at - one.at)[0]?.requestedId;
}
