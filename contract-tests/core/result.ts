import { type ExactJson, type JsonObject, printExactJson } from '../../common/exact-json.ts';
import { type Exchange, outcomeOf, shorten } from './exchange.ts';

/** The deployment did not do what a clause asks. */
export class Failed extends Error {
  override readonly name = 'Failed';
  readonly expected: string;
  readonly actual: string;
  readonly exchange: Exchange | undefined;

  constructor(expected: string, actual: string, exchange?: Exchange) {
    super(`expected ${expected}, got ${actual}`);
    this.expected = expected;
    this.actual = actual;
    this.exchange = exchange;
  }
}

/** A clause failed, but other clients may have caused it: it is to be tried again. */
export class Unstable extends Failed {}

/** A clause could not be tried; the message is why. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

/** A clause was left out, so that a deployment cannot be said to conform. */
export class Untried extends Skipped {}

/** The clause that fails for whatever is not answered. */
export const NO_SERVER_FAULT = 'errors/no-server-fault';

/** How often something is tried that other clients may disturb. */
const MOST_TRIES = 3;

/** Tries something again when other clients may have caused its failure. @throws what it threw the last time. */
export async function tryAgain<T>(run: () => Promise<T>, left = MOST_TRIES): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (left === 1 || !(error instanceof Unstable)) throw error;
    return tryAgain(run, left - 1);
  }
}

/** @throws Skipped when an exchange ended with a 5xx or without an answer, which is a clause of its own. */
export function expectNoServerFault(exchange: Exchange): void {
  const { request, response } = exchange;
  if (response !== undefined && response.status < 500) return;
  throw new Skipped(
    `${request.method} ${shorten(request.path)} was answered ${outcomeOf(exchange)}: see ${NO_SERVER_FAULT}`,
  );
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
  throw new Verdict(`the ${field} ${showValue(from[field])}${where}`, showValue(actual[field]), exchange);
}

/**
 * Tries something with each item in turn.
 *
 * @param run says whether the item could show anything.
 * @throws Skipped with the reason when none could.
 */
export async function trySome<T>(
  items: readonly T[],
  reason: string,
  run: (item: T) => Promise<boolean>,
): Promise<void> {
  let isTried = false;
  for (const item of items) isTried = (await run(item)) || isTried;
  if (!isTried) throw new Skipped(reason);
}

/** Prints a JSON value for a message. */
export function showValue(value: ExactJson | undefined): string {
  return value === undefined ? 'nothing' : printExactJson(value);
}
