import { findMember } from '../failures/identify-failure.ts';
import { clauses } from '../rules/clauses.ts';
import type { Result } from './report.ts';
import { isKnown } from './report.ts';

/** What a failed clause is about. */
export interface Subjects {
  readonly animals: ReadonlySet<bigint>;
  /** The requests whose responses are wrong, as texts. */
  readonly requests: ReadonlySet<string>;
  /** The exchanges that are wrong, by their numbers. */
  readonly exchanges: ReadonlySet<number>;
}

/**
 * Links failures to the finding that they belong to, the known ones apart: a clause says which others explain it, and failures about the
 * same animal or the same request are one finding.
 */
export function linkFindings(results: readonly Result[], subjects: ReadonlyMap<string, Subjects>): Result[] {
  const groups = [true, false].map((known) =>
    results.filter((result) => result.verdict === 'failed' && isKnown(result) === known),
  );
  const roots = new Map(groups.flatMap((failed) => findRoots(failed, subjects)));
  return results.map((result) => {
    const root = roots.get(result.clause.id);
    return root === undefined ? result : { ...result, follows: root };
  });
}

function findRoots(failed: readonly Result[], subjects: ReadonlyMap<string, Subjects>): [string, string][] {
  const findReason = (result: Result): Result | undefined => {
    const { explainedBy = [] } = clauses.find(({ id }) => id === result.clause.id) ?? {};
    const candidates = [
      ...explainedBy.flatMap((start) => failed.filter(({ clause }) => clause.id.startsWith(start))),
      ...failed.slice(0, failed.indexOf(result)),
    ];
    return candidates.find((other) => {
      // A recommendation explains no required clause.
      const mayExplain = other.clause.level === 'required' || result.clause.level === 'recommended';
      const isDeclared = explainedBy.some((start) => other.clause.id.startsWith(start));
      return other !== result && mayExplain && areAlike(result, other, subjects, isDeclared);
    });
  };
  const findRoot = (result: Result, seen: readonly Result[]): Result => {
    const reason = findReason(result);
    if (reason === undefined) return result;
    // In a circle the first failure is the finding.
    const circle = seen.includes(reason) ? [...seen.slice(seen.indexOf(reason)), result] : [];
    if (circle.length > 0) return failed.find((one) => circle.includes(one)) ?? result;
    return findRoot(reason, [...seen, result]);
  };
  return failed.flatMap((result): [string, string][] => {
    const root = findRoot(result, []);
    return root === result ? [] : [[result.clause.id, root.clause.id]];
  });
}

/** @param isDeclared whether one clause says that the other explains it, so that one animal is enough */
function areAlike(
  one: Result,
  other: Result,
  subjects: ReadonlyMap<string, Subjects>,
  isDeclared: boolean,
): boolean {
  const [own, its] = [subjects.get(one.clause.id), subjects.get(other.clause.id)];
  if (own === undefined || its === undefined) return false;
  if (isDeclared && !own.animals.isDisjointFrom(its.animals)) return true;
  // One response may have faults in two members.
  const [ownMembers, itsMembers] = [membersOf(one), membersOf(other)];
  const areOfOthers = ownMembers.size > 0 && itsMembers.size > 0 && ownMembers.isDisjointFrom(itsMembers);
  if (areOfOthers) return false;
  return isDeclared
    ? !own.requests.isDisjointFrom(its.requests)
    : !own.exchanges.isDisjointFrom(its.exchanges);
}

function membersOf({ failures = [] }: Result): ReadonlySet<string> {
  return new Set(failures.flatMap((failure) => findMember(failure) ?? []));
}
