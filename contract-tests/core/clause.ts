import type { Need } from './check.ts';
import type { Context } from './context.ts';

/** How a clause counts: `required` fails a deployment, `advised` is reported and never fails it. */
export type Level = 'required' | 'advised';

/** A sentence of the specification, and how it is tried. */
export interface Clause {
  /** Permanent. */
  readonly id: string;
  /** The heading of the specification that it stands under. */
  readonly heading: string;
  readonly level: Level;
  /** What it asks, in our words. */
  readonly sentence: string;
  /** A clause that sends POST requests needs writes, even where each of them ought to be refused. */
  readonly needs?: readonly Need[];
  /** Whether it looks at the whole journal, and so comes after the others. */
  readonly observes?: boolean;
  /** @throws Failed, Skipped */
  run(context: Context): Promise<void>;
}
