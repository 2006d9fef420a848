import type { Clause } from './core/clause.ts';
import type { Result } from './report.ts';

/**
 * Says of each failure whether it probably follows from another: from that of a clause that explains its own, or from one that
 * is shown by the same exchange.
 *
 * @param clauses in the order in which they are told.
 */
export function linkFailures(results: readonly Result[], clauses: readonly Clause[]): Result[] {
  const failed = results.filter(({ verdict }) => verdict === 'failed');
  const byId = new Map(clauses.map((clause) => [clause.id, clause]));
  const findReason = (result: Result): Result | undefined => {
    const { explainedBy = [] } = byId.get(result.clause.id) ?? {};
    const matches = explainedBy.flatMap((wanted) =>
      failed.filter(
        ({ clause }) => clause.id === wanted || (wanted.endsWith('/') && clause.id.startsWith(wanted)),
      ),
    );
    return [...matches, ...failed.filter((other) => isOfSameExchange(result, other))].find(
      (match) => match !== result && isAsGrave(match, result),
    );
  };
  const findRoot = (result: Result, seen: readonly Result[] = []): Result => {
    const reason = findReason(result);
    return reason === undefined || seen.includes(reason) ? result : findRoot(reason, [...seen, result]);
  };
  return results.map((result) => {
    if (result.verdict !== 'failed') return result;
    const root = findRoot(result);
    return root === result ? result : { ...result, follows: root.clause.id };
  });
}

/** What is advised explains nothing that is required. */
function isAsGrave(one: Result, other: Result): boolean {
  return one.clause.level === 'required' || other.clause.level === 'advised';
}

/** Whether a clause about errors as such fails for the exchange of another. */
function isOfSameExchange({ clause, evidence }: Result, other: Result): boolean {
  const isAboutErrors = clause.heading === 'Errors' && other.clause.heading !== 'Errors';
  return isAboutErrors && evidence?.at === other.evidence?.at && evidence?.curl === other.evidence?.curl;
}
