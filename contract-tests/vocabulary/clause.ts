import type { Context } from './context.ts';

/** Requirement of a clause: permission to add animals, a list with animals, GET /pets/{petId} not yet removed. */
export type Need = 'writes' | 'animals' | 'getPet';

/** Phases whose clauses judge what they request themselves, in their running order. */
const sendingPhases = [
  // First, because a wrong key that is accepted for an addition leaves an animal, which the later phases then see.
  'keys',
  // Before the lists, so that there are more animals to list.
  'creations',
  // After the creations, which have found out which names and categories the deployment accepts.
  'sequences',
  // After all that adds animals on purpose, so that the requests find these animals.
  'single requests',
] as const;

/** Phases whose clauses judge what other clauses have received, in their running order. */
const readingPhases = [
  // Before the phases that read everything, because these clauses still add animals and request lists.
  'stored animals',
  // After the last clause that adds animals in order to judge them.
  'additions',
  // After all clauses that request something unusual.
  'responses',
  // Last, because it compares every response with every other one.
  'whole run',
] as const;

/** Names of the phases of a run, in their running order. */
export const phases = [...sendingPhases, ...readingPhases];

export type Phase = (typeof phases)[number];

/** Returns whether the clauses of a phase read what other clauses have received: without those they may pass. */
export function readsOthers(phase: Phase): boolean {
  return readingPhases.some((one) => one === phase);
}

export interface Clause {
  readonly id: string;
  /** The heading of the specification, or Robustness if no sentence covers the clause. */
  readonly heading: string;
  /** `required` fails a deployment, `recommended` is reported and never fails it. */
  readonly level: 'required' | 'recommended';
  readonly sentence: string;
  /** The sentence of docs/specification.md, or a part of it, that the clause tests. */
  readonly quote?: string | undefined;
  /** The points that the specification does not define, such as "order of lists", each with the accepted answers. */
  readonly tolerated?: Readonly<Record<string, string>>;
  /** When the clause runs. */
  readonly phase: Phase;
  /** A clause that sends POST requests needs `writes`, even if each of them should be refused. */
  readonly needs?: readonly Need[];
  /** Ids of clauses, or their beginnings, whose failure explains this one if both have the same evidence. */
  readonly explainedBy?: readonly string[];
  /** True if the clause may run at the same time as others: it adds nothing, and the order of its requests is free. */
  readonly isParallel?: boolean;
  run(context: Context): Promise<void>;
}

type Own = Omit<Clause, 'id' | 'heading' | 'level' | 'quote' | 'phase'> & Partial<Pick<Clause, 'phase'>>;

/** A clause without what its heading says about it. A required clause quotes the specification, a recommended one cannot. */
export type ClauseDefinition = Own &
  ({ readonly id: `recommended/${string}` } | { readonly id: string; readonly quote: string });

/** What most clauses under a heading have in common. */
type Defaults = Pick<Clause, 'phase'> & Pick<Partial<Clause>, 'needs' | 'isParallel'>;

/** Returns a function that creates clauses in their order in the catalogue. Recommended ones have ids with `recommended/`. */
export function underHeading(heading: string, defaults: Defaults) {
  return (definitions: readonly ClauseDefinition[]): readonly Clause[] =>
    definitions.map((own) => {
      const level = own.id.startsWith('recommended/') ? 'recommended' : 'required';
      return { heading, level, ...defaults, ...own };
    });
}
