import { setTimeout as delay } from 'node:timers/promises';
import type { Exchange } from './exchange.ts';
import type { Prober } from './outages.ts';
import type { Target } from './target.ts';

/** How long after a first 401 the key is tried again, in ms. */
const PAUSE = 1000;

/**
 * Creates what notices a key that expires during a run.
 * @param accepted number of the last request before the run that the key was accepted for, or 0
 */
export function createKeyCheck(client: Prober, accepted: number) {
  let [last, probes] = [accepted, 0];
  let check: Promise<boolean> | undefined;
  const isRefusedTwice = async () => {
    for (const pause of [0, PAUSE]) {
      await delay(pause, undefined, { signal: client.signal }).catch(() => {});
      // The response to another query rarely comes from a cache.
      probes += 1;
      const status = (await client.probe(`/pets?limit=${98 - (probes % 90)}`)).status || 500;
      if (status < 500 && status !== 401 && status !== 429) return false;
    }
    return true;
  };
  return {
    note(exchange: Exchange, turn: number): void {
      const status = exchange.status || 500;
      const isAccepted = status < 300 || (last > 0 && status < 500 && status !== 401);
      if (isAccepted && hasValidKey(exchange, client.target)) last = Math.max(last, turn);
    },
    /** Ends the run if the valid key was accepted before, gets 401 now, and gets 401 for other requests too. */
    async expectValid(exchange: Exchange): Promise<void> {
      if (last === 0 || exchange.status !== 401 || !hasValidKey(exchange, client.target)) return;
      check ??= isRefusedTwice().finally(() => {
        check = undefined;
      });
      if (await check) client.end(`the key was accepted until request ${last} and then refused`);
    },
  };
}

export function hasValidKey({ request }: Exchange, { apiKey, baseUrl }: Target): boolean {
  return request.base === baseUrl && request.headers.Authorization === `Bearer ${apiKey}`;
}
