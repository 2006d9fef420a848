import type { Context } from './context.ts';

/** What a clause requires: permission to add animals, a list with animals, GET /pets/{petId} not yet removed. */
export type Need = 'writes' | 'animals' | 'getPet';

/** A sentence of the specification and how it is tried. */
export interface Clause {
  /** Permanent. */
  readonly id: string;
  /** The heading of the specification that it stands under, or Robustness where no sentence covers it. */
  readonly heading: string;
  /** `required` fails a deployment, `advised` is reported and never fails it. */
  readonly level: 'required' | 'advised';
  /** What it asks for, in our words. */
  readonly sentence: string;
  /** What the specification leaves open, such as "the order of the list", and which answers are accepted there. */
  readonly tolerated?: readonly { readonly open: string; readonly answers: string }[];
  /** A clause that sends POST requests needs `writes`, even if each of them should be refused. */
  readonly needs?: readonly Need[];
  /**
   * Whether it looks at every exchange of the run, and so runs after the others; `additions` if it looks at every added
   * animal, also at exchanges of clauses that observe. @default false
   */
  readonly observes?: boolean | 'additions';
  /** Ids of clauses, or their beginnings, whose failure explains this one if both have the same evidence. */
  readonly explainedBy?: readonly string[];
  /** Whether others of its kind may run at the same time: it adds nothing, and the order of its requests matters to none. */
  readonly isBeside?: boolean;
  /** What decides it are the exchanges that it sends, unless it says how many others did. @throws Failed, Skipped */
  run(context: Context): Promise<void>;
}

/** Clauses as the file of their heading defines them, by id. @default level 'required' */
export type ClauseDefinitions = Readonly<
  Record<string, Omit<Clause, 'id' | 'heading' | 'level'> & { readonly level?: Clause['level'] }>
>;

/** Defines the clauses of a heading, in the order in which they run. `needs` are those of clauses that name none. */
export function defineClauses(
  heading: string,
  needs: readonly Need[],
  definitions: ClauseDefinitions,
): readonly Clause[] {
  return Object.entries(definitions).map(([id, own]) => ({
    ...{ id, heading, level: 'required', needs },
    ...own,
  }));
}
