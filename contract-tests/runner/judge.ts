import type { Exchange } from '../client/exchange.ts';
import { readFacts } from '../history/facts.ts';
import type { History } from '../history/history.ts';
import type { Tolerance } from '../history/tolerances.ts';
import { clauses as allClauses } from '../rules/clauses.ts';
import {
  type Clause,
  type Evidence,
  isSighting,
  type Look,
  ONCE_WRONG,
  type Sighting,
} from '../rules/rule.ts';
import { isOfService } from '../rules/sight.ts';

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

/** Creates what rules look at. @param clauses those that judge it. @default all */
export function createEvidence(history: History, clauses: readonly Clause[] = allClauses): Evidence {
  const results = new Map<unknown, unknown>();
  const evidence: Evidence = {
    history,
    facts: readFacts(history),
    target: history.target,
    isTested: (id) => clauses.some((one) => one.id === id),
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
  const all = judgements.flatMap(({ faults }) => faults);
  // Where a clause fails anyway, one more wrong response is part of that.
  const failed = new Set(all.flatMap(({ clause, verdict }) => (verdict === 'wrong' ? [clause] : [])));
  const onceWrong = all.filter(({ clause, verdict }) => verdict === 'once wrong' && !failed.has(clause));
  const repeated = listRepeated(all);
  const toWrong = (fault: JudgedFault): JudgedFault => ({ ...fault, verdict: 'wrong' });
  return judgements.map((judgement) => ({
    ...judgement,
    faults:
      judgement.clause.id === ONCE_WRONG
        ? onceWrong.filter((fault) => !repeated.has(fault)).map(toWrong)
        : judgement.faults.map((fault) => (repeated.has(fault) ? toWrong(fault) : fault)),
  }));
}

/**
 * Finds the faults of one kind that several responses of the service have, although each question had only one of them. Where a fault
 * of this kind is wrong anyway, they add nothing to it.
 */
function listRepeated(faults: readonly JudgedFault[]): ReadonlySet<JudgedFault> {
  const counted = faults.filter(({ verdict }) => verdict !== 'excused');
  const byKind = Map.groupBy(counted, ({ sightings }) => sightings.find(isCounted)?.fault.kind);
  const repeated = [...byKind.values()].filter((same) => {
    const responses = new Set(same.flatMap(listWrong).filter(isOfService));
    return responses.size >= LEAST_WRONG && same.every(({ verdict }) => verdict === 'once wrong');
  });
  return new Set(repeated.flat());
}

/** So many wrong responses are a failure. */
const LEAST_WRONG = 2;

/** Lists the responses of a fault that nothing excuses. */
function listWrong({ sightings }: Pick<JudgedFault, 'sightings'>): readonly Exchange[] {
  return sightings.filter(isCounted).map(({ exchange }) => exchange);
}

/** Two wrong responses are a failure; so is one that contradicts the specification by itself. */
function findVerdict(
  { othersCanCauseIt = false }: Clause,
  sightings: readonly Sighting[],
): JudgedFault['verdict'] {
  const counted = sightings.filter(isCounted);
  if (counted.some(({ evidence }) => evidence === 'firm')) return 'wrong';
  const wrong = new Set(listWrong({ sightings }));
  if (wrong.size >= LEAST_WRONG) return 'wrong';
  return wrong.size === 1 && !othersCanCauseIt ? 'once wrong' : 'excused';
}

/** Returns whether nothing excuses a wrong response, and others cannot have caused it. */
export function isCounted({ excuse, evidence }: Sighting): boolean {
  return excuse === undefined && evidence !== 'to be asked again';
}

/** Lists the wrong responses of the faults of a clause. */
export function listCounted({ faults }: Judgement): readonly Sighting[] {
  const wrong = faults.filter(({ verdict }) => verdict === 'wrong');
  return wrong.flatMap(({ sightings }) => sightings.filter(isCounted));
}

/** Finds the wrong response of a failure that the report shows, or undefined if the clause has not failed. */
export function findShown(judgement: Judgement): Sighting | undefined {
  const all = listCounted(judgement);
  // A key that adds animals says more than one that is not refused, and a usual one more than an unusual one.
  const adds = all.find(
    ({ exchange: { isAddition, request } }) =>
      isAddition && request.isAuthorized !== true && request.form === undefined,
  );
  return adds ?? all[0];
}

/**
 * Lists the wrong responses that are excused, and those that others may have caused. Where the clause turned out to fail, what looked like an excuse at first was mostly the same
 * failure.
 */
export function listExcused({ faults }: Judgement): readonly Sighting[] {
  if (faults.some(({ verdict }) => verdict === 'wrong')) return [];
  return faults.flatMap(({ sightings }) => sightings.filter((one) => !isCounted(one)));
}

/** Counts the responses that each tolerance has excused, without those to requests that have got a wrong response. */
export function countExcused(
  judgements: readonly Judgement[],
  told: readonly Exchange[],
): Partial<Record<Tolerance, number>> {
  const excused = new Map<Tolerance, Set<Exchange>>();
  const add = (tolerance: Tolerance, exchange: Exchange) =>
    excused.set(tolerance, (excused.get(tolerance) ?? new Set()).add(exchange));
  for (const exchange of told) add('told to wait', exchange);
  // What one clause excuses another may find wrong: then it was no delay, and no other client.
  const faults = judgements.flatMap((one) => one.faults).filter(({ verdict }) => verdict === 'wrong');
  const wrong = new Set(faults.flatMap(listWrong).map(({ question }) => question));
  for (const judgement of judgements)
    for (const { excuse = 'changed by others', exchange } of listExcused(judgement))
      if (!wrong.has(exchange.question)) add(excuse, exchange);
  return Object.fromEntries([...excused].map(([tolerance, exchanges]) => [tolerance, exchanges.size]));
}
