import type { Member } from '../../common/json/animal-facts.ts';
import type { ExactJson, JsonObject } from '../../common/json/exact-json.ts';
import { type Exchange, isAscii, isDecodable, isPathDecodable, toOperation } from '../client/exchange.ts';
import { createFindCause } from '../client/find-words.ts';
import { toJsonText } from '../client/show-value.ts';
import { toAgain } from '../client/to-request.ts';
import type { Fault, RequestForm } from '../failures/failure.ts';
import { areAtOnce, isOfClient } from '../history/history.ts';
import { isSameValue } from '../history/member-values.ts';
import { isToldToWait } from '../history/tolerances.ts';
import { listValid } from './additions.ts';
import { findBodyFault, findNoJson, findOtherType } from './find-schema-fault.ts';
import { type Evidence, type Look, underHeading } from './rule.ts';
import { seeMissing } from './see-missing.ts';
import {
  compare,
  isHuge,
  isOfOperation,
  isOfService,
  isServerFault,
  listAll,
  listAnswered,
  mayBeRemoved,
  sight,
  wrongStatus,
} from './sight.ts';

export const errorsClauses = underHeading('Errors')([
  {
    id: 'errors/body',
    sentence: 'Every error response has an Error body: strings code and message, and an integer status.',
    tolerated: {
      'codes of Errors': 'any string',
      'further members of Errors': 'any',
      'a path or a header that is too long': '400, 414 or 431, with or without an Error',
    },
    look: (evidence) => lookAtErrors(evidence, findErrorFault),
  },
  {
    id: 'errors/status',
    sentence: 'The status in an Error body is the HTTP status.',
    tolerated: { 'statuses other than 400, 401 and 404': 'any 4xx where no sentence names one' },
    look: (evidence) =>
      lookAtErrors(evidence, ({ object, outcome }) => {
        const status = object?.status;
        if (typeof status !== 'bigint') return 'nothing to compare';
        return `${status}` === outcome ? undefined : { kind: 'error status', received: String(status) };
      }),
  },
  {
    id: 'errors/media-type',
    sentence: 'Every error response has the media type application/json, and no byte order mark.',
    explainedBy: ['errors/body', 'service/media-type'],
    look: (evidence) => lookAtErrors(evidence, findMediaTypeFault),
  },
  {
    id: 'errors/no-server-fault',
    sentence: 'Every request is answered in time, with no 5xx and no cut connection.',
    explainedBy: ['service/'],
    tolerated: {
      'rate limits': '429 and 503 with Retry-After or as an HTML page, which are waited for (--max-rate)',
      'a path that is not UTF-8 or has a NUL': 'any 4xx or 5xx, with or without an Error',
      'request size limits':
        'other limits or none; for a body over 1 MiB also a cut connection or an HTML page',
    },
    look: lookForServerFaults,
  },
]);

export const serviceClauses = underHeading('What the service does')([
  {
    id: 'service/media-type',
    sentence:
      'Every response with an animal or a list has the media type application/json, and no byte order mark.',
    explainedBy: ['list-pets/success', 'create-pet/pet', 'get-pet/success', 'service/browser'],
    look: (evidence) =>
      evidence.once(listAnswered).flatMap((exchange) => {
        const hasContent = exchange.isSuccess && exchange.response?.body.length !== 0;
        // A page in place of a 401 is compared by the clause about the key that was tried.
        const isAboutKey = exchange.json === undefined && exchange.request.trial !== undefined;
        if (!hasContent || !isOfOperation(exchange) || isAboutKey) return [];
        return [
          look(exchange, findMediaTypeFault(exchange), `media type of ${toOperation(exchange.request)}`),
        ];
      }),
  },
  {
    id: 'service/browser',
    sentence:
      'A request with the headers of a browser (Origin, Accept-Language, Cookie …) gets what it gets without them.',
    tolerated: { 'requests from pages of other origins (CORS)': 'certain origins or none' },
    explainedBy: [
      ...['list-pets/success', 'list-pets/limit', 'list-pets/filter', 'store/kept'],
      ...['create-pet/success', 'create-pet/echoes', 'create-pet/stored', 'get-pet/success'],
    ],
    needs: ['other clients'],
    look: (evidence) => [...lookAtClients(evidence), ...seeMissing('service/browser', evidence)],
  },
]);

function look(exchange: Exchange, fault: Fault | undefined, subject: string): Look {
  return fault === undefined ? compare(exchange, exchange.animals) : sight(exchange, fault, { subject });
}

type FindErrorFault = (exchange: Exchange) => Fault | 'nothing to compare' | undefined;

/** Lists the errors of the service: servers and gateways refuse some requests before it. */
function listErrors(evidence: Evidence): readonly Exchange[] {
  const told = evidence.history.unanswered.filter(isToldToWait);
  return [...evidence.once(listAnswered), ...told].filter((exchange) => {
    const { request, path, status, isPage, isGatewayPage } = exchange;
    if (status < 400 || !isOfOperation(exchange) || mayBeRemoved(exchange, evidence.target.now)) return false;
    if (isTooLong(exchange) || isGatewayPage || !isDecodable(path) || !isPathDecodable(request)) return false;
    if (status === 413 && isHuge(exchange) && isPage) return false;
    if (status === 400 && !isOrdinaryKey(request.headers.Authorization)) return false;
    // A gateway that does not reach the service has no Error of it.
    return status < 500 || isOfService(exchange);
  });
}

function lookAtErrors(evidence: Evidence, findFault: FindErrorFault): readonly Look[] {
  return evidence.once(listErrors).flatMap((exchange) => {
    const fault = findFault(exchange);
    const subject = `${toOperation(exchange.request)} ${exchange.status}`;
    return fault === 'nothing to compare' ? [] : [look(exchange, fault, subject)];
  });
}

/** The longest path or value of Authorization that a server should have room for, in characters. */
const LONGEST_LINE = 4_000;

/** Returns whether HTTP servers leave a value of Authorization to the service. */
function isOrdinaryKey(value = ''): boolean {
  return isAscii(value) && value.length <= LONGEST_LINE;
}

/** Finds what is wrong with the body of an error response. */
export function findErrorFault(exchange: Exchange): Fault | undefined {
  const problem = exchange.failure === undefined ? findBodyFault('Error', exchange) : findNoJson(exchange);
  if (problem === undefined) return undefined;
  const body = exchange.shorten(exchange.response?.body.toString('utf8') ?? '');
  return { kind: 'body', expected: 'Error', problem, body };
}

export function isTooLong({ status, path }: Exchange): boolean {
  return status === 414 || status === 431 || (status === 400 && path.length > LONGEST_LINE);
}

/** UTF-8 of U+FEFF. Source: RFC 8259, section 8.1, which forbids it at the beginning of JSON that is sent */
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

function findMediaTypeFault({ response }: Exchange): Fault | undefined {
  const type = response?.headers['content-type'];
  if (!/^application\/json\s*(?:;|$)/i.test(type ?? ''))
    return { kind: 'header', header: 'Content-Type', ...(type !== undefined && { received: type }) };
  const hasMark = response?.body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  return hasMark ? { kind: 'byte order mark' } : undefined;
}

/** Looks for 5xx and missing responses. What a gateway could not reach was sent again, and the notes of the run count it. */
function lookForServerFaults(evidence: Evidence): readonly Look[] {
  const { now } = evidence.target;
  const last = evidence.once(listAll);
  // What the service itself says counts, also if the request was answered later. So does each page of a gateway, once a request has got
  // nothing else: it may be what ends the service, or the gateway loses too many.
  const isLost = last.some(({ isUnreached }) => isUnreached);
  const own = evidence.history.unanswered.filter(
    (one) => !one.asksToWait && (isOfService(one) || (one.isUnreached && isLost)),
  );
  const all = [...last, ...own];
  const faulty = new Set(all.filter((exchange) => isServerFault(exchange, now)));
  if (faulty.size === 0) return all.map((exchange) => compare(exchange));
  const wordsOf = createFindCause([...faulty].map(({ words }) => words));
  const kindOf = ({ request, outcome, words }: Exchange) =>
    JSON.stringify([toOperation(request), outcome, wordsOf(words)]);
  const byKind = Map.groupBy(faulty, kindOf);
  const byQuestion = Map.groupBy(all, ({ question }) => question);
  return all.map((exchange) => {
    if (!faulty.has(exchange)) return compare(exchange);
    const same = byKind.get(kindOf(exchange)) ?? [];
    const others = same
      .flatMap((one) => byQuestion.get(one.question) ?? [])
      .filter((one) => !faulty.has(one));
    const words = wordsOf(exchange.words);
    const fault = {
      kind: 'server fault',
      count: same.length,
      requests: all.length,
      otherwise: [...new Set(others.map(({ outcome }) => outcome))],
      ...(words !== '' && { words }),
    } as const;
    return sight(exchange, fault, { subject: kindOf(exchange) });
  });
}

/** Headers of other clients that must not change what is returned. */
const formsOfClients = new Set([
  'the headers of a browser',
  'a request without a User-Agent',
  'a request without Accept-Encoding and traceparent',
  'the header authorization in lower case',
]);

/** Looks whether lists and animals are as without the headers of another client, in the requests before and after. */
function lookAtClients(evidence: Evidence): readonly Look[] {
  const { history } = evidence;
  const all = evidence.once(listAnswered);
  return all.flatMap((exchange) => {
    const { path, request } = exchange;
    const { form } = request;
    if (form === undefined || !formsOfClients.has(form)) return [];
    if (request.method === 'POST') return lookAtAdditionOfClient(exchange, form, evidence);
    const isPlain = (one: Exchange) =>
      one.path === path &&
      one.request.method === 'GET' &&
      !isOfClient(one) &&
      one.request.isAuthorized === true;
    const before = all.findLast((one) => isPlain(one) && one.number < exchange.number);
    const after = all.find((one) => isPlain(one) && one.number > exchange.number) ?? before;
    if (before === undefined || after === undefined) return [];
    const plain = all.filter(isPlain);
    if (exchange.isSuccess && plain.every(({ status }) => status === 404))
      return [sight(exchange, wrongStatus(exchange, 404, { what: 'form', form }))];
    if (before.status !== 200 || after.status !== 200) return [];
    const fault = findClientFault(exchange, before, after, plain, history.contract.pet);
    if (fault === undefined) return [compare(exchange, exchange.animals)];
    const ask = [toAgain(before), toAgain(exchange), toAgain(before)];
    const isAtOnce = areAtOnce(before, exchange) && areAtOnce(exchange, after);
    const evidenceOf = isAtOnce ? ('seen' as const) : ('to be asked again' as const);
    return [sight(exchange, fault, { ask, before: [before], evidence: evidenceOf })];
  });
}

function lookAtAdditionOfClient(exchange: Exchange, form: RequestForm, evidence: Evidence): readonly Look[] {
  if (exchange.isAddition) return [lookAtEchoOfClient(exchange, evidence)];
  // It may be refused because the store is full, but not if one that was sent later was added.
  const isLaterAdded = evidence
    .once(listValid)
    .some(({ exchange: other }) => other.isAddition && other.at >= exchange.end);
  return isLaterAdded ? [sight(exchange, wrongStatus(exchange, 201, { what: 'form', form }))] : [];
}

function lookAtEchoOfClient(exchange: Exchange, { history }: Evidence): Look {
  const { sent, object: shown = {} } = exchange;
  const wrong = history.contract.newPet.find(
    (one) => shown[one.name] !== undefined && !isSameValue(one, shown[one.name], sent[one.name]),
  );
  if (wrong === undefined) return compare(exchange, [shown]);
  const { name: member } = wrong;
  const [expected, received] = [toJsonText(sent[member]), toJsonText(shown[member])];
  const id = toJsonText(shown.id);
  return sight(exchange, { kind: 'member', member, expected, received, compared: 'in a browser', id });
}

/** @param plain all responses without the headers: what one of them shows too, no header has changed */
function findClientFault(
  exchange: Exchange,
  before: Exchange,
  after: Exchange,
  plain: readonly Exchange[],
  members: readonly Member[],
): Fault | undefined {
  const { form } = exchange.request;
  if (exchange.status !== 200)
    return wrongStatus(exchange, 200, form === undefined ? undefined : { what: 'form', form });
  if (exchange.json === undefined || exchange.isList !== before.isList) {
    const body = exchange.shorten(`${exchange.response?.body}`);
    return { kind: 'body', expected: before.isList ? 'list' : 'Pet', problem: findOtherType(exchange), body };
  }
  const problem = exchange.isList ? undefined : findBodyFault('Pet', exchange);
  if (problem !== undefined && findBodyFault('Pet', before) === undefined)
    return { kind: 'body', expected: 'Pet', problem };
  const animalsOf = (one: Exchange) => (one.isList ? one.animals : [one.object ?? {}]);
  for (const animal of animalsOf(before)) {
    // Of an animal by its id the id is compared too.
    const isMeant = ({ id }: JsonObject, { isList }: Exchange) =>
      isList ? id === animal.id : typeof id === 'bigint';
    const same = (one: Exchange) => animalsOf(one).filter((shown) => isMeant(shown, one));
    const [actual, ...twins] = same(exchange);
    const [later, ...others] = same(after);
    // Another clause is about an id that two animals have.
    if (actual === undefined || later === undefined || twins.length + others.length > 0) continue;
    for (const one of members) {
      const { name: member } = one;
      const isSame = (value: ExactJson | undefined, other: JsonObject) =>
        isSameValue(one, value, other[member]);
      if (!isSame(animal[member], later) || isSame(animal[member], actual)) continue;
      if (plain.some((response) => same(response).some((other) => isSame(actual[member], other)))) continue;
      const [expected, received] = [toJsonText(animal[member]), toJsonText(actual[member])];
      return {
        kind: 'member',
        member,
        expected,
        received,
        compared: 'in a browser',
        id: toJsonText(animal.id),
      };
    }
  }
  return undefined;
}
