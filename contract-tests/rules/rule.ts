import type { JsonObject } from '../../common/json/exact-json.ts';
import type { Exchange } from '../client/exchange.ts';
import type { NotTestedCause } from '../client/run-errors.ts';
import type { Target } from '../client/target.ts';
import type { RequestOptions } from '../client/to-request.ts';
import type { Cause, Fault } from '../failures/failure.ts';
import type { Facts } from '../history/facts.ts';
import type { History } from '../history/history.ts';
import type { Tolerance } from '../history/tolerances.ts';
import { ofRuns, type TableName } from '../requests/tables.ts';
import { findQuote } from './specification.ts';

/** The clause that has what other clauses have seen in a single response, which the next one did not show. */
export const ONCE_WRONG = 'recommended/right-each-time';

/** What a rule looks at. */
export interface Evidence {
  readonly history: History;
  readonly facts: Facts;
  readonly target: Target;
  /** Returns whether the run tests a clause: a response that contradicts two sentences belongs to one that is tested. */
  readonly isTested: (id: string) => boolean;
  /** Calls a function once for this evidence: the rules that ask with the same function get the same result. */
  once<T>(read: (evidence: Evidence) => T): T;
}

/** A response that was compared and is as it should be. */
interface Compared {
  readonly exchange: Exchange;
  /** The animals that were compared in it. @default none */
  readonly animals?: readonly JsonObject[];
}

/** A response that is not as a rule says. */
export interface Sighting extends Compared {
  readonly fault: Fault;
  /** Sightings of one rule about one subject, such as a question or an animal, are one fault. */
  readonly subject: string;
  /**
   * - `firm`: the response contradicts the specification by itself, whatever others do
   * - `seen`: responses shortly before and after contradict it
   * - `to be asked again`: others may have changed something in between, so that further responses decide
   */
  readonly evidence: 'firm' | 'seen' | 'to be asked again';
  /** What excuses the response. @default nothing */
  readonly excuse?: Tolerance | undefined;
  /** The requests of one round of asking again. @default none */
  readonly ask?: readonly RequestOptions[];
  /** Ids of the animals that it is about. */
  readonly about?: readonly bigint[];
  /** Responses that show what this one should be, in the order of their requests. */
  readonly before?: readonly Exchange[];
  readonly more?: readonly Exchange[];
  readonly suspected?: Cause | undefined;
}

/** What a rule says of a response. */
export type Look = Compared | Sighting;

/** Returns whether a rule calls a response wrong. */
export function isSighting(look: Look): look is Sighting {
  return 'fault' in look;
}

/** Why a clause could not be tested, and what was missing. */
export interface Gap {
  readonly reason: string;
  /** Why, in the words of the verdict. @default too little to compare */
  readonly cause?: NotTestedCause;
}

/** One sentence of the contract suite, with the rule that decides whether a deployment keeps to it. */
export interface Clause {
  readonly id: string;
  /** The heading of the specification, or Robustness if no sentence covers the clause. */
  readonly heading: string;
  /** `required` fails a deployment, `recommended` is reported and never fails it. */
  readonly level: 'required' | 'recommended';
  readonly sentence: string;
  /** The sentence of docs/specification.md that the clause tests. */
  readonly quote?: string | undefined;
  /** The points that the specification does not define, such as "order of lists", each with the accepted answers. */
  readonly tolerated?: Readonly<Record<string, string>>;
  /** The requests that the rule needs to see, by default all. Whatever else was sent, it looks at that too. */
  readonly needs: readonly TableName[];
  /** Whether only a run that adds animals can test it. @default false */
  readonly isOfWrites?: boolean;
  /** Ids of clauses, or their beginnings, that explain the wrong responses of this one that are about the same as theirs. */
  readonly explainedBy?: readonly string[];
  /** Whether a single wrong response may be chance, because others change animals meanwhile. @default false */
  readonly othersCanCauseIt?: boolean;
  /** Looks at every response of a run. */
  readonly look: (evidence: Evidence) => readonly Look[];
  /** Returns what is missing to test the clause, beyond a response to compare. @default nothing */
  readonly findGap?: (evidence: Evidence, looks: readonly Look[]) => Gap | undefined;
}

/** A clause without what its heading, its id and the table of sentences say about it. */
export type ClauseDefinition = Omit<Clause, 'heading' | 'level' | 'quote' | 'needs'> &
  Partial<Pick<Clause, 'needs'>>;

/** Returns a function that creates clauses in their order in the catalogue. Recommended ones have ids with `recommended/`. */
export function underHeading(heading: string, defaults: Partial<Pick<Clause, 'needs' | 'isOfWrites'>> = {}) {
  return (definitions: readonly ClauseDefinition[]): readonly Clause[] =>
    definitions.map((own) => {
      const level = own.id.startsWith('recommended/') ? 'recommended' : 'required';
      return { heading, level, quote: findQuote(own.id, heading), needs: ofRuns, ...defaults, ...own };
    });
}
