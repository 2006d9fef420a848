import type { Context } from './context.ts';

/** How a clause is tried. */
export interface Check {
  /** The id of its clause. */
  readonly clause: string;
  /** Whether it sends POST requests with the right key, which may add animals. */
  readonly writes?: boolean;
  /** Whether it looks at what other checks have exchanged, and so comes after them. */
  readonly isLast?: boolean;
  /** @throws Unfulfilled, Untried */
  run(context: Context): Promise<void>;
}
