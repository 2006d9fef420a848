import type { Client } from './client.ts';
import type { Target } from './target.ts';

/** What a check works with. */
export interface Context {
  readonly target: Target;
  readonly client: Client;
  /** Begins the names of all animals that this run adds. */
  readonly prefix: string;
  /** Makes a name that no other animal has; the purpose ends it. */
  readonly nameFor: (purpose: string) => string;
}

/** The values of PetStatus. Source: openapi.yaml#/components/schemas/PetStatus */
export const statuses = ['available', 'pending', 'sold'] as const;
