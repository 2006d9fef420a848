import type { ExpectedResponse, Failure, FaultKind } from './failure.ts';

/** What makes two failures of a clause the same, whatever the animals and the words. */
export interface FailureIdentity {
  readonly kind: FaultKind;
  /** Such as `GET /pets/{petId}`. */
  readonly operation: string;
  /** The member or the header that is wrong. */
  readonly member?: string;
  /** The status that was expected, or a kind of response such as `4xx`. */
  readonly expected?: ExpectedResponse;
  /** The status that was received. */
  readonly received: number | 'none';
}

/** Returns the identity of a failure: grouping, `--known` and `--last-failed` compare failures by it. */
export function identifyFailure(failure: Failure): FailureIdentity {
  const { kind, operation, status } = failure;
  const member = findMember(failure);
  const expected = findExpectedStatus(failure);
  return {
    kind,
    operation,
    ...(member !== undefined && { member }),
    ...(expected !== undefined && { expected }),
    received: status ?? 'none',
  };
}

/** Returns whether two failures are the same. */
export function isSameFailure(one: FailureIdentity, other: FailureIdentity): boolean {
  const members = ['kind', 'operation', 'member', 'expected', 'received'] as const;
  return members.every((name) => one[name] === other[name]);
}

/** Returns the first failure of each identity. */
export function listDistinct(failures: readonly Failure[]): readonly Failure[] {
  const byIdentity = Map.groupBy(failures, (failure) => JSON.stringify(identifyFailure(failure)));
  return [...byIdentity.values()].flatMap((same) => same.slice(0, 1));
}

/** Returns the member or the header that a failure is about. */
export function findMember(failure: Failure): string | undefined {
  switch (failure.kind) {
    case 'member':
    case 'hidden member':
    case 'filter':
    case 'openapi.yaml':
      return failure.member;
    case 'body':
      return failure.problem.is === 'invalid' ? failure.problem.member : undefined;
    case 'header':
      return failure.header.toLowerCase();
    case 'byte order mark':
      return 'content-type';
    case 'status':
      return failure.request?.what === 'member' ? failure.request.member : undefined;
    default:
      return undefined;
  }
}

function findExpectedStatus(failure: Failure): ExpectedResponse | undefined {
  const { kind } = failure;
  return kind === 'status' || kind === 'no response' || kind === 'openapi.yaml'
    ? failure.expected
    : undefined;
}
