import type { ExactJson, JsonObject } from '../../common/json/exact-json.ts';
import { type Exchange, isPathDecodable } from './exchange.ts';
import { showValue } from './show-value.ts';
import { suspectCause } from './suspect-cause.ts';
import { usualWrongKey } from './wrong-keys.ts';

export interface FailureDetails {
  /** Id of the animal concerned: the evidence shows how it was added. */
  readonly about?: ExactJson | undefined;
  /** Exchanges that led to the failure, in the order of the requests. */
  readonly before?: readonly Exchange[];
  /** The probable cause, such as "rounded to what a double can hold". */
  readonly suspected?: string | undefined;
  readonly change?: Change;
  readonly lacksAnimal?: boolean;
  /** Other exchanges with the same fault. */
  readonly alike?: readonly Exchange[];
  /** Exchanges with the same fault that the finding shows. */
  readonly more?: readonly Exchange[];
}

/** A member of an animal with two values that should be the same. */
export interface Change {
  readonly member: string;
  readonly from: ExactJson | undefined;
  readonly to: ExactJson | undefined;
  /** End of the message, such as " in the list". */
  readonly where: string;
}

export class Failed extends Error {
  override readonly name = 'Failed';
  readonly expected: string;
  readonly actual: string;
  readonly exchange: Exchange | undefined;
  readonly details: FailureDetails;

  constructor(expected: string, actual: string, exchange?: Exchange, details: FailureDetails = {}) {
    super(`expected ${expected}, got ${actual}`);
    this.expected = expected;
    this.actual = actual;
    this.exchange = exchange;
    this.details = details;
  }
}

/** A clause failed, but other clients may have caused it: it is to be tried again. */
export class Unstable extends Failed {}

/** A clause has no result. The message is the reason. */
export class Skipped extends Error {}

/** The deployment gives nothing to test the clause with. */
export class NotApplicable extends Skipped {}

/** The deployment has too few animals. If the suite may not add any, the clause is not tested. */
export class TooFewAnimals extends NotApplicable {}

/** Why a clause was not tested, in the words of the verdict; `no verdict` if nothing can be concluded without it. */
export type Cause =
  | 'read-only'
  | 'full store'
  | 'inconclusive responses'
  | 'deadline'
  | 'interrupted'
  | 'no verdict';

/** The clause was not tested, so that the deployment conforms in part. */
export class NotTested extends Skipped {
  override readonly cause: Cause;

  constructor(message: string, cause: Cause = 'inconclusive responses') {
    super(message);
    this.cause = cause;
  }
}

export const NEEDS_WRITES = 'Needs write access. Run again with --allow-writes.';

/** The clause was not tested, and the run has no verdict without it. */
export class NoVerdict extends NotTested {
  constructor(message: string) {
    super(message, 'no verdict');
  }
}

/** A restart of the deployment left a request unanswered, so that the clause must start again. */
export class Interrupted extends NoVerdict {}

/** The clause that fails for every request without an answer. */
export const NO_SERVER_FAULT = 'errors/no-server-fault';

/** The one 5xx that is no server fault: Insufficient Storage. */
export const FULL = 507;

export function isInsufficientStorage({ request, status }: Exchange): boolean {
  return request.method === 'POST' && status === FULL;
}

/** Creates the error of a clause that needs an addition. @param refused an addition that a full store refused */
export function createFullStore(refused: Exchange): NotTested {
  const reason = 'the store is full, or the key may not add animals';
  return new NotTested(`POST /pets returned ${refused.outcome}: ${reason}`, 'full store');
}

/** @throws NotTested for a 5xx or no response: another clause is about server faults */
export function expectNoServerFault(exchange: Exchange): void {
  const { request, response, outcome } = exchange;
  if (response !== undefined && (response.status < 500 || !isPathDecodable(request))) return;
  if (isInsufficientStorage(exchange)) throw createFullStore(exchange);
  const path = exchange.shorten(request.path);
  throw new NotTested(`${request.method} ${path} returned ${outcome}: see ${NO_SERVER_FAULT}`);
}

/** @throws Failed for another status than 401; NotTested for a server fault */
export function expectUnauthorized(exchange: Exchange): void {
  expectNoServerFault(exchange);
  expectStatus(exchange, 401);
}

export function expectStatus(exchange: Exchange, status: number): void {
  if (exchange.status !== status) throw wrongStatus(`${status}`, exchange);
}

export function wrongStatus(expected: string, exchange: Exchange, details?: FailureDetails): Failed {
  return new Failed(expected, exchange.outcome, exchange, details);
}

/** Creates the failure of a request without the valid key that has added an animal. */
export function acceptedKey(exchange: Exchange): Failed {
  const { Authorization: authorization, ...others } = exchange.request.headers;
  const isWithout = authorization === undefined && !('X-API-Key' in others);
  const key = authorization === `Bearer ${usualWrongKey}` ? 'any key' : 'a client with these headers';
  const suspected = isWithout ? 'no key is needed to add animals' : `${key} may add animals`;
  return wrongStatus('401', exchange, { suspected });
}

/** Creates the failure of a list without an animal that it should have. */
export function lacksAnimal(
  expected: string,
  list: Exchange,
  details: FailureDetails = {},
  actual = 'a list without it',
): Failed {
  return new Failed(expected, actual, list, { ...details, lacksAnimal: true });
}

/** Creates the same failure, if other clients may have changed the status of the animal. */
export function perhapsLacksAnimal(expected: string, list: Exchange, about: ExactJson | undefined): Unstable {
  return new Unstable(expected, 'a list without it', list, { about, lacksAnimal: true });
}

/**
 * Expects fields of an animal to be as in another record.
 * @param where end of the message, such as " in the list"
 * @throws Failed, or Unstable for a field that others may have changed in between
 */
export function expectFields(
  exchange: Exchange,
  [from, actual]: readonly [from: JsonObject, actual: JsonObject],
  fields: readonly string[],
  where = '',
  mayChange: readonly string[] = ['status'],
): void {
  const member = fields.find((name) => actual[name] !== from[name]);
  if (member === undefined) return;
  const change = { member, from: from[member], to: actual[member], where };
  const Verdict = mayChange.includes(member) ? Unstable : Failed;
  throw new Verdict(`the ${member} ${showValue(change.from)}${where}`, showValue(change.to), exchange, {
    ...{ about: from.id ?? actual.id, change },
    suspected: suspectCause(change.from, change.to),
  });
}

/** Runs a check with each item in turn. @throws NotApplicable, or another error, if no item could show anything */
export async function trySome<T>(
  items: readonly T[],
  reason: string,
  check: (item: T) => Promise<boolean>,
  Verdict: new (message: string) => Skipped = NotApplicable,
): Promise<void> {
  let isTried = false;
  for (const item of items) isTried = (await check(item)) || isTried;
  if (!isTried) throw new Verdict(reason);
}
