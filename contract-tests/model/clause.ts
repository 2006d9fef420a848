import type { Context } from './context.ts';

/** Requirement of a clause: permission to add animals, a list with animals, GET /pets/{petId} not yet removed. */
export type Need = 'writes' | 'animals' | 'getPet';

export interface Clause {
  readonly id: string;
  /** The heading of the specification, or Robustness if no sentence covers the clause. */
  readonly heading: string;
  /** `required` fails a deployment, `recommended` is reported and never fails it. */
  readonly level: 'required' | 'recommended';
  readonly sentence: string;
  /** The sentence of the specification, or a part of it, that the clause tests. */
  readonly quote?: string | undefined;
  /** The points that the specification does not define, such as "the order of the list", each with the accepted answers. */
  readonly tolerated?: Readonly<Record<string, string>>;
  /** A clause that sends POST requests needs `writes`, even if each of them should be refused. */
  readonly needs?: readonly Need[];
  /**
   * True if the clause reads the exchanges of other clauses, and so runs after them; `additions` for a clause that reads
   * every addition, even of other last clauses; `everything` for a clause that reads the whole run. @default false
   */
  readonly runsLast?: boolean | 'additions' | 'everything';
  /** Ids of clauses, or their beginnings, whose failure explains this one if both have the same evidence. */
  readonly explainedBy?: readonly string[];
  /** True if the clause may run at the same time as others: it adds nothing, and the order of its requests is free. */
  readonly isParallel?: boolean;
  run(context: Context): Promise<void>;
}

export type ClauseDefinitions = Readonly<Record<string, Omit<Clause, 'id' | 'heading' | 'level'>>>;

/** Returns a function that defines clauses by id, in their running order. The ids of recommendations begin with `recommended/`. */
export function underHeading(heading: string, defaults: Partial<ClauseDefinitions[string]> = {}) {
  return (definitions: ClauseDefinitions): readonly Clause[] =>
    Object.entries(definitions).map(([id, own]) => {
      const level = id.startsWith('recommended/') ? 'recommended' : 'required';
      return { id, heading, level, ...defaults, ...own };
    });
}
