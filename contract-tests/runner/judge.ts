import type { Exchange } from '../client/exchange.ts';
import { readFacts } from '../history/facts.ts';
import type { History } from '../history/history.ts';
import type { Tolerance } from '../history/tolerances.ts';
import {
  type Clause,
  type Evidence,
  isSighting,
  type Look,
  ONCE_WRONG,
  type Sighting,
} from '../rules/rule.ts';

/** The wrong responses of one clause about one subject. */
export interface JudgedFault {
  readonly clause: Clause;
  readonly subject: string;
  /** In the order of their requests, excused ones too. */
  readonly sightings: readonly Sighting[];
  readonly verdict: 'wrong' | 'once wrong' | 'excused';
}

/** What a clause has looked at, and what was wrong. */
export interface Judgement {
  readonly clause: Clause;
  readonly looks: readonly Look[];
  readonly faults: readonly JudgedFault[];
}

/** Creates what rules look at. */
export function createEvidence(history: History): Evidence {
  const results = new Map<unknown, unknown>();
  const evidence: Evidence = {
    history,
    facts: readFacts(history),
    target: history.target,
    once: <T>(read: (evidence: Evidence) => T) => {
      if (!results.has(read)) results.set(read, read(evidence));
      return results.get(read) as T;
    },
  };
  return evidence;
}

/** Judges all responses of a run by some clauses. The same history always gives the same judgements. */
export function judge(evidence: Evidence, clauses: readonly Clause[]): readonly Judgement[] {
  const judgements = clauses.map((clause): Judgement => {
    const looks = clause.look(evidence);
    const bySubject = Map.groupBy(looks.filter(isSighting), ({ subject }) => subject);
    const faults = [...bySubject].map(([subject, some]): JudgedFault => {
      const sightings = some.toSorted((one, other) => one.exchange.number - other.exchange.number);
      return { clause, subject, sightings, verdict: findVerdict(clause, sightings) };
    });
    return { clause, looks, faults };
  });
  const onceWrong = judgements.flatMap(({ faults }) =>
    faults.filter(({ verdict }) => verdict === 'once wrong'),
  );
  return judgements.map((judgement) =>
    judgement.clause.id === ONCE_WRONG
      ? { ...judgement, faults: onceWrong.map((fault) => ({ ...fault, verdict: 'wrong' as const })) }
      : judgement,
  );
}

/** Two wrong responses are a failure; so is one that contradicts the specification by itself. */
function findVerdict(
  { othersCanCauseIt = false }: Clause,
  sightings: readonly Sighting[],
): JudgedFault['verdict'] {
  const counted = sightings.filter(isCounted);
  if (counted.some(({ evidence }) => evidence === 'firm')) return 'wrong';
  const wrong = new Set(counted.map(({ exchange }) => exchange));
  if (wrong.size >= 2) return 'wrong';
  return wrong.size === 1 && !othersCanCauseIt ? 'once wrong' : 'excused';
}

/** Returns whether nothing excuses a wrong response, and others cannot have caused it. */
export function isCounted({ excuse, evidence }: Sighting): boolean {
  return excuse === undefined && evidence !== 'to be asked again';
}

/** Counts the responses that each tolerance has excused. */
export function countExcused(
  judgements: readonly Judgement[],
  told: readonly Exchange[],
): Partial<Record<Tolerance, number>> {
  const excused = new Map<Tolerance, Set<Exchange>>();
  const add = (tolerance: Tolerance, exchange: Exchange) =>
    excused.set(tolerance, (excused.get(tolerance) ?? new Set()).add(exchange));
  for (const exchange of told) add('told to wait', exchange);
  for (const { faults } of judgements)
    for (const { sightings } of faults)
      for (const { excuse, exchange } of sightings) if (excuse !== undefined) add(excuse, exchange);
  return Object.fromEntries([...excused].map(([tolerance, exchanges]) => [tolerance, exchanges.size]));
}
