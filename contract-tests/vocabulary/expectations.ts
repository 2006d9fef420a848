import type { ExactJson, JsonObject } from '../../common/json/exact-json.ts';
import type { FailureDetails } from '../client/clause-errors.ts';
import { Failed, NO_SERVER_FAULT, NotTested, Unstable } from '../client/clause-errors.ts';
import { type Exchange, isPathDecodable, type SuiteRequest } from '../client/exchange.ts';
import { toJsonText } from '../client/show-value.ts';
import type { Target } from '../client/target.ts';
import type {
  ComparedWith,
  ExpectedResponse,
  MissingFault,
  RequestForm,
  RequestSubject,
} from '../failures/failure.ts';
import type { Context } from './context.ts';
import { expectInTurn } from './expect-each.ts';
import { WITH_SLASH } from './list-parameters.ts';
import { REMOVAL } from './removal.ts';

/** The one 5xx that is no server fault: Insufficient Storage. */
export const FULL = 507;

const FORBIDDEN = 403;

function isInsufficientStorage({ request, status }: Exchange): boolean {
  return request.method === 'POST' && status === FULL;
}

/** Creates the error of a clause that adds animals in a read-only run. */
export function needsWrites(): NotTested {
  return new NotTested('Needs POST /pets. Test it on staging, since animals cannot be deleted.', 'read-only');
}

/** Creates the error of a clause that needs an addition. @param refused an addition that was refused, though its body is valid */
export function createFullStore(refused: Exchange): NotTested {
  const isForbidden = refused.status === FORBIDDEN;
  const reason = isForbidden
    ? 'the key may not add animals, or the store is full'
    : 'the store is full, or the key may not add animals';
  const cause = isForbidden ? 'no right to add animals' : 'full store';
  return new NotTested(`POST /pets returned ${refused.outcome}: ${reason}`, cause);
}

/** Creates the error of a clause about POST /pets where every animal is refused: its refusals show nothing. */
export function createNoneAccepted(): NotTested {
  const reason = 'POST /pets refused every animal, also with the name and the category of a listed one';
  return new NotTested(reason, 'no animal could be added');
}

/**
 * Returns whether a request got a 5xx, or no complete response, for no reason that a deployment may have: a 503 may ask to
 * wait, a 501 may mean a removed operation, a path may reach no operation, and a huge body need not be read.
 */
export function isServerFault(exchange: Exchange, { now }: Pick<Target, 'now'>): boolean {
  const { request, response } = exchange;
  if (request.path === WITH_SLASH) return false;
  if (response === undefined) return exchange.isUnanswered || !isHuge(request);
  if (response.status < 500 || exchange.asksToWait || isInsufficientStorage(exchange)) return false;
  return (response.status !== 501 || !mayBeRemoved(exchange, now)) && isPathDecodable(request);
}

/** Returns whether GET /pets/{petId} was requested on a day on which it may be removed. */
export function mayBeRemoved({ path }: Exchange, now: Date): boolean {
  return now >= REMOVAL && path.startsWith('/pets/');
}

const BYTES_OF_1_MIB = 1_048_576;

/** A body that a deployment need not read to its end, so that it may cut the connection: more than 1 MiB. */
export const HUGE = `{${' '.repeat(BYTES_OF_1_MIB)}}`;

export function isHuge({ body = '' }: SuiteRequest): boolean {
  return body.length >= HUGE.length;
}

/**
 * Expects 401. @param form of the request, for the finding
 * @throws Failed for another status; NotTested if the store is full, or without a response to a request of no form
 */
export function expectUnauthorized(context: Context, exchange: Exchange, form?: RequestForm): void {
  const { Authorization: authorization } = exchange.request.headers;
  const isShown = authorization !== undefined && !/^Bearer ?$/.test(authorization);
  const ofKey = isShown ? ({ what: 'authorization', authorization } as const) : undefined;
  const request = form === undefined ? ofKey : ({ what: 'form', form } as const);
  // A connection that is cut for the form of a request is no fault of the server as such.
  if (form !== undefined && exchange.response === undefined) throw wrongStatus(401, exchange, {}, request);
  expectStatus(context, exchange, 401, request);
}

/** Creates the error of a clause whose request got a 5xx, or no response, which another clause is about. */
export function leftToServerFaults(exchange: Exchange): NotTested {
  const { request, outcome } = exchange;
  const path = exchange.shorten(request.path);
  return new NotTested(`${request.method} ${path} returned ${outcome}: see ${NO_SERVER_FAULT}`);
}

/**
 * Expects a status. @param request what the request was about
 * @throws Failed for another status; NotTested without a response, or if the store is full
 */
export function expectStatus(
  context: Context,
  exchange: Exchange,
  status: 200 | 400 | 401 | 404,
  request?: RequestSubject,
): void {
  expectAnswer(context, exchange, status, exchange.status === status, request);
}

/**
 * Expects an answer of a kind. @param isMet whether the exchange has it. @param request what the request was about
 * @throws Failed for another answer; NotTested without a response, or if the store is full
 */
export function expectAnswer(
  context: Context,
  exchange: Exchange,
  expected: ExpectedResponse,
  isMet: boolean,
  request?: RequestSubject,
): void {
  context.compare(exchange);
  if (isMet) return;
  if (isInsufficientStorage(exchange)) throw createFullStore(exchange);
  if (exchange.response === undefined) throw leftToServerFaults(exchange);
  // A gateway may answer such a path with any error.
  if (exchange.status >= 500 && !isPathDecodable(exchange.request)) return;
  throw wrongStatus(expected, exchange, {}, request);
}

/** Creates the failure of another status than the expected one. @param request what the request was about */
export function wrongStatus(
  expected: ExpectedResponse,
  exchange: Exchange,
  details?: FailureDetails,
  request?: RequestSubject,
): Failed {
  const shape = exchange.isSuccess ? exchange.shape : undefined;
  const fault = { kind: 'status', expected, ...(request && { request }), ...(shape && { shape }) } as const;
  return new Failed(fault, exchange, details);
}

/** Creates the failure of a request without the valid key that has added an animal. */
export function acceptedKey(exchange: Exchange, { otherKey }: Pick<Target, 'otherKey'>): Failed {
  const { Authorization: authorization, ...others } = exchange.request.headers;
  const isWithout = authorization === undefined && !('X-API-Key' in others);
  const accepted = authorization === `Bearer ${otherKey}` ? 'any key accepted' : 'headers accepted';
  const cause = isWithout ? 'no key needed' : accepted;
  return wrongStatus(401, exchange, { suspected: { cause } });
}

/** Creates the failure of a list without an animal that it should have. */
export function lacksAnimal(missing: Missing, list: Exchange, details: FailureDetails = {}): Failed {
  return new Failed({ kind: 'missing', received: 'list without it', ...missing }, list, details);
}

/** Creates the same failure, if other clients may have changed the status of the animal. */
export function perhapsLacksAnimal(missing: Missing, list: Exchange, about: ExactJson | undefined): Unstable {
  return new Unstable({ kind: 'missing', received: 'list without it', ...missing }, list, { about });
}

/** The character that decoders write for what is no character. */
const REPLACEMENT = '\ufffd';

type Missing = Omit<MissingFault, 'kind' | 'received'> & Partial<Pick<MissingFault, 'received'>>;

/**
 * Expects fields of an animal to be as in another record.
 * @param compared what the other record is
 * @throws Failed, or Unstable for a field that others may have changed in between
 */
export function expectFields(
  context: Context,
  exchange: Exchange,
  [from, actual]: readonly [from: JsonObject, actual: JsonObject],
  fields: readonly string[],
  compared: ComparedWith = 'other record',
  mayChange: readonly string[] = ['status'],
): void {
  if (fields.length > 0) context.compare(exchange, [actual]);
  const member = fields.find((name) => !isSameValue(actual[name], from[name]));
  if (member === undefined) return;
  const [expected, received] = [from[member], actual[member]];
  const fault = {
    kind: 'member' as const,
    member,
    expected: toJsonText(expected),
    received: toJsonText(received),
    compared,
    id: toJsonText(from.id ?? actual.id),
  };
  const Verdict = mayChange.includes(member) ? Unstable : Failed;
  throw new Verdict(fault, exchange, { about: from.id ?? actual.id });
}

/** Returns whether two values are equal. UTF-8 has no half of a surrogate pair, so that U+FFFD or ? may replace it. */
function isSameValue(one: ExactJson | undefined, other: ExactJson | undefined): boolean {
  if (one === other) return true;
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  const [first, second] = [one.toWellFormed(), other.toWellFormed()];
  const isReplaced = `${first}${second}`.includes(REPLACEMENT);
  return isReplaced && first.replaceAll('?', REPLACEMENT) === second.replaceAll('?', REPLACEMENT);
}

/** Runs a check with each item in turn, as `expectInTurn` does. @param nothing the error if no item could show anything */
export async function trySome<T>(items: readonly T[], nothing: Error, check: (item: T) => Promise<boolean>) {
  let isTried = false;
  const checks = items.map((item) => async () => {
    isTried = (await check(item)) || isTried;
  });
  await expectInTurn(checks);
  if (!isTried) throw nothing;
}
