import { setTimeout as delay } from 'node:timers/promises';
import { isJsonObject } from '../../common/exact-json.ts';
import { type Exchange, idOf, isAddition, isCut, isRefused, readJson } from './exchange.ts';
import { Interrupted, Untried } from './result.ts';
import type { Target } from './target.ts';

/** How long to wait before a deployment that refused a connection is asked again, in milliseconds. */
const PAUSE = 250;

/** How long after a cut connection a refused one is part of the same restart, in milliseconds. */
const SAME_RESTART = 5_000;

/** How many restarts may cut the requests of a clause: a request that causes the restarts is a finding. */
const MOST_RESTARTS = 3;

/** Notices restarts of the deployment, and waits until they are over. */
export interface Outages {
  /** Resolves once the deployment accepts connections, as far as is known. @throws Untried if the run has ended. */
  isOver(): Promise<unknown>;
  /**
   * Whether a restart is the reason that there is no response. The request can then be sent again.
   *
   * @throws Interrupted when the clause must start again, since its POST may have been carried out.
   */
  hasInterrupted(exchange: Exchange, rank: number): Promise<boolean>;
  /** Returns whether a clause must start again; says so once. */
  takeInterrupted(rank: number): boolean;
}

interface OutageOptions {
  readonly target: Target;
  readonly journal: readonly Exchange[];
  readonly signal: AbortSignal;
  /** Sends a GET request with the valid key. */
  readonly probe: (path: string) => Promise<Exchange>;
  /** Ends the run. */
  readonly end: (reason: string) => never;
  /** How long the deployment may refuse connections, in milliseconds. */
  readonly patience: number;
  /** Takes an exchange out of the journal. @returns whether it was there. */
  readonly forget: (exchange: Exchange) => boolean;
}

/** Creates what notices the restarts of a deployment. */
export function createOutages({
  target,
  journal,
  signal,
  probe,
  end,
  patience,
  forget,
}: OutageOptions): Outages {
  let outage: Promise<boolean> | undefined;
  let outages = 0;
  /** The cut requests that a refused connection would explain. */
  let cuts: { readonly exchange: Exchange; readonly rank: number; readonly at: number }[] = [];
  const restarts = new Map<number, Set<number>>();
  const interrupted = new Set<number>();
  /** Returns whether a restart may explain one more cut request of a clause. */
  const isExplained = (rank: number) => {
    const own = restarts.get(rank) ?? new Set();
    restarts.set(rank, own.add(outages));
    return own.size <= MOST_RESTARTS;
  };
  const begin = () => {
    outages += 1;
    const since = performance.now() - SAME_RESTART;
    for (const { exchange, rank } of cuts.filter(({ at }) => at >= since)) {
      if (!isExplained(rank)) continue;
      // A GET request that is not in the journal was sent again.
      if (forget(exchange) || exchange.request.method !== 'GET') interrupted.add(rank);
    }
    cuts = [];
  };
  /** @returns whether the deployment refused connections. */
  const waitUntilOver = async (isKnown: boolean): Promise<boolean> => {
    const until = performance.now() + patience;
    const added = findLastFetched(journal);
    const path = added === undefined ? '/pets?limit=1' : `/pets/${added}`;
    if (!isKnown && !isRefused(await probe(path))) return false;
    begin();
    for (;;) {
      await delay(PAUSE, undefined, { signal }).catch(() => {});
      if (signal.aborted) throw new Untried('the deployment refused connections until the run ended');
      const exchange = await probe(path);
      const { status = 500 } = exchange.response ?? {};
      if (status < 500) {
        if (added !== undefined && (await isLost(exchange, added)))
          end('the deployment restarted and lost its data');
        return true;
      }
      if (performance.now() < until) continue;
      if (isRefused(exchange)) end(`the deployment has refused connections for ${patience / 1000} s`);
      return true;
    }
  };
  const isLost = async ({ response }: Exchange, added: bigint) => {
    if (response?.status !== 404 && response?.status !== 410) return false;
    const list = readJson(await probe('/pets?limit=100'));
    return !Array.isArray(list) || !list.some((animal) => isJsonObject(animal) && animal.id === added);
  };
  const look = (isKnown: boolean) => {
    outage ??= waitUntilOver(isKnown).finally(() => {
      outage = undefined;
    });
    return outage;
  };
  return {
    isOver: async () => outage,
    hasInterrupted: async (exchange, rank) => {
      await outage;
      const isOther = exchange.request.base !== target.baseUrl;
      if (patience === 0 || isOther || !(isRefused(exchange) || isCut(exchange))) return false;
      const isRead = exchange.request.method === 'GET';
      if (!isRefused(exchange) && !isRead) cuts.push({ exchange, rank, at: performance.now() });
      // Half of a response is rarely a restart, so that it is not worth a look.
      const wasAway =
        (isRefused(exchange) || exchange.response === undefined) && (await look(isRefused(exchange)));
      if (interrupted.has(rank)) throw new Interrupted();
      if (isRefused(exchange)) return true;
      if (!wasAway) {
        if (isRead) cuts.push({ exchange, rank, at: performance.now() });
        return false;
      }
      return isRead && isExplained(rank);
    },
    takeInterrupted: (rank) => interrupted.delete(rank),
  };
}

/** The id of the last animal that was added and found by its id: only that one can be missed. */
function findLastFetched(journal: readonly Exchange[]): bigint | undefined {
  const ids = new Set(journal.filter(isAddition).map(idOf));
  const fetched = journal.filter(({ request, response }) => {
    const [, id] = /^\/pets\/(-?\d+)$/.exec(request.path) ?? [];
    return response?.status === 200 && id !== undefined && ids.has(BigInt(id));
  });
  const [last] = fetched.toSorted((one, other) => other.at - one.at);
  return last && idOf(last);
}
