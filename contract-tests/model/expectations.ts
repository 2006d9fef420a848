import type { ExactJson, JsonObject } from '../../common/json/exact-json.ts';
import { type Exchange, isPathDecodable } from '../client/exchange.ts';
import type { FailureDetails } from '../client/result.ts';
import { Failed, NO_SERVER_FAULT, NotTested, Unstable } from '../client/result.ts';
import { showValue } from '../client/show-value.ts';
import { suspectCause } from '../client/suspect-cause.ts';
import { usualWrongKey } from '../client/wrong-keys.ts';

/** The one 5xx that is no server fault: Insufficient Storage. */
export const FULL = 507;

export function isInsufficientStorage({ request, status }: Exchange): boolean {
  return request.method === 'POST' && status === FULL;
}

/** Creates the error of a clause that adds animals in a read-only run. */
export function needsWrites(): NotTested {
  return new NotTested('Needs write access. Run again with --allow-writes.', 'read-only');
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
  const details = { about: from.id ?? actual.id, change, suspected: suspectCause(change.from, change.to) };
  throw new Verdict(
    `the ${member} ${showValue(change.from)}${where}`,
    showValue(change.to),
    exchange,
    details,
  );
}

/** Runs a check with each item in turn. @param nothing the error if no item could show anything */
export async function trySome<T>(items: readonly T[], nothing: Error, check: (item: T) => Promise<boolean>) {
  let isTried = false;
  for (const item of items) isTried = (await check(item)) || isTried;
  if (!isTried) throw nothing;
}
