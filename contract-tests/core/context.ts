import { type Client, createClient } from './client.ts';
import type { SendRequest } from './send-request.ts';
import type { Target } from './target.ts';

/** What the clauses of one run share. */
export interface Context {
  readonly target: Target;
  readonly client: Client;
  /** Begins the names of all animals that this run adds. */
  readonly prefix: string;
  /** Makes a name that no other animal has; the purpose ends it. */
  readonly nameFor: (purpose: string) => string;
  /** Says how many exchanges have decided the clause, where it looks at those of others: none is no evidence. */
  readonly decide: (exchanges: number) => void;
  /** Calls a function once in a run, for the first clause that asks; the others get the same. */
  readonly once: <T>(make: (context: Context) => Promise<T>) => Promise<T>;
}

/** The values of PetStatus. Source: openapi.yaml#/components/schemas/PetStatus */
export const statuses = ['available', 'pending', 'sold'] as const;

/** Creates what the clauses of one run share. */
export function createContext(target: Target, sendRequest?: SendRequest, signal?: AbortSignal): Context {
  const prefix = `contract-test ${Math.floor(Date.now() / 1000).toString(36)}`;
  const made = new Map<unknown, Promise<unknown>>();
  let count = 0;
  const context: Context = {
    target,
    client: createClient(target, sendRequest, signal),
    prefix,
    nameFor: (purpose) => {
      count += 1;
      return `${prefix}.${count} ${purpose}`;
    },
    decide: () => {},
    once: <T>(make: (context: Context) => Promise<T>) => {
      if (!made.has(make)) made.set(make, make(context));
      return made.get(make) as Promise<T>;
    },
  };
  return context;
}
