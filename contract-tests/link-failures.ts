import type { Clause } from './core/clause.ts';
import { type Facts, hasSameEvidence, hasSameStatus } from './core/find-facts.ts';
import { NO_SERVER_FAULT, OTHERWISE, PAGE } from './core/result.ts';
import type { Result } from './report.ts';

/**
 * Says of each failure whether it probably follows from another: from that of a clause that explains its own, or from one that
 * is shown by the same exchange.
 *
 * @param clauses in the order in which they are told.
 */
export function linkFailures(
  results: readonly Result[],
  clauses: readonly Clause[],
  facts: ReadonlyMap<string, Facts>,
): Result[] {
  const failed = results.filter(({ verdict }) => verdict === 'failed');
  const byId = new Map(clauses.map((clause) => [clause.id, clause]));
  const fault = failed.find(({ clause }) => clause.id === NO_SERVER_FAULT);
  const faulty = failed.filter((result) => result !== fault && isServerFault(result));
  const refused = failed.filter(isKeyRefused);
  const pages = failed.filter(isIntermittentPage);
  const firstPage = pages.find(({ clause }) => clause.level === 'required') ?? pages[0];
  // A server that fails at one thing breaks the clause about it. If it fails at several, or only sometimes, it breaks none.
  const isIntermittent = fault?.actual?.includes(OTHERWISE) === true;
  const isOfMany = isIntermittent || new Set(faulty.map(({ clause }) => clause.heading)).size > 1;
  const findReason = (result: Result): Result | undefined => {
    if (fault !== undefined && isOfMany && faulty.includes(result)) return fault;
    const [firstRefused] = refused;
    if (refused.includes(result) && result !== firstRefused) return firstRefused;
    if (pages.includes(result)) return result === firstPage ? undefined : firstPage;
    if (result === fault)
      return isOfMany ? undefined : faulty.find(({ clause }) => !clause.id.startsWith('replay/'));
    const { explainedBy = [] } = byId.get(result.clause.id) ?? {};
    const matches = explainedBy.flatMap((wanted) =>
      failed.filter(
        ({ clause }) => clause.id === wanted || (wanted.endsWith('/') && clause.id.startsWith(wanted)),
      ),
    );
    const isSame = (match: Result) => {
      const [own, other] = [facts.get(result.clause.id), facts.get(match.clause.id)];
      return own !== undefined && other !== undefined && hasSameEvidence(own, other);
    };
    const earlier = failed.slice(0, failed.indexOf(result)).filter((match) => {
      const [own, other] = [facts.get(result.clause.id), facts.get(match.clause.id)];
      return own !== undefined && other !== undefined && hasSameStatus(own, other);
    });
    const candidates = [...matches, ...failed.filter((other) => isOfSameExchange(result, other))];
    return [...candidates.filter(isSame), ...earlier].find(
      (match) => match !== result && isAsGrave(match, result),
    );
  };
  const findRoot = (result: Result, seen: readonly Result[] = []): Result => {
    const reason = findReason(result);
    if (reason === undefined) return result;
    // In a circle the first that is told stands for all.
    const circle = seen.includes(reason) ? [...seen.slice(seen.indexOf(reason)), result] : [];
    if (circle.length > 0) return failed.find((one) => circle.includes(one)) ?? result;
    return findRoot(reason, [...seen, result]);
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

/** Whether a clause failed since the valid key was refused. */
function isKeyRefused({ clause, expected, evidence }: Result): boolean {
  const isAboutKeys = clause.heading === 'Authentication' || expected === '401';
  return !isAboutKeys && evidence?.response.startsWith('HTTP 401') === true;
}

/** Returns whether a clause failed for the page of a gateway that the same request does not always get. */
function isIntermittentPage({ suspected }: Result): boolean {
  return suspected?.startsWith(`intermittent: ${PAGE}`) === true;
}

/** Whether a clause failed for a 5xx, or for a request that was not answered. */
function isServerFault({ evidence }: Result): boolean {
  return evidence !== undefined && /^(?:HTTP 5|No answer)/.test(evidence.response);
}

/** Whether a clause about errors as such fails for the exchange of another. */
function isOfSameExchange({ clause, evidence }: Result, other: Result): boolean {
  const isAboutErrors = clause.heading === 'Errors' && other.clause.heading !== 'Errors';
  return isAboutErrors && evidence?.at === other.evidence?.at && evidence?.curl === other.evidence?.curl;
}
