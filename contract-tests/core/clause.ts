/** How a clause counts: `required` fails a deployment, `advised` is reported and never fails it. */
export type Level = 'required' | 'advised';

/** A sentence of the specification that can be checked. */
export interface Clause {
  /** Permanent. */
  readonly id: string;
  /** The heading of the specification that it stands under. */
  readonly heading: string;
  /** What it asks, in our words. */
  readonly sentence: string;
  readonly level: Level;
}
