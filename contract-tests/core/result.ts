import type { ExactJson, JsonObject } from '../../common/exact-json.ts';
import { type Exchange, hideKeysIn, isPathDecodable, outcomeOf, shorten } from './exchange.ts';
import { showDifference } from './show-value.ts';
import { suspectCause } from './suspect-cause.ts';
import { usualWrongKey } from './wrong-keys.ts';

/** What is known of a failure besides. */
export interface FailureDetails {
  /** The id of the animal that it is about: how that animal was added belongs to the evidence. */
  readonly about?: ExactJson | undefined;
  /** What led to it, in the order of the requests, such as the list before. */
  readonly before?: readonly Exchange[];
  /** The probable cause, such as "rounded to what a double can hold". */
  readonly suspected?: string | undefined;
  /** The member of an animal that differs. */
  readonly change?: Change;
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
}

/** The deployment did not do what a clause asks. */
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

/** The clause is not applicable: the deployment gives nothing to test it with. The message is the reason. */
export class Skipped extends Error {
  override readonly name: string = 'Skipped';
}

/** The clause is not applicable to so few animals. If the suite may not add any, the clause is not tested. */
export class TooFewAnimals extends Skipped {}

/** Why a clause was not tested, in the words of the verdict; `no verdict` if nothing can be concluded without it. */
export type Cause =
  | 'read-only'
  | 'full store'
  | 'inconclusive responses'
  | 'deadline'
  | 'interrupted'
  | 'no verdict';

/** The clause was not tested, so that the deployment conforms in part. The message is the reason. */
export class Unproven extends Skipped {
  override readonly cause: Cause;

  constructor(message: string, cause: Cause = 'inconclusive responses') {
    super(message);
    this.cause = cause;
  }
}

/** The clause was not tested, and the run has no verdict without it. */
export class Untried extends Unproven {
  constructor(message: string) {
    super(message, 'no verdict');
  }
}

/** A restart of the deployment left a request unanswered, so that the clause must start again. */
export class Interrupted extends Untried {
  constructor() {
    super('a restart of the deployment left a request unanswered');
  }
}

/** In a finding: requests with a 5xx or no response also got another response. */
export const OTHERWISE = 'the same request got';

/** The clause that fails for whatever is not answered. */
export const NO_SERVER_FAULT = 'errors/no-server-fault';

/** Name of a page that a gateway returns. */
export const PAGE = 'a page of HTML';

/** The status of a store that takes no more animals, the one 5xx that is no fault of the server: Insufficient Storage. */
export const FULL = 507;

/** Returns whether a POST was refused since the store takes no more animals. */
export function isInsufficientStorage({ request, response }: Exchange): boolean {
  return request.method === 'POST' && response?.status === FULL;
}

/** Creates the error of a clause that needs an addition. @param refused an addition that a full store refused. */
export function createFullStore(refused: Exchange): Unproven {
  const reason = 'the store takes no more animals, or the key may not add any';
  return new Unproven(`additions are refused with ${outcomeOf(refused)}: ${reason}`, 'full store');
}

/** @throws Unproven when an exchange ended with a 5xx that no operation may give, or without an answer: a clause of its own. */
export function expectNoServerFault(exchange: Exchange): void {
  const { request, response } = exchange;
  if (response !== undefined && (response.status < 500 || !isPathDecodable(request))) return;
  if (isInsufficientStorage(exchange)) throw createFullStore(exchange);
  throw new Unproven(
    `${request.method} ${shorten(request.path)} was answered ${outcomeOf(exchange)}: see ${NO_SERVER_FAULT}`,
  );
}

/** @throws Failed when a request without a valid key gets another status than 401; Unproven for a 5xx or no response. */
export function expectUnauthorized(exchange: Exchange): void {
  expectNoServerFault(exchange);
  expectStatus(exchange, 401);
}

/** Creates the failure of a request without the valid key that has added an animal. */
export function acceptedKey(exchange: Exchange): Failed {
  const { Authorization: authorization, ...others } = exchange.request.headers;
  const isWithout = authorization === undefined && !('X-API-Key' in others);
  const key = authorization === `Bearer ${usualWrongKey}` ? 'any key' : 'a client with these headers';
  const suspected = isWithout ? 'no key is needed to add animals' : `${key} may add animals`;
  return new Failed('401', '201', exchange, { suspected });
}

/** @throws Failed when a response has another status. */
export function expectStatus(exchange: Exchange, status: number): void {
  if (exchange.response?.status !== status) throw new Failed(`${status}`, outcomeOf(exchange), exchange);
}

/** Two records of one animal. */
interface Records {
  readonly from: JsonObject;
  readonly actual: JsonObject;
  /** Ends the message, such as " in the list". */
  readonly where?: string;
  /** Fields that others may have changed in between. @default ['status'] */
  readonly mayChange?: readonly string[];
}

/** Expects fields of an animal to be as in another record. @throws Failed, or Unstable for a field that may change */
export function expectFields(
  exchange: Exchange,
  { from, actual, where = '', mayChange = ['status'] }: Records,
  fields: readonly string[],
): void {
  const field = fields.find((name) => actual[name] !== from[name]);
  if (field === undefined) return;
  const Verdict = mayChange.includes(field) ? Unstable : Failed;
  const [expected, got] = showDifference(from[field], actual[field], (text) => hideKeysIn(text, exchange));
  throw new Verdict(`the ${field} ${expected}${where}`, got, exchange, {
    about: from.id ?? actual.id,
    change: { member: field, from: from[field], to: actual[field] },
    suspected: suspectCause(from[field], actual[field]),
  });
}

/**
 * Tries something with each item in turn.
 *
 * @param run says whether the item could show anything.
 * @throws Skipped with the reason, or another Verdict, when none could.
 */
export async function trySome<T>(
  items: readonly T[],
  reason: string,
  run: (item: T) => Promise<boolean>,
  Verdict: new (message: string) => Skipped = Skipped,
): Promise<void> {
  let isTried = false;
  for (const item of items) isTried = (await run(item)) || isTried;
  if (!isTried) throw new Verdict(reason);
}
