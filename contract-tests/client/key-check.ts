import { setTimeout as delay } from 'node:timers/promises';
import type { Exchange } from './exchange.ts';
import type { Prober } from './outages.ts';
import { replaceKey, type Target } from './target.ts';

/** How long after a first 401 the key is tried again, in ms. */
const PAUSE = 1000;

/** Notices a key that expires during a run, and renews it if the target can. */
export class KeyCheck {
  readonly #client: Prober;
  #accepted: number;
  #probes = 0;
  #check: Promise<void> | undefined;

  /** @param accepted number of the last request before the run that the key was accepted for, or 0 */
  constructor(client: Prober, accepted: number) {
    this.#client = client;
    this.#accepted = accepted;
  }

  note(exchange: Exchange, turn: number): void {
    const status = exchange.status || 500;
    const isAccepted = status < 300 || (this.#accepted > 0 && status < 500 && status !== 401);
    if (isAccepted && hasValidKey(exchange, this.#client.target))
      this.#accepted = Math.max(this.#accepted, turn);
  }

  /**
   * Renews the key if it was accepted before, gets 401 now, and gets 401 for other requests too. If the target cannot renew
   * it, this ends the run. @returns whether the exchange had an earlier key
   */
  async hasRenewed(exchange: Exchange): Promise<boolean> {
    const { target } = this.#client;
    if (this.#accepted === 0 || exchange.status !== 401 || !hasValidKey(exchange, target)) return false;
    const isOfEarlier = () => exchange.request.headers.Authorization !== `Bearer ${target.apiKey}`;
    if (isOfEarlier()) return true;
    this.#check ??= this.#renew().finally(() => {
      this.#check = undefined;
    });
    await this.#check;
    return isOfEarlier();
  }

  async #renew(): Promise<void> {
    if (!(await this.#isRefusedTwice())) return;
    const { target } = this.#client;
    const key = await target.renewKey?.().catch((error) => this.#client.end(error.message));
    if (key === undefined || key === target.apiKey)
      this.#client.end(`the key was accepted until request ${this.#accepted} and then refused`);
    replaceKey(target, key);
  }

  async #isRefusedTwice(): Promise<boolean> {
    for (const pause of [0, PAUSE]) {
      await delay(pause, undefined, { signal: this.#client.signal }).catch(() => {});
      // The response to another query rarely comes from a cache.
      this.#probes += 1;
      const path = `/pets?limit=${98 - (this.#probes % 90)}`;
      const status = (await this.#client.probe(path)).status || 500;
      if (status < 500 && status !== 401 && status !== 429) return false;
    }
    return true;
  }
}

export function hasValidKey({ request }: Exchange, { baseUrl }: Target): boolean {
  return request.base === baseUrl && request.isAuthorized === true;
}
