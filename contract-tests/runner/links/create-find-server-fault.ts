import { NO_SERVER_FAULT } from '../../client/clause-errors.ts';
import { createFindCause } from '../../client/find-words.ts';
import type { Result } from '../report.ts';
import type { Facts } from './find-facts.ts';
import { ANY, type FailedRequest } from './find-failed-request.ts';

/**
 * Creates a function that chooses the finding of a 5xx or a missing response. Each cause has its finding, and the words of the
 * responses tell the causes apart. A server that fails at valid or at invalid requests of one operation breaks the first clause
 * about them. One that fails at several operations, or only sometimes, breaks the clause about server faults, which is the
 * finding of one cause, and of what no other clause has met.
 * A recommendation is never the finding.
 */
export function createFindServerFault(
  failed: readonly Result[],
  facts: ReadonlyMap<string, Facts>,
): (result: Result) => Result | undefined {
  const faultOf = ({ clause }: Result) => facts.get(clause.id)?.failedRequest;
  const fault = failed.find(({ clause }) => clause.id === NO_SERVER_FAULT);
  const counted = (fault && facts.get(fault.clause.id)?.serverFaults) ?? [];
  const faulty = failed.filter((result) => result !== fault && faultOf(result) !== undefined);
  const toCause = createFindCause(
    [...counted, ...faulty.flatMap((one) => faultOf(one) ?? [])].map(({ words }) => words),
  );
  const causeOf = (result: Result) => toCause(faultOf(result)?.words ?? '');
  const byCause = Map.groupBy(faulty, causeOf);
  const causes = new Set([...byCause.keys(), ...counted.map(({ words }) => toCause(words))]);
  // One message for everything says nothing about the cause.
  const isTold = causes.size > 1;
  const groups = new Map(
    [...byCause].map(([cause, some]) => {
      const isAtRandom = counted.some((one) => one.isAtRandom && toCause(one.words) === cause);
      return [cause, createGroup(some, faultOf, { isAtRandom, isTold })] as const;
    }),
  );
  // What no other required clause has met has no other finding.
  const unmet = [...causes].find((cause) => (groups.get(cause)?.required.length ?? 0) === 0);
  const own = unmet ?? [...causes].find((cause) => groups.get(cause)?.isOfMany);
  return (result) => {
    if (result === fault) {
      const first = groups.get(causeOf(fault));
      return own === undefined ? (first?.findFirst(result) ?? first?.required[0] ?? fault) : fault;
    }
    if (!faulty.includes(result)) return undefined;
    const cause = causeOf(result);
    const group = groups.get(cause);
    return fault !== undefined && own === cause && group?.isOfMany ? fault : group?.findFirst(result);
  };
}

interface GroupFacts {
  /** Whether the same requests got other responses too. */
  readonly isAtRandom: boolean;
  /** Whether the words of the responses tell causes apart. */
  readonly isTold: boolean;
}

/** Groups the failures of one cause. */
function createGroup(
  faulty: readonly Result[],
  faultOf: (result: Result) => FailedRequest | undefined,
  { isAtRandom, isTold }: GroupFacts,
) {
  const required = faulty.filter(({ clause }) => clause.level === 'required');
  const requests = required.flatMap((result) => faultOf(result) ?? []).filter((one) => one.isAuthorized);
  const operations = new Set(requests.map(({ operation }) => operation));
  const isOnlyAtOnce = required.length > 0 && required.every(isOfRequestsAtOnce);
  const isOfMany = (isAtRandom && !isOnlyAtOnce) || operations.size > 1;
  const keyOf = (result: Result) => {
    const { operation, kind, isAuthorized = false } = faultOf(result) ?? {};
    const isAlike = requests.some((one) => one.operation === operation && one.kind === kind);
    // What looks at the key is the same for every operation, unless the server fails at such requests with the key too.
    return isAuthorized || isAlike ? `${operation} ${kind}` : ANY;
  };
  const findFirst = (result: Result): Result | undefined => {
    const alike = isOfMany || isTold ? required : required.filter((other) => keyOf(other) === keyOf(result));
    return alike[0];
  };
  return { required, isOfMany, findFirst };
}

/** Returns whether the server failed for requests at the same time, and for none of them alone. */
function isOfRequestsAtOnce({ failures: [failure] = [] }: Result): boolean {
  return failure?.kind === 'status' && failure.request?.what === 'at once';
}
