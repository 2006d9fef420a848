import type { Clause } from '../../vocabulary/clause.ts';
import { isKnown, type Result } from '../report.ts';
import { chooseFinding } from './choose-finding.ts';
import { createFindRunFault } from './create-find-run-fault.ts';
import type { Facts } from './find-facts.ts';
import { STATUS } from './find-status-facts.ts';

/**
 * Links failures to the finding that has the same evidence, the known ones apart. @param facts of failed clauses, by their ids
 * @param clauses all clauses, which say what explains them
 */
export function linkFailures(
  results: readonly Result[],
  facts: ReadonlyMap<string, Facts>,
  clauses: readonly Clause[],
): Result[] {
  const groups = [true, false].map((known) => results.filter((result) => isKnown(result) === known));
  const linked = groups.flatMap((some) => linkAll(some, facts, clauses));
  return results.map((result) => linked.find(({ clause }) => clause.id === result.clause.id) ?? result);
}

function linkAll(
  results: readonly Result[],
  facts: ReadonlyMap<string, Facts>,
  clauses: readonly Clause[],
): Result[] {
  const failed = results.filter(({ verdict }) => verdict === 'failed');
  const findRun = createFindRunFault(failed, facts);
  const stale = failed.filter(({ suspected }) => suspected?.cause === 'stale');
  const compare = (one: Result, other: Result, isAlike: (one: Facts, other: Facts) => boolean) => {
    const [own, others] = [facts.get(one.clause.id), facts.get(other.clause.id)];
    return own !== undefined && others !== undefined && isAlike(own, others);
  };
  const findReason = (result: Result): Result | undefined => {
    const fault = findRun(result);
    if (fault !== undefined) return fault === result ? undefined : fault;
    const { explainedBy = [] } = clauses.find(({ id }) => id === result.clause.id) ?? {};
    const explaining = explainedBy.flatMap((id) => failed.filter(({ clause }) => clause.id.startsWith(id)));
    const candidates = [...explaining, ...failed.filter((other) => isOfSameExchange(result, other))];
    const earlier = failed.slice(0, failed.indexOf(result));
    const alike = [
      ...candidates.filter((match) => compare(result, match, hasSameEvidence)),
      ...earlier.filter((match) => compare(result, match, hasSameStatus)),
    ].find(
      // A recommendation explains no required clause.
      (match) =>
        match !== result && (match.clause.level === 'required' || result.clause.level === 'recommended'),
    );
    if (alike !== undefined || !stale.includes(result)) return alike;
    // A cache keeps the lists of several clauses, each without another animal.
    const firstStale = chooseFinding(stale);
    return firstStale === result ? undefined : firstStale;
  };
  const findRoot = (result: Result, seen: readonly Result[] = []): Result => {
    const reason = findReason(result);
    if (reason === undefined) return result;
    // In a circle the first failure is the finding.
    const circle = seen.includes(reason) ? [...seen.slice(seen.indexOf(reason)), result] : [];
    if (circle.length > 0) return failed.find((one) => circle.includes(one)) ?? result;
    return findRoot(reason, [...seen, result]);
  };
  return results.map((result) => {
    const root = result.verdict === 'failed' ? findRoot(result) : result;
    return root === result ? result : { ...result, follows: root.clause.id };
  });
}

/** Returns whether a clause about errors as such fails for the exchange of another. */
function isOfSameExchange({ clause, evidence }: Result, other: Result): boolean {
  const isAboutErrors = clause.heading === 'Errors' && other.clause.heading !== 'Errors';
  return isAboutErrors && evidence?.at === other.evidence?.at && evidence?.curl === other.evidence?.curl;
}

/** Returns whether two failures show the same fact, or have the same request and no wrong members of their own. */
function hasSameEvidence(one: Facts, other: Facts): boolean {
  if (haveCommon([...one.shows, ...one.follows], other.shows)) return true;
  // One response may have faults in two members.
  const isOfOthers =
    one.members.length > 0 && other.members.length > 0 && !haveCommon(one.members, other.members);
  return !isOfOthers && haveCommon(one.requests, other.requests);
}

/** Returns whether two failures show the same status for the same kind of request. */
function hasSameStatus(one: Facts, other: Facts): boolean {
  return one.shows.some((fact) => fact.startsWith(STATUS) && other.shows.includes(fact));
}

function haveCommon(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.includes(one));
}
