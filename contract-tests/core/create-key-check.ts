import { setTimeout as delay } from 'node:timers/promises';
import type { Exchange } from './exchange.ts';
import type { Target } from './target.ts';

/** How long after a first 401 the key is tried again, in milliseconds. */
const PAUSE = 1000;

/** Notices a key that expires during a run. */
export interface KeyCheck {
  /** Notes a response to the valid key. @param turn the number of the request. */
  note(exchange: Exchange, turn: number): void;
  /** Returns whether the valid key was accepted before, gets 401 now, and gets 401 for other requests too. */
  isExpired(exchange: Exchange): Promise<boolean>;
  /** Returns the reason for which the run ends. */
  describe(): string;
}

/** Creates a check of the key. @param probe sends a request with the valid key. */
export function createKeyCheck({
  target,
  journal,
  signal,
  probe,
  before,
}: {
  readonly target: Target;
  readonly journal: readonly Exchange[];
  readonly signal: AbortSignal;
  readonly probe: (path: string) => Promise<Exchange>;
  /** Number of the last request before the run that the key was accepted for; 0 for none. */
  readonly before: number;
}): KeyCheck {
  let accepted = before === 0 ? undefined : before;
  let check: Promise<boolean> | undefined;
  let probes = 0;
  /** A response to an unused query cannot come from a cache. */
  const takeUnused = (): string => {
    const path = `/pets?limit=${97 - (probes % 90)}${probes < 90 ? '' : '&status=sold'}`;
    probes += 1;
    return journal.some(({ request }) => request.path === path) ? takeUnused() : path;
  };
  const tryTwice = async () => {
    for (const pause of [0, PAUSE]) {
      await delay(pause, undefined, { signal }).catch(() => {});
      const { status = 500 } = (await probe(takeUnused())).response ?? {};
      if (status < 500 && status !== 401 && status !== 429) return false;
    }
    return true;
  };
  return {
    note: (exchange, turn) => {
      const { status = 500 } = exchange.response ?? {};
      const isAccepted = status < 300 || (accepted !== undefined && status < 500 && status !== 401);
      if (isAccepted && hasValidKey(exchange, target)) accepted = Math.max(accepted ?? 0, turn);
    },
    isExpired: async (exchange) => {
      if (accepted === undefined || exchange.response?.status !== 401) return false;
      if (!hasValidKey(exchange, target)) return false;
      check ??= tryTwice().finally(() => {
        check = undefined;
      });
      return check;
    },
    describe: () => `the key was accepted until request ${accepted} and then refused`,
  };
}

/** Returns whether a request to the base URL has the valid key as its bearer token. */
export function hasValidKey({ request }: Exchange, { apiKey, baseUrl }: Target): boolean {
  return request.base === baseUrl && request.headers.Authorization === `Bearer ${apiKey}`;
}
