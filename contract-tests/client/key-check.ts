import { setTimeout as delay } from 'node:timers/promises';
import type { Exchange } from './exchange.ts';
import type { Prober } from './outages.ts';
import { replaceKey, type Target } from './target.ts';

/** How long after a first 401 the key is tried again, in ms. */
const PAUSE = 1000;

/**
 * Creates what notices a key that expires during a run, and renews it if the target can.
 * @param accepted number of the last request before the run that the key was accepted for, or 0
 */
export function createKeyCheck(client: Prober, accepted: number) {
  const { target } = client;
  let [last, lastRenewed, probes] = [accepted, -1, 0];
  let check: Promise<void> | undefined;
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
  const renew = async () => {
    if (!(await isRefusedTwice())) return;
    const key = await target.renewKey?.(client.signal).catch((error) => client.end(error.message));
    const refused = `the key was accepted until request ${last} and then refused`;
    if (key === undefined) client.end(refused);
    if (key === target.apiKey || last === lastRenewed)
      client.end(`${refused}. --api-key-command prints no key that is accepted`);
    lastRenewed = last;
    replaceKey(target, key);
  };
  return {
    note(exchange: Exchange, turn: number): void {
      const status = exchange.status || 500;
      const isAccepted = status < 300 || (last > 0 && status < 500 && status !== 401);
      if (isAccepted && hasValidKey(exchange, target)) last = Math.max(last, turn);
    },
    /**
     * Renews the key if it was accepted before, gets 401 now, and gets 401 for other requests too. If the target cannot
     * renew it, this ends the run. @returns whether the exchange had an earlier key
     */
    async hasRenewed(exchange: Exchange): Promise<boolean> {
      if (last === 0 || exchange.status !== 401 || !hasValidKey(exchange, target)) return false;
      const isOfEarlier = () => exchange.request.headers.Authorization !== `Bearer ${target.apiKey}`;
      if (isOfEarlier()) return true;
      check ??= renew().finally(() => {
        check = undefined;
      });
      await check;
      return isOfEarlier();
    },
  };
}

export function hasValidKey({ request }: Exchange, { baseUrl }: Target): boolean {
  return request.base === baseUrl && request.isAuthorized === true;
}
