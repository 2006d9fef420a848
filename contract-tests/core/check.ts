import type { Context } from './context.ts';

/** What a check cannot do without: that animals may be added, that there are some, that GET /pets/{petId} is not removed. */
export type Need = 'writes' | 'animals' | 'getPet';

/** How a clause is tried. */
export interface Check {
  /** The id of its clause. */
  readonly clause: string;
  /** A check that sends POST requests needs writes, even where each of them ought to be refused. */
  readonly needs?: readonly Need[];
  /** Whether it looks at what other checks have exchanged, and so comes after them. */
  readonly isLast?: boolean;
  /** @throws Failed, Skipped */
  run(context: Context): Promise<void>;
}
