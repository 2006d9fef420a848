import type { JsonObject } from '../../common/json/exact-json.ts';
import { type Exchange, FULL, hasValidKey, isPathDecodable } from '../client/exchange.ts';
import { toAgain } from '../client/to-request.ts';
import type { ExpectedResponse, Fault, RequestSubject } from '../failures/failure.ts';
import { isOfGateway } from '../history/history.ts';
import { isOtherPath } from '../history/list-parameters.ts';
import { REMOVAL } from '../history/removal.ts';
import { BYTES_OF_1_MIB } from '../requests/unusual.ts';
import { findBodyFault } from './find-schema-fault.ts';
import type { Evidence, Look, Sighting } from './rule.ts';

/** Parts of a sighting that are not as usual. */
type Parts = Partial<Omit<Sighting, 'exchange' | 'fault'>>;

/** Creates the sighting of a response that contradicts the specification by itself. A gateway, or a network, may fail once. */
export function sight(exchange: Exchange, fault: Fault, parts: Parts = {}): Sighting {
  return {
    exchange,
    fault,
    subject: exchange.question,
    evidence: isOfService(exchange) ? 'firm' : 'seen',
    ask: [toAgain(exchange)],
    ...parts,
  };
}

/** Returns whether the service itself sent a response: a gateway sends a 5xx without an Error, and not as JSON. */
export function isOfService({ response, status, failure }: Exchange): boolean {
  if (response === undefined) return false;
  const isCut = failure?.kind === 'body ended';
  return !isCut && (status < 500 || /^application\/json\b/i.test(response.headers['content-type'] ?? ''));
}

/** Creates the fault of another status than the expected one. @param request what the request was about */
export function wrongStatus(exchange: Exchange, expected: ExpectedResponse, request?: RequestSubject): Fault {
  const shape = exchange.isSuccess ? exchange.shape : undefined;
  return { kind: 'status', expected, ...(request && { request }), ...(shape && { shape }) };
}

/** Looks whether a response has a status. @param isMet whether it has. @param request what the request was about */
export function lookAtStatus(
  exchange: Exchange,
  expected: ExpectedResponse,
  isMet: boolean = exchange.status === expected,
  request?: RequestSubject,
): Look {
  return isMet ? compare(exchange) : sight(exchange, wrongStatus(exchange, expected, request));
}

/** Creates the comparison of a response that is as it should be. */
export function compare(exchange: Exchange, animals: readonly (JsonObject | undefined)[] = []): Look {
  return { exchange, animals: animals.filter((animal) => animal !== undefined) };
}

/** Lists the exchanges of a run in the order of their requests, without those that answer nothing. */
export function listAll({ history }: Evidence): readonly Exchange[] {
  const unanswered = new Set(history.unanswered);
  return history.exchanges
    .filter((exchange) => !unanswered.has(exchange))
    .toSorted((one, other) => one.number - other.number);
}

/** Lists the exchanges with a response of the service. What a gateway answers is left to errors/no-server-fault. */
export function listAnswered(evidence: Evidence): readonly Exchange[] {
  return evidence.once(listAll).filter((exchange) => !isOfGateway(exchange) && !isRefusedOrigin(exchange));
}

/** A service may allow pages of certain origins or none, and its server may refuse the others. */
function isRefusedOrigin({ status, request }: Exchange): boolean {
  return status === 403 && 'Origin' in request.headers;
}

/** Lists the answered exchanges with the valid key. */
export function listAuthorized(evidence: Evidence): readonly Exchange[] {
  return evidence.once(listAnswered).filter((exchange) => hasValidKey(exchange, evidence.target));
}

/** Returns whether a request is one of an operation: what other paths and methods get is none of the service. */
export function isOfOperation({ path, request: { method } }: Exchange): boolean {
  const [place = ''] = path.split('?');
  if (place === '/pets') return method === 'GET' || method === 'POST';
  return method === 'GET' && place.startsWith('/pets/') && !isOtherPath(path);
}

/** Returns whether the service refused an animal for another reason than its body. Without an Error, it was not the service. */
export function isRefusedAsFull(exchange: Exchange): boolean {
  return exchange.isRefusedAsFull && findBodyFault('Error', exchange) === undefined;
}

/** Returns whether a body is so large that a deployment need not read it to its end, and may cut the connection. */
export function isHuge({ request: { body = '' } }: Pick<Exchange, 'request'>): boolean {
  return body.length > BYTES_OF_1_MIB;
}

/** Returns whether GET /pets/{petId} was requested on a day on which it may be removed. */
export function mayBeRemoved({ path }: Exchange, now: Date): boolean {
  return now >= REMOVAL && path.startsWith('/pets/');
}

/**
 * Returns whether a request got a 5xx, or no complete response, for no reason that a deployment may have: a 503 may ask to wait, a 501
 * may mean a removed operation, a path may reach no operation, and a huge body need not be read.
 */
export function isServerFault(exchange: Exchange, now: Date): boolean {
  const { request, response } = exchange;
  if (!isOfOperation(exchange)) return false;
  if (response === undefined) return exchange.isUnanswered || !isHuge(exchange);
  if (response.status < 500 || exchange.asksToWait) return false;
  if (request.method === 'POST' && response.status === FULL) return false;
  return (response.status !== 501 || !mayBeRemoved(exchange, now)) && isPathDecodable(request);
}
