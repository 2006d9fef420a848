import { randomInt } from 'node:crypto';
import { type Exchange, hasValidKey } from './exchange.ts';
import type { Target } from './target.ts';

/** What a client gives to find out whether its key is refused. */
interface Prober {
  readonly target: Target;
  /** Sends a GET request at once. */
  probe(path: string): Promise<Exchange>;
  /** Waits, or until the run has ended. @param ms how long, in ms */
  wait(ms: number): Promise<void>;
  /** Ends the run without a verdict. */
  end(reason: string): never;
}

/** How long after a first 401 the key is tried again, in ms. */
const PAUSE_OF_KEY = 1_000;

/** Limits that no clause asks for by itself: a probe of the key takes one of them, since a cache may have other lists. */
const LEAST_PROBED = 61;
const MOST_PROBED = 98;

/** Notices that the deployment refuses a key that it accepted before. */
export class KeyRefusal {
  readonly #client: Prober;
  /** Number of the last request whose key was accepted; 0 before the first. */
  #lastAccepted: number;
  /** Number of the last request whose key was accepted, after the key was refused for good. */
  refusedAfter: number | undefined;
  #probing: Promise<void> | undefined;

  /** @param accepted number of the last request before the run that the key was accepted for, or 0 */
  constructor(client: Prober, accepted: number) {
    this.#client = client;
    this.#lastAccepted = accepted;
  }

  /** Whether a request was accepted with the key. */
  get wasAccepted(): boolean {
    return this.#lastAccepted > 0;
  }

  /** Remembers that the key was accepted. @param number of the request in the run */
  note(exchange: Exchange, number: number): void {
    const status = exchange.status || 500;
    const isRefused = status >= 500 || status === 401 || status === 429;
    const isAccepted = status < 300 || (this.#lastAccepted > 0 && !isRefused);
    if (isAccepted && hasValidKey(exchange, this.#client.target))
      this.#lastAccepted = Math.max(this.#lastAccepted, number);
  }

  /** Ends the run if the key was accepted before, and other requests get 401 too. A 401 of one request alone is a finding. */
  async expectNone(exchange: Exchange): Promise<void> {
    if (this.#lastAccepted === 0 || exchange.status !== 401 || !hasValidKey(exchange, this.#client.target))
      return;
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = undefined;
    });
    await this.#probing;
  }

  async #probe(): Promise<void> {
    for (const pause of [0, PAUSE_OF_KEY]) {
      await this.#client.wait(pause);
      const { status } = await this.#client.probe(`/pets?limit=${randomInt(LEAST_PROBED, MOST_PROBED + 1)}`);
      const isOther = status > 0 && status < 500 && status !== 401 && status !== 429;
      if (isOther) return;
    }
    this.refusedAfter = this.#lastAccepted;
    this.#client.end(`the key was accepted until request ${this.#lastAccepted} and then refused`);
  }
}
