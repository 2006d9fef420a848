import type { Context } from './context.ts';

/** How a clause counts: `required` fails a deployment, `advised` is reported and never fails it. */
export type Level = 'required' | 'advised';

/** What a clause cannot do without: permission to add animals, animals in the list, GET /pets/{petId} not yet removed. */
export type Need = 'writes' | 'animals' | 'getPet';

/** What the specification leaves open, and what the suite accepts there. */
export interface Tolerated {
  /** The open point, such as "the order of the list". */
  readonly open: string;
  /** The accepted answers. */
  readonly answers: string;
}

/** A sentence of the specification and how it is tried. */
export interface Clause {
  /** Permanent. */
  readonly id: string;
  /** The heading of the specification that it stands under. */
  readonly heading: string;
  readonly level: Level;
  /** What it asks for, in our words. */
  readonly sentence: string;
  readonly tolerated?: readonly Tolerated[];
  /** A clause that sends POST requests needs `writes`, even if each of them should be refused. */
  readonly needs?: readonly Need[];
  /** Whether it looks at every exchange of the run, and so runs after the others. @default false */
  readonly observes?: boolean;
  /** @throws Failed, Skipped */
  run(context: Context): Promise<void>;
}

/** A clause as the file of its heading defines it. */
export type ClauseDefinition = Omit<Clause, 'heading' | 'level'> & {
  /** @default 'required' */
  readonly level?: Level;
};

/** Defines the clauses of one heading, in the order in which they are listed and run. */
export function defineClauses(heading: string, definitions: readonly ClauseDefinition[]): readonly Clause[] {
  return definitions.map((definition) => ({ level: 'required', ...definition, heading }));
}
