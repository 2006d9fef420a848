import type { OperationName } from './find-operation.ts';

/** A difference between an exchange and the contract, found by the checked proxy. Keys are redacted. */
export interface ContractViolation {
  /** Larger than the id of every earlier violation. */
  readonly id: number;
  /** Time of arrival of the request. */
  readonly time: Date;
  /** Id of the request in the journal; undefined if it is not kept. */
  readonly request: number | undefined;
  /** Undefined if the request is for no operation. */
  readonly operation: OperationName | undefined;
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  /** Status of the response; undefined without a response. */
  readonly status: number | undefined;
  readonly severity: 'error' | 'warning';
  /** Such as `request.query.limit` or `response.body.*.id`. */
  readonly place: string;
  /** Exact place, such as `response.body.2.id`. A missing member has its own place. */
  readonly at: string;
  /** Such as `maximum` or `required`. */
  readonly rule: string;
  readonly message: string;
}

/** @throws Error that lists the violations, if there are any. */
export function expectNone(found: readonly ContractViolation[]): void {
  if (found.length === 0) return;
  const count = found.length === 1 ? '1 violation' : `${found.length} violations`;
  const lines = found.slice(0, 20).map(printViolation);
  throw new Error([`${count} of the contract:`, ...lines].join('\n  '));
}

function printViolation(violation: ContractViolation): string {
  const { operation, place, rule, message, method, url, status } = violation;
  return `${operation ?? '-'} ${place} ${rule}: ${message} (${method} ${url}, ${status ?? 'not answered'})`;
}
