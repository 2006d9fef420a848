import { clauses } from '../clauses/clauses.ts';
import { NO_SERVER_FAULT } from '../client/clause-errors.ts';
import type { Failure } from '../failures/failure.ts';
import { type Facts, hasSameEvidence, hasSameStatus } from '../model/find-facts.ts';
import { isKnown, type Result } from './report.ts';

/** Links failures to the headline with the same evidence, the known ones apart. @param facts of failed clauses, by their ids */
export function linkFailures(results: readonly Result[], facts: ReadonlyMap<string, Facts>): Result[] {
  const groups = [true, false].map((known) => results.filter((result) => isKnown(result) === known));
  const linked = groups.flatMap((some) => linkAll(some, facts));
  return results.map((result) => linked.find(({ clause }) => clause.id === result.clause.id) ?? result);
}

function linkAll(results: readonly Result[], facts: ReadonlyMap<string, Facts>): Result[] {
  const failed = results.filter(({ verdict }) => verdict === 'failed');
  const findRun = createFindRunFault(failed, facts);
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
    return [
      ...candidates.filter((match) => compare(result, match, hasSameEvidence)),
      ...earlier.filter((match) => compare(result, match, hasSameStatus)),
    ].find(
      // A recommendation explains no required clause.
      (match) =>
        match !== result && (match.clause.level === 'required' || result.clause.level === 'recommended'),
    );
  };
  const findRoot = (result: Result, seen: readonly Result[] = []): Result => {
    const reason = findReason(result);
    if (reason === undefined) return result;
    // In a circle the first failure is the headline.
    const circle = seen.includes(reason) ? [...seen.slice(seen.indexOf(reason)), result] : [];
    if (circle.length > 0) return failed.find((one) => circle.includes(one)) ?? result;
    return findRoot(reason, [...seen, result]);
  };
  return results.map((result) => {
    const root = result.verdict === 'failed' ? findRoot(result) : result;
    return root === result ? result : { ...result, follows: root.clause.id };
  });
}

/** How many kinds of requests to one operation a server may fail at, before it is the server that fails. */
const MOST_KINDS = 2;

/**
 * Creates a function that finds the failure that a fault of the whole run has caused: a server that fails now and then, a
 * valid key that is refused, or pages of a gateway. It returns the failure itself if it is the headline.
 */
function createFindRunFault(
  failed: readonly Result[],
  facts: ReadonlyMap<string, Facts>,
): (result: Result) => Result | undefined {
  const findServerFault = createFindServerFault(failed, facts);
  const refused = failed.filter(isKeyRefused);
  const pages = failed.filter(({ suspected }) => suspected?.cause === 'page');
  // A recommendation is never the headline of a required clause.
  const findHeadline = (some: readonly Result[]) =>
    some.find(({ clause }) => clause.level === 'required') ?? some[0];
  const firstRefused = findHeadline(refused);
  const firstPage = findHeadline(pages);
  return (result) => {
    const headline = findServerFault(result);
    if (headline !== undefined) return headline;
    if (refused.includes(result) && result !== firstRefused) return firstRefused;
    return pages.includes(result) ? firstPage : undefined;
  };
}

/**
 * Creates a function that finds the headline of a 5xx or a missing response. A server that fails at one kind of request
 * breaks the first clause about it. One that fails at several, or only sometimes, breaks the clause about server faults.
 * A recommendation is never the headline.
 */
function createFindServerFault(
  failed: readonly Result[],
  facts: ReadonlyMap<string, Facts>,
): (result: Result) => Result | undefined {
  const faultOf = ({ clause }: Result) => facts.get(clause.id)?.serverFault;
  const fault = failed.find(({ clause }) => clause.id === NO_SERVER_FAULT);
  const faulty = failed.filter((result) => result !== fault && faultOf(result) !== undefined);
  const required = faulty.filter(({ clause }) => clause.level === 'required');
  const keyOf = (result: Result) => `${faultOf(result)?.operation} ${faultOf(result)?.kind}`;
  const operations = new Set(required.map((result) => faultOf(result)?.operation));
  const kinds = new Set(required.map(keyOf));
  const isIntermittent = fault?.failures?.some(isAtRandom) === true;
  const isOfMany = isIntermittent || operations.size > 1 || kinds.size > MOST_KINDS;
  // The clauses of Dredd meet what another clause is about.
  const isOwn = ({ clause }: Result) => !clause.id.startsWith('dredd/');
  const findFirst = (result: Result) => {
    const alike = required.filter((other) => keyOf(other) === keyOf(result));
    return alike.find(isOwn) ?? alike[0];
  };
  return (result) => {
    if (fault !== undefined && isOfMany)
      return result === fault || faulty.includes(result) ? fault : undefined;
    if (result === fault) return findFirst(fault) ?? required.find(isOwn) ?? fault;
    return required.includes(result) || faulty.includes(result) ? findFirst(result) : undefined;
  };
}

/** Returns whether requests with a server fault also got another response. */
function isAtRandom(failure: Failure): boolean {
  return failure.kind === 'server fault' && failure.otherwise.length > 0;
}

function isKeyRefused({ clause, failures: [failure] = [] }: Result): boolean {
  const expectsRefusal = failure?.kind === 'status' && failure.expected === 401;
  const isAboutKeys = clause.heading === 'Authentication' || expectsRefusal;
  return !isAboutKeys && failure?.status === 401;
}

/** Returns whether a clause about errors as such fails for the exchange of another. */
function isOfSameExchange({ clause, evidence }: Result, other: Result): boolean {
  const isAboutErrors = clause.heading === 'Errors' && other.clause.heading !== 'Errors';
  return isAboutErrors && evidence?.at === other.evidence?.at && evidence?.curl === other.evidence?.curl;
}
