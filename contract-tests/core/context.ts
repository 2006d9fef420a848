import { randomInt } from 'node:crypto';
import { type Client, createClient } from './client.ts';
import type { Exchange } from './exchange.ts';
import { Interrupted } from './result.ts';
import type { SendRequest } from './send-request.ts';
import type { Target } from './target.ts';

/** How long a list has not shown an animal that it showed then, in milliseconds; infinite if it never showed it. */
export interface Lag {
  readonly exchange: Exchange;
  readonly ms: number;
}

/** What the clauses of one run share. */
export interface Context {
  readonly target: Target;
  readonly client: Client;
  /** Makes a name that no other animal has; the purpose ends it, where such names are not refused. */
  readonly nameFor: (purpose: string) => string;
  /** Whether an animal has its name from this run. */
  readonly isOurName: (name: string) => boolean;
  /** Has other names made from now on: a deployment may refuse the usual ones. */
  readonly useNames: (make: () => string) => void;
  /** The lists that lagged behind. */
  readonly lags: Lag[];
  /** Says how many exchanges have decided the clause, where it looks at those of others: none is no evidence. */
  readonly decide: (exchanges: number) => void;
  /** Calls a function once in a run, for the first clause that asks; the others get the same. */
  readonly once: <T>(make: (context: Context) => Promise<T>, asker?: Context) => Promise<T>;
  /** Has `once` call again the functions that it called for a clause: a restart interrupted the clause. */
  readonly forget: (asker: Context) => void;
}

/** The values of PetStatus. Source: openapi.yaml#/components/schemas/PetStatus */
export const statuses = ['available', 'pending', 'sold'] as const;

/** The first of some cases where nothing may be written: a deployment that is in use should get few requests. All elsewhere. */
export function chooseFew<T>({ target }: Context, cases: readonly T[], most: number): readonly T[] {
  return target.allowsWrites ? cases : cases.slice(0, most);
}

/** Creates what the clauses of one run share. */
export function createContext(
  target: Target,
  sendRequest?: SendRequest,
  signal?: AbortSignal,
  accepted = 0,
): Context {
  // When, and something of its own: two runs may begin in the same second.
  const [second, own] = [Math.floor(Date.now() / 1000), randomInt(36 ** 4)].map((part) => part.toString(36));
  const prefix = `contract-test ${second}-${own}`;
  const made = new Map<unknown, { readonly result: Promise<unknown>; readonly asker: Context }>();
  const names = new Set<string>();
  let makeName = (purpose: string) => `${prefix}.${names.size + 1} ${purpose}`;
  const context: Context = {
    target,
    client: createClient(target, sendRequest, signal, { accepted }),
    nameFor: (purpose) => {
      const name = makeName(purpose);
      names.add(name);
      return name;
    },
    isOurName: (name) => names.has(name),
    useNames: (make) => {
      makeName = make;
    },
    lags: [],
    decide: () => {},
    once: <T>(make: (context: Context) => Promise<T>, asker: Context = context) => {
      const known = made.get(make)?.result;
      if (known !== undefined) return known as Promise<T>;
      const result = make(asker);
      made.set(make, { result, asker });
      result.catch((error) => error instanceof Interrupted && made.delete(make));
      return result;
    },
    forget: (asker) => {
      for (const [make, one] of made) if (one.asker === asker) made.delete(make);
    },
  };
  return context;
}
