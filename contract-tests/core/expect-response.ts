import { type ExactJson, type JsonObject, printExactJson } from '../../common/exact-json.ts';
import type { Exchange } from './exchange.ts';
import { outcomeOf } from './read-exchange.ts';
import { Failed, Skipped, Unstable } from './result.ts';

/** @throws Failed when a response has another status. */
export function expectStatus(exchange: Exchange, status: number): void {
  if (exchange.response?.status !== status) throw new Failed(`${status}`, outcomeOf(exchange), exchange);
}

/** Two records of one animal. */
export interface Records {
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
