import { type ExactJson, isJsonObject, type JsonObject, parseExactJson } from '../../common/exact-json.ts';
import { idOf } from './add-animal.ts';
import { type Context, statuses } from './context.ts';
import {
  type Exchange,
  isSuccess,
  outcomeOf,
  readAnimal,
  readJson,
  type SuiteRequest,
  toOperation,
} from './exchange.ts';
import type { Change, Failed } from './result.ts';
import { showValue } from './show-value.ts';

/** The evidence of a failure, for comparison with the evidence of others. */
export interface Facts {
  /** The members of an animal or an Error that the failure is about. */
  readonly members: readonly string[];
  /** Requests that the failure shows. */
  readonly requests: readonly string[];
  /** Shown facts, such as a changed member, or a wrong status for a kind of request. */
  readonly shows: readonly string[];
  /** Facts that explain the failure if another one shows them. */
  readonly follows: readonly string[];
}

/** Returns whether one failure has the evidence of another. */
export function hasSameEvidence(one: Facts, other: Facts): boolean {
  const isShared = [...one.shows, ...one.follows].some((fact) => other.shows.includes(fact));
  // One response may have faults in two members.
  const isOfOthers =
    one.members.length > 0 && other.members.length > 0 && !haveCommon(one.members, other.members);
  return isShared || (!isOfOthers && haveCommon(one.requests, other.requests));
}

/** Returns whether two failures show the same wrong status of an operation for the same kind of request. */
export function hasSameStatus(one: Facts, other: Facts): boolean {
  return one.shows.some((fact) => fact.startsWith('status ') && other.shows.includes(fact));
}

function haveCommon(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.includes(one));
}

/** Finds the facts of a failure. */
export function findFacts(
  { expected, actual, details }: Failed,
  exchange: Exchange | undefined,
  { target }: Context,
): Facts {
  const { alike = [], before = [], about, change } = details;
  const own = exchange === undefined ? [] : [exchange];
  const members = listMembers(expected, actual);
  const isStatus = exchange !== undefined && actual === outcomeOf(exchange);
  const valid = `Bearer ${target.apiKey}`;
  const isWithKey = exchange?.request.headers.Authorization === valid;
  const status = exchange && (isStatus || !isWithKey) ? findStatusFacts(exchange, valid) : undefined;
  const isAboutId = /\bid\b/.test(expected) || members.includes('id');
  const isOfIdentity = isAboutId || (isStatus && isSuccess(exchange));
  const ids = [about, ...own.map(toId)].filter((id) => typeof id === 'bigint');
  return {
    members: change === undefined ? members : [change.member],
    requests: [...own, ...alike, ...before].map(
      ({ request, at }) => `${toKey(request)} ${request.method === 'GET' ? '' : at}`,
    ),
    shows: [
      ...members.map((member) => `invalid ${member}`),
      ...own.filter((one) => readJson(one) === undefined).map(() => 'no JSON'),
      ...(change === undefined ? [] : listChanges(change, details.suspected)),
      ...(/^(?:a list without it|none|an (?:empty|older) list)$/.test(actual) && exchange !== undefined
        ? [`lacks animals ${exchange.request.path.includes('status=') ? 'by status' : 'of all'}`]
        : []),
      ...own.filter(isOfOther).map(() => 'returns another animal'),
      ...(isOfIdentity
        ? [...own, ...alike].flatMap((one) => idOf(one) ?? []).map((id) => `identity ${id}`)
        : []),
      ...(status?.shows ?? []),
    ],
    follows: [
      ...(change === undefined ? [] : [`invalid ${change.member}`]),
      ...ids.map((id) => `identity ${id}`),
      ...(status?.follows ?? []),
    ],
  };
}

/** The members that a schema or Dredd found at fault, or the header. */
function listMembers(expected: string, actual: string): string[] {
  if (expected === 'application/json') return ['content-type'];
  const found = actual.matchAll(/(?:Pet|Error)\/(\w+)|required property '(\w+)'|At '[^']*\/([\w-]+)'/g);
  return [...found].map(([, invalid, missing, replayed]) => invalid ?? missing ?? replayed ?? '');
}

function toId({ request }: Exchange): bigint | undefined {
  const [, id] = /^\/pets\/(-?\d+)$/.exec(request.path) ?? [];
  return id === undefined ? undefined : BigInt(id);
}

/** Returns whether an animal was returned under the id of another one. */
function isOfOther(exchange: Exchange): boolean {
  const [id, animal] = [toId(exchange), readAnimal(exchange)];
  return id !== undefined && typeof animal?.id === 'bigint' && animal.id !== id;
}

/** A request without the order of its parameters. */
function toKey({ method, path, headers, body = '' }: SuiteRequest): string {
  const [place, query = ''] = path.split('?');
  return [method, place, query.split('&').toSorted().join('&'), headers.Authorization, body].join(' ');
}

/** Lists the facts of a changed member: its two values, the probable cause, and the edit. */
function listChanges({ member, from, to }: Change, suspected: string | undefined): string[] {
  const facts = [
    `${member} became ${showValue(to)}`,
    `${member} was ${showValue(from)} became ${showValue(to)}`,
  ];
  return [
    ...facts,
    `${member} was ${showValue(to)} became ${showValue(from)}`,
    ...(from === undefined || to === undefined ? [`${member} is missing`] : []),
    ...(suspected === undefined ? [] : [`${member} ${suspected}`]),
    ...describeEdit(from, to).map((edit) => `${member} ${edit}`),
  ];
}

function describeEdit(from: ExactJson | undefined, to: ExactJson | undefined): string[] {
  if (typeof from === 'bigint' && typeof to === 'bigint') return [`plus ${to - from}`];
  if (typeof from !== 'string' || typeof to !== 'string') return [];
  let start = 0;
  while (start < from.length && from[start] === to[start]) start += 1;
  return to.length > start || from.length > start ? [`edit ${from.slice(start)} ${to.slice(start)}`] : [];
}

/** The facts of a wrong status: of the credentials, or of the operation and the kind of request. */
function findStatusFacts(exchange: Exchange, valid: string): Pick<Facts, 'shows' | 'follows'> {
  const { request, response } = exchange;
  const status = response?.status ?? 0;
  const credentials = request.headers.Authorization;
  const operation = toOperation(request);
  if (status === 401) return { shows: credentials === valid ? ['refuses the key'] : [], follows: [] };
  const kind = findKind(request);
  if (credentials === valid) {
    // One handler refuses every invalid request, but each check accepts its own.
    const isRefused = status >= 400 && kind !== VALID;
    const shows = [`status ${operation} ${isRefused ? 'invalid' : kind} ${status}`];
    // What was accepted for a member is in the animals from then on.
    return { shows: [...shows, ...(isRefused ? [] : [`invalid ${kind}`])], follows: [] };
  }
  const isAccepted = status < 400 || status === 404 || (status === 400 && kind !== VALID);
  const pair = `credentials ${credentials} ${status}`;
  if (!isAccepted) return { shows: [pair, `refusal ${operation} ${status}`], follows: [] };
  const isAny = credentials === undefined || /^Bearer(?: | contract-test-invalid-key)?$/.test(credentials);
  const open = [`accepts anyone ${operation}`];
  return { shows: [`accepts ${credentials}`, ...(isAny ? open : [])], follows: open };
}

const VALID = 'valid';

/** The kind of a request: valid, or what is wrong with it. */
function findKind({ method, path, body = '' }: SuiteRequest): string {
  if (method === 'POST') return findBodyKind(body);
  const [place = '', query] = path.split('?');
  if (place !== '/pets') return VALID;
  const parameters = new URLSearchParams(query);
  const isLimit = /^(?:[1-9]\d?|100)$/.test(parameters.get('limit') ?? '1');
  const isStatus = statuses.some((status) => status === (parameters.get('status') ?? status));
  return [...(isLimit ? [] : ['limit']), ...(isStatus ? [] : ['status'])].join() || VALID;
}

function findBodyKind(body: string): string {
  try {
    const value = parseExactJson(body);
    return isJsonObject(value) ? findMembersKind(value) : 'no object';
  } catch {
    return body.trim() === '' ? 'no body' : 'malformed';
  }
}

function findMembersKind({ name, categoryId, status }: JsonObject): string {
  const isWrong = {
    // A decoder that takes null for a missing value does so for every member.
    null: [name, categoryId, status].includes(null),
    missing: name === undefined || categoryId === undefined,
    name: name != null && typeof name !== 'string',
    categoryId: categoryId != null && typeof categoryId !== 'bigint',
    status: status != null && !statuses.some((one) => one === status),
  };
  return (
    Object.entries(isWrong)
      .flatMap(([fault, is]) => (is ? [fault] : []))
      .join() || VALID
  );
}
