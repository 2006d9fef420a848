import type { Context } from './context.ts';

/** How a clause is tried. */
export interface Check {
  /** The id of its clause. */
  readonly clause: string;
  /** Whether it sends POST requests; not even one that ought to be refused is sent where writes are not allowed. */
  readonly writes?: boolean;
  /** Whether it looks at what other checks have exchanged, and so comes after them. */
  readonly isLast?: boolean;
  /** @throws Unfulfilled, Untried */
  run(context: Context): Promise<void>;
}
